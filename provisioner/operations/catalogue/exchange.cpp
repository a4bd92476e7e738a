#include "provisioner/operations/catalogue/exchange.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/catalogue/provider.hpp"
#include "provisioner/model/catalogue/service.hpp"
#include "provisioner/model/catalogue/template_family.hpp"
#include "provisioner/operations/access/permissions.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/provider_secrets.hpp"
#include "provisioner/planner/circles.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/draft_store.hpp"
#include "provisioner/store/catalogue/version_store.hpp"
#include "provisioner/store/machines/provider_test_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

using base::Json;
using model::CatalogueKind;

struct Collection {
    const char* name;
    CatalogueKind kind;
};

/// In the order of the wire contract.
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

/// Circles among the services after the import: the last entry of each name counts.
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

/// Circles among the templates after the import: the last entry of each name counts.
base::Problems circles_of_extends(const std::vector<Entry>& entries) {
    std::map<std::string, std::string> parents;
    for (const Entry& entry : entries) {
        if (entry.kind != CatalogueKind::cluster_template) continue;
        const auto read = model::cluster_template_from_json(entry.document);
        parents.erase(read->header.name);
        if (read->extends) parents[read->header.name] = *read->extends;
    }
    base::Problems problems;
    std::set<std::string> seen;
    // A template that was passed before is not followed again: its circle has been told.
    const auto parent_of = [&](const std::string& name) -> std::optional<std::string> {
        const auto found = parents.find(name);
        if (found == parents.end() || !seen.insert(name).second) return std::nullopt;
        return found->second;
    };
    for (const auto& [name, parent] : parents) {
        const auto circle = model::circle_of_extends(name, parent_of);
        if (!circle.empty()) problems.push_back(model::circle_of_templates(circle));
    }
    return problems;
}

Result<std::vector<Entry>> entries_in(const Json& json) {
    std::vector<Entry> entries;
    base::Problems problems;
    bool has_shape = true;
    for (const Collection& collection : collections) {
        const Json* array = base::member(json, collection.name);
        if (array == nullptr || array->is_null()) continue;
        if (array->is_array()) {
            read_collection(collection, *array, entries, problems);
        } else {
            problems.push_back({.field = collection.name, .message = "must be an array"});
            has_shape = false;
        }
    }
    if (problems.empty()) problems = circles_in(entries);
    if (problems.empty()) problems = circles_of_extends(entries);
    if (problems.empty()) return entries;
    auto refusal = refuse(Refusal::Kind::invalid, std::move(problems));
    if (!has_shape) refusal.value().wire_message = "Json syntax error";
    return refusal;
}

Result<std::vector<Entry>> sealed_entries(store::Connection& connection,
                                          const model::Caller& caller, std::vector<Entry> entries) {
    const model::TenantId tenant = caller.tenant.id;
    base::Problems problems;
    for (Entry& entry : entries) {
        const std::string name = entry.document.at("name").get<std::string>();
        const std::string place = std::string(model::collection_of(entry.kind)) + '.' + name + '.';
        const auto present = store::find_entry(connection, tenant, entry.kind, name);
        if (!present && sounds_like_draft(entry.kind, name)) {
            auto problem = problem_with_name_of_draft();
            problem.field = place + problem.field;
            problems.push_back(std::move(problem));
        }
        const bool is_provider = entry.kind == CatalogueKind::provider;
        if (is_provider) {
            const auto provider = model::provider_from_json(entry.document);
            if (auto wrong =
                    problem_with_provider_type(connection, caller, "providertype", *provider)) {
                wrong->field = place + "providertype";
                problems.push_back(*std::move(wrong));
            }
        }
        auto stored = is_provider ? with_secrets_sealed(connection, tenant, entry.document)
                                  : model::with_masked_values(entry.document, present);
        if (stored) {
            entry.document = *std::move(stored);
            continue;
        }
        for (base::Problem& problem : stored.error()) {
            problem.field = place + problem.field;
            // Both begin with the place in the entry.
            if (!is_provider) problem.message = place + problem.message;
            problems.push_back(std::move(problem));
        }
    }
    if (!problems.empty()) return refuse(Refusal::Kind::invalid, std::move(problems));
    return entries;
}

using Entries = std::map<std::pair<CatalogueKind, std::string>, Json>;

Entries present_entries(store::Connection& connection, model::TenantId tenant) {
    Entries present;
    for (const Collection& collection : collections) {
        for (Json& entry : store::list_entries(connection, tenant, collection.kind)) {
            std::string name = entry.at("name").get<std::string>();
            present.insert_or_assign({collection.kind, std::move(name)}, std::move(entry));
        }
    }
    return present;
}

Json without_version(Json entry) {
    entry.erase("version");
    return entry;
}

/// A line in the history of each entry that the import made, replaced or deleted.
void record_import(store::Connection& connection, const model::Caller& caller,
                   const Entries& before, const Entries& after) {
    const auto record = [&](const auto& key, model::CatalogueVersion line) {
        line.written_by = caller.user.name;
        line.note = "Import of a whole catalogue";
        store::record_version(connection, caller.tenant.id, key.first, key.second, line);
    };
    for (const auto& [key, entry] : after) {
        const auto old = before.find(key);
        if (old != before.end() && without_version(old->second) == without_version(entry)) continue;
        record(key, {.version = entry.at("version").get<int>(),
                     .act = model::VersionAct::import,
                     .document = entry});
    }
    for (const auto& [key, entry] : before) {
        if (after.contains(key)) continue;
        record(key, {.version = entry.at("version").get<int>(), .act = model::VersionAct::remove});
    }
}

/// An act for each entry that the import made, replaced or deleted.
std::vector<Act> acts_of_import(Entries before, Entries after) {
    std::vector<Act> acts;
    const auto add = [&](const auto& key, const char* verb, const Json& old, const Json& fresh) {
        const std::string kind = audited(key.first);
        acts.push_back(
            {.action = kind + verb,
             .object = {.kind = kind, .id = std::string(audited_import), .name = key.second},
             .before = old,
             .after = fresh});
    };
    for (const auto& [key, entry] : after) {
        const auto old = before.find(key);
        if (old == before.end()) {
            add(key, ".create", Json(), entry);
        } else if (without_version(old->second) != without_version(entry)) {
            add(key, ".replace", old->second, entry);
        }
    }
    for (const auto& [key, entry] : before) {
        if (!after.contains(key)) add(key, ".delete", entry, Json());
    }
    acts.push_back({.action = "catalogue.import",
                    .object = {.kind = "catalogue"},
                    .after = {{"entries", after.size()}}});
    return acts;
}

void forget_provider_tests(store::Connection& connection, model::TenantId tenant) {
    for (const Json& entry : store::list_entries(connection, tenant, CatalogueKind::provider)) {
        store::delete_provider_test(connection, tenant, entry.at("name").get<std::string>());
    }
}

void end_drafts_without_template(store::Connection& connection, model::TenantId tenant,
                                 const Entries& after) {
    for (const auto& draft : store::list_template_drafts(connection, tenant)) {
        if (after.contains({CatalogueKind::cluster_template, draft.name})) continue;
        store::delete_template_draft(connection, tenant, draft.name);
    }
}

}  // namespace

Json export_catalogue(store::Database& database, const model::Caller& caller) {
    return database.read([&](store::Connection& connection) {
        const auto withheld = store::withheld_from(connection, caller);
        Json all = Json::object();
        for (const Collection& collection : collections) {
            Json& entries = all[collection.name] = Json::array();
            for (Json& entry : store::list_entries(connection, caller.tenant.id, collection.kind)) {
                if (withheld.contains(collection.kind, base::text_at(entry, "name"))) continue;
                entries.push_back(model::readable_by(caller, model::shown_entry(std::move(entry))));
            }
        }
        return all;
    });
}

Result<void> import_catalogue(store::Database& database, const model::Caller& caller,
                              const Json& json, base::Timestamp now) {
    const auto entries = entries_in(json);
    if (!entries) return base::unexpected(entries.error());
    return database.write([&](store::Connection& connection) -> Result<void> {
        store::lock_tenant(connection, caller.tenant.id);
        // A masked secret is read from the present catalogue, so this comes before the deletion.
        const auto sealed = sealed_entries(connection, caller, *entries);
        if (!sealed) return base::unexpected(sealed.error());
        const auto before = present_entries(connection, caller.tenant.id);
        forget_provider_tests(connection, caller.tenant.id);
        store::delete_catalogue(connection, caller.tenant.id);
        for (const Entry& entry : *sealed) {
            store::insert_entry(connection, caller.tenant.id, entry.kind, entry.document, now);
            if (entry.kind != CatalogueKind::provider) continue;
            store::ask_provider_test(connection, caller.tenant.id,
                                     entry.document.at("name").get<std::string>(),
                                     caller.user.name);
        }
        auto after = present_entries(connection, caller.tenant.id);
        record_import(connection, caller, before, after);
        end_drafts_without_template(connection, caller.tenant.id, after);
        audit_all(connection, caller, acts_of_import(before, std::move(after)));
        return {};
    });
}

}  // namespace provisioner::operations
