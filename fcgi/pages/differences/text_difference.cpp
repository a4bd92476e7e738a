#include "fcgi/pages/differences/text_difference.hpp"

#include <algorithm>

#include "fcgi/pages/differences/line_diff.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;

using provisioner::messages::translated_count;

using provisioner::base::Json;

namespace {

constexpr std::size_t lines_around_a_change = 3;

/// For each line whether it is a change or near one.
std::vector<bool> near_changes(const std::vector<DiffLine>& lines) {
    std::vector<bool> near(lines.size(), false);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].change == LineChange::same) continue;
        const auto from = i < lines_around_a_change ? 0 : i - lines_around_a_change;
        const auto to = std::min(lines.size(), i + lines_around_a_change + 1);
        for (auto at = from; at < to; ++at) near[at] = true;
    }
    return near;
}

Json line_json(const DiffLine& line) {
    const auto number = [](int value) { return value == 0 ? Json() : Json(value); };
    Json json;
    json["old_number"] = number(line.old_number);
    json["new_number"] = number(line.new_number);
    json["is_added"] = line.change == LineChange::added;
    json["is_removed"] = line.change == LineChange::removed;
    json["is_same"] = line.change == LineChange::same;
    json["text"] = line.text;
    json["skipped"] = nullptr;
    return json;
}

Json skipped_json(std::size_t lines) {
    Json json = line_json({});
    json["is_same"] = false;
    json["skipped"] =
        translated("{0} without changes", translated_count(lines, "{0} line", "{0} lines"));
    return json;
}

}  // namespace

Json text_difference_json(const std::string& before, const std::string& after) {
    const auto lines = line_diff(before, after);
    const auto near = near_changes(lines);
    Json shown = Json::array();
    std::size_t skipped = 0;
    std::size_t added = 0;
    std::size_t removed = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        added += lines[i].change == LineChange::added ? 1 : 0;
        removed += lines[i].change == LineChange::removed ? 1 : 0;
        if (shown.size() >= most_lines_shown) continue;
        if (!near[i]) {
            ++skipped;
            continue;
        }
        if (skipped > 0) shown.push_back(skipped_json(skipped));
        skipped = 0;
        shown.push_back(line_json(lines[i]));
    }
    if (skipped > 0 && !shown.empty()) shown.push_back(skipped_json(skipped));
    Json json;
    json["is_equal"] = added + removed == 0;
    json["summary"] =
        translated("{0} added, {1} removed", translated_count(added, "{0} line", "{0} lines"),
                   translated_count(removed, "{0} line", "{0} lines"));
    json["is_cut"] = shown.size() >= most_lines_shown;
    json["lines"] = std::move(shown);
    return json;
}

}  // namespace fcgi::pages
