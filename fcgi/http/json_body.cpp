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

}  // namespace

Checked<Json> read_json(std::string_view body) {
    if (trim(body).empty()) return refused("the body is empty");
    // The strict parser keeps every level it has opened. A body of nothing but brackets must not
    // cost memory.
    if (provisioner::base::nesting_of(body) <= json_depth_limit) {
        if (auto strict = provisioner::base::parse_json(body)) return std::move(*strict);
    }
    if (!provisioner::base::is_utf8(body)) return refused("the body is not UTF-8");
    try {
        return read_lenient_json(body, json_depth_limit);
    } catch (const JsonSyntaxError& error) {
        return refused(error.what());
    }
}

}  // namespace fcgi::http
