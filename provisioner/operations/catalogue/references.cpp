#include "provisioner/operations/catalogue/references.hpp"

#include <algorithm>
#include <set>

#include "provisioner/model/catalogue/service.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/planner/circles.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

using base::Json;
using model::CatalogueKind;
using model::EntryName;
using Path = std::vector<const char*>;

const Json* at(const Json& entry, const Path& path) {
    const Json* found = &entry;
    for (const char* name : path) {
        if (found != nullptr) found = base::member(*found, name);
    }
    return found;
}

bool says(const Json& entry, const Path& path, const std::string& name) {
    const Json* found = at(entry, path);
    return found != nullptr && *found == name;
}

bool lists(const Json* array, const std::string& name) {
    return std::ranges::count(base::strings_of(array), name) > 0;
}

std::string name_of(const Json& entry) {
    return base::text_at(entry, "name");
}

/// Whether a relative of a template is that: {"name": "base"}, or the name alone.
bool is_named(const Json& relative, const std::string& name) {
    return relative == name || (relative.is_object() && name_of(relative) == name);
}

bool includes(const Json& cluster_template, const std::string& name) {
    const Json* const list = base::member(cluster_template, "includes");
    if (list == nullptr || !list->is_array()) return false;
    return std::ranges::any_of(*list, [&](const Json& one) { return is_named(one, name); });
}

bool extends(const Json& cluster_template, const std::string& name) {
    const Json* const parent = base::member(cluster_template, "extends");
    return parent != nullptr && is_named(*parent, name);
}

/// Where a service names others, and what that means.
struct DependencyPlace {
    Path path;
    const char* how;
    bool is_required;
};

const std::vector<DependencyPlace>& dependency_places() {
    static const std::vector<DependencyPlace> places{
        {{"dependencies", "install", "requires"}, "needs it to be installed", true},
        {{"dependencies", "runtime", "requires"}, "needs it to run", true},
        {{"dependencies", "install", "uses"}, "uses it when both are installed", false},
        {{"dependencies", "runtime", "uses"}, "uses it when both run", false},
        {{"dependencies", "conflicts"}, "must not be on one cluster with it", false}};
    return places;
}

/// The names under which others may depend on a service.
std::set<std::string> names_provided(const Json& service) {
    std::set<std::string> names{name_of(service)};
    for (const auto& name : base::strings_of(at(service, {"dependencies", "provides"}))) {
        names.insert(name);
    }
    return names;
}

std::set<std::string> names_provided(const std::vector<Json>& services) {
    std::set<std::string> names;
    for (const Json& service : services) names.merge(names_provided(service));
    return names;
}

void add_dependents(const CatalogueEntries& others, const Json& service,
                    std::vector<Reference>& references) {
    const auto& services = entries_of(others, CatalogueKind::service);
    const std::string own = name_of(service);
    std::set<std::string> elsewhere;
    for (const Json& other : services) {
        if (name_of(other) != own) elsewhere.merge(names_provided(other));
    }
    for (const Json& other : services) {
        if (name_of(other) == own) continue;
        for (const auto& [path, how, is_required] : dependency_places()) {
            for (const std::string& name : names_provided(service)) {
                if (!lists(at(other, path), name)) continue;
                references.push_back({.from = {CatalogueKind::service, name_of(other)},
                                      .how = how,
                                      .blocks = is_required && !elsewhere.contains(name)});
                break;
            }
        }
    }
}

/// The members of a template that name entries of a kind.
struct TemplateMembers {
    CatalogueKind kind;
    /// Below "defaults"; a name or a list.
    const char* of_defaults;
    /// Below "compatibility" and each rule of a service; a list.
    const char* of_lists;
};

const TemplateMembers* members_for(CatalogueKind kind) {
    static constexpr TemplateMembers all[] = {
        {CatalogueKind::provider, "provider", "providers"},
        {CatalogueKind::hardware_type, "hardwaretype", "hardwaretypes"},
        {CatalogueKind::image_type, "imagetype", "imagetypes"},
        {CatalogueKind::service, "services", "services"}};
    for (const TemplateMembers& members : all) {
        if (members.kind == kind) return &members;
    }
    return nullptr;
}

bool has_rule_about(const Json& cluster_template, const EntryName& entry, const char* list) {
    const Json* rules = at(cluster_template, {"constraints", "services"});
    if (rules == nullptr || !rules->is_object()) return false;
    for (const auto& [service, rule] : rules->items()) {
        if (entry.kind == CatalogueKind::service && service == entry.name) return true;
        if (lists(base::member(rule, list), entry.name)) return true;
    }
    return false;
}

void add_templates(const CatalogueEntries& others, const EntryName& entry,
                   std::vector<Reference>& references) {
    const TemplateMembers* members = members_for(entry.kind);
    for (const auto kind : {CatalogueKind::cluster_template, CatalogueKind::partial_template}) {
        for (const Json& other : entries_of(others, kind)) {
            const auto add = [&](const char* how, bool blocks) {
                references.push_back(
                    {.from = {kind, name_of(other)}, .how = how, .blocks = blocks});
            };
            if (entry.kind == CatalogueKind::cluster_template && extends(other, entry.name)) {
                add("extends it", true);
            }
            if (entry.kind == CatalogueKind::partial_template && includes(other, entry.name)) {
                add("includes it", true);
            }
            if (members == nullptr) continue;
            const Json* by_default = at(other, {"defaults", members->of_defaults});
            if (says(other, {"defaults", members->of_defaults}, entry.name) ||
                lists(by_default, entry.name)) {
                add("uses it by default", true);
            }
            if (lists(at(other, {"compatibility", members->of_lists}), entry.name)) {
                add("allows it", false);
            }
            if (has_rule_about(other, entry, members->of_lists)) add("has a rule about it", false);
        }
    }
}

void add_maps(const CatalogueEntries& others, const EntryName& entry,
              std::vector<Reference>& references) {
    if (entry.kind != CatalogueKind::provider) return;
    for (const auto kind : {CatalogueKind::hardware_type, CatalogueKind::image_type}) {
        for (const Json& other : entries_of(others, kind)) {
            const Json* map = base::member(other, "providermap");
            if (map == nullptr || base::member(*map, entry.name) == nullptr) continue;
            references.push_back({.from = {kind, name_of(other)}, .how = "has settings for it"});
        }
    }
}

const Json* find_in(const CatalogueEntries& all, const EntryName& entry) {
    for (const Json& candidate : entries_of(all, entry.kind)) {
        if (name_of(candidate) == entry.name) return &candidate;
    }
    return nullptr;
}

CatalogueEntries without(CatalogueEntries all, const std::vector<EntryName>& going) {
    for (const EntryName& entry : going) {
        std::erase_if(all[entry.kind],
                      [&](const Json& other) { return name_of(other) == entry.name; });
    }
    return all;
}

/// What `others` say about an entry. What it says about itself does not count.
std::vector<Reference> references_from(const CatalogueEntries& others, const EntryName& entry,
                                       const Json& json) {
    std::vector<Reference> references;
    add_maps(others, entry, references);
    if (entry.kind == CatalogueKind::service) add_dependents(others, json, references);
    add_templates(others, entry, references);
    return references;
}

}  // namespace

const std::vector<Json>& entries_of(const CatalogueEntries& all, CatalogueKind kind) {
    static const std::vector<Json> none;
    const auto found = all.find(kind);
    return found == all.end() ? none : found->second;
}

std::vector<Reference> references_to(const CatalogueEntries& all, const EntryName& entry) {
    const Json* json = find_in(all, entry);
    const Json unknown{{"name", entry.name}};
    auto references = references_from(all, entry, json == nullptr ? unknown : *json);
    std::erase_if(references, [&](const Reference& one) { return one.from == entry; });
    return references;
}

std::vector<std::vector<Reference>> references_that_stay(const CatalogueEntries& all,
                                                         const std::vector<EntryName>& going) {
    const auto left = without(all, going);
    std::vector<std::vector<Reference>> references;
    for (const EntryName& entry : going) {
        const Json* json = find_in(all, entry);
        references.push_back(json == nullptr ? std::vector<Reference>{}
                                             : references_from(left, entry, *json));
    }
    return references;
}

base::Problems blockers(const CatalogueEntries& all, const std::vector<EntryName>& going) {
    const auto references = references_that_stay(all, going);
    base::Problems problems;
    for (std::size_t i = 0; i < going.size(); ++i) {
        const EntryName& entry = going[i];
        for (const Reference& reference : references[i]) {
            if (!reference.blocks) continue;
            problems.push_back({.field = std::string(base::to_word(entry.kind)) + '.' + entry.name,
                                .message = said(entry.kind) + ' ' + entry.name + ": " +
                                           said(reference.from.kind) + ' ' + reference.from.name +
                                           ' ' + reference.how + '.'});
        }
    }
    return problems;
}

std::vector<UnprovidedName> unprovided_names(const CatalogueEntries& all, const Json& service) {
    auto provided = names_provided(entries_of(all, CatalogueKind::service));
    provided.merge(names_provided(service));
    std::map<std::string, bool> missing;
    for (const auto& [path, how, is_required] : dependency_places()) {
        if (path.size() == 2) continue;  // What must not be there may be missing.
        for (const std::string& name : base::strings_of(at(service, path))) {
            if (!provided.contains(name)) missing[name] |= is_required;
        }
    }
    std::vector<UnprovidedName> names;
    for (const auto& [name, is_required] : missing) names.push_back({name, is_required});
    return names;
}

base::Problems circles_of_service(const CatalogueEntries& all, const Json& service) {
    const auto saved = model::service_from_json(service);
    if (!saved) return {};
    std::vector<model::Service> services{*saved};
    for (const Json& other : entries_of(all, CatalogueKind::service)) {
        if (name_of(other) == saved->header.name) continue;
        if (auto read = model::service_from_json(other)) services.push_back(*std::move(read));
    }
    return planner::circles_among(services, saved->header.name);
}

base::Problems problems_among(const CatalogueEntries& all, CatalogueKind kind, const Json& entry,
                              bool is_new) {
    base::Problems problems;
    if (is_new && find_in(all, {kind, name_of(entry)}) != nullptr) {
        problems.push_back({"name", said(kind) + ' ' + name_of(entry) + " already exists"});
    }
    if (kind != CatalogueKind::service) return problems;
    const auto circles = circles_of_service(all, entry);
    problems.insert(problems.end(), circles.begin(), circles.end());
    return problems;
}

CatalogueEntries read_catalogue(store::Connection& connection, model::TenantId tenant) {
    CatalogueEntries entries;
    for (const auto& [kind, word] : base::words<CatalogueKind>) {
        entries[kind] = store::list_entries(connection, tenant, kind);
    }
    return entries;
}

Result<void> delete_unused(store::Database& database, const model::Caller& caller,
                           const std::vector<EntryName>& entries) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        store::lock_tenant(connection, caller.tenant.id);
        auto problems = blockers(read_catalogue(connection, caller.tenant.id), entries);
        if (!problems.empty()) return refuse(Refusal::Kind::conflict, std::move(problems));
        for (const EntryName& entry : entries) {
            delete_entry(connection, caller, entry.kind, entry.name, std::nullopt);
        }
        return {};
    });
}

}  // namespace provisioner::operations
