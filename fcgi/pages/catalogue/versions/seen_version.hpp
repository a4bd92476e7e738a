#pragma once

#include <optional>
#include <string>

#include "fcgi/pages/audit/last_change.hpp"
#include "provisioner/base/clock.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/catalogue/entity.hpp"
#include "provisioner/model/catalogue/version.hpp"
#include "provisioner/model/tenants/tenant.hpp"

namespace fcgi::pages {

// The version of an entry that a page has shown, for forms that are sent later. Pure.

/// The value of a hidden control: "3-4711", or "3" without a line; "0" stands for no entry.
std::string form_value(const provisioner::model::SeenVersion& seen);

/// The same read back; nothing for anything else.
std::optional<provisioner::model::SeenVersion> seen_version_in(const std::string& value);

/// Who began the entry that is in force, and when; nothing where that is not kept. `reader` is
/// told. The link leads to the history of the entry.
std::optional<LastChange> creation_of(const provisioner::model::PresentVersion& present,
                                      provisioner::model::CatalogueKind kind,
                                      const std::string& name,
                                      const provisioner::model::User& reader);

/// Where an entry was created since it was seen, or deleted and created anew: the problem of the
/// field "version", which conflict_with has found, says by whom, and when. Others stay.
void tell_creation(provisioner::base::Problems& problems, provisioner::model::CatalogueKind kind,
                   const std::string& name, const provisioner::model::PresentVersion& present,
                   const provisioner::model::SeenVersion& seen,
                   const provisioner::model::User& reader, provisioner::base::Timestamp now);

}  // namespace fcgi::pages
