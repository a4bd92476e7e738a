#pragma once

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/clusters/preview.hpp"

namespace fcgi::forms {

/// A preview to compute.
struct PreviewCluster {
    /// The request to preview, as for a create.
    provisioner::operations::CreateCluster wanted{};
    /// Whether the answer gives reasons for the layout.
    provisioner::operations::Explain explain = provisioner::operations::Explain::no;
    /// Further numbers of machines to try, at most operations::most_sizes. Each costs a run of the
    /// solver. Nothing: only the number in `wanted`.
    std::optional<provisioner::operations::SizeRange> sizes{};
};

/// Reads the body of POST /v2/clusters/preview: the members of a create, and two more. `explain`
/// (default false) asks for reasons. `sizes` ({"from", "to"}, 1 <= from <= to) asks what other
/// numbers of machines would give. The result has the Problems of all members together; without
/// any, every value is within its range.
provisioner::base::Checked<PreviewCluster> preview_cluster(const provisioner::base::Json& json);

}  // namespace fcgi::forms
