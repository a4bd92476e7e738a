#include "provisioner/operations/catalogue/template_relatives.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "provisioner/model/catalogue/template_family.hpp"

namespace provisioner::operations {

using base::Json;
using model::CatalogueKind;
using model::ClusterTemplate;

namespace {

/// Of a reference, too: {"name": "shop"}.
bool bears_name(const Json& entry, const std::string& name) {
    const Json* const own = base::member(entry, "name");
    return own != nullptr && own->is_string() && own->get_ref<const std::string&>() == name;
}

/// Whether a template names this as what it extends or includes.
bool takes_at_once(const Json& cluster_template, CatalogueKind kind, const std::string& name) {
    const bool is_parent = kind == CatalogueKind::cluster_template;
    const Json* const named = base::member(cluster_template, is_parent ? "extends" : "includes");
    if (named == nullptr || is_parent) return named != nullptr && bears_name(*named, name);
    return std::ranges::any_of(*named, [&](const Json& one) { return bears_name(one, name); });
}

std::optional<ClusterTemplate> relative_named(const CatalogueEntries& entries, CatalogueKind kind,
                                              const std::string& name) {
    const auto of_kind = entries.find(kind);
    if (of_kind == entries.end()) return std::nullopt;
    for (const Json& entry : of_kind->second) {
        if (!bears_name(entry, name)) continue;
        auto read = kind == CatalogueKind::cluster_template
                        ? model::cluster_template_from_json(entry)
                        : model::partial_template_from_json(entry);
        if (read) return *std::move(read);
    }
    return std::nullopt;
}

/// What a template has of a kind among its defaults.
std::vector<std::string> defaults_of_kind(const ClusterTemplate& made, CatalogueKind kind) {
    const auto one = [](const std::optional<std::string>& name) {
        return name ? std::vector<std::string>{*name} : std::vector<std::string>{};
    };
    const auto& defaults = made.defaults;
    if (kind == CatalogueKind::service) return defaults.services;
    if (kind == CatalogueKind::provider) return one(defaults.provider);
    if (kind == CatalogueKind::hardware_type) return one(defaults.hardware_type);
    if (kind == CatalogueKind::image_type) return one(defaults.image_type);
    return {};
}

bool names_itself(const ClusterTemplate& own, CatalogueKind kind, const std::string& name) {
    const auto has = [&](const std::vector<std::string>& names) {
        return std::ranges::count(names, name) > 0;
    };
    const auto& fit = own.compatibility;
    if (has(defaults_of_kind(own, kind))) return true;
    if (kind == CatalogueKind::service) return has(fit.services);
    if (kind == CatalogueKind::hardware_type) return has(fit.hardware_types);
    return kind == CatalogueKind::image_type && has(fit.image_types);
}

}  // namespace

std::map<std::string, std::vector<std::string>> inherited_uses(const CatalogueEntries& entries,
                                                               CatalogueKind kind) {
    std::map<std::string, std::vector<std::string>> uses;
    for (const Json& entry : entries_of(entries, CatalogueKind::cluster_template)) {
        const auto own = model::cluster_template_from_json(entry);
        if (!own || (!own->extends && own->includes.empty())) continue;
        const auto whole = template_in_force(entries, entry);
        if (!whole) continue;
        for (const auto& name : defaults_of_kind(*whole, kind)) {
            if (!names_itself(*own, kind, name)) uses[name].push_back(own->header.name);
        }
    }
    return uses;
}

std::vector<Relative> relatives_of(const CatalogueEntries& entries, const ClusterTemplate& own) {
    // From the template upwards, and so from the last to the first.
    std::vector<Relative> relatives;
    std::set<std::string> seen{own.header.name};
    model::FamilyRoom room;
    std::optional<ClusterTemplate> part = own;
    while (part) {
        for (auto name = part->includes.rbegin(); name != part->includes.rend(); ++name) {
            auto partial = relative_named(entries, CatalogueKind::partial_template, *name);
            if (!partial) continue;
            if (!room.takes(*partial)) break;
            relatives.push_back({CatalogueKind::partial_template, *partial});
        }
        const bool has_parent = part->extends && seen.insert(*part->extends).second;
        part = has_parent ? relative_named(entries, CatalogueKind::cluster_template, *part->extends)
                          : std::nullopt;
        if (part && !room.takes(*part)) break;
        if (part) relatives.push_back({CatalogueKind::cluster_template, *part});
    }
    std::ranges::reverse(relatives);
    return relatives;
}

std::vector<const Json*> heirs_of(const CatalogueEntries& entries, CatalogueKind kind,
                                  const std::string& name) {
    std::vector<const Json*> heirs;
    const bool is_template =
        kind == CatalogueKind::cluster_template || kind == CatalogueKind::partial_template;
    if (!is_template) return heirs;
    const auto& templates = entries_of(entries, CatalogueKind::cluster_template);
    std::set<const Json*> seen;
    const auto add = [&](CatalogueKind of, const std::string& taken) {
        for (const Json& one : templates) {
            if (takes_at_once(one, of, taken) && seen.insert(&one).second) heirs.push_back(&one);
        }
    };
    add(kind, name);
    for (std::size_t next = 0; next < heirs.size(); ++next) {
        add(CatalogueKind::cluster_template, base::text_at(*heirs[next], "name"));
    }
    // In a circle it takes from itself.
    if (kind == CatalogueKind::cluster_template) {
        std::erase_if(heirs, [&](const Json* heir) { return bears_name(*heir, name); });
    }
    std::ranges::sort(heirs);
    return heirs;
}

std::optional<ClusterTemplate> template_in_force(const CatalogueEntries& entries,
                                                 const Json& cluster_template) {
    const auto own = model::cluster_template_from_json(cluster_template);
    if (!own) return std::nullopt;
    model::TemplateFamily family;
    for (const Relative& relative : relatives_of(entries, *own)) {
        if (relative.kind == CatalogueKind::partial_template) {
            family.partials.push_back(relative.own);
        } else {
            // Partial templates stand before the template that includes them.
            family.ancestors.push_back({relative.own, std::exchange(family.partials, {})});
        }
    }
    auto whole = model::merged(*own, family);
    if (!whole) return std::nullopt;
    return *std::move(whole);
}

}  // namespace provisioner::operations
