#pragma once

#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"
#include "provisioner/base/clock.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/contents/contents.hpp"
#include "provisioner/operations/daemons/nudge.hpp"
#include "provisioner/store/clusters/cluster_states.hpp"

namespace fcgi::views {
class Renderer;
}

namespace fcgi {

/// Everything a handler may use. What it refers to is made in main.cpp and outlives every request;
/// all of it may be used from any thread.
struct App {
    provisioner::store::Database& database;
    provisioner::store::ClusterStates& states;
    const provisioner::base::Clock& clock;
    const provisioner::base::Log& log;
    const views::Renderer& views;
    const provisioner::operations::Nudge& nudge;
    const provisioner::contents::Contents& contents;
    /// Bytes a file may have (resources.largest).
    std::uint64_t largest_upload = 4ULL << 30;
};

/// Answers one request that its route let in: parse, operate, present. routes.cpp has the table of
/// all of them.
using Handler = http::Response (*)(const http::Request&, const auth::Visitor&, App&);

}  // namespace fcgi
