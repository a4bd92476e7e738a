#pragma once

#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"
#include "provisioner/base/clock.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/contents/contents.hpp"
#include "provisioner/operations/daemons/nudge.hpp"
#include "provisioner/operations/sign_in/rules.hpp"
#include "provisioner/store/clusters/cluster_states.hpp"

namespace fcgi::views {
// Only declared here: handlers of the API do not need the renderer's header.
class Renderer;
}  // namespace fcgi::views

namespace provisioner::operations {
class IdentityProviders;
}  // namespace provisioner::operations

namespace fcgi::monitoring {
class Monitor;
}  // namespace fcgi::monitoring

namespace fcgi {

class RefusalLog;
class Turns;

/// The dependencies a handler may use. main.cpp creates everything that App refers to, before the
/// first request; each of them outlives every request. All members may be used from any thread.
///
/// Handlers are plain functions, so a unit test calls one with an App of its own. There is one App
/// per process, and nothing of it changes after start.
struct App {
    /// Pooled connections for reads and operations.
    provisioner::store::Database& database;
    /// Status reads of polling clients. Reads that arrive at the same time share one statement.
    provisioner::store::ClusterStates& states;
    /// Source of `now` for operations and pages.
    const provisioner::base::Clock& clock;
    /// Events for operators, written to standard error.
    const provisioner::base::Log& log;
    /// Parsed templates of the folder `web.views`, loaded once at start.
    const views::Renderer& views;
    /// Wakes the daemon on this host after a write. Site sends it; handlers do not.
    const provisioner::operations::Nudge& nudge;
    /// Storage for the files of plugins.
    const provisioner::contents::Contents& contents;
    /// Largest file that may be uploaded, in bytes (setting `resources.largest`). The default is 4
    /// GiB. nginx has a limit of its own for the same paths, client_max_body_size in
    /// nginx/site.conf.
    std::uint64_t largest_upload = 4ULL << 30;
    /// https:// and the host under which browsers reach the site (setting web.address); may be
    /// empty.
    std::string address{};
    /// Whether the daemons send mails (setting mail.server).
    bool sends_mail = false;
    /// Limits of sign-ins and sessions.
    provisioner::operations::SignInRules sign_in{};
    /// Health and metrics; Site counts requests in it. Null: nothing is counted (unit tests).
    monitoring::Monitor* monitor = nullptr;
    /// Whose turn it is to do what takes long, for handlers that only sometimes do so. Site sets it
    /// to its own before the first request. Null: there are no limits, and such work is left out
    /// (unit tests).
    Turns* turns = nullptr;
    /// Records refusals in the audit log; Site gives it each answer. Null: none is (unit tests).
    RefusalLog* refusals = nullptr;
    /// Signs people in by identity providers. Null: there are none (unit tests).
    provisioner::operations::IdentityProviders* identity_providers = nullptr;
};

/// Answers one request that has passed identification and permissions. A handler parses, calls an
/// operation or a store, and presents the result. It may throw: Site turns an exception into 503,
/// 500 or another error. Several threads call the same handler at once.
using Handler = http::Response (*)(const http::Request&, const auth::Visitor&, App&);

}  // namespace fcgi
