#include "provisioner/operations/catalogue/named_entries.hpp"

#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/catalogue/service.hpp"

namespace provisioner::operations {

namespace {

using base::Json;
using model::CatalogueKind;
using model::EntryName;
using EntryNames = std::set<EntryName>;

void add_names(EntryNames& named, CatalogueKind kind, const std::vector<std::string>& names) {
    for (const std::string& name : names) named.insert({kind, name});
}

EntryNames named_by_service(const model::Service& service) {
    EntryNames named;
    add_names(named, CatalogueKind::service, service.dependencies.install.required);
    add_names(named, CatalogueKind::service, service.dependencies.runtime.required);
    for (const std::string& own : service.dependencies.provides) {
        named.erase({CatalogueKind::service, own});
    }
    named.erase({CatalogueKind::service, service.header.name});
    return named;
}

EntryNames named_by_template(const model::ClusterTemplate& made) {
    EntryNames named;
    const auto add_one = [&](CatalogueKind kind, const std::optional<std::string>& name) {
        if (name && !name->empty()) named.insert({kind, *name});
    };
    add_one(CatalogueKind::cluster_template, made.extends);
    add_names(named, CatalogueKind::partial_template, made.includes);
    add_names(named, CatalogueKind::service, made.defaults.services);
    add_one(CatalogueKind::provider, made.defaults.provider);
    add_one(CatalogueKind::hardware_type, made.defaults.hardware_type);
    add_one(CatalogueKind::image_type, made.defaults.image_type);
    add_names(named, CatalogueKind::service, made.compatibility.services);
    add_names(named, CatalogueKind::hardware_type, made.compatibility.hardware_types);
    add_names(named, CatalogueKind::image_type, made.compatibility.image_types);
    for (const auto& [service, rule] : made.constraints.services) {
        add_names(named, CatalogueKind::hardware_type, rule.hardware_types);
        add_names(named, CatalogueKind::image_type, rule.image_types);
    }
    return named;
}

EntryNames all_named_by(CatalogueKind kind, const Json& entry) {
    switch (kind) {
        case CatalogueKind::service: {
            const auto service = model::service_from_json(entry);
            return service ? named_by_service(*service) : EntryNames{};
        }
        case CatalogueKind::cluster_template: {
            const auto made = model::cluster_template_from_json(entry);
            return made ? named_by_template(*made) : EntryNames{};
        }
        case CatalogueKind::partial_template: {
            const auto made = model::partial_template_from_json(entry);
            return made ? named_by_template(*made) : EntryNames{};
        }
        case CatalogueKind::provider:
        case CatalogueKind::hardware_type:
        case CatalogueKind::image_type:
            return {};
    }
    throw std::logic_error("unknown catalogue kind");
}

bool has_name(const KnownNames& known, const EntryName& entry) {
    const auto found = known.find(entry.kind);
    return found != known.end() && found->second.contains(entry.name);
}

std::set<std::string> names_of_service(const Json& service) {
    std::set<std::string> names{base::text_at(service, "name")};
    if (const Json* dependencies = base::member(service, "dependencies")) {
        for (const auto& name : base::strings_of(base::member(*dependencies, "provides"))) {
            names.insert(name);
        }
    }
    return names;
}

/// The entries under each name; a service is also under the names that it provides.
std::multimap<EntryName, const Json*> entries_by_name(const CatalogueEntries& all) {
    std::multimap<EntryName, const Json*> entries;
    for (const auto& [kind, list] : all) {
        for (const Json& entry : list) {
            const auto names = kind == CatalogueKind::service
                                   ? names_of_service(entry)
                                   : std::set{base::text_at(entry, "name")};
            for (const std::string& name : names) {
                entries.emplace(EntryName{kind, name}, &entry);
            }
        }
    }
    return entries;
}

}  // namespace

std::vector<EntryName> entries_named_by(CatalogueKind kind, const Json& entry) {
    const auto named = all_named_by(kind, entry);
    return {named.begin(), named.end()};
}

KnownNames known_names(const CatalogueEntries& all) {
    KnownNames names;
    for (const auto& [name, entry] : entries_by_name(all)) names[name.kind].insert(name.name);
    return names;
}

std::vector<EntryName> missing_entries(const KnownNames& known, CatalogueKind kind,
                                       const Json& entry) {
    std::vector<EntryName> missing;
    const Json* map = base::member(entry, "providermap");
    if (map != nullptr && map->is_object()) {
        for (const auto& [provider, settings] : map->items()) {
            missing.push_back({CatalogueKind::provider, provider});
            if (has_name(known, missing.back())) return {};
        }
        return missing;
    }
    for (EntryName& named : entries_named_by(kind, entry)) {
        if (!has_name(known, named)) missing.push_back(std::move(named));
    }
    return missing;
}

std::set<EntryName> with_needed_entries(const CatalogueEntries& all,
                                        const std::vector<EntryName>& chosen) {
    const auto entries = entries_by_name(all);
    std::set<EntryName> needed;
    std::vector<EntryName> waiting = chosen;
    while (!waiting.empty()) {
        const EntryName next = std::move(waiting.back());
        waiting.pop_back();
        const auto [first, last] = entries.equal_range(next);
        for (auto it = first; it != last; ++it) {
            const EntryName own{next.kind, base::text_at(*it->second, "name")};
            if (!needed.insert(own).second) continue;
            for (EntryName& named : entries_named_by(own.kind, *it->second)) {
                waiting.push_back(std::move(named));
            }
        }
    }
    return needed;
}

}  // namespace provisioner::operations
