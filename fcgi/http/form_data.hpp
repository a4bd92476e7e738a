#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fcgi::http {

/// `text` with every %XX replaced by its byte; `+` stays `+`, and a percent sign that begins no
/// escape stays itself.
std::string percent_decode(std::string_view text);

/// `text` with everything but letters, digits and "-._~" written as %XX: safe as one path segment
/// or query value.
std::string percent_encode(std::string_view text);

/// The fields of an HTML form or of a query, in the order sent; a name may occur more than once.
struct FormData {
    std::vector<std::pair<std::string, std::string>> fields;

    /// The first value of `name`; nothing when the field was not sent.
    std::optional<std::string> first(std::string_view name) const;
    /// The first value of `name` without blanks around it; empty when the field was not sent.
    std::string trimmed(std::string_view name) const;
    /// Every value of `name`, in the order sent (check boxes, multiple select).
    std::vector<std::string> all(std::string_view name) const;
    /// Whether the field was sent at all (a check box is sent only when it is ticked).
    bool has(std::string_view name) const;

    bool operator==(const FormData&) const = default;
};

/// Reads application/x-www-form-urlencoded text (WHATWG URL, 5.1): `&` between fields, `+` for a
/// blank.
FormData parse_form(std::string_view text);

/// `text` without blanks, tabs and line ends around it.
std::string_view trim(std::string_view text);

}  // namespace fcgi::http
