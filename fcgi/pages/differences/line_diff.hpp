#pragma once

#include <string>
#include <vector>

namespace fcgi::pages {

/// What happened to a line between two texts.
enum class LineChange { same, added, removed };

struct DiffLine {
    LineChange change = LineChange::same;
    /// Number in the old and in the new text, from 1; 0 where the line is not in it.
    int old_number = 0;
    int new_number = 0;
    std::string text{};
};

/// The lines of both texts in order, those that both have once: a longest common subsequence.
/// Removed lines come before added ones. A part of more than most_cells_of_diff is divided at lines
/// that occur once in each text; where there are none, all of it is removed and added.
std::vector<DiffLine> line_diff(const std::string& before, const std::string& after);

/// The lines of two texts from a little before the first difference to a little after the last one.
struct ChangedPart {
    std::string before{};
    std::string after{};
    /// How many lines both have before and after it.
    std::size_t lines_above = 0;
    std::size_t lines_below = 0;
};

/// With `around` lines that both have on each side, or all that there are. Linear in the texts.
ChangedPart changed_part(const std::string& before, const std::string& after, std::size_t around);

/// Pairs of lines that are compared at most in one part.
inline constexpr std::size_t most_cells_of_diff = 4'000'000;

}  // namespace fcgi::pages
