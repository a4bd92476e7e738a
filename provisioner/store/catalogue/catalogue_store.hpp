#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// The catalogue of a tenant: JSON documents, by kind, name and version. Every write of a name makes
// a new version, and the newest one is in force. Documents are stored in wire form, checked and
// completed by operations::canonical_entry. Providers hold their secrets sealed, so mask them
// before showing (model::shown_entry).

/// The newest version of every entry of a kind, by name, with "version" set.
std::vector<base::Json> list_entries(Connection& connection, model::TenantId tenant,
                                     model::CatalogueKind kind);

/// What an entry is called.
struct EntryLabel {
    model::CatalogueKind kind = model::CatalogueKind::provider;
    std::string name{};
    /// What people read; empty without a label.
    std::string label{};
};

/// Names and labels of the newest versions of all entries of these kinds, by kind and name. One
/// statement; documents are not read as JSON here.
std::vector<EntryLabel> entry_labels(Connection& connection, model::TenantId tenant,
                                     const std::vector<model::CatalogueKind>& kinds);

/// One entry with "version" set: that version, or the newest without one. Nothing when there is
/// none.
std::optional<base::Json> find_entry(Connection& connection, model::TenantId tenant,
                                     model::CatalogueKind kind, const std::string& name,
                                     std::optional<int> version = std::nullopt);

/// Writes the next version of the name in `document` and returns its number, 1 for a new name. A
/// "version" in the document is ignored. Lock the tenant first: two writers would draw the same
/// number.
int insert_entry(Connection& connection, model::TenantId tenant, model::CatalogueKind kind,
                 const base::Json& document, base::Timestamp now);

/// Deletes all versions of a name, or one; does nothing when there is none. When the newest one
/// goes, the one before is in force again. Numbering continues after the highest version that is
/// left.
void delete_entry(Connection& connection, model::TenantId tenant, model::CatalogueKind kind,
                  const std::string& name, std::optional<int> version = std::nullopt);

/// Deletes all entries of all kinds of the tenant. Numbering begins at 1 again. Lock the tenant
/// first.
void delete_catalogue(Connection& connection, model::TenantId tenant);

}  // namespace provisioner::store
