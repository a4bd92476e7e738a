#pragma once

#include <string>

#include "fcgi/http/form_data.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/operations/create_cluster.hpp"

namespace fcgi::pages {

/// What a create would do, before it is done: views/clusters/preview.
struct PreviewPage {
    provisioner::operations::CreateCluster wanted{};
    provisioner::operations::ClusterPreview preview{};
    /// The form as it was sent; it travels on in hidden fields.
    http::FormData sent{};
    provisioner::base::Timestamp now{};
};

provisioner::base::Json to_json(const PreviewPage& page);

}  // namespace fcgi::pages
