#include "provisioner/base/json.hpp"

namespace provisioner::base {

std::optional<Json> parse_json(std::string_view text) {
    Json parsed = Json::parse(text, nullptr, false);
    if (parsed.is_discarded()) return std::nullopt;
    return parsed;
}

std::string to_text(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json* member(const Json& json, std::string_view key) {
    if (!json.is_object()) return nullptr;
    const auto found = json.find(key);
    return found == json.end() ? nullptr : &*found;
}

std::vector<std::string> strings_of(const Json* array) {
    std::vector<std::string> strings;
    if (array == nullptr || !array->is_array()) return strings;
    for (const Json& element : *array) {
        if (element.is_string()) strings.push_back(element.get<std::string>());
    }
    return strings;
}

}  // namespace provisioner::base
