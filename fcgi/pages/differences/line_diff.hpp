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

struct LineDifference {
    std::vector<DiffLine> lines{};
    /// False if a part has too many changes to be compared line by line: all of it is removed and
    /// added, also what both texts have.
    bool is_complete = true;
};

/// The lines of both texts in order, those that both have once: a longest common subsequence, or
/// nearly one where texts differ in thousands of lines. Removed lines come before added ones. Takes
/// linear space, and a limited number of steps.
LineDifference line_diff(const std::string& before, const std::string& after);

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

}  // namespace fcgi::pages
