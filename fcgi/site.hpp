#pragma once

#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/auth/directory.hpp"
#include "fcgi/auth/identify.hpp"
#include "fcgi/auth/throttle.hpp"
#include "fcgi/http/router.hpp"
#include "fcgi/routes.hpp"

namespace fcgi {

/// The way of a request from the wire to its handler and back: find the route (404, 405), read the
/// body unless the handler does that (400, 413), find out who asks (401, 429), look at what they
/// may (403), for a form whether it is genuine (403), call the handler, answer for what breaks
/// (500), give the API's answer the form that was asked for (problem details, 304), add the
/// request's id and the security headers. Safe to use from any thread.
class Site {
 public:
    /// All three must outlive it.
    Site(const std::vector<Route>& table, auth::Directory& directory, App& app,
         auth::TrustedHeaders trusted = auth::TrustedHeaders::off);

    /// Never throws. Fills in the request's path values; HEAD for a page is answered as GET, nginx
    /// drops the body.
    http::Response answer(http::Request& request) const;

 private:
    http::Response answer_or_broken(http::Request& request) const;
    http::Response answer_or_throw(http::Request& request) const;
    void after_writing() const;
    bool streams_body(const http::RouteMatch& match) const;
    http::Response answer_script(const http::Request& request, const Route& route) const;
    http::Response answer_browser(const http::Request& request, const Route& route) const;

    const std::vector<Route>& table_;
    auth::Directory& directory_;
    App& app_;
    auth::TrustedHeaders trusted_;
    mutable auth::Throttle throttle_;
    http::Router router_;
};

}  // namespace fcgi
