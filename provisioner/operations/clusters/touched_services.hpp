#pragma once

#include <string>
#include <vector>

#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/planner/dependency_relation.hpp"

namespace provisioner::operations {

/// Which services of a cluster a start, stop or restart of some of them works on. Made once for
/// many questions; borrows the cluster. Pure.
class TouchedServices {
 public:
    explicit TouchedServices(const model::Cluster& cluster);

    /// Names of the services that `operation` on `services` starts or stops, sorted: those named,
    /// and what they need (start) or what needs them (stop, restart). Empty names all. Services
    /// without a start or stop action, and names that are not on the cluster, are left out.
    std::vector<std::string> by(model::Operation operation,
                                const std::vector<std::string>& services) const;

    /// Names of the services that use one of `services`, directly or not, and that a start of them
    /// does not start, sorted. A stop of them has stopped these, too.
    std::vector<std::string> left_by_start(const std::vector<std::string>& services) const;

 private:
    std::vector<const model::Service*> services_;
    planner::DependencyRelation runtime_;
    planner::DependencyRelation reversed_;
};

}  // namespace provisioner::operations
