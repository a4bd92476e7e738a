#pragma once

#include <vector>

#include "fcgi/pages/catalogue/exchange/exchange_page.hpp"
#include "provisioner/base/json.hpp"

namespace fcgi::pages {

// The entries of an import in groups: those that somebody has to look at come first. Pure.

/// In the order of their groups; in a group as they would be written. Borrows from the page.
std::vector<const provisioner::operations::DraftEntry*> entries_by_group(const DraftPage& page);

/// Puts the heading of a group before its first row, and its end behind the last one. The rows are
/// those of `entries`.
void put_groups(const DraftPage& page,
                const std::vector<const provisioner::operations::DraftEntry*>& entries,
                provisioner::base::Json& rows);

/// What is not selected and why, with a link to its group.
provisioner::base::Json words_on_unselected(const DraftPage& page);

}  // namespace fcgi::pages
