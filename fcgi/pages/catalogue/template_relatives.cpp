#include "fcgi/pages/catalogue/template_relatives.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "provisioner/model/catalogue/template_family.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::model::CatalogueKind;
using provisioner::model::ClusterTemplate;
using provisioner::operations::CatalogueEntries;

namespace {

std::optional<ClusterTemplate> relative_named(const CatalogueEntries& entries, CatalogueKind kind,
                                              const std::string& name) {
    const auto of_kind = entries.find(kind);
    if (of_kind == entries.end()) return std::nullopt;
    for (const Json& entry : of_kind->second) {
        if (provisioner::base::text_at(entry, "name") != name) continue;
        auto read = kind == CatalogueKind::cluster_template
                        ? provisioner::model::cluster_template_from_json(entry)
                        : provisioner::model::partial_template_from_json(entry);
        if (read) return *std::move(read);
    }
    return std::nullopt;
}

}  // namespace

std::vector<Relative> relatives_of(const CatalogueEntries& entries, const ClusterTemplate& own) {
    // From the template upwards, and so from the last to the first.
    std::vector<Relative> relatives;
    std::set<std::string> seen{own.header.name};
    std::optional<ClusterTemplate> part = own;
    while (part) {
        for (auto name = part->includes.rbegin(); name != part->includes.rend(); ++name) {
            auto partial = relative_named(entries, CatalogueKind::partial_template, *name);
            if (partial) relatives.push_back({CatalogueKind::partial_template, *partial});
        }
        const bool has_parent = part->extends && seen.insert(*part->extends).second;
        part = has_parent ? relative_named(entries, CatalogueKind::cluster_template, *part->extends)
                          : std::nullopt;
        if (part) relatives.push_back({CatalogueKind::cluster_template, *part});
    }
    std::ranges::reverse(relatives);
    return relatives;
}

std::optional<ClusterTemplate> template_in_force(const CatalogueEntries& entries,
                                                 const Json& cluster_template) {
    const auto own = provisioner::model::cluster_template_from_json(cluster_template);
    if (!own) return std::nullopt;
    provisioner::model::TemplateFamily family;
    for (const Relative& relative : relatives_of(entries, *own)) {
        if (relative.kind == CatalogueKind::partial_template) {
            family.partials.push_back(relative.own);
        } else {
            // Partial templates stand before the template that includes them.
            family.ancestors.push_back({relative.own, std::exchange(family.partials, {})});
        }
    }
    auto whole = provisioner::model::merged(*own, family);
    if (!whole) return std::nullopt;
    return *std::move(whole);
}

}  // namespace fcgi::pages
