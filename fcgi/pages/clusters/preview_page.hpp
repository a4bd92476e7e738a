#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/labels.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/operations/clusters/preview.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"

namespace fcgi::pages {

/// The preview of a new cluster before it is created: views/clusters/preview. It shows the layout,
/// the plan, neighbouring sizes and a button that creates the cluster.
struct PreviewPage {
    /// The request as read from the form.
    provisioner::operations::CreateCluster wanted{};
    /// The solver's and planner's answer to it.
    provisioner::operations::ClusterPreview preview{};
    /// Numbers of machines around the wanted one, itself included, ascending.
    std::vector<provisioner::operations::SizePreview> sizes{};
    /// The form as sent. The page repeats it in hidden fields, so that the next POST has the same
    /// request.
    http::FormData sent{};
    /// The provider's fields. Values of secret fields are not repeated: the page asks for them
    /// again. Values of fields of another provider are dropped, because they may be secrets of that
    /// one.
    std::vector<provisioner::model::PluginField> provider_fields{};
    /// The template's label, or its name.
    std::string template_title{};
    /// What the template has where nothing else was chosen.
    provisioner::model::TemplateDefaults defaults{};
    /// What people read for hardware types, image types and services.
    Labels labels{};
    /// Current clusters that the viewer may see and that have the wanted name.
    std::vector<provisioner::store::ClusterSummary> namesakes{};
    /// How long the latest clusters of this template at this provider took to create.
    std::vector<std::chrono::milliseconds> creation_times{};
    /// The time that "in 5 days" refers to.
    provisioner::base::Timestamp now{};
};

/// Whether a field of the form may stand in a hidden field or be kept: not the token, and of the
/// provider's fields only those that `provider_fields` has and that are no secrets. A value typed
/// for another provider may be a secret of that one.
bool travels_on(const std::vector<provisioner::model::PluginField>& provider_fields,
                const std::string& name);

/// "Application needs sql, and no machine runs it." for each of them.
std::vector<std::string> words_of_lacking(
    const std::vector<provisioner::operations::LackingService>& lacking, const Labels& labels);

/// Picture, groups, plan, sizes and the hidden form. The picture fits any
/// number of machines, see fit_for_preview.
provisioner::base::Json to_json(const PreviewPage& page);

}  // namespace fcgi::pages
