#pragma once

#include <vector>

#include "fcgi/http/form_data.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/operations/clusters/preview.hpp"

namespace fcgi::pages {

/// What a create would do, before it is done: views/clusters/preview.
struct PreviewPage {
    provisioner::operations::CreateCluster wanted{};
    provisioner::operations::ClusterPreview preview{};
    /// Other numbers of machines, and this one.
    std::vector<provisioner::operations::SizePreview> sizes{};
    /// The form as it was sent; it travels on in hidden fields.
    http::FormData sent{};
    /// The provider's fields. Only what was typed into those that are not secret travels on; the
    /// secret ones are asked for again.
    std::vector<provisioner::model::PluginField> provider_fields{};
    provisioner::base::Timestamp now{};
};

provisioner::base::Json to_json(const PreviewPage& page);

}  // namespace fcgi::pages
