#pragma once

#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/auth/directory.hpp"
#include "fcgi/auth/identify.hpp"
#include "fcgi/auth/throttle.hpp"
#include "fcgi/http/prefix.hpp"
#include "fcgi/http/router.hpp"
#include "fcgi/routes.hpp"
#include "fcgi/turns.hpp"

namespace fcgi {

/// The way of a request from the wire to its handler and back. The steps, in this order:
/// * Take the prefix from the path; 404 if the path is not below it.
/// * Find the route. HEAD for a page counts as GET.
/// * Answer 404 or 405 if no route takes the request.
/// * Answer at once on a route that is anonymous.
/// * Identify the visitor. API: 429 after too many failed keys, 401, 404 for an unknown tenant.
/// * Check the role: 403, or 303 to the login page. For an API key that only reads, check the
///   method: 403.
/// * If the web server keeps the body back (Request::is_body_withheld): 413 if it announces more
///   than is read below, otherwise 204, and nothing of what follows. A refusal up to here is noted
///   like any other and told as http::verdict().
/// * Read the body, unless the route streams it: 400 if it ends early, 413 if it is too large
///   (http::call_limit for calls every user may make, http::body_limit for those of admins,
///   Route::longest_form for pages, http::form_limit for who is not identified).
/// * For a form, check origin and csrf token: 403.
/// * For a laborious route, wait a moment for a turn: 429 or 503.
/// * Call the handler and turn exceptions into 400, 413, 503 or 500.
/// * API: add problem details and ETag. All: add request id and security headers, and the prefix
///   before addresses.
///
/// Safe to use from any thread.
class Site {
 public:
    /// `table`, `directory` and `app` must outlive the site. Throws std::logic_error if two routes
    /// share method and pattern. `threads` is how many call answer() at once; it limits laborious
    /// requests.
    Site(const std::vector<Route>& table, auth::Directory& directory, App& app,
         auth::TrustedHeaders trusted = auth::TrustedHeaders::off, http::Prefix prefix = {},
         int threads = 8);

    /// Answers one request. Catches every std::exception of the handler. Fills in
    /// Request::path_values and Request::prefix and may change method, path and body of the
    /// request. After a write that succeeded it clears the directory's cache and nudges the daemon.
    /// The answer to a HEAD of a page carries a body, which nginx drops.
    http::Response answer(http::Request& request) const;

 private:
    /// Carries out Response::next_form of a request that was answered with a new session. The
    /// answer has that session's cookie, too.
    http::Response carried_on(const http::Request& request, const http::Response& before) const;
    /// Counts the request and logs it if an operator should know of it.
    void note(const http::Request& request, const http::Response& response,
              std::chrono::nanoseconds took) const;
    /// A page of one sentence with navigation and a way on around it; other responses as they are.
    http::Response in_frame(const http::Request& request, http::Response response) const;
    /// answer_or_throw, with exceptions turned into error responses.
    http::Response answer_or_broken(http::Request& request) const;
    /// Route, the API or page branch, and after_writing.
    http::Response answer_or_throw(http::Request& request) const;
    /// Runs after every request that ended below 400, unless it was a GET or Route::only_reads.
    void after_writing() const;
    /// Reads a body of at most `limit` bytes, unless the route streams it, and calls the handler.
    http::Response handled(http::Request& request, const auth::Visitor& visitor, const Route& route,
                           std::uint64_t limit) const;
    /// Calls the handler; for a laborious route only if the user gets a turn, otherwise 429 or 503.
    http::Response in_turn(http::Request& request, const auth::Visitor& visitor,
                           const Route& route) const;
    /// The API branch: throttle, identification, role, key scope, body, handler.
    http::Response answer_script(http::Request& request, const Route& route) const;
    /// Counts a wrong token; `response` is its answer unless its network gave too many.
    http::Response wrong_token(const http::Request& request, http::Response response) const;
    /// Counts a wrong key of `who` from `client`, here and in the database.
    void count_wrong_key(const std::string& network, const std::string& who) const;
    /// The page that a session has to see before this one: it must set a password or a second
    /// factor, or has to prove again who it is (Route::needs_proof). Nothing: none.
    std::optional<http::Response> duty(http::Request& request, const auth::Visitor& visitor,
                                       const Route& route) const;
    /// Whether a session must prove who it is before it uses the route.
    bool lacks_proof(const auth::Visitor& visitor, const Route& route) const;
    /// Leads to the page that asks for a proof, and from there on. The form is kept.
    http::Response ask_for_proof(http::Request& request, const auth::Visitor& visitor,
                                 const Route& route) const;
    /// For a form of somebody whose session has ended: the page of the login, with which the form
    /// travels. Nothing if it cannot be kept.
    std::optional<http::Response> log_in_first(http::Request& request,
                                               const auth::Visitor& visitor) const;
    /// Keeps a form whose body was read, and returns the path of its page. Nothing if it cannot be
    /// kept.
    std::optional<std::string> page_of_kept(const http::Request& request,
                                            const auth::Visitor& visitor, const Route& route) const;
    /// Whether the user gave a password or code a short while ago.
    bool is_proven(const provisioner::model::Session& session) const;
    /// answer_browser, with messages of what was done told once (pages/kept/done_once.hpp).
    http::Response told_once(http::Request& request, const Route& route) const;
    /// For a visitor at an address of a view that has not begun, or was not looked at for too long:
    /// the page that asks whether to view the tenant, or 410. That makes the request one of no
    /// view. `is_look`: whether what it asks for is shown.
    std::optional<http::Response> view_first(http::Request& request, const auth::Visitor& visitor,
                                             bool is_look = true) const;
    /// The answer at an address of a view to somebody who views nothing there: the login, the page
    /// itself for users of that tenant, or 404. Makes the request one of no view.
    http::Response outside_of_view(http::Request& request, const auth::Visitor& visitor) const;
    /// The page that asks whether to view the tenant. Makes the request one of no view.
    http::Response ask_to_view(http::Request& request, auth::Visitor visitor) const;
    /// The page branch: session, role, body, form check, handler.
    http::Response answer_browser(http::Request& request, const Route& route) const;

    const std::vector<Route>& table_;
    auth::Directory& directory_;
    App& app_;
    auth::TrustedHeaders trusted_;
    http::Prefix prefix_;
    /// Counts failed API keys by network and Coopr-UserID, wrong tokens by network and path. It has
    /// its own lock, hence mutable.
    mutable auth::Throttle throttle_;
    /// Users with a laborious request under way. It has its own lock, hence mutable.
    mutable Turns turns_;
    http::Router router_;
};

}  // namespace fcgi
