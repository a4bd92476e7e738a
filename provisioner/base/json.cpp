#include "provisioner/base/json.hpp"

#include <algorithm>

namespace provisioner::base {

int nesting_of(std::string_view text) {
    int depth = 0;
    int deepest = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++depth);
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return deepest;
}

std::optional<Json> parse_json(std::string_view text) {
    if (nesting_of(text) > deepest_json) return std::nullopt;
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

std::string text_at(const Json& json, std::string_view key) {
    const Json* found = member(json, key);
    return found != nullptr && found->is_string() ? found->get<std::string>() : "";
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
