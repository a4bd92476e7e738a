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
    void removed() {
        all_.push_back({LineChange::removed, number(old_ + 1), 0, std::string(before_[old_])});
        ++old_;
    }
    void added() {
        all_.push_back({LineChange::added, 0, number(new_ + 1), std::string(after_[new_])});
        ++new_;
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
};

/// What differs of a part, between a common beginning and a common end.
Part middle_of(const Lines& before, const Lines& after, Part part) {
    const auto has_both = [&] {
        return part.old_begin < part.old_end && part.new_begin < part.new_end;
    };
    while (has_both() && before[part.old_begin] == after[part.new_begin]) {
        ++part.old_begin;
        ++part.new_begin;
    }
    while (has_both() && before[part.old_end - 1] == after[part.new_end - 1]) {
        --part.old_end;
        --part.new_end;
    }
    return part;
}

/// A line that both texts have, by its place in each.
using Pair = std::pair<std::size_t, std::size_t>;

/// The lines that each text has once in its part, in the order of the old one.
std::vector<Pair> unique_pairs(const Lines& before, const Lines& after, const Part& part) {
    struct Places {
        int in_old = 0;
        int in_new = 0;
        std::size_t new_place = 0;
    };
    std::unordered_map<std::string_view, Places> places;
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

/// By a longest common subsequence.
void write_short(DiffWriter& writer, const Lines& before, const Lines& after, const Part& part) {
    const std::size_t rows = part.old_end - part.old_begin;
    const std::size_t columns = part.new_end - part.new_begin;
    const auto old_line = [&](std::size_t i) { return before[part.old_begin + i]; };
    const auto new_line = [&](std::size_t i) { return after[part.new_begin + i]; };
    const std::size_t width = columns + 1;
    // The length of the longest common subsequence of what begins there.
    std::vector<std::uint32_t> longest((rows + 1) * width, 0);
    for (std::size_t i = rows; i-- > 0;) {
        for (std::size_t j = columns; j-- > 0;) {
            longest[i * width + j] =
                old_line(i) == new_line(j)
                    ? longest[(i + 1) * width + j + 1] + 1
                    : std::max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
        }
    }
    std::size_t row = 0;
    std::size_t column = 0;
    while (row < rows && column < columns) {
        if (old_line(row) == new_line(column)) {
            writer.same();
            ++row;
            ++column;
        } else if (longest[(row + 1) * width + column] >= longest[row * width + column + 1]) {
            writer.removed();
            ++row;
        } else {
            writer.added();
            ++column;
        }
    }
    for (; row < rows; ++row) writer.removed();
    for (; column < columns; ++column) writer.added();
}

void write_part(DiffWriter& writer, const Lines& before, const Lines& after, const Part& part);

/// A long one is divided at lines that both texts have once (patience diff), and again.
void write_middle(DiffWriter& writer, const Lines& before, const Lines& after, const Part& part) {
    const std::size_t rows = part.old_end - part.old_begin;
    const std::size_t columns = part.new_end - part.new_begin;
    if (rows * columns <= most_cells_of_diff) return write_short(writer, before, after, part);
    Part gap = part;
    const auto anchors = rising(unique_pairs(before, after, part));
    for (const auto& [old_place, new_place] : anchors) {
        gap.old_end = old_place;
        gap.new_end = new_place;
        write_part(writer, before, after, gap);
        writer.same();
        gap.old_begin = old_place + 1;
        gap.new_begin = new_place + 1;
    }
    gap.old_end = part.old_end;
    gap.new_end = part.new_end;
    if (!anchors.empty()) return write_part(writer, before, after, gap);
    for (std::size_t row = 0; row < rows; ++row) writer.removed();
    for (std::size_t column = 0; column < columns; ++column) writer.added();
}

void write_part(DiffWriter& writer, const Lines& before, const Lines& after, const Part& part) {
    const Part middle = middle_of(before, after, part);
    for (std::size_t i = part.old_begin; i < middle.old_begin; ++i) writer.same();
    write_middle(writer, before, after, middle);
    for (std::size_t i = middle.old_end; i < part.old_end; ++i) writer.same();
}

}  // namespace

std::vector<DiffLine> line_diff(const std::string& before, const std::string& after) {
    const Lines old_lines = lines_of(before);
    const Lines new_lines = lines_of(after);
    DiffWriter writer(old_lines, new_lines);
    write_part(writer, old_lines, new_lines,
               {.old_end = old_lines.size(), .new_end = new_lines.size()});
    return writer.result();
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
