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

/// The rows of a difference, as long as the page has room for them.
class Rows {
 public:
    void show(const DiffLine& line) {
        if (!has_room()) return;
        end_fold();
        bytes_ += line.text.size();
        // One line may be longer than all that a page can show.
        if (has_room()) rows_.push_back(line_json(line));
    }
    void fold(const std::string& text) {
        if (!has_room()) return;
        ++folded_.count;
        const bool fits =
            ++all_folded_ <= most_lines_folded && bytes_ + text.size() < longest_folds;
        if (fits) {
            folded_.text += text + '\n';
            bytes_ += text.size();
        } else {
            folded_.text.clear();
            all_folded_ = most_lines_folded;
        }
    }
    /// Lines whose text is left out.
    void skip(std::size_t lines) {
        if (lines == 0 || !has_room()) return;
        folded_.count += lines;
        folded_.text.clear();
        end_fold();
    }
    bool has_room() const { return rows_.size() < most_lines_shown && bytes_ <= most_bytes_shown; }
    Json take() {
        if (!rows_.empty()) end_fold();
        return std::move(rows_);
    }

 private:
    /// Folded lines leave room for changed ones.
    static constexpr std::size_t longest_folds = most_bytes_shown / 2;

    void end_fold() {
        if (folded_.count > 0) rows_.push_back(folded_json(folded_));
        folded_ = {};
    }

    Json rows_ = Json::array();
    FoldedLines folded_{};
    std::size_t all_folded_ = 0;
    std::size_t bytes_ = 0;
};

ChangedPart part_to_compare(const std::string& before, const std::string& after) {
    constexpr std::size_t longest_whole = 512UL * 1024;
    if (before.size() + after.size() <= longest_whole) return {.before = before, .after = after};
    return changed_part(before, after, lines_around_a_change);
}

std::size_t line_ends(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

Json difference_of(Json rows, const std::string& summary, bool is_equal, bool is_cut) {
    const bool has_lines = !rows.empty();
    return {{"has_values", false},     {"values", Json::array()}, {"is_equal", is_equal},
            {"summary", summary},      {"is_cut", is_cut},        {"has_lines", has_lines},
            {"lines", std::move(rows)}};
}

/// How the lines of a text end.
struct LineEnds {
    std::size_t all = 0;
    /// Those with CR LF.
    std::size_t windows = 0;

    bool are_windows() const { return all > 0 && windows == all; }
};

LineEnds ends_of(const std::string& text) {
    LineEnds ends;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\n') continue;
        ++ends.all;
        ends.windows += i > 0 && text[i - 1] == '\r' ? 1 : 0;
    }
    return ends;
}

/// The text as if its lines ended with LF.
std::string with_plain_ends(const std::string& text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_end = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
        if (!is_end) plain += text[i];
    }
    return plain;
}

/// What became of the ends of lines where they are others; empty otherwise.
std::string words_on_line_ends(const LineEnds& before, const LineEnds& after) {
    if (before.windows == 0 && after.are_windows() && before.all > 0) {
        return translated("Line ends changed from LF to CR LF in all lines");
    }
    if (before.are_windows() && after.windows == 0 && after.all > 0) {
        return translated("Line ends changed from CR LF to LF in all lines");
    }
    const bool are_mixed = (before.windows > 0 && !before.are_windows()) ||
                           (after.windows > 0 && !after.are_windows());
    if (!are_mixed || before.windows == after.windows) return "";
    return translated("Lines that end with CR LF before: {0}, after: {1}", grouped(before.windows),
                      grouped(after.windows));
}

/// The lines of both are the same: what else differs.
Json difference_of_line_ends(const std::string& before, const std::string& after) {
    const auto without_last_end = [](std::string text) {
        if (text.ends_with('\n')) text.pop_back();
        return text;
    };
    if (before.ends_with('\n') != after.ends_with('\n') &&
        without_last_end(before) == without_last_end(after)) {
        return difference_of(
            Json::array(),
            after.ends_with('\n')
                ? translated("Only the last line end differs: the last line has one now")
                : translated("Only the last line end differs: the last line has none now"),
            false, false);
    }
    return difference_of(
        Json::array(),
        translated("Only the ends of lines differ. Windows ends (CR LF) before: "
                   "{0}, after: {1}",
                   grouped(ends_of(before).windows), grouped(ends_of(after).windows)),
        false, false);
}

/// Whether both have the same lines, of which the last one may have no end.
bool have_same_lines(const std::string& before, const std::string& after) {
    const auto with_last_end = [](std::string text) {
        if (!text.empty() && !text.ends_with('\n')) text += '\n';
        return text;
    };
    return with_last_end(before) == with_last_end(after);
}

/// What a page says above the lines.
std::string summary_of(const LineDifference& difference) {
    if (!difference.is_complete) {
        return translated(
            "There are too many changes to compare these parts line by line: lines that both have "
            "may be among the removed and added ones");
    }
    const auto count = [&](LineChange change) {
        return translated_count(std::ranges::count(difference.lines, change, &DiffLine::change),
                                "{0} line", "{0} lines");
    };
    return translated("{0} added, {1} removed", count(LineChange::added),
                      count(LineChange::removed));
}

/// Line by line. `note` is a sentence without its full stop.
Json difference_of_lines(const std::string& before, const std::string& after,
                         const std::string& note) {
    const auto part = part_to_compare(before, after);
    if (line_ends(part.before) + line_ends(part.after) > most_lines_compared) {
        return difference_of(Json::array(),
                             translated("More than {0} lines lie between the first and the last "
                                        "change",
                                        grouped(most_lines_compared)),
                             false, true);
    }
    auto difference = line_diff(part.before, part.after);
    const auto near = near_changes(difference.lines);
    Rows rows;
    if (before != after) rows.skip(part.lines_above);
    for (std::size_t i = 0; i < difference.lines.size(); ++i) {
        DiffLine& line = difference.lines[i];
        const auto above = static_cast<int>(part.lines_above);
        if (line.old_number > 0) line.old_number += above;
        if (line.new_number > 0) line.new_number += above;
        if (near[i]) {
            rows.show(line);
        } else {
            rows.fold(line.text);
        }
    }
    const bool is_cut = !rows.has_room();
    if (before != after) rows.skip(part.lines_below);
    const auto summary = summary_of(difference);
    return difference_of(rows.take(),
                         note.empty() ? summary : translated("{0}. {1}", summary, note),
                         before == after, is_cut);
}

}  // namespace

Json text_difference_json(const std::string& before, const std::string& after) {
    if (before == after) return difference_of_lines(before, after, "");
    const auto note = words_on_line_ends(ends_of(before), ends_of(after));
    const auto plain_before = with_plain_ends(before);
    const auto plain_after = with_plain_ends(after);
    if (have_same_lines(plain_before, plain_after)) return difference_of_line_ends(before, after);
    if (note.empty()) return difference_of_lines(before, after, "");
    return difference_of_lines(plain_before, plain_after, note);
}

}  // namespace fcgi::pages
