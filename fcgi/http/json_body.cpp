#include "fcgi/http/json_body.hpp"

#include <algorithm>

#include "fcgi/http/form_data.hpp"
#include "fcgi/http/lenient_json.hpp"

namespace fcgi::http {

using provisioner::base::Checked;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::base::unexpected;

namespace {

Checked<Json> refused(std::string message) {
    return unexpected(Problems{{"", std::move(message)}});
}

/// Whether strict JSON is nested deeper than the limit; exact for strict JSON, a guess for anything
/// else.
bool is_too_deep(std::string_view text) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            if (c == '"') in_string = false;
            continue;
        }
        if (c == '"') in_string = true;
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        if (depth > json_depth_limit) return true;
    }
    return false;
}

}  // namespace

Checked<Json> read_json(std::string_view body) {
    if (trim(body).empty()) return refused("the body is empty");
    // The parser keeps every level it has opened; a body of brackets only must not cost memory.
    if (!is_too_deep(body)) {
        if (auto strict = provisioner::base::parse_json(body)) return std::move(*strict);
    }
    if (!is_utf8(body)) return refused("the body is not UTF-8");
    try {
        return read_lenient_json(body, json_depth_limit);
    } catch (const JsonSyntaxError& error) {
        return refused(error.what());
    }
}

}  // namespace fcgi::http
