#pragma once

#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"

namespace fcgi::pages {

/// The templates as cards: views/catalogue/templates. Each card leads to the form of a new cluster.
struct TemplatesPage {
    /// By name, as read_templates returns them.
    std::vector<provisioner::model::ClusterTemplate> templates{};
};

/// A card for each template. A card names at most five default services and counts the others.
provisioner::base::Json to_json(const TemplatesPage& page);

/// GET /templates: the templates of the visitor's tenant, for every user.
http::Response list_templates(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
