#pragma once

#include <optional>
#include <vector>

#include "provisioner/model/cluster_template.hpp"

namespace provisioner::model {

/// What a cluster template is put together from. The parent's own parent does not count.
struct TemplateFamily {
    std::optional<ClusterTemplate> parent;
    /// What the parent includes, in its order.
    std::vector<ClusterTemplate> parent_partials;
    /// What the template itself includes, in its order.
    std::vector<ClusterTemplate> partials;
};

/// The template with everything it extends and includes merged in, in this order: the parent's
/// partials, the parent, its own partials, itself. Lists are united, the configuration is replaced
/// key by key at the top level, other defaults by the later one that says something. Constraints
/// and lease come from cluster templates only; sizes and leases that say no more than the defaults
/// do replace nothing. Header, links, extends and includes are the template's own. A configuration
/// key that an immutable partial template has set and a later one sets again is a Problem. Source:
/// the rules of the wire contract.
base::Checked<ClusterTemplate> merged(const ClusterTemplate& own, const TemplateFamily& family);

/// What a template lacks to make a cluster of without further details: default services, a default
/// provider, a DNS suffix that is one.
base::Problems problems_with_defaults(const ClusterTemplate& cluster_template);

}  // namespace provisioner::model
