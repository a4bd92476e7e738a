#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// The newest version of every entry of a kind, by name, in wire form with "version" set.
std::vector<base::Json> list_entries(Connection& connection, model::TenantId tenant,
                                     model::CatalogueKind kind);

/// One entry in wire form with "version" set: the newest, or that version; nothing when there is
/// none.
std::optional<base::Json> find_entry(Connection& connection, model::TenantId tenant,
                                     model::CatalogueKind kind, const std::string& name,
                                     std::optional<int> version = std::nullopt);

/// Writes the next version of `document`'s name and returns its number. Lock the tenant first.
int insert_entry(Connection& connection, model::TenantId tenant, model::CatalogueKind kind,
                 const base::Json& document, base::Timestamp now);

/// Deletes all versions, or one; does nothing when there is none.
void delete_entry(Connection& connection, model::TenantId tenant, model::CatalogueKind kind,
                  const std::string& name, std::optional<int> version = std::nullopt);

/// Deletes all entries of all kinds.
void delete_catalogue(Connection& connection, model::TenantId tenant);

}  // namespace provisioner::store
