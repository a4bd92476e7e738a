#include "provisioner/operations/edit_resources.hpp"

#include <algorithm>

#include "provisioner/model/names.hpp"
#include "provisioner/store/plugin_store.hpp"
#include "provisioner/store/tenant_store.hpp"

namespace provisioner::operations {

namespace {

using store::ResourceShelf;
using Versions = std::vector<store::ResourceVersion>;

Result<void> check_shelf(store::Connection& connection, const ResourceShelf& shelf) {
    const std::string plugin = base::to_word(shelf.kind) + " plugin " + shelf.plugin;
    const auto type = store::find_plugin_type(connection, shelf.kind, shelf.plugin);
    if (!type) return refuse(Refusal::Kind::not_found, "", plugin + " not found.");
    const bool has_shelf =
        std::any_of(type->resource_types.begin(), type->resource_types.end(),
                    [&](const auto& one) { return one.name == shelf.resource_type; });
    if (has_shelf) return {};
    return refuse(Refusal::Kind::not_found, "",
                  shelf.resource_type + " for " + plugin + " not found.");
}

Result<void> check_deletion(const Versions& all, const ResourceShelf& shelf,
                            std::optional<int> version) {
    bool found = !version;
    for (const store::ResourceVersion& one : all) {
        if (version && one.version != *version) continue;
        found = true;
        if (status_of(one) != ResourceStatus::inactive) {
            return refuse(Refusal::Kind::conflict, "", "Resource not in a deletable state.");
        }
    }
    if (found) return {};
    return refuse(Refusal::Kind::not_found, "", base::to_word(shelf.kind) + " resource not found.");
}

using Change = void(store::Connection&, const ResourceShelf&, const std::string&, int);

/// Changes the slate of a name of which there is something.
Result<void> change_slate(store::Database& database, const ResourceShelf& shelf,
                          const std::string& name, int version, Change& change) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        store::lock_tenant(connection, shelf.tenant);
        const auto all = store::list_resources(connection, shelf, name);
        if (all.empty()) {
            return refuse(Refusal::Kind::not_found, "",
                          base::to_word(shelf.kind) + " resource not found.");
        }
        const bool there = std::any_of(all.begin(), all.end(),
                                       [&](const auto& one) { return one.version == version; });
        if (there) change(connection, shelf, name, version);
        return {};
    });
}

}  // namespace

ResourceStatus status_of(const store::ResourceVersion& version) {
    if (version.live) return version.slated ? ResourceStatus::active : ResourceStatus::recalled;
    return version.slated ? ResourceStatus::staged : ResourceStatus::inactive;
}

Result<Versions> list_resources(store::Database& database, const ResourceShelf& shelf,
                                const std::string& name) {
    return database.read([&](store::Connection& connection) -> Result<Versions> {
        if (auto known = check_shelf(connection, shelf); !known) {
            return base::unexpected(known.error());
        }
        return store::list_resources(connection, shelf, name);
    });
}

Result<int> upload_resource(store::Database& database, const ResourceShelf& shelf,
                            const std::string& name, const std::string& content,
                            base::Timestamp now) {
    return database.write([&](store::Connection& connection) -> Result<int> {
        if (auto known = check_shelf(connection, shelf); !known) {
            return base::unexpected(known.error());
        }
        if (const auto wrong = model::problem_with_name(name)) {
            return refuse(Refusal::Kind::invalid, "name", *wrong);
        }
        store::lock_tenant(connection, shelf.tenant);
        return store::insert_resource(connection, shelf, name, content, now);
    });
}

Result<void> delete_resource(store::Database& database, const ResourceShelf& shelf,
                             const std::string& name, std::optional<int> version) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        auto known = check_shelf(connection, shelf);
        if (!known) return known;
        store::lock_tenant(connection, shelf.tenant);
        auto allowed =
            check_deletion(store::list_resources(connection, shelf, name), shelf, version);
        if (allowed) store::delete_resource(connection, shelf, name, version.value_or(0));
        return allowed;
    });
}

Result<void> stage_resource(store::Database& database, const ResourceShelf& shelf,
                            const std::string& name, int version) {
    return change_slate(database, shelf, name, version, store::slate_resource);
}

Result<void> recall_resource(store::Database& database, const ResourceShelf& shelf,
                             const std::string& name, int version) {
    return change_slate(database, shelf, name, version, store::unslate_resource);
}

void sync_resources(store::Database& database, model::TenantId tenant) {
    database.write([&](store::Connection& connection) {
        store::lock_tenant(connection, tenant);
        store::sync_resources(connection, tenant);
    });
}

}  // namespace provisioner::operations
