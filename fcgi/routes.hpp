#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/auth/permissions.hpp"
#include "fcgi/http/params.hpp"

namespace fcgi {

/// One line of the site's table: which requests it takes, which handler answers, and what the
/// visitor needs. A unit test walks the table with every role.
struct Route {
    /// "GET", "POST", "PUT" or "DELETE". HEAD is never listed: Site answers HEAD for a page as GET.
    std::string method;
    /// A path with {placeholders}, for example "/v2/clusters/{id}". A placeholder takes exactly one
    /// segment.
    std::string pattern;
    /// Never null in routes().
    Handler handler = nullptr;
    /// Checked before the handler runs. The default is the strictest one.
    auth::Need need = auth::Need::superadmin;
    /// Body of the 403 for a script without the needed role, where the wire contract has its own
    /// text. An empty string means 403 without a body; nothing means the common text of
    /// auth::refusal. Pages ignore it.
    std::optional<std::string> refusal = std::nullopt;
    /// True for a call that changes nothing although it is not a GET. API keys of scope "read" may
    /// use it, and it neither clears the cache of keys nor nudges the daemon.
    bool only_reads = false;
    /// True if the handler reads Request::incoming itself. Otherwise Site reads the body into
    /// Request::body first.
    bool streams_body = false;
    /// True if nobody is identified, whatever the request says, and its body is not read: the
    /// database is not asked before the handler runs. Only with Need::nobody.
    bool is_anonymous = false;
    /// True if the handler takes long: it works out layouts, writes the download of a log, or
    /// updates many clusters. Each user may have one such
    /// request under way, and all users together some: see Turns.
    bool is_laborious = false;
    /// Largest body of a form, in bytes. The API has limits of its own.
    std::uint64_t longest_form = http::form_limit;
    /// True for what may harm if somebody else sits at the keyboard: a session must have been
    /// proven by password or code in the last minutes (SignInRules::proof). API keys cannot.
    bool needs_proof = false;
    /// True for a form that is checked before that proof is asked for: its handler runs and throws
    /// operations::ProofNeeded before it changes anything. Only for handlers that change nothing
    /// but what an operation records by operations::audit(), in its transaction.
    bool is_checked_first = false;
    /// True if a session may use it that has to set a password or a second factor first.
    bool is_a_duty = false;

    /// True if the handler compares a token of the header Authorization and answers 404 to a wrong
    /// one. Site counts these by network and answers 429 instead when there are too many, and the
    /// audit log has them. The right token is always let in.
    bool takes_a_token = false;

    /// Whether a request may change something.
    bool changes() const { return method != "GET" && !only_reads; }
};

/// The same route with the flag is_laborious.
inline Route laborious(Route route) {
    route.is_laborious = true;
    return route;
}

/// The same route with the flag takes_a_token.
inline Route with_token(Route route) {
    route.takes_a_token = true;
    return route;
}

/// Whether a superadmin who views a tenant may use the route: what only reads and is not about
/// their own account.
bool is_for_viewing(const Route& route);

/// The same route with another limit of its form.
inline Route with_longest_form(Route route, std::uint64_t longest_form) {
    route.longest_form = longest_form;
    return route;
}

/// The table of the whole site: the API's routes here, the pages' routes from pages/routes.cpp.
/// Built on the first call; the reference stays valid until the program ends. No two routes share
/// method and pattern.
const std::vector<Route>& routes();

}  // namespace fcgi
