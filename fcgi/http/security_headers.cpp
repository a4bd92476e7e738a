#include "fcgi/http/security_headers.hpp"

namespace fcgi::http {
namespace {

constexpr auto policy =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
constexpr auto one_year = "max-age=31536000";
/// Below a prefix the host is shared: what holds for its other names is not ours to say.
constexpr auto one_year_for_all = "max-age=31536000; includeSubDomains";

}  // namespace

Response with_security_headers(Response response, const Request& request) {
    auto& headers = response.headers;
    headers.emplace_back("Content-Security-Policy", policy);
    headers.emplace_back("X-Content-Type-Options", "nosniff");
    headers.emplace_back("Referrer-Policy", "same-origin");
    headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
    headers.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
    if (response.header("Cache-Control").empty()) headers.emplace_back("Cache-Control", "no-store");
    if (request.secure) {
        headers.emplace_back("Strict-Transport-Security",
                             request.prefix.empty() ? one_year_for_all : one_year);
    }
    return response;
}

}  // namespace fcgi::http
