#include "provisioner/operations/exchange_catalogue.hpp"

#include "provisioner/model/service.hpp"
#include "provisioner/operations/edit_catalogue.hpp"
#include "provisioner/planner/circles.hpp"
#include "provisioner/store/catalogue_store.hpp"
#include "provisioner/store/tenant_store.hpp"

namespace provisioner::operations {

namespace {

using base::Json;
using model::CatalogueKind;

struct Collection {
    const char* name;
    CatalogueKind kind;
};

/// In the order the wire contract shows them.
constexpr std::array collections{
    Collection{"clustertemplates", CatalogueKind::cluster_template},
    Collection{"imagetypes", CatalogueKind::image_type},
    Collection{"services", CatalogueKind::service},
    Collection{"providers", CatalogueKind::provider},
    Collection{"partialtemplates", CatalogueKind::partial_template},
    Collection{"hardwaretypes", CatalogueKind::hardware_type},
};

struct Entry {
    CatalogueKind kind;
    Json document;
};

void read_collection(const Collection& collection, const Json& array, std::vector<Entry>& entries,
                     base::Problems& problems) {
    for (std::size_t i = 0; i < array.size(); ++i) {
        auto entry = canonical_entry(collection.kind, array[i]);
        if (entry) {
            entries.push_back({.kind = collection.kind, .document = *std::move(entry)});
            continue;
        }
        for (base::Problem& problem : entry.error()) {
            problem.field = std::string(collection.name) + "." + std::to_string(i) +
                            (problem.field.empty() ? "" : "." + problem.field);
            problems.push_back(std::move(problem));
        }
    }
}

/// Circles among the services as they will be: the last of each name.
base::Problems circles_in(const std::vector<Entry>& entries) {
    std::map<std::string, model::Service> newest;
    for (const Entry& entry : entries) {
        if (entry.kind != CatalogueKind::service) continue;
        const auto service = model::service_from_json(entry.document);
        newest.insert_or_assign(service->header.name, *service);
    }
    std::vector<model::Service> services;
    for (const auto& [name, service] : newest) services.push_back(service);
    return planner::circles_among(services);
}

Result<std::vector<Entry>> entries_in(const Json& json) {
    std::vector<Entry> entries;
    base::Problems problems;
    for (const Collection& collection : collections) {
        const Json* array = base::member(json, collection.name);
        if (array == nullptr || array->is_null()) continue;
        if (array->is_array()) {
            read_collection(collection, *array, entries, problems);
        } else {
            problems.push_back({.field = collection.name, .message = "must be an array"});
        }
    }
    if (problems.empty()) problems = circles_in(entries);
    if (!problems.empty()) return refuse(Refusal::Kind::invalid, std::move(problems));
    return entries;
}

}  // namespace

Json export_catalogue(store::Database& database, const model::Caller& caller) {
    return database.read([&](store::Connection& connection) {
        Json all = Json::object();
        for (const Collection& collection : collections) {
            all[collection.name] =
                store::list_entries(connection, caller.tenant.id, collection.kind);
        }
        return all;
    });
}

Result<void> import_catalogue(store::Database& database, const model::Caller& caller,
                              const Json& json, base::Timestamp now) {
    const auto entries = entries_in(json);
    if (!entries) return base::unexpected(entries.error());
    database.write([&](store::Connection& connection) {
        store::lock_tenant(connection, caller.tenant.id);
        store::delete_catalogue(connection, caller.tenant.id);
        for (const Entry& entry : *entries) {
            store::insert_entry(connection, caller.tenant.id, entry.kind, entry.document, now);
        }
    });
    return {};
}

}  // namespace provisioner::operations
