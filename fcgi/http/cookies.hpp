#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace fcgi::http {

/// Whether a browser sends the cookie with requests that other sites cause.
enum class SameSite {
    /// Never.
    strict,
    /// Only when a person follows a link to this site.
    lax,
};

/// A cookie for the whole site (Path=/) that scripts cannot read (HttpOnly).
struct Cookie {
    /// Not checked. A name with the prefix `__Host-` needs `secure`.
    std::string name;
    /// Printable ASCII without blanks, quotes, commas, semicolons and backslashes; may be empty.
    std::string value;
    /// Lifetime in the browser. Nothing: until the browser is closed. Zero: the browser removes the
    /// cookie.
    std::optional<std::chrono::seconds> max_age = std::nullopt;
    SameSite same_site = SameSite::lax;
    /// True if the browser came over TLS: it then never sends the cookie over plain HTTP.
    bool secure = false;
};

/// The value of a Set-Cookie header (RFC 6265bis). Throws std::invalid_argument for a value that a
/// cookie cannot hold.
std::string to_header(const Cookie& cookie);

/// The value of cookie `name` in a Cookie header. Nothing if the header does not name it; the first
/// one if several do. Blanks around name and value are dropped; quotes are not.
std::optional<std::string> cookie_value(std::string_view header, std::string_view name);

}  // namespace fcgi::http
