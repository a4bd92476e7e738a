#pragma once

#include <optional>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// "hardware type" and so on: a kind as messages say it.
std::string said(model::CatalogueKind kind);

/// Reads an entry of that kind in wire form and writes it back in the form it is stored and shown
/// (defaults filled in).
base::Checked<base::Json> canonical_entry(model::CatalogueKind kind, const base::Json& json);

/// Writes the first version; refused with conflict "<type> <name> already exists" when the name is
/// taken, with invalid when a service or a template closes a circle of dependencies that leaves no
/// order to work in.
Result<int> create_entry(store::Database& database, const model::Caller& caller,
                         model::CatalogueKind kind, const base::Json& json, base::Timestamp now);

/// Writes the next version (the first if there is none); refused when `name` and the entry's own
/// name differ, and for circles as above.
Result<int> replace_entry(store::Database& database, const model::Caller& caller,
                          model::CatalogueKind kind, const std::string& name,
                          const base::Json& json, base::Timestamp now);

/// Deletes all versions or one; does nothing when there is none.
void delete_entry(store::Database& database, const model::Caller& caller, model::CatalogueKind kind,
                  const std::string& name, std::optional<int> version);

}  // namespace provisioner::operations
