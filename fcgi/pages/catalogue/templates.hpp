#pragma once

#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"

namespace fcgi::pages {

/// What a person can build from, as cards: views/catalogue/templates.
struct TemplatesPage {
    std::vector<provisioner::model::ClusterTemplate> templates{};
};

provisioner::base::Json to_json(const TemplatesPage& page);

/// GET /templates: what the visitor can build from.
http::Response list_templates(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
