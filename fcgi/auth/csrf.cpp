#include "fcgi/auth/csrf.hpp"

#include "fcgi/http/form_data.hpp"
#include "provisioner/identity/csrf_token.hpp"

namespace fcgi::auth {

bool is_same_origin(const http::Request& request) {
    const std::string& site = request.header("sec-fetch-site");
    if (!site.empty()) return site == "same-origin" || site == "none";
    const std::string& origin = request.header("origin");
    if (origin.empty()) return true;
    const auto scheme_end = origin.find("://");
    return scheme_end != std::string::npos &&
           origin.substr(scheme_end + 3) == request.header("host");
}

bool says_same_origin(const http::Request& request) {
    const std::string& site = request.header("sec-fetch-site");
    if (!site.empty()) return site == "same-origin";
    return !request.header("origin").empty() && is_same_origin(request);
}

bool form_is_genuine(const http::Request& request, const Visitor& visitor) {
    if (!is_same_origin(request)) return false;
    if (visitor.session.empty()) return true;
    const auto token = http::parse_form(request.body).first("csrf");
    return token && provisioner::identity::csrf_token_matches(visitor.session, *token);
}

}  // namespace fcgi::auth
