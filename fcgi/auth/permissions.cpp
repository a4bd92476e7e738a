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
        const bool is_auditor = need == Need::user || need == Need::cluster_user;
        if (visitor.behind) return while_viewing();
        if (is_auditor) return http::plain_page(403, "Auditors change nothing.");
        const std::string whose = need == Need::admin ? "administrators" : "superadmins";
        return http::plain_page(
            403, "This page is for " + whose + ". Your role is " +
                     std::string(provisioner::base::to_word(visitor.caller->user.role)) + '.');
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

bool may_administer(const Visitor& visitor) {
    return satisfies(visitor, Need::admin, true);
}

std::string log_in_page(const std::string& next) {
    return next.empty() || next == "/" ? "/login" : "/login?next=" + http::percent_encode(next);
}

}  // namespace fcgi::auth
