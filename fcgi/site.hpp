#pragma once

#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/auth/directory.hpp"
#include "fcgi/auth/identify.hpp"
#include "fcgi/auth/throttle.hpp"
#include "fcgi/http/router.hpp"
#include "fcgi/routes.hpp"

namespace fcgi {

/// The way of a request from the wire to its handler and back. The steps, in this order:
/// * Find the route. HEAD for a page counts as GET.
/// * Read the body, unless the route streams it: 413 over 150 MiB, 400 if it ends early.
/// * Answer 404 or 405 if no route takes the request.
/// * Identify the visitor. API: 429 after too many failed keys, 401, 404 for an unknown tenant.
/// * Check the role: 403, or 303 to the login page. For an API key that only reads, check the
///   method: 403.
/// * For a form, check origin and csrf token: 403.
/// * Call the handler and turn exceptions into 400, 413, 503 or 500.
/// * API: add problem details and ETag. All: add request id and security headers.
///
/// Safe to use from any thread.
class Site {
 public:
    /// `table`, `directory` and `app` must outlive the site. Throws std::logic_error if two routes
    /// share method and pattern.
    Site(const std::vector<Route>& table, auth::Directory& directory, App& app,
         auth::TrustedHeaders trusted = auth::TrustedHeaders::off);

    /// Answers one request. Catches every std::exception of the handler. Fills in
    /// Request::path_values and may change method and body of the request. A write that succeeded
    /// clears the directory's cache and nudges the daemon. The answer to a HEAD of a page carries a
    /// body, which nginx drops.
    http::Response answer(http::Request& request) const;

 private:
    /// answer_or_throw, with exceptions turned into error responses.
    http::Response answer_or_broken(http::Request& request) const;
    /// Route, body, and the API or page branch.
    http::Response answer_or_throw(http::Request& request) const;
    /// Runs after every request but GET that ended below 400.
    void after_writing() const;
    /// Whether the matched route reads its own body; false when no route matched.
    bool streams_body(const http::RouteMatch& match) const;
    /// The API branch: throttle, identification, role, key scope, handler.
    http::Response answer_script(const http::Request& request, const Route& route) const;
    /// The page branch: session, role, form check, handler.
    http::Response answer_browser(const http::Request& request, const Route& route) const;

    const std::vector<Route>& table_;
    auth::Directory& directory_;
    App& app_;
    auth::TrustedHeaders trusted_;
    /// Counts failed API keys by client address and Coopr-UserID. It has its own lock, hence
    /// mutable.
    mutable auth::Throttle throttle_;
    http::Router router_;
};

}  // namespace fcgi
