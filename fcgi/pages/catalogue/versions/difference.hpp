#pragma once

#include <string>

#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// The member `difference` for views/catalogue/versions/_difference: two documents of the catalogue
/// as people may see them, line by line. Lines far from any change are left out, and so is what
/// comes after most_lines_shown.
provisioner::base::Json difference_json(const provisioner::base::Json& before,
                                        const provisioner::base::Json& after);

/// The same of two texts as they are.
provisioner::base::Json text_difference_json(const std::string& before, const std::string& after);

/// Most lines of a difference that a page shows.
inline constexpr std::size_t most_lines_shown = 2'000;

}  // namespace fcgi::pages
