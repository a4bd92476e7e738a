#pragma once

#include <string>

#include "fcgi/pages/differences/text_difference.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// The member `difference` for views/catalogue/versions/_difference: two documents of the catalogue
/// as people may see them, line by line. Lines far from any change are left out, and so is what
/// comes after most_lines_shown.
provisioner::base::Json difference_json(const provisioner::base::Json& before,
                                        const provisioner::base::Json& after);

}  // namespace fcgi::pages
