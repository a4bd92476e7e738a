#pragma once

#include "fcgi/app.hpp"
#include "fcgi/pages/catalogue/exchange/exchange_page.hpp"

namespace fcgi::pages {

/// What there is to check in the templates of an import that there was not before, each as it would
/// be beside the other entries of the import (template_checks.hpp). Sizes are worked out of a dozen
/// templates, those first that users are offered, and of none that names what is only in the
/// import. May take seconds.
ImportChecks checks_of_import(const auth::Visitor& visitor, App& app,
                              const std::vector<provisioner::operations::DraftEntry>& entries);

}  // namespace fcgi::pages
