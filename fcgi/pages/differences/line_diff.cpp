#include "fcgi/pages/differences/line_diff.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

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

/// The part of both texts that differs, between a common beginning and a common end.
struct Middle {
    std::size_t begin = 0;
    std::size_t old_end = 0;
    std::size_t new_end = 0;
};

Middle middle_of(const Lines& before, const Lines& after) {
    Middle middle{.old_end = before.size(), .new_end = after.size()};
    while (middle.begin < middle.old_end && middle.begin < middle.new_end &&
           before[middle.begin] == after[middle.begin]) {
        ++middle.begin;
    }
    while (middle.old_end > middle.begin && middle.new_end > middle.begin &&
           before[middle.old_end - 1] == after[middle.new_end - 1]) {
        --middle.old_end;
        --middle.new_end;
    }
    return middle;
}

void write_middle(DiffWriter& writer, const Lines& before, const Lines& after,
                  const Middle& middle) {
    const std::size_t rows = middle.old_end - middle.begin;
    const std::size_t columns = middle.new_end - middle.begin;
    std::size_t row = 0;
    std::size_t column = 0;
    if (rows * columns <= most_cells_of_diff) {
        const auto old_line = [&](std::size_t i) { return before[middle.begin + i]; };
        const auto new_line = [&](std::size_t i) { return after[middle.begin + i]; };
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
    }
    for (; row < rows; ++row) writer.removed();
    for (; column < columns; ++column) writer.added();
}

}  // namespace

std::vector<DiffLine> line_diff(const std::string& before, const std::string& after) {
    const Lines old_lines = lines_of(before);
    const Lines new_lines = lines_of(after);
    const Middle middle = middle_of(old_lines, new_lines);
    DiffWriter writer(old_lines, new_lines);
    for (std::size_t i = 0; i < middle.begin; ++i) writer.same();
    write_middle(writer, old_lines, new_lines, middle);
    for (std::size_t i = middle.old_end; i < old_lines.size(); ++i) writer.same();
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
