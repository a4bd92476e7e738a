#pragma once

#include <string>

#include "fcgi/pages/differences/text_difference.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

/// The member `difference` for views/catalogue/versions/_difference: two documents of the catalogue
/// as people may see them, value by value if both are there, and line by line as in
/// text_difference_json.
provisioner::base::Json difference_json(const provisioner::base::Json& before,
                                        const provisioner::base::Json& after);

}  // namespace fcgi::pages
