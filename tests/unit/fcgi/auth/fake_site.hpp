#pragma once

#include <sstream>
#include <vector>

#include "fcgi/site.hpp"
#include "fcgi/views/renderer.hpp"
#include "provisioner/base/config.hpp"
#include "tests/unit/fcgi/auth/fake_directory.hpp"

namespace tests {

/// A site around a table of routes, with the users of FakeDirectory. Its database is never asked:
/// it connects on first use.
struct FakeSite {
    explicit FakeSite(std::vector<fcgi::Route> routes,
                      const fcgi::views::ViewTexts& pages = {{"layout", "{{> content}}"},
                                                             {"errors/show",
                                                              "{{heading}}: {{text}}"}},
                      std::vector<provisioner::messages::Messages> translations = {})
        : table(std::move(routes)), views(pages, std::move(translations)) {}

    std::vector<fcgi::Route> table;
    /// What was logged.
    std::ostringstream lines;
    provisioner::base::SystemClock clock;
    provisioner::base::Log log{lines, clock};
    provisioner::store::Database database{provisioner::base::Config::parse(
        "database.socket = /nowhere\ndatabase.name = x\ndatabase.user = x\n"
        "database.password = x\n")};
    fcgi::views::Renderer views;
    const provisioner::operations::Nudge nudge{""};
    provisioner::store::ClusterStates states{database};
    const provisioner::contents::Contents contents{provisioner::base::Config(), database};
    fcgi::App app{database, states, clock, log, views, nudge, contents};
    FakeDirectory directory;
    fcgi::Site site{table, directory, app};

    fcgi::http::Response ask(fcgi::http::Request request) { return site.answer(request); }
};

}  // namespace tests
