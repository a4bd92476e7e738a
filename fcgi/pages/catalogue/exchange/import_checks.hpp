#pragma once

#include "fcgi/app.hpp"
#include "fcgi/pages/catalogue/exchange/exchange_page.hpp"

namespace fcgi::pages {

/// What there is to check in the templates of an import that there was not before, each as it would
/// be beside the selected entries of the import (template_checks.hpp), and what its changes of
/// services and types break. Sizes are worked out of a dozen templates, those first that users are
/// offered, and of none that names what neither the catalogue nor the selected entries have. May
/// take seconds.
ImportChecks checks_of_import(const auth::Visitor& visitor, App& app, const DraftPage& page);

/// What the changes of services and types among selected entries break in the catalogue `after`
/// them, as the form of one would say (broken_by_change). Pure.
ImportChecks checks_of_other_changes(const DraftPage& page,
                                     const provisioner::operations::CatalogueEntries& after);

/// The catalogue once the selected entries of the import are in it. Pure.
provisioner::operations::CatalogueEntries entries_after(
    provisioner::operations::CatalogueEntries all, const DraftPage& page);

}  // namespace fcgi::pages
