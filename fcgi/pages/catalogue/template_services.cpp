#include "fcgi/pages/catalogue/template_services.hpp"

#include <algorithm>

#include "provisioner/messages/translated.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/operations/catalogue/template_relatives.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::text_at;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using provisioner::model::ClusterTemplate;
using provisioner::operations::CatalogueEntries;
using provisioner::operations::entries_of;
using provisioner::operations::Relative;
using provisioner::operations::relatives_of;

namespace {

bool is_extended(const CatalogueEntries& entries, const std::string& name) {
    return std::ranges::any_of(
        entries_of(entries, CatalogueKind::cluster_template), [&](const Json& entry) {
            const auto read = provisioner::model::cluster_template_from_json(entry);
            return read && read->extends == name;
        });
}

}  // namespace

bool lacks_default_services(const CatalogueEntries& entries, const Json& entry) {
    if (entry.contains("immutable")) return false;
    const auto own = provisioner::model::cluster_template_from_json(entry);
    if (!own) return false;
    const auto has_services = [](const ClusterTemplate& part) {
        return !part.defaults.services.empty();
    };
    if (has_services(*own)) return false;
    const auto relatives = relatives_of(entries, *own);
    if (std::ranges::any_of(relatives, has_services, &Relative::own)) return false;
    return !is_extended(entries, own->header.name);
}

std::string words_on_lacking_services() {
    return translated(
        "The template has no default services: whoever creates a cluster must choose some.");
}

}  // namespace fcgi::pages
