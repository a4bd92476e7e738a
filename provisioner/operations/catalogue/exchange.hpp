#pragma once

#include <string_view>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Export and import of a whole catalogue as one JSON document.

/// The newest version of every entry of the caller's tenant: an object with an array for each
/// collection ("providers", "hardwaretypes", ...). Secrets are masked. Importing the document into
/// the same tenant keeps them.
base::Json export_catalogue(store::Database& database, const model::Caller& caller);

/// The id of the entries that an import changed, in the audit log: one import is many events.
inline constexpr std::string_view audited_import = "import";

/// Replaces the caller's whole catalogue by `json`, in the form of export_catalogue. All versions
/// of all entries are deleted first, and a missing collection becomes empty. Numbering starts at 1;
/// two entries of one name become versions 1 and 2. Providers are tested by a daemon soon.
///
/// Refused as invalid with nothing changed. The checks are: wrong entries, circles of services,
/// circles of templates, masked secrets that do not exist. A refusal lists all problems of the
/// first check that fails. One transaction, with the tenant locked.
Result<void> import_catalogue(store::Database& database, const model::Caller& caller,
                              const base::Json& json, base::Timestamp now);

}  // namespace provisioner::operations
