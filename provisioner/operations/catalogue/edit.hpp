#pragma once

#include <optional>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Edits of single catalogue entries by administrators. Entries have versions: a write adds one, and
// the newest is in force. Clusters keep the versions they were made with. Every write locks the
// tenant, so checks across entries hold.

/// The kind in the words of messages: "hardware type".
std::string said(model::CatalogueKind kind);

/// The kind as the audit log names it: "hardware-type".
std::string audited(model::CatalogueKind kind);

/// Reads an entry in wire form and returns it in the form in which it is stored and shown, with
/// defaults filled in. Pure: does not look at other entries. Its problems name members of `json`.
base::Checked<base::Json> canonical_entry(model::CatalogueKind kind, const base::Json& json);

/// Writes version 1 of an entry of the caller's tenant and returns its number. A provider that is
/// saved is tested soon (provider_tests.hpp). Refused with
/// conflict "<kind> <name> already exists" when the name is taken. Refused as invalid
///
/// * for an entry that canonical_entry refuses, or a lease that begins longer than its maximum;
/// * when a service or template closes a circle of dependencies that leaves no order to work in;
/// * when a provider keeps a secret (the mask) that does not exist.
Result<int> create_entry(store::Database& database, const model::Caller& caller,
                         model::CatalogueKind kind, const base::Json& json, base::Timestamp now);

/// Writes the next version, or the first if there is none, and returns its number. Refused as
/// invalid when `name` and the entry's own name differ, and as create_entry says.
Result<int> replace_entry(store::Database& database, const model::Caller& caller,
                          model::CatalogueKind kind, const std::string& name,
                          const base::Json& json, base::Timestamp now);

/// Deletes one version, or all without `version`; does nothing when there is none. Entries that
/// refer to it are not checked: a later create_cluster refuses then.
void delete_entry(store::Database& database, const model::Caller& caller, model::CatalogueKind kind,
                  const std::string& name, std::optional<int> version);

}  // namespace provisioner::operations
