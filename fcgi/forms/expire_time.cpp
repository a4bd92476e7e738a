#include "fcgi/forms/expire_time.hpp"

#include "fcgi/forms/signed_number.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/http/json_body.hpp"

namespace fcgi::forms {

using provisioner::base::Checked;
using provisioner::base::Problems;
using provisioner::base::unexpected;
namespace base = provisioner::base;

namespace {

unexpected<Problems> refused(std::string message) {
    return unexpected(Problems{{"expireTime", std::move(message)}});
}

}  // namespace

Checked<std::int64_t> expire_time(std::string_view body) {
    constexpr auto missing = "expire time not specified";
    if (http::trim(body).empty()) return refused(missing);
    const auto json = http::read_json(body);
    if (!json || !json->is_object()) return refused("Invalid JSON");
    const base::Json* value = base::member(*json, "expireTime");
    if (value == nullptr || value->is_null()) return refused(missing);
    const auto number = signed_number(*value);
    if (number) return *number;
    const std::string text = value->is_string() ? value->get<std::string>() : base::to_text(*value);
    return refused("For input string: \"" + text + "\"");
}

}  // namespace fcgi::forms
