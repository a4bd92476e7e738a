#pragma once

#include <map>
#include <string>
#include <vector>

#include "fcgi/http/form_data.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/operations/clusters/create.hpp"

namespace fcgi::pages {

/// What somebody typed into the form of a new cluster, word for word: nothing is lost when it is
/// shown again. The controls have the names of the API's members.
struct ClusterForm {
    std::string name{};
    std::string cluster_template{};
    std::string machines{};
    std::string description{};
    std::string provider{};
    std::string hardware_type{};
    std::string image_type{};
    std::string dns_suffix{};
    std::string config{};
    std::vector<std::string> services{};
    std::string lease_days{};
    std::string lease_hours{};
    std::string lease_minutes{};
    /// By name of the provider type's field.
    std::map<std::string, std::string> provider_fields{};
};

/// The form as it comes empty: what the template says.
ClusterForm form_for(const provisioner::model::ClusterTemplate& cluster_template);

/// The form as it was sent.
ClusterForm read_cluster_form(const http::FormData& sent);

/// The same form for another template: name and description stay, the rest is what the template
/// says.
ClusterForm switched(const ClusterForm& form,
                     const provisioner::model::ClusterTemplate& cluster_template);

/// A configuration as typed: null for an empty text; Problems of "config" for what is no JSON
/// object.
provisioner::base::Json read_config(const std::string& text, provisioner::base::Problems& problems);

/// What the form asks for; Problems name the controls.
provisioner::base::Checked<provisioner::operations::CreateCluster> wanted(const ClusterForm& form);

}  // namespace fcgi::pages
