#include "provisioner/queue/outcome.hpp"

#include <algorithm>
#include <string_view>

#include "provisioner/base/utf8.hpp"

namespace provisioner::queue {

namespace {

using base::Json;

constexpr std::size_t longest_message = 8 * 1024;
constexpr std::size_t longest_tail = 8 * 1024;
constexpr std::size_t longest_name = 255;
constexpr std::size_t largest_fact = 64 * 1024;
constexpr std::size_t largest_facts = 256 * 1024;
constexpr int deepest_fact = 20;
/// RFC 1035, 2.3.4, without the dot at the end.
constexpr std::size_t longest_hostname = 253;

/// Replaces NUL: JSON functions of some versions of MySQL and MariaDB end a text there.
std::string clean(std::string_view bytes) {
    std::string text = base::to_utf8(bytes);
    for (auto nul = text.find('\0'); nul != std::string::npos; nul = text.find('\0', nul)) {
        text.replace(nul, 1, "\xEF\xBF\xBD");
    }
    return text;
}

std::string bounded(std::string_view bytes, std::size_t limit) {
    std::string text = clean(bytes);
    text.resize(base::utf8_prefix(text, limit).size());
    return text;
}

/// Keeps the end of a text that is too long, after "[snipped]".
std::string bounded_tail(std::string_view bytes) {
    constexpr std::string_view snipped = "[snipped]";
    const std::string text = clean(bytes);
    if (text.size() <= longest_tail) return text;
    return std::string(snipped) +
           std::string(base::utf8_suffix(text, longest_tail - snipped.size()));
}

int depth_of(const Json& json) {
    int deepest = 0;
    if (!json.is_structured()) return deepest;
    for (const Json& element : json) deepest = std::max(deepest, depth_of(element));
    return deepest + 1;
}

Json clean_json(const Json& json) {
    if (json.is_string()) return clean(json.get_ref<const std::string&>());
    if (json.is_binary()) return nullptr;
    if (json.is_array()) {
        Json array = Json::array();
        for (const Json& element : json) array.push_back(clean_json(element));
        return array;
    }
    if (!json.is_object()) return json;
    Json object = Json::object();
    for (const auto& [name, value] : json.items()) object[clean(name)] = clean_json(value);
    return object;
}

Json bounded_facts(const Json& facts) {
    Json kept = Json::object();
    if (!facts.is_object()) return kept;
    std::size_t all = 0;
    for (const auto& [raw_name, value] : facts.items()) {
        const std::string name = bounded(raw_name, longest_name);
        if (depth_of(value) > deepest_fact) {
            kept[name] =
                "(left out: nested deeper than " + std::to_string(deepest_fact) + " levels)";
            continue;
        }
        Json fact = clean_json(value);
        const std::size_t size = name.size() + base::to_text(fact).size();
        if (size > largest_fact || all + size > largest_facts) {
            kept[name] = "(left out: " + std::to_string(size) + " bytes)";
            continue;
        }
        all += size;
        kept[name] = std::move(fact);
    }
    return kept;
}

bool is_hostname(const std::string& name) {
    const auto is_allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '.' || c == '_';
    };
    return name.size() <= longest_hostname && std::ranges::all_of(name, is_allowed);
}

void make_storable(Succeeded& succeeded) {
    succeeded.facts = bounded_facts(succeeded.facts);
    std::map<std::string, std::string> addresses;
    for (const auto& [type, address] : succeeded.addresses) {
        addresses[bounded(type, longest_name)] = bounded(address, longest_name);
    }
    succeeded.addresses = std::move(addresses);
    if (!is_hostname(succeeded.hostname)) succeeded.hostname.clear();
}

void make_storable(Failed& failed) {
    failed.message = bounded(failed.message, longest_message);
    failed.stdout_tail = bounded_tail(failed.stdout_tail);
    failed.stderr_tail = bounded_tail(failed.stderr_tail);
}

void make_storable(Waiting& waiting) {
    waiting.reason = bounded(waiting.reason, longest_message);
}

}  // namespace

Outcome storable(Outcome outcome) {
    std::visit([](auto& kind) { make_storable(kind); }, outcome);
    return outcome;
}

}  // namespace provisioner::queue
