#include "fcgi/pages/differences/value_difference.hpp"

#include <algorithm>
#include <map>

#include "fcgi/pages/differences/member_words.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/plugins/sealed.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::messages::translated;
namespace base = provisioner::base;
namespace model = provisioner::model;

namespace {

struct Leaf {
    std::string text{};
    /// A list or an object without anything, which says what a missing one says.
    bool is_nothing = false;

    bool operator==(const Leaf&) const = default;
};
using Leaves = std::map<std::string, Leaf>;

/// "web, mysql" for a list of words, "a, b; c, d" for a list of lists, "role: user, tenant: demo"
/// for an object in a list. What is deeper is JSON.
std::string leaf_text(const Json& value, int depth = 0) {
    constexpr int deepest = 2;
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_structured() || depth > deepest) return base::to_text(value);
    if (value.empty()) return translated("none");
    const bool is_of_words =
        std::ranges::none_of(value, [](const Json& one) { return one.is_structured(); });
    std::string words;
    for (const auto& [name, one] : value.items()) {
        words += words.empty() ? "" : is_of_words ? ", " : "; ";
        if (value.is_object()) words += name + ": ";
        words += leaf_text(one, depth + 1);
    }
    return words;
}

/// Every value that is neither an object nor null, by the path to it. Arrays count as one value.
void add_leaves(const Json& document, const std::string& path, Leaves& leaves) {
    if (!document.is_object()) {
        if (!path.empty() && !document.is_null()) {
            leaves[path] = {leaf_text(document), document.is_structured() && document.empty()};
        }
        return;
    }
    for (const auto& [name, value] : document.items()) {
        add_leaves(value, path.empty() ? name : path + '.' + name, leaves);
    }
}

Leaves leaves_of(const Json& document) {
    Leaves leaves;
    add_leaves(document, "", leaves);
    return leaves;
}

/// Values that are longer are cut: the documents have them whole.
constexpr std::size_t longest_value = 300;

std::string cut_value(const std::string& value) {
    const auto begin = base::utf8_prefix(value, longest_value);
    return begin.size() == value.size() ? value : std::string(begin) + "…";
}

Json changed_value(const std::string& member, const std::string& before, const std::string& after) {
    Json json;
    json["member"] = member;
    json["before"] = cut_value(before);
    json["after"] = cut_value(after);
    return json;
}

}  // namespace

Json value_differences(const Json& before, const Json& after) {
    Json list = Json::array();
    const Leaves old = leaves_of(before);
    const Leaves fresh = leaves_of(after);
    for (const auto& [member, value] : old) {
        const auto now = fresh.find(member);
        if (now == fresh.end()) {
            if (!value.is_nothing) list.push_back(changed_value(member, value.text, ""));
        } else if (now->second != value) {
            list.push_back(changed_value(member, value.text, now->second.text));
        }
    }
    for (const auto& [member, value] : fresh) {
        if (old.contains(member) || value.is_nothing) continue;
        list.push_back(changed_value(member, "", value.text));
    }
    return list;
}

std::string value_in_words(const std::string& member, Json value) {
    constexpr std::string_view config = "defaults.config";
    if (value.is_null()) return "";
    if (member.starts_with(config)) {
        // The name of the member is judged as those below it.
        Json document{{member.substr(std::min(member.size(), config.size() + 1)), value}};
        model::hide_what_sounds_secret(document, model::secret_mask,
                                       model::DocumentKind::configuration);
        value = document.begin().value();
    }
    return member_value(member, cut_value(leaf_text(value)));
}

}  // namespace fcgi::pages
