#include "fcgi/http/json_body.hpp"

#include "fcgi/http/form_data.hpp"
#include "fcgi/http/lenient_json.hpp"
#include "provisioner/base/utf8.hpp"

namespace fcgi::http {

using provisioner::base::Checked;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::base::unexpected;

namespace {

Checked<Json> refused(std::string message) {
    return unexpected(Problems{{"", std::move(message)}});
}

/// An upper bound of how many values JSON text has, names of members not counted. For text that is
/// not JSON it bounds what a parser has read until its first error.
std::size_t most_values_of(std::string_view text) {
    std::size_t values = 1;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{' || c == ',') {
            ++values;
        }
    }
    return values;
}

}  // namespace

Checked<Json> read_json(std::string_view body, std::size_t most_values) {
    if (trim(body).empty()) return refused("the body is empty");
    // The strict parser keeps every level and value it has read. A body of nothing but brackets
    // must not cost memory.
    if (provisioner::base::nesting_of(body) <= json_depth_limit &&
        most_values_of(body) <= most_values) {
        if (auto strict = provisioner::base::parse_json(body)) return std::move(*strict);
    }
    if (!provisioner::base::is_utf8(body)) return refused("the body is not UTF-8");
    try {
        return read_lenient_json(body, json_depth_limit, most_values);
    } catch (const JsonSyntaxError& error) {
        return refused(error.what());
    }
}

}  // namespace fcgi::http
