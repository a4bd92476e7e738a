#pragma once

#include "provisioner/base/json.hpp"
#include "provisioner/operations/catalogue/references.hpp"

namespace fcgi::pages {

/// Whether nobody says which services clusters of the template get: neither it nor its parents and
/// the partial templates that they include (of `entries`) have default services. False for a
/// template that another one extends, because it may be made for that alone, and for a partial one
/// and what is no template. `entry` is in wire form and need not be among the entries.
bool lacks_default_services(const provisioner::operations::CatalogueEntries& entries,
                            const provisioner::base::Json& entry);

/// What to say then.
std::string words_on_lacking_services();

}  // namespace fcgi::pages
