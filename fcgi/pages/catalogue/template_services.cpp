#include "fcgi/pages/catalogue/template_services.hpp"

#include <algorithm>
#include <set>

#include "provisioner/messages/translated.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using provisioner::model::ClusterTemplate;
using provisioner::operations::CatalogueEntries;

namespace {

const std::vector<Json>& stored_of_kind(const CatalogueEntries& entries, CatalogueKind kind) {
    static const std::vector<Json> none;
    const auto found = entries.find(kind);
    return found == entries.end() ? none : found->second;
}

std::optional<ClusterTemplate> template_named(const CatalogueEntries& entries, CatalogueKind kind,
                                              const std::string& name) {
    for (const Json& entry : stored_of_kind(entries, kind)) {
        if (text_at(entry, "name") != name) continue;
        auto read = kind == CatalogueKind::cluster_template
                        ? provisioner::model::cluster_template_from_json(entry)
                        : provisioner::model::partial_template_from_json(entry);
        if (read) return *std::move(read);
    }
    return std::nullopt;
}

bool has_services(const std::optional<ClusterTemplate>& part) {
    return part && !part->defaults.services.empty();
}

bool is_extended(const CatalogueEntries& entries, const std::string& name) {
    return std::ranges::any_of(
        stored_of_kind(entries, CatalogueKind::cluster_template), [&](const Json& entry) {
            const auto read = provisioner::model::cluster_template_from_json(entry);
            return read && read->extends == name;
        });
}

}  // namespace

bool lacks_default_services(const CatalogueEntries& entries, const Json& entry) {
    if (entry.contains("immutable")) return false;
    const auto own = provisioner::model::cluster_template_from_json(entry);
    if (!own || is_extended(entries, own->header.name)) return false;
    std::optional<ClusterTemplate> part = *own;
    std::set<std::string> seen;
    while (part) {
        if (has_services(part)) return false;
        for (const auto& include : part->includes) {
            if (has_services(template_named(entries, CatalogueKind::partial_template, include)))
                return false;
        }
        const bool has_parent = part->extends && seen.insert(*part->extends).second;
        part = has_parent ? template_named(entries, CatalogueKind::cluster_template, *part->extends)
                          : std::nullopt;
    }
    return true;
}

std::string words_on_lacking_services() {
    return translated(
        "The template has no default services: whoever creates a cluster must choose some.");
}

}  // namespace fcgi::pages
