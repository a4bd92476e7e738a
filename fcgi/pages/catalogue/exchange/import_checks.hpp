#pragma once

#include "fcgi/app.hpp"
#include "fcgi/pages/catalogue/change_effects.hpp"
#include "fcgi/pages/catalogue/exchange/exchange_page.hpp"

namespace fcgi::pages {

/// Adds what there is to check in the entries of an import that there was not before, each as it
/// would be beside the selected ones (template_checks.hpp), and what the selected ones do to
/// templates that they do not change. Sizes are worked out of a dozen templates of the import,
/// those first that users are offered, and of none that names what neither the catalogue nor the
/// selected entries have. May take seconds.
void check_import(const auth::Visitor& visitor, App& app, DraftPage& page);

/// Notes what selected entries need of the import that is not selected and that the catalogue does
/// not have either (missing_entries). Where nobody has chosen yet they are not selected then, and
/// neither is what needs those. Pure.
void note_unselected_needs(const provisioner::operations::CatalogueEntries& all, DraftPage& page);

/// What the selected entries change in a catalogue: changes that are kept as drafts are not in
/// force, and the templates that the import changes are `apart`. Pure.
CatalogueChange change_of_import(const provisioner::operations::CatalogueEntries& all,
                                 const DraftPage& page);

/// The catalogue once the selected entries of the import are in it. Pure.
provisioner::operations::CatalogueEntries entries_after(
    provisioner::operations::CatalogueEntries all, const DraftPage& page);

}  // namespace fcgi::pages
