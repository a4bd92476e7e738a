#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"

namespace provisioner::operations {

/// A catalogue entry as a value, its version in the header. It was checked when written: one that
/// cannot be read throws std::logic_error.
template <class Entity>
Entity as_stored(const base::Json& json, base::Checked<Entity> (*from_json)(const base::Json&)) {
    auto entity = from_json(json);
    if (!entity) throw std::logic_error("stored catalogue: " + to_text(entity.error()));
    entity->header.version = json.at("version").template get<int>();
    return *std::move(entity);
}

/// The newest version of every entry of a kind as values, by name.
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

/// The newest version of one entry; nothing when there is none.
template <class Entity>
std::optional<Entity> stored_entry(store::Connection& connection, model::TenantId tenant,
                                   model::CatalogueKind kind, const std::string& name,
                                   base::Checked<Entity> (*from_json)(const base::Json&)) {
    const auto json = store::find_entry(connection, tenant, kind, name);
    if (!json) return std::nullopt;
    return as_stored(*json, from_json);
}

}  // namespace provisioner::operations
