#pragma once

#include <string>

#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// The member `difference` for views/catalogue/versions/_difference: two texts, line by line. Lines
/// far from any change are folded, up to most_lines_folded of them in all; more are left out, and
/// so is what comes after most_lines_shown. Without changed values: value_differences adds them.
provisioner::base::Json text_difference_json(const std::string& before, const std::string& after);

/// Most lines of a difference that a page shows.
inline constexpr std::size_t most_lines_shown = 2'000;
/// Most lines without changes that a page has to be opened.
inline constexpr std::size_t most_lines_folded = 2'000;

}  // namespace fcgi::pages
