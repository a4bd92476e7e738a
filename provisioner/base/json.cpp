#include "provisioner/base/json.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace provisioner::base {

namespace {

/// Keys that may be compared while a document is read: an object of 20,000 members, or many
/// smaller ones; half a second.
constexpr std::uint64_t most_comparisons = 200'000'000;

/// Whether the document is read in a time that goes with its length. Each key is compared with all
/// before it in its object (base::Json), so a megabyte of keys would take minutes. `text` must not
/// be nested deeper than deepest_json.
bool is_quick_to_read(std::string_view text) {
    std::array<std::uint64_t, deepest_json + 1> members{};
    std::size_t depth = 0;
    std::uint64_t comparisons = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            depth = std::min(depth + 1, members.size() - 1);
            members[depth] = 0;
        } else if (c == ']' || c == '}') {
            depth -= depth == 0 ? 0 : 1;
        } else if (c == ':') {
            comparisons += members[depth]++;
        }
    }
    return comparisons <= most_comparisons;
}

}  // namespace

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

std::optional<Json> parse_json(std::string_view text, const std::set<std::string>& left_out) {
    if (nesting_of(text) > deepest_json || !is_quick_to_read(text)) return std::nullopt;
    const auto is_kept = [&](int, Json::parse_event_t event, const Json& value) {
        return event != Json::parse_event_t::key ||
               !left_out.contains(value.get_ref<const std::string&>());
    };
    Json parsed =
        left_out.empty() ? Json::parse(text, nullptr, false) : Json::parse(text, is_kept, false);
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
