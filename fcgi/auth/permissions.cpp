#include "fcgi/auth/permissions.hpp"

#include <stdexcept>

#include "fcgi/http/errors.hpp"
#include "fcgi/http/form_data.hpp"

namespace fcgi::auth {

using provisioner::model::Right;

Right right_for(Need need, bool changes) {
    switch (need) {
        case Need::account:
            return Right::own_account;
        case Need::user:
            return changes ? Right::use_clusters : Right::own_account;
        case Need::cluster_user:
            return Right::use_clusters;
        case Need::admin:
            return changes ? Right::administer_tenant : Right::see_tenant;
        case Need::superadmin:
            return Right::administer_installation;
        case Need::nobody:
            break;
    }
    throw std::logic_error("this need is no right");
}

bool satisfies(const Visitor& visitor, Need need, bool changes) {
    if (need == Need::nobody) return true;
    return visitor.caller && visitor.caller->may(right_for(need, changes));
}

namespace {

/// What follows "the right to".
const char* words_of_right(Right right) {
    switch (right) {
        case Right::own_account:
            return "manage an account";
        case Right::use_clusters:
            return "use clusters";
        case Right::see_clusters:
            return "see all clusters of the tenant";
        case Right::operate_clusters:
            return "operate all clusters of the tenant";
        case Right::every_entry:
            return "use every entry of the catalogue";
        case Right::see_tenant:
            return "see everything of the tenant";
        case Right::administer_tenant:
            return "administer the tenant";
        case Right::administer_installation:
            return "administer the installation";
    }
    throw std::logic_error("unknown right");
}

/// Texts of the wire contract, but for the first: there only auditors lack that right.
const char* refusal_text(Need need) {
    if (need == Need::user || need == Need::cluster_user) {
        return "user unauthorized, auditors change nothing.";
    }
    return need == Need::admin ? "user unauthorized, must be admin."
                               : "user unauthorized, must be superadmin.";
}

}  // namespace

http::Response refusal(const http::Request& request, const Visitor& visitor, Need need) {
    if (http::is_for_api(request)) {
        return http::text(403, refusal_text(need));
    }
    if (visitor.caller) {
        if (visitor.behind) return while_viewing();
        const auto& caller = *visitor.caller;
        const Right asked = right_for(need, request.method != "GET");
        // A handler may ask for more than the route.
        const Right lacking = caller.may(asked) ? right_for(need, true) : asked;
        const std::string lack = lack_of_right(caller.user.role, lacking);
        if (need == Need::user || need == Need::cluster_user) {
            return http::plain_page(403, "Auditors change nothing. " + lack);
        }
        const std::string whose = need == Need::admin ? "administrators" : "superadmins";
        return http::plain_page(403, "This page is for " + whose + ". " + lack);
    }
    // Only a GET is worth returning to: the fields of a form are lost after the redirect.
    if (request.method != "GET" || request.path == "/") return http::see_other("/login");
    const auto query = request.query.empty() ? "" : '?' + request.query;
    return http::see_other(log_in_page(request.path + query));
}

http::Response while_viewing() {
    return http::plain_page(403,
                            "While you view a tenant you can only read what it has. Stop viewing "
                            "for what is your own, and for every change.");
}

std::string lack_of_right(provisioner::model::Role role, Right right) {
    return "The role " + std::string(provisioner::base::to_word(role)) + " lacks the right to " +
           words_of_right(right) + '.';
}

bool may_administer(const Visitor& visitor) {
    return satisfies(visitor, Need::admin, true);
}

std::string log_in_page(const std::string& next) {
    return next.empty() || next == "/" ? "/login" : "/login?next=" + http::percent_encode(next);
}

}  // namespace fcgi::auth
