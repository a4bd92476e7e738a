#include "fcgi/pages/differences/text_difference.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "fcgi/pages/differences/line_diff.hpp"
#include "fcgi/pages/differences/long_lines.hpp"
#include "fcgi/pages/differences/unseen_changes.hpp"
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

Json line_json(const DiffLine& line, const ShownLine& shown) {
    const auto number = [](int value) { return value == 0 ? Json() : Json(value); };
    Json json;
    json["old_number"] = number(line.old_number);
    json["new_number"] = number(line.new_number);
    json["is_added"] = line.change == LineChange::added;
    json["is_removed"] = line.change == LineChange::removed;
    json["is_same"] = line.change == LineChange::same;
    json["text"] = shown.head;
    json["changed"] = shown.changed;
    json["rest"] = shown.tail;
    json["left_out"] =
        shown.left_out == 0
            ? ""
            : translated_count(shown.left_out, "{0} byte is not shown", "{0} bytes are not shown");
    json["skipped"] = nullptr;
    json["folded"] = nullptr;
    return json;
}

/// What is shown of each line: of a long one that became another one what differs. Of a run of
/// removed lines the first became the first of the added ones after it, and so on.
std::vector<ShownLine> shown_parts(const std::vector<DiffLine>& lines) {
    std::vector<ShownLine> parts;
    parts.reserve(lines.size());
    for (const DiffLine& line : lines) parts.push_back(shown_line(line.text));
    const auto end_of_run = [&](std::size_t at, LineChange change) {
        while (at < lines.size() && lines[at].change == change) ++at;
        return at;
    };
    for (std::size_t at = 0; at < lines.size();) {
        const auto added = end_of_run(at, LineChange::removed);
        const auto end = end_of_run(added, LineChange::added);
        for (std::size_t i = 0; at + i < added && added + i < end; ++i) {
            std::tie(parts[at + i], parts[added + i]) =
                shown_lines(lines[at + i].text, lines[added + i].text);
        }
        at = std::max(end, at + 1);
    }
    return parts;
}

/// A run of lines without changes. `folded` is their text, or empty when it is left out.
struct FoldedLines {
    std::size_t count = 0;
    std::string text{};
};

Json folded_json(const FoldedLines& folded) {
    Json json = line_json({}, {});
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

/// How many lines, and bytes of them, a page shows of those that were removed, or were added.
struct Share {
    std::size_t lines = 0;
    std::size_t bytes = 0;
};

/// The share of one of both: half of the page, or what the other one leaves.
std::size_t share_beside(std::size_t most, std::size_t other) {
    return std::max(most / 2, other < most ? most - other : 0);
}

/// The rows of a difference, as long as the page has room for them. Neither of removed and added
/// lines takes the room of the other.
class Rows {
 public:
    Rows(const std::vector<DiffLine>& lines, const std::vector<ShownLine>& parts) {
        std::map<LineChange, Share> all;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            Share& share = all[lines[i].change];
            ++share.lines;
            share.bytes += parts[i].size();
        }
        const auto beside = [&](LineChange other) {
            return Share{.lines = share_beside(most_lines_shown, all[other].lines),
                         .bytes = share_beside(most_bytes_shown, all[other].bytes)};
        };
        left_[LineChange::removed] = beside(LineChange::added);
        left_[LineChange::added] = beside(LineChange::removed);
    }

    void show(const DiffLine& line, const ShownLine& part) {
        if (!has_room()) return;
        end_fold();
        if (!takes_from_share(line.change, part.size())) {
            if (unshown_change_ != line.change) end_unshown();
            unshown_change_ = line.change;
            ++unshown_;
            return;
        }
        end_unshown();
        bytes_ += part.size();
        if (has_room()) rows_.push_back(line_json(line, part));
    }
    void fold(const std::string& text) {
        if (!has_room()) return;
        end_unshown();
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
        end_unshown();
        folded_.count += lines;
        folded_.text.clear();
        end_fold();
    }
    bool has_room() const { return rows_.size() < most_lines_shown && bytes_ <= most_bytes_shown; }
    /// Whether a change is not shown.
    bool is_cut() const { return is_cut_ || unshown_ > 0 || !has_room(); }
    Json take() {
        if (!rows_.empty()) end_fold();
        end_unshown();
        return std::move(rows_);
    }

 private:
    /// Folded lines leave room for changed ones.
    static constexpr std::size_t longest_folds = most_bytes_shown / 2;

    void end_fold() {
        if (folded_.count > 0) rows_.push_back(folded_json(folded_));
        folded_ = {};
    }

    /// False once the share is used up. Lines that both have are near those that changed.
    bool takes_from_share(LineChange change, std::size_t bytes) {
        if (change == LineChange::same) return true;
        Share& left = left_[change];
        if (left.bytes < bytes) left.lines = 0;
        if (left.lines == 0) return false;
        --left.lines;
        left.bytes -= bytes;
        return true;
    }
    /// Says how many lines in a row are not shown, as their share is used up.
    void end_unshown() {
        if (unshown_ == 0) return;
        Json row = line_json({}, {});
        row["is_same"] = false;
        row["skipped"] =
            unshown_change_ == LineChange::added
                ? translated_count(unshown_, "{0} more added line", "{0} more added lines")
                : translated_count(unshown_, "{0} more removed line", "{0} more removed lines");
        rows_.push_back(std::move(row));
        is_cut_ = true;
        unshown_ = 0;
    }

    std::map<LineChange, Share> left_{};
    LineChange unshown_change_ = LineChange::same;
    std::size_t unshown_ = 0;
    bool is_cut_ = false;
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

std::string joined_words(const std::vector<std::string>& words) {
    std::string joined;
    for (const auto& one : words)
        joined = joined.empty() ? one : translated("{0}. {1}", joined, one);
    return joined;
}

/// The lines of both are the same: what else differs.
Json difference_of_ends(const std::string& before, const std::string& after) {
    auto words = words_on_ends_of_text(before, after);
    if (have_same_line_ends(before, after)) {
        words.push_back(translated("Nothing else differs"));
    } else {
        words.insert(words.begin(),
                     translated("Only the ends of lines differ. Windows ends (CR LF) before: "
                                "{0}, after: {1}",
                                grouped(windows_ends(before)), grouped(windows_ends(after))));
    }
    return difference_of(Json::array(), joined_words(words), false, false);
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
    const auto parts = shown_parts(difference.lines);
    Rows rows(difference.lines, parts);
    if (before != after) rows.skip(part.lines_above);
    for (std::size_t i = 0; i < difference.lines.size(); ++i) {
        DiffLine& line = difference.lines[i];
        const auto above = static_cast<int>(part.lines_above);
        if (line.old_number > 0) line.old_number += above;
        if (line.new_number > 0) line.new_number += above;
        if (near[i]) {
            rows.show(line, parts[i]);
        } else {
            rows.fold(line.text);
        }
    }
    const bool is_cut = rows.is_cut();
    if (before != after) rows.skip(part.lines_below);
    const auto summary = summary_of(difference);
    return difference_of(rows.take(),
                         note.empty() ? summary : translated("{0}. {1}", summary, note),
                         before == after, is_cut);
}

}  // namespace

Json text_difference_json(const std::string& before, const std::string& after) {
    if (before == after) return difference_of_lines(before, after, "");
    const auto plain_before = with_plain_ends(before);
    const auto plain_after = with_plain_ends(after);
    if (have_same_lines(plain_before, plain_after)) return difference_of_ends(before, after);
    const auto words = words_on_unseen_changes(before, after);
    if (words.empty()) return difference_of_lines(before, after, "");
    return difference_of_lines(plain_before, plain_after, joined_words(words));
}

}  // namespace fcgi::pages
