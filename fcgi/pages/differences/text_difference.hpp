#pragma once

#include <string>

#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// The member `difference` for views/catalogue/versions/_difference: two texts, line by line. Lines
/// far from any change are folded, up to most_lines_folded of them in all; more are left out, and
/// so is what comes after most_lines_shown or most_bytes_shown, of which removed and added lines
/// have half each where both need more. Of long lines that changed, what differs is shown. Of long
/// texts, what both have before the first and after the last change is left out. Lines that differ
/// in nothing but their ends are the same; what became of those, of a byte order mark and of the
/// newline at the end is said in a sentence. Without changed values: value_differences adds them.
provisioner::base::Json text_difference_json(const std::string& before, const std::string& after);

/// Most lines of a difference that a page shows.
inline constexpr std::size_t most_lines_shown = 2'000;
/// Most bytes of its lines, folded ones included.
inline constexpr std::size_t most_bytes_shown = 512UL * 1024;
/// Most lines between the first and the last change, in both texts together, that are compared.
inline constexpr std::size_t most_lines_compared = 100'000;
/// Most lines without changes that a page has to be opened.
inline constexpr std::size_t most_lines_folded = 2'000;

}  // namespace fcgi::pages
