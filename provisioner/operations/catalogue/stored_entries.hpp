#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"

namespace provisioner::operations {

// Typed access to the catalogue of a tenant. The store keeps entries as JSON in wire form; these
// templates turn them into values of model/catalogue. `from_json` is the reader of the kind, for
// example model::service_from_json. Entries were checked when they were written, so one that cannot
// be read is a bug and throws std::logic_error.

/// An entry as a value, with its version in the header. `json` comes from store::list_entries or
/// find_entry, which set "version".
template <class Entity>
Entity as_stored(const base::Json& json, base::Checked<Entity> (*from_json)(const base::Json&)) {
    auto entity = from_json(json);
    if (!entity) throw std::logic_error("stored catalogue: " + to_text(entity.error()));
    entity->header.version = json.at("version").template get<int>();
    return *std::move(entity);
}

/// The newest version of every entry of a kind, by name; empty without entries. Reads and parses
/// all of them, so prefer stored_entry for one name. For old versions call store::find_entry.
template <class Entity>
std::vector<Entity> stored_entries(store::Connection& connection, model::TenantId tenant,
                                   model::CatalogueKind kind,
                                   base::Checked<Entity> (*from_json)(const base::Json&)) {
    std::vector<Entity> entities;
    for (const base::Json& json : store::list_entries(connection, tenant, kind)) {
        entities.push_back(as_stored(json, from_json));
    }
    return entities;
}

/// The newest version of one entry; nothing when there is none. The name is exact and case
/// sensitive.
template <class Entity>
std::optional<Entity> stored_entry(store::Connection& connection, model::TenantId tenant,
                                   model::CatalogueKind kind, const std::string& name,
                                   base::Checked<Entity> (*from_json)(const base::Json&)) {
    const auto json = store::find_entry(connection, tenant, kind, name);
    if (!json) return std::nullopt;
    return as_stored(*json, from_json);
}

}  // namespace provisioner::operations
