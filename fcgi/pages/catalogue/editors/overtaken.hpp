#pragma once

#include <string>

#include "fcgi/pages/catalogue/editors/edit_page.hpp"

namespace fcgi::pages {

// What becomes of a form whose entry somebody else has saved meanwhile. Pure.

/// Brings the entry of a page that was made from an older version, `before`, to the stored one,
/// which has the number `newest`: it has what either changed, and what both changed is as in the
/// form (`clashes`). An entry that cannot be read stays, and is refused when it is written.
void take_both(const provisioner::base::Json& before, int newest, EditPage& page);

/// What both changed, each a problem of its control.
provisioner::base::Problems problems_of_clashes(const EditPage& page);

/// What saving it once more does to what the other one has saved.
std::string words_on_overtaking(const EditPage& page);

}  // namespace fcgi::pages
