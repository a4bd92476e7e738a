#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/pages/clusters/form.hpp"
#include "fcgi/pages/form_field.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/solver/layout_problem.hpp"

namespace fcgi::pages {

/// What the form of a new cluster offers: names of the tenant's catalogue.
struct Offer {
    std::vector<provisioner::model::ClusterTemplate> templates{};
    std::vector<std::string> providers{};
    std::vector<std::string> hardware_types{};
    std::vector<std::string> image_types{};
    std::vector<std::string> services{};
    /// Fields of the chosen provider's type that a user fills in or may override.
    std::vector<provisioner::model::PluginField> provider_fields{};

    /// The template of that name; null when there is none.
    const provisioner::model::ClusterTemplate* find(const std::string& name) const;
};

/// The form of a new cluster, drawn from its template: views/clusters/new.
struct NewClusterPage {
    Offer offer{};
    ClusterForm form{};
    provisioner::base::Problems problems{};
    /// What would end the problems.
    std::vector<provisioner::solver::Remedy> remedies{};
};

/// The control of a provider's field. What was typed into a secret one is not sent back.
FormField provider_field(const provisioner::model::PluginField& from, const ClusterForm& form);

provisioner::base::Json to_json(const NewClusterPage& page);

}  // namespace fcgi::pages
