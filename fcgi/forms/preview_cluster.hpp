#pragma once

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/clusters/preview.hpp"

namespace fcgi::forms {

/// What a preview is to show.
struct PreviewCluster {
    provisioner::operations::CreateCluster wanted{};
    provisioner::operations::Explain explain = provisioner::operations::Explain::no;
    /// Other numbers of machines to look at.
    std::optional<provisioner::operations::SizeRange> sizes{};
};

/// Reads the body of POST /v2/clusters/preview: that of a create, and `explain` (true: say why) and
/// `sizes` ({from, to}: what it would look like with so many machines).
provisioner::base::Checked<PreviewCluster> preview_cluster(const provisioner::base::Json& json);

}  // namespace fcgi::forms
