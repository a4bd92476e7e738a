#pragma once

#include <stdexcept>
#include <vector>

#include "provisioner/base/problem.hpp"
#include "provisioner/model/tenant.hpp"
#include "provisioner/store/catalogue_store.hpp"

namespace provisioner::operations {

/// The newest version of every entry of a kind as values, by name. They were checked when written:
/// one that cannot be read throws std::logic_error.
template <class Entity>
std::vector<Entity> stored_entries(store::Connection& connection, model::TenantId tenant,
                                   model::CatalogueKind kind,
                                   base::Checked<Entity> (*from_json)(const base::Json&)) {
    std::vector<Entity> entities;
    for (const base::Json& json : store::list_entries(connection, tenant, kind)) {
        auto entity = from_json(json);
        if (!entity) throw std::logic_error("stored catalogue: " + to_text(entity.error()));
        entity->header.version = json.at("version").template get<int>();
        entities.push_back(*std::move(entity));
    }
    return entities;
}

}  // namespace provisioner::operations
