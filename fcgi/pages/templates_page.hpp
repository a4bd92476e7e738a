#pragma once

#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/cluster_template.hpp"

namespace fcgi::pages {

/// What a person can build from, as cards: views/templates/index.
struct TemplatesPage {
    std::vector<provisioner::model::ClusterTemplate> templates{};
};

provisioner::base::Json to_json(const TemplatesPage& page);

}  // namespace fcgi::pages
