#include "fcgi/http/cookies.hpp"

#include <algorithm>
#include <stdexcept>

#include "fcgi/http/form_data.hpp"

namespace fcgi::http {
namespace {

bool fits_in_a_cookie(char c) {
    return c > ' ' && c < '\x7f' && c != '"' && c != ',' && c != ';' && c != '\\';
}

}  // namespace

std::string to_header(const Cookie& cookie) {
    if (!std::all_of(cookie.value.begin(), cookie.value.end(), fits_in_a_cookie)) {
        throw std::invalid_argument("cookie " + cookie.name + " holds what a cookie cannot hold");
    }
    std::string header =
        cookie.name + '=' + cookie.value + "; Path=" + cookie.path + "; HttpOnly; SameSite=Lax";
    if (cookie.secure) header += "; Secure";
    if (cookie.max_age) header += "; Max-Age=" + std::to_string(cookie.max_age->count());
    return header;
}

std::optional<std::string> cookie_value(std::string_view header, std::string_view name) {
    while (!header.empty()) {
        const auto end = std::min(header.find(';'), header.size());
        const std::string_view pair = trim(header.substr(0, end));
        header.remove_prefix(std::min(end + 1, header.size()));
        const auto equals = pair.find('=');
        if (equals == std::string_view::npos || trim(pair.substr(0, equals)) != name) continue;
        return std::string(trim(pair.substr(equals + 1)));
    }
    return std::nullopt;
}

}  // namespace fcgi::http
