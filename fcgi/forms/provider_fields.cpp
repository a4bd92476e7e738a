#include "fcgi/forms/provider_fields.hpp"

namespace fcgi::forms {

using provisioner::base::Checked;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::model::ObjectReader;

std::optional<Json> object_in(ObjectReader& reader, std::string_view key) {
    const Json* found = reader.value(key);
    if (found == nullptr) return std::nullopt;
    if (found->is_object()) return *found;
    reader.problem(key, "must be an object");
    return std::nullopt;
}

Checked<Json> provider_fields(const Json& json) {
    if (json.is_null()) return Json::object();
    Problems problems;
    ObjectReader reader(&json, "", problems);
    Json fields = object_in(reader, "providerFields").value_or(Json::object());
    return provisioner::model::unless_problems(std::move(fields), std::move(problems));
}

}  // namespace fcgi::forms
