#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace fcgi::pages {

/// What a page shows of a line of a difference. What was left out has an ellipsis in its place.
struct ShownLine {
    std::string head{};
    /// What the line beside it has not; empty where that is not marked.
    std::string changed{};
    std::string tail{};
    /// How many bytes were left out.
    std::size_t left_out = 0;

    std::size_t size() const { return head.size() + changed.size() + tail.size(); }
};

/// A line without one beside it: whole, or its beginning.
ShownLine shown_line(const std::string& line);

/// A line, and what became of it: both whole, or if one is long what differs with a little around.
std::pair<ShownLine, ShownLine> shown_lines(const std::string& before, const std::string& after);

/// Lines that are longer, in bytes, are shown in part if another one is beside them.
inline constexpr std::size_t longest_line_shown_whole = 240;
/// The most bytes of a line, or of what differs in it.
inline constexpr std::size_t most_bytes_of_line = 4096;

}  // namespace fcgi::pages
