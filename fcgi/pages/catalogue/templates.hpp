#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/pages/clusters/choices/possible_sizes.hpp"
#include "fcgi/pages/labels.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/machines/price.hpp"

namespace fcgi::pages {

/// The templates as cards: views/catalogue/templates. Each card leads to the form of a new cluster.
struct TemplatesPage {
    /// By name, as read_templates returns them.
    std::vector<provisioner::model::ClusterTemplate> templates{};
    /// What the smallest cluster of a template costs per hour, by the template's name. Without an
    /// entry it is not known, or there is no price list.
    std::map<std::string, provisioner::model::HourlyCost> costs{};
    /// What people read for services.
    Labels labels{};
    /// Names of templates that cannot work at their own provider.
    std::set<std::string> unfit{};
    /// Each of its words must stand in a template's names, description or services, in letters of
    /// any case; empty shows all templates.
    std::string search{};
    /// Names of templates that are for administrators only.
    std::set<std::string> drafts{};
    /// False if the viewer changes nothing: the cards lead to the catalogue.
    bool may_create = true;
    /// What is known of their sizes.
    TroublesOfSizes size_troubles{};
};

/// A card for each template that fits the search, which is offered from thirteen templates on. A
/// card names at most five default services and counts the others.
provisioner::base::Json to_json(const TemplatesPage& page);

/// GET /templates: the templates of the visitor's tenant, for every user.
http::Response list_templates(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
