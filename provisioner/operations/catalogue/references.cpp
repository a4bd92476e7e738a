#include "provisioner/operations/catalogue/references.hpp"

#include <algorithm>
#include <set>
#include <tuple>

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

std::string name_of(const Json& entry) {
    return base::text_at(entry, "name");
}

/// That an entry names another one.
struct Mention {
    CatalogueKind kind;
    std::string name;
    const char* how;
    bool is_required = false;
    /// Whether it means every service that provides the name.
    bool means_providers = false;
};

/// The name of a relative of a template: {"name": "base"}, or the name alone.
std::string name_of_relative(const Json& relative) {
    return relative.is_string() ? relative.get<std::string>() : base::text_at(relative, "name");
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

/// What a service depends on and is not among the names that are provided; sorted.
std::vector<UnprovidedName> unprovided_among(const std::set<std::string>& provided,
                                             const Json& service) {
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

void add_dependencies(const Json& service, std::vector<Mention>& mentions) {
    for (const auto& [path, how, is_required] : dependency_places()) {
        for (auto& name : base::strings_of(at(service, path))) {
            mentions.push_back({CatalogueKind::service, std::move(name), how, is_required, true});
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

constexpr TemplateMembers members_of_templates[] = {
    {CatalogueKind::provider, "provider", "providers"},
    {CatalogueKind::hardware_type, "hardwaretype", "hardwaretypes"},
    {CatalogueKind::image_type, "imagetype", "imagetypes"},
    {CatalogueKind::service, "services", "services"}};

void add_relatives(const Json& cluster_template, std::vector<Mention>& mentions) {
    if (const Json* parent = base::member(cluster_template, "extends")) {
        mentions.push_back(
            {CatalogueKind::cluster_template, name_of_relative(*parent), "extends it", true});
    }
    const Json* const included = base::member(cluster_template, "includes");
    if (included == nullptr || !included->is_array()) return;
    for (const Json& one : *included) {
        mentions.push_back(
            {CatalogueKind::partial_template, name_of_relative(one), "includes it", true});
    }
}

void add_rules(const Json& cluster_template, std::vector<Mention>& mentions) {
    constexpr const char* how = "has a rule about it";
    const Json* rules = at(cluster_template, {"constraints", "services"});
    if (rules == nullptr || !rules->is_object()) return;
    for (const auto& [service, rule] : rules->items()) {
        mentions.push_back({CatalogueKind::service, service, how});
        for (const auto& [kind, of_defaults, of_lists] : members_of_templates) {
            for (auto& name : base::strings_of(base::member(rule, of_lists))) {
                mentions.push_back({kind, std::move(name), how});
            }
        }
    }
}

void add_choices(const Json& cluster_template, std::vector<Mention>& mentions) {
    for (const auto& [kind, of_defaults, of_lists] : members_of_templates) {
        const Json* const standard = at(cluster_template, {"defaults", of_defaults});
        auto names = base::strings_of(standard);
        if (standard != nullptr && standard->is_string()) names.push_back(*standard);
        for (auto& name : names) {
            mentions.push_back({kind, std::move(name), "uses it by default", true});
        }
        for (auto& name : base::strings_of(at(cluster_template, {"compatibility", of_lists}))) {
            mentions.push_back({kind, std::move(name), "allows it"});
        }
    }
}

void add_providers(const Json& type, std::vector<Mention>& mentions) {
    const Json* map = base::member(type, "providermap");
    if (map == nullptr || !map->is_object()) return;
    for (const auto& [provider, settings] : map->items()) {
        mentions.push_back({CatalogueKind::provider, provider, "has settings for it"});
    }
}

/// What an entry says of others; of one perhaps the same several times.
std::vector<Mention> mentions_in(CatalogueKind kind, const Json& entry) {
    std::vector<Mention> mentions;
    switch (kind) {
        case CatalogueKind::service:
            add_dependencies(entry, mentions);
            break;
        case CatalogueKind::hardware_type:
        case CatalogueKind::image_type:
            add_providers(entry, mentions);
            break;
        case CatalogueKind::cluster_template:
        case CatalogueKind::partial_template:
            add_relatives(entry, mentions);
            add_choices(entry, mentions);
            add_rules(entry, mentions);
            break;
        case CatalogueKind::provider:
            break;
    }
    return mentions;
}

/// The kinds that name others, in the order in which they are listed.
constexpr CatalogueKind kinds_that_mention[] = {
    CatalogueKind::hardware_type, CatalogueKind::image_type, CatalogueKind::service,
    CatalogueKind::cluster_template, CatalogueKind::partial_template};

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
    std::set<std::string> provided;
    std::set<std::string> elsewhere;
    if (entry.kind == CatalogueKind::service) {
        provided = names_provided(json);
        for (const Json& other : entries_of(others, CatalogueKind::service)) {
            if (name_of(other) != entry.name) elsewhere.merge(names_provided(other));
        }
    }
    std::vector<Reference> references;
    for (const auto kind : kinds_that_mention) {
        for (const Json& other : entries_of(others, kind)) {
            const EntryName from{kind, name_of(other)};
            if (from == entry) continue;
            const auto first = static_cast<std::ptrdiff_t>(references.size());
            for (const Mention& mention : mentions_in(kind, other)) {
                if (mention.kind != entry.kind) continue;
                const bool is_meant = mention.means_providers ? provided.contains(mention.name)
                                                              : mention.name == entry.name;
                if (!is_meant) continue;
                const bool blocks = mention.is_required &&
                                    !(mention.means_providers && elsewhere.contains(mention.name));
                const auto same =
                    std::find_if(references.begin() + first, references.end(),
                                 [&](const Reference& one) { return one.how == mention.how; });
                if (same == references.end()) {
                    references.push_back({.from = from, .how = mention.how, .blocks = blocks});
                } else {
                    same->blocks |= blocks;
                }
            }
        }
    }
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
    return references_from(all, entry, json == nullptr ? unknown : *json);
}

std::map<std::string, int> numbers_of_uses(const CatalogueEntries& all, CatalogueKind kind) {
    std::map<std::string, int> numbers;
    std::map<std::string, std::set<std::string>> providers;
    for (const Json& entry : entries_of(all, kind)) {
        numbers.try_emplace(name_of(entry), 0);
        if (kind != CatalogueKind::service) continue;
        for (const auto& name : names_provided(entry)) providers[name].insert(name_of(entry));
    }
    for (const auto from : kinds_that_mention) {
        for (const Json& other : entries_of(all, from)) {
            std::set<std::string> used;
            for (const Mention& mention : mentions_in(from, other)) {
                if (mention.kind != kind) continue;
                if (!mention.means_providers) {
                    used.insert(mention.name);
                } else if (const auto found = providers.find(mention.name);
                           found != providers.end()) {
                    used.insert(found->second.begin(), found->second.end());
                }
            }
            if (from == kind) used.erase(name_of(other));
            for (const auto& name : used) {
                const auto number = numbers.find(name);
                if (number != numbers.end()) ++number->second;
            }
        }
    }
    return numbers;
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
    return unprovided_among(provided, service);
}

std::vector<UnmetRequirement> requirements_lost(const CatalogueEntries& before,
                                                const CatalogueEntries& after) {
    const auto provided_before = names_provided(entries_of(before, CatalogueKind::service));
    const auto provided = names_provided(entries_of(after, CatalogueKind::service));
    std::vector<UnmetRequirement> lost;
    if (std::ranges::includes(provided, provided_before)) return lost;
    for (const Json& service : entries_of(after, CatalogueKind::service)) {
        for (auto& [name, is_required] : unprovided_among(provided, service)) {
            if (!is_required || !provided_before.contains(name)) continue;
            lost.push_back({.service = name_of(service), .name = std::move(name)});
        }
    }
    std::ranges::sort(lost, {},
                      [](const UnmetRequirement& one) { return std::tie(one.service, one.name); });
    return lost;
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
