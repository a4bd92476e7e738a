#include <algorithm>
#include <chrono>
#include <exception>
#include <iostream>
#include <string>

#include "fcgi/app.hpp"
#include "fcgi/auth/directory.hpp"
#include "fcgi/auth/remembering_directory.hpp"
#include "fcgi/http/fastcgi.hpp"
#include "fcgi/routes.hpp"
#include "fcgi/site.hpp"
#include "fcgi/views/renderer.hpp"
#include "provisioner/base/config.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/contents/contents.hpp"
#include "provisioner/identity/passwords.hpp"
#include "provisioner/store/database/database.hpp"

// The composition root of the web program: it creates every long-lived object. Members of App must
// outlive serve(), so run() declares them before the site; destruction runs in the opposite order
// after the last request.
namespace {

using provisioner::base::Config;

constexpr auto usage =
    "usage: cooperage-web --config FILE\n"
    "Answers FastCGI requests on the unix socket web.socket until SIGTERM.\n";

/// auth.trusted_headers = on accepts requests without a key while an installation moves from the
/// reference server.
fcgi::auth::TrustedHeaders trusted_headers(const Config& config,
                                           const provisioner::base::Log& log) {
    const std::string value = config.get_or("auth.trusted_headers", "off");
    if (value == "off") return fcgi::auth::TrustedHeaders::off;
    if (value != "on") throw std::runtime_error("auth.trusted_headers is on or off, not " + value);
    log.warn("auth.trusted_headers",
             {{"meaning", "anybody who reaches the API is whoever they say they are"}});
    return fcgi::auth::TrustedHeaders::on;
}

/// database.timeout: time limit of one statement in seconds, at least 2.
provisioner::store::Patience patience(const Config& config) {
    constexpr long least = 2;
    provisioner::store::Patience patience;
    const long limit = config.number_or("database.timeout", patience.statement.count());
    patience.statement = std::chrono::seconds{std::max(least, limit)};
    // The lock limit stays below the statement limit: a lock that is not granted must not look like
    // a dead server.
    patience.lock = std::min(patience.lock, patience.statement - std::chrono::seconds{1});
    return patience;
}

void run(const Config& config) {
    const provisioner::base::SystemClock clock;
    const provisioner::base::Log log(std::cerr, clock);
    provisioner::store::Database database(config, patience(config));
    const fcgi::views::Renderer views(fcgi::views::load_views(config.get("web.views")));
    const provisioner::operations::Nudge nudge(config.get_or("daemon.nudge", ""));
    provisioner::store::ClusterStates states(database);
    const provisioner::contents::Contents contents(config, database);
    fcgi::App app{.database = database,
                  .states = states,
                  .clock = clock,
                  .log = log,
                  .views = views,
                  .nudge = nudge,
                  .contents = contents};
    app.largest_upload = static_cast<std::uint64_t>(
        config.number_or("resources.largest", static_cast<long>(app.largest_upload)));
    fcgi::auth::StoreDirectory stored(database, clock);
    fcgi::auth::RememberingDirectory directory(stored, clock);
    // Otherwise the first login of an unknown user takes twice as long as others.
    provisioner::identity::decoy_hash();
    const fcgi::Site site(fcgi::routes(), directory, app, trusted_headers(config, log));
    fcgi::http::serve(
        fcgi::http::serve_options(config),
        [&](fcgi::http::Request& request) { return site.answer(request); }, log);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3 || std::string(argv[1]) != "--config") {
        std::cerr << usage;
        return 2;
    }
    try {
        run(Config::load(argv[2]));
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "cooperage-web: " << error.what() << '\n';
        return 1;
    }
}
