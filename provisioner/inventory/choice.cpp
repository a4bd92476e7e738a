#include "provisioner/inventory/choice.hpp"

#include <algorithm>
#include <set>

#include "provisioner/inventory/listed.hpp"

namespace provisioner::inventory {

namespace {

using Words = std::vector<std::string>;

/// The most words that a sentence lists.
constexpr std::size_t most_listed = 10;

bool has(const Words& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool allows(const Words& words, const std::string& word) {
    return word.empty() || words.empty() || has(words, word);
}

std::string listed(const std::set<std::string>& words) {
    std::string text;
    std::size_t left = most_listed;
    for (const std::string& word : words) {
        if (left-- == 0) return text + ", ...";
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

/// "no machine is good for flavor huge (there are large, small)", or "" if some are.
std::string missing(const std::vector<ListedMachine>& machines, const Words ListedMachine::*words,
                    const std::string& word, const std::string& what, bool empty_allows) {
    std::set<std::string> all;
    for (const ListedMachine& machine : machines) {
        const Words& its = machine.*words;
        if (has(its, word) || (its.empty() && empty_allows) || word.empty()) return "";
        all.insert(its.begin(), its.end());
    }
    return "no machine has " + what + " " + word +
           (all.empty() ? "" : " (there are " + listed(all) + ")");
}

}  // namespace

bool fits(const ListedMachine& machine, const Wanted& wanted) {
    return allows(machine.flavors, wanted.flavor) && allows(machine.images, wanted.image) &&
           std::all_of(wanted.tags.begin(), wanted.tags.end(),
                       [&](const std::string& tag) { return has(machine.tags, tag); });
}

std::vector<std::string> split_words(std::string_view text) {
    return words_in({.texts = {std::string(text)}, .is_list = false, .line = 0});
}

std::string group_of(const ListedMachine& machine, std::string_view key) {
    if (key.empty()) return "";
    for (const std::string& tag : machine.tags) {
        if (tag.size() > key.size() && tag.starts_with(key) && tag[key.size()] == '=') {
            return tag.substr(key.size() + 1);
        }
    }
    return "";
}

std::string why_none_fits(const std::vector<ListedMachine>& machines, const Wanted& wanted) {
    Words reasons{missing(machines, &ListedMachine::flavors, wanted.flavor, "the flavor", true),
                  missing(machines, &ListedMachine::images, wanted.image, "the image", true)};
    for (const std::string& tag : wanted.tags) {
        reasons.push_back(missing(machines, &ListedMachine::tags, tag, "the tag", false));
    }
    std::string text;
    for (const std::string& reason : reasons) {
        if (!reason.empty()) text += (text.empty() ? "" : "; ") + reason;
    }
    if (!text.empty()) return text;
    text =
        "no machine has all of these at once: flavor " + wanted.flavor + ", image " + wanted.image;
    for (const std::string& tag : wanted.tags) text += ", tag " + tag;
    return text;
}

}  // namespace provisioner::inventory
