#pragma once

#include <string>

#include "fcgi/pages/catalogue/editors/edit_page.hpp"

namespace fcgi::pages {

// What becomes of a form whose entry somebody else has saved or deleted meanwhile. Pure.

/// Brings the entry of a page that was made from an older version, `before`, to the stored one,
/// which is `newest`: it has what either changed, and what both changed is as in the
/// form (`clashes`). An entry that cannot be read stays, and is refused when it is written.
void take_both(const provisioner::base::Json& before, const provisioner::model::SeenVersion& newest,
               EditPage& page);

/// What both changed, each a problem of its control.
provisioner::base::Problems problems_of_clashes(const EditPage& page);

/// Makes the form of an entry that was deleted one of a new entry, with what was typed but for
/// secrets.
void begin_anew(EditPage& page);

/// Who deleted the entry, and what saving it now does.
std::string words_on_deletion(const EditPage& page);

/// What saving it once more does to what the other one has saved.
std::string words_on_overtaking(const EditPage& page);

}  // namespace fcgi::pages
