#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace fcgi::http {

/// When a browser sends the cookie along with requests that come from other sites.
enum class SameSite {
    /// Never.
    strict,
    /// Only when a person follows a link here.
    lax,
};

/// A cookie scripts cannot read, for the whole site.
struct Cookie {
    std::string name;
    /// Must hold no control characters, blanks, quotes, commas, semicolons or backslashes.
    std::string value;
    /// How long the browser keeps it; nothing means until it is closed, zero removes it.
    std::optional<std::chrono::seconds> max_age = std::nullopt;
    SameSite same_site = SameSite::lax;
    /// Set where the browser came over TLS: it is then never sent in the clear.
    bool secure = false;
};

/// The value of a Set-Cookie header (RFC 6265bis); throws std::invalid_argument for a value a
/// cookie cannot hold.
std::string to_header(const Cookie& cookie);

/// The value of cookie `name` in a Cookie header, the first of that name; nothing when it is not
/// there.
std::optional<std::string> cookie_value(std::string_view header, std::string_view name);

}  // namespace fcgi::http
