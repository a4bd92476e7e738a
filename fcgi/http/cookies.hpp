#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace fcgi::http {

/// A cookie that scripts cannot read (HttpOnly). Of the requests that other sites cause, the
/// browser sends it only when a person follows a link (SameSite=Lax).
struct Cookie {
    /// Not checked. A name that begins with `__Host-` needs `secure` and the path "/"; one with
    /// `__Secure-` needs `secure`.
    std::string name;
    /// Printable ASCII without blanks, quotes, commas, semicolons and backslashes; may be empty.
    std::string value;
    /// Lifetime in the browser. Nothing: until the browser is closed. Zero: the browser removes the
    /// cookie.
    std::optional<std::chrono::seconds> max_age = std::nullopt;
    /// True if the browser came over TLS: it then never sends the cookie over plain HTTP.
    bool secure = false;
    /// The browser sends the cookie for this path and those below it only. Not checked.
    std::string path = "/";
};

/// The value of a Set-Cookie header (RFC 6265bis). Throws std::invalid_argument for a value that a
/// cookie cannot hold.
std::string to_header(const Cookie& cookie);

/// The value of cookie `name` in a Cookie header. Nothing if the header does not name it; the first
/// one if several do. Blanks around name and value are dropped; quotes are not.
std::optional<std::string> cookie_value(std::string_view header, std::string_view name);

}  // namespace fcgi::http
