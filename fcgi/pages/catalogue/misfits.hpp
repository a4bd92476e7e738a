#pragma once

#include <map>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/access/permission.hpp"
#include "provisioner/operations/catalogue/references.hpp"

namespace fcgi::pages {

// What templates need at their provider and hardware and image types do not have there: a flavor or
// an image. A template is merged with its parents and partial templates among `entries`. Pure; no
// layout is worked out. Entries that cannot be read, or merged, have no misfits.

/// Why clusters of a template, in wire form, do not work with its defaults, a sentence each. Empty
/// for a template without a default provider.
std::vector<std::string> misfits_of_template(
    const provisioner::operations::CatalogueEntries& entries,
    const provisioner::base::Json& cluster_template);

/// The same for each stored cluster template that has some, by name.
std::map<std::string, std::vector<std::string>> misfits_of_templates(
    const provisioner::operations::CatalogueEntries& entries);

/// A sentence for each stored cluster template that uses a hardware or image type by default at a
/// provider that the type, in wire form, has no setting for. Empty for other kinds.
std::vector<std::string> misfits_of_type(const provisioner::operations::CatalogueEntries& entries,
                                         provisioner::model::CatalogueKind kind,
                                         const provisioner::base::Json& type);

}  // namespace fcgi::pages
