#pragma once

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// The newest version of everything in the caller's catalogue: an array for each collection
/// ("providers", "hardwaretypes", ...).
base::Json export_catalogue(store::Database& database, const model::Caller& caller);

/// Replaces the caller's whole catalogue by `json`, in the form of export_catalogue: everything
/// there was is deleted, a collection that is not mentioned is empty then, numbering starts at 1,
/// and two entries of one name become versions 1 and 2. Refused as invalid, with every problem and
/// nothing changed, when something is wrong with an entry or services leave no order to work in.
Result<void> import_catalogue(store::Database& database, const model::Caller& caller,
                              const base::Json& json, base::Timestamp now);

}  // namespace provisioner::operations
