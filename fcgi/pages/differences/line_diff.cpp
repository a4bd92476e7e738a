#include "fcgi/pages/differences/line_diff.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace fcgi::pages {

namespace {

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines.push_back(text.substr(0, end));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

/// Writes the lines of both texts in order.
class DiffWriter {
 public:
    DiffWriter(const Lines& before, const Lines& after) : before_(before), after_(after) {}

    void same() {
        all_.push_back(
            {LineChange::same, number(old_ + 1), number(new_ + 1), std::string(before_[old_])});
        ++old_;
        ++new_;
    }
    /// Removes and adds what comes before these places.
    void change_until(std::size_t old_place, std::size_t new_place) {
        for (; old_ < old_place; ++old_) {
            all_.push_back({LineChange::removed, number(old_ + 1), 0, std::string(before_[old_])});
        }
        for (; new_ < new_place; ++new_) {
            all_.push_back({LineChange::added, 0, number(new_ + 1), std::string(after_[new_])});
        }
    }
    std::vector<DiffLine> result() { return std::move(all_); }

 private:
    static int number(std::size_t line) { return static_cast<int>(line); }

    const Lines& before_;
    const Lines& after_;
    std::size_t old_ = 0;
    std::size_t new_ = 0;
    std::vector<DiffLine> all_;
};

/// A part of both texts.
struct Part {
    std::size_t old_begin = 0;
    std::size_t new_begin = 0;
    std::size_t old_end = 0;
    std::size_t new_end = 0;

    int rows() const { return static_cast<int>(old_end - old_begin); }
    int columns() const { return static_cast<int>(new_end - new_begin); }
    bool has_both() const { return old_begin < old_end && new_begin < new_end; }
};

/// A line that both texts have, by its place in each.
using Pair = std::pair<std::size_t, std::size_t>;

/// The lines of a text that the other has, too: other lines are in no common subsequence. Equal
/// lines have one number.
struct CommonLines {
    std::vector<int> numbers{};
    std::vector<std::size_t> places{};
};

std::pair<CommonLines, CommonLines> common_lines(const Lines& before, const Lines& after) {
    struct Use {
        int number = 0;
        bool is_old = false;
        bool is_new = false;
    };
    std::unordered_map<std::string_view, Use> uses;
    const auto use_of = [&](std::string_view line) -> Use& {
        return uses.try_emplace(line, Use{.number = static_cast<int>(uses.size())}).first->second;
    };
    for (const auto line : before) use_of(line).is_old = true;
    for (const auto line : after) use_of(line).is_new = true;
    const auto chosen = [&](const Lines& lines) {
        CommonLines common;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const Use& use = uses.at(lines[i]);
            if (!use.is_old || !use.is_new) continue;
            common.numbers.push_back(use.number);
            common.places.push_back(i);
        }
        return common;
    };
    return {chosen(before), chosen(after)};
}

/// The pairs whose line each text has once in its part, in the order of the old one.
std::vector<Pair> unique_pairs(const std::vector<int>& before, const std::vector<int>& after,
                               const Part& part) {
    struct Places {
        int in_old = 0;
        int in_new = 0;
        std::size_t new_place = 0;
    };
    std::unordered_map<int, Places> places;
    for (std::size_t i = part.old_begin; i < part.old_end; ++i) ++places[before[i]].in_old;
    for (std::size_t i = part.new_begin; i < part.new_end; ++i) {
        Places& place = places[after[i]];
        ++place.in_new;
        place.new_place = i;
    }
    std::vector<Pair> pairs;
    for (std::size_t i = part.old_begin; i < part.old_end; ++i) {
        const Places& place = places.at(before[i]);
        if (place.in_old == 1 && place.in_new == 1) pairs.emplace_back(i, place.new_place);
    }
    return pairs;
}

/// As many of the pairs as possible whose places rise in both texts.
std::vector<Pair> rising(const std::vector<Pair>& pairs) {
    // By length less 1: the pair with the lowest new place at the end of so many; and what comes
    // before each pair there.
    std::vector<std::size_t> ends;
    std::vector<std::optional<std::size_t>> previous(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto end = std::ranges::lower_bound(ends, pairs[i].second, {},
                                                  [&](std::size_t at) { return pairs[at].second; });
        if (end != ends.begin()) previous[i] = *std::prev(end);
        if (end == ends.end()) {
            ends.push_back(i);
        } else {
            *end = i;
        }
    }
    std::vector<Pair> longest;
    if (ends.empty()) return longest;
    for (std::optional<std::size_t> at = ends.back(); at; at = previous[*at]) {
        longest.push_back(pairs[*at]);
    }
    std::ranges::reverse(longest);
    return longest;
}

/// One end of the way through a part: how far one gets with some changes, from its beginning or,
/// backwards, from its end. On diagonal k are the places with k more old lines than new ones.
class Front {
 public:
    explicit Front(int diagonals)
        : reach_(2 * static_cast<std::size_t>(diagonals) + 3, 0), middle_(diagonals + 1) {}

    int& reach(int diagonal) { return reach_[static_cast<std::size_t>(middle_ + diagonal)]; }
    /// How many old lines are passed with one change more, the last of `changes`.
    int next(int diagonal, int changes) {
        const bool adds = diagonal == -changes ||
                          (diagonal != changes && reach(diagonal - 1) < reach(diagonal + 1));
        return adds ? reach(diagonal + 1) : reach(diagonal - 1) + 1;
    }

    /// Whether the other end, with at most `changes`, got as far as this one on a diagonal.
    bool meets(Front& other, int diagonal, const Part& part, int changes) {
        const int across = part.rows() - part.columns() - diagonal;
        return across >= -changes && across <= changes &&
               reach(diagonal) + other.reach(across) >= part.rows();
    }

 private:
    std::vector<int> reach_;
    int middle_;
};

/// The most steps that one part may take, and all parts of a difference together: about 20 and 60
/// milliseconds.
constexpr std::int64_t most_steps_of_part = 5'000'000;
constexpr std::int64_t most_steps_of_all_parts = 15'000'000;

/// Finds the lines that stay (Myers: An O(ND) difference algorithm, in linear space). A part that
/// takes too many steps is divided at lines that both have once (patience diff).
class Comparison {
 public:
    Comparison(const std::vector<int>& before, const std::vector<int>& after)
        : before_(before), after_(after) {}

    void compare(Part part) {
        trim_head(part);
        const std::size_t tail = trim_tail(part);
        if (part.has_both()) compare_middle(part);
        for (std::size_t i = 0; i < tail; ++i) {
            pairs_.emplace_back(part.old_end + i, part.new_end + i);
        }
    }
    /// In their order.
    const std::vector<Pair>& pairs() const { return pairs_; }
    bool is_complete() const { return is_complete_; }

 private:
    void trim_head(Part& part) {
        while (part.has_both() && before_[part.old_begin] == after_[part.new_begin]) {
            pairs_.emplace_back(part.old_begin++, part.new_begin++);
        }
    }
    std::size_t trim_tail(Part& part) const {
        std::size_t tail = 0;
        while (part.has_both() && before_[part.old_end - 1] == after_[part.new_end - 1]) {
            --part.old_end;
            --part.new_end;
            ++tail;
        }
        return tail;
    }

    void compare_middle(const Part& part) {
        if (const auto split = halfway(part)) {
            const auto [old_place, new_place] = *split;
            compare({part.old_begin, part.new_begin, old_place, new_place});
            compare({old_place, new_place, part.old_end, part.new_end});
            return;
        }
        const auto anchors = rising(unique_pairs(before_, after_, part));
        is_complete_ = is_complete_ && !anchors.empty();
        Part gap = part;
        for (const auto& [old_place, new_place] : anchors) {
            compare({gap.old_begin, gap.new_begin, old_place, new_place});
            pairs_.emplace_back(old_place, new_place);
            gap.old_begin = old_place + 1;
            gap.new_begin = new_place + 1;
        }
        if (!anchors.empty()) compare(gap);
    }

    /// A place on a shortest way through a part, with half of the changes before it; nothing if it
    /// takes too many steps. Both ends of the part differ.
    std::optional<Pair> halfway(const Part& part) {
        const int delta = part.rows() - part.columns();
        const bool is_odd = delta % 2 != 0;
        const int most_changes = (part.rows() + part.columns() + 1) / 2;
        Front forward(most_changes);
        Front backward(most_changes);
        const auto stop = std::max<std::int64_t>(0, steps_left_ - most_steps_of_part);
        for (int changes = 0; changes <= most_changes && steps_left_ > stop; ++changes) {
            for (int k = -changes; k <= changes; k += 2) {
                const int from = forward.next(k, changes);
                forward.reach(k) = pass_equal(part, from, k);
                if (is_odd && forward.meets(backward, k, part, changes - 1)) {
                    return place_in(part, from, from - k);
                }
            }
            for (int k = -changes; k <= changes; k += 2) {
                const int row = pass_equal_back(part, backward.next(k, changes), k);
                backward.reach(k) = row;
                if (!is_odd && backward.meets(forward, k, part, changes)) {
                    return place_in(part, part.rows() - row, part.columns() - (row - k));
                }
            }
        }
        return std::nullopt;
    }

    /// How many old lines are passed on a diagonal once equal ones are.
    int pass_equal(const Part& part, int row, int diagonal) {
        const int from = row;
        while (row < part.rows() && row - diagonal < part.columns() &&
               before_[part.old_begin + static_cast<std::size_t>(row)] ==
                   after_[part.new_begin + static_cast<std::size_t>(row - diagonal)]) {
            ++row;
        }
        steps_left_ -= 1 + row - from;
        return row;
    }
    /// The same from the end of the part.
    int pass_equal_back(const Part& part, int row, int diagonal) {
        const int from = row;
        while (row < part.rows() && row - diagonal < part.columns() &&
               before_[part.old_end - 1 - static_cast<std::size_t>(row)] ==
                   after_[part.new_end - 1 - static_cast<std::size_t>(row - diagonal)]) {
            ++row;
        }
        steps_left_ -= 1 + row - from;
        return row;
    }

    static Pair place_in(const Part& part, int row, int column) {
        return {part.old_begin + static_cast<std::size_t>(row),
                part.new_begin + static_cast<std::size_t>(column)};
    }

    const std::vector<int>& before_;
    const std::vector<int>& after_;
    std::int64_t steps_left_ = most_steps_of_all_parts;
    std::vector<Pair> pairs_{};
    bool is_complete_ = true;
};

}  // namespace

LineDifference line_diff(const std::string& before, const std::string& after) {
    const Lines old_lines = lines_of(before);
    const Lines new_lines = lines_of(after);
    const auto [old_common, new_common] = common_lines(old_lines, new_lines);
    Comparison comparison(old_common.numbers, new_common.numbers);
    comparison.compare(
        {.old_end = old_common.numbers.size(), .new_end = new_common.numbers.size()});
    DiffWriter writer(old_lines, new_lines);
    for (const auto& [old_place, new_place] : comparison.pairs()) {
        writer.change_until(old_common.places[old_place], new_common.places[new_place]);
        writer.same();
    }
    writer.change_until(old_lines.size(), new_lines.size());
    return {.lines = writer.result(), .is_complete = comparison.is_complete()};
}

ChangedPart changed_part(const std::string& before, const std::string& after, std::size_t around) {
    const auto lines_in = [](std::string_view text) {
        const auto ends = static_cast<std::size_t>(std::ranges::count(text, '\n'));
        return text.empty() || text.ends_with('\n') ? ends : ends + 1;
    };
    const std::size_t shorter = std::min(before.size(), after.size());
    // A common beginning of whole lines ...
    std::size_t head = 0;
    while (head < shorter && before[head] == after[head]) ++head;
    const auto back_to_line = [&](std::size_t at) {
        const auto end = at == 0 ? std::string::npos : before.rfind('\n', at - 1);
        return end == std::string::npos ? 0 : end + 1;
    };
    head = back_to_line(head);
    // ... and a common end of whole lines.
    std::size_t tail = 0;
    while (tail < shorter - head &&
           before[before.size() - tail - 1] == after[after.size() - tail - 1]) {
        ++tail;
    }
    const auto on_to_line = [&](std::size_t left) {
        const auto end = before.find('\n', before.size() - left);
        return end == std::string::npos ? 0 : before.size() - end - 1;
    };
    const auto begins_line = [](const std::string& text, std::size_t at) {
        return at == 0 || text[at - 1] == '\n';
    };
    if (!begins_line(before, before.size() - tail) || !begins_line(after, after.size() - tail)) {
        tail = on_to_line(tail);
    }
    for (std::size_t i = 0; i < around; ++i) {
        head = head == 0 ? 0 : back_to_line(head - 1);
        tail = on_to_line(tail);
    }
    return {.before = before.substr(head, before.size() - head - tail),
            .after = after.substr(head, after.size() - head - tail),
            .lines_above = lines_in(std::string_view(before).substr(0, head)),
            .lines_below = lines_in(std::string_view(before).substr(before.size() - tail))};
}

}  // namespace fcgi::pages
