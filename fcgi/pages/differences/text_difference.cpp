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
    json["folded"] = nullptr;
    return json;
}

/// A run of lines without changes. `folded` is their text, or empty when it is left out.
struct FoldedLines {
    std::size_t count = 0;
    std::string text{};
};

Json folded_json(const FoldedLines& folded) {
    Json json = line_json({});
    json["is_same"] = false;
    const std::string words =
        translated("{0} without changes", translated_count(folded.count, "{0} line", "{0} lines"));
    if (folded.text.empty()) {
        json["skipped"] = words;
    } else {
        json["folded"] = {{"words", words}, {"folded_text", folded.text}};
    }
    return json;
}

}  // namespace

Json text_difference_json(const std::string& before, const std::string& after) {
    const auto lines = line_diff(before, after);
    const auto near = near_changes(lines);
    Json shown = Json::array();
    FoldedLines folded;
    std::size_t all_folded = 0;
    const auto end_fold = [&] {
        if (folded.count > 0) shown.push_back(folded_json(folded));
        folded = {};
    };
    std::size_t added = 0;
    std::size_t removed = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        added += lines[i].change == LineChange::added ? 1 : 0;
        removed += lines[i].change == LineChange::removed ? 1 : 0;
        if (shown.size() >= most_lines_shown) continue;
        if (!near[i]) {
            ++folded.count;
            if (++all_folded <= most_lines_folded) {
                folded.text += lines[i].text + '\n';
            } else {
                folded.text.clear();
            }
            continue;
        }
        end_fold();
        shown.push_back(line_json(lines[i]));
    }
    if (!shown.empty()) end_fold();
    Json json;
    json["has_values"] = false;
    json["values"] = Json::array();
    json["is_equal"] = added + removed == 0;
    json["summary"] =
        translated("{0} added, {1} removed", translated_count(added, "{0} line", "{0} lines"),
                   translated_count(removed, "{0} line", "{0} lines"));
    json["is_cut"] = shown.size() >= most_lines_shown;
    json["lines"] = std::move(shown);
    return json;
}

}  // namespace fcgi::pages
