#include "fcgi/auth/permissions.hpp"

#include <stdexcept>

#include "fcgi/http/errors.hpp"
#include "fcgi/http/form_data.hpp"

namespace fcgi::auth {

using provisioner::model::Role;

bool satisfies(const Visitor& visitor, Need need) {
    if (need == Need::nobody) return true;
    if (!visitor.caller) return false;
    const Role role = visitor.caller->user.role;
    switch (need) {
        case Need::nobody:
        case Need::user:
            return true;
        case Need::admin:
            return role == Role::admin || role == Role::superadmin;
        case Need::superadmin:
            return role == Role::superadmin;
    }
    throw std::logic_error("unknown need");
}

http::Response refusal(const http::Request& request, const Visitor& visitor, Need need) {
    if (http::is_for_api(request)) {
        const bool admin_would_do = need == Need::admin;
        return http::text(403, admin_would_do ? "user unauthorized, must be admin."
                                              : "user unauthorized, must be superadmin.");
    }
    if (visitor.caller) return http::plain_page(403, "This page is for administrators.");
    // Only a GET is worth returning to: the fields of a form are lost after the redirect.
    if (request.method != "GET" || request.path == "/") return http::see_other("/login");
    const auto query = request.query.empty() ? "" : '?' + request.query;
    return http::see_other("/login?next=" + http::percent_encode(request.path + query));
}

}  // namespace fcgi::auth
