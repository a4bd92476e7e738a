#pragma once

#include <string>

#include "fcgi/pages/changes/change_page.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

// Shrink in a cluster with machines that its latest job left unfinished. They go all together or
// not at all, so the form has them chosen: in hidden fields, beside which other machines can be
// chosen.

/// Why the unfinished machines cannot all be removed, so that nothing can: a sentence with the
/// reasons. Empty if they can, and if there are none. Pure.
std::string reason_to_finish_first(const ChangePage& page);

/// What is left unfinished and the ways to finish it: {"words", "ways", "going": [{"number"}]}.
/// Null without such machines.
provisioner::base::Json unfinished_json(const ChangePage& page);

}  // namespace fcgi::pages
