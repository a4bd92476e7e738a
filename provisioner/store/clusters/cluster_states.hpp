#pragma once

#include <optional>

#include "provisioner/base/request_coalescer.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"

namespace provisioner::store {

/// Tells those who follow clusters how these stand. Who asks at the same time is answered by the
/// same statement, and nobody is told how things were before they asked. Safe to use from any
/// thread.
class ClusterStates {
 public:
    /// `database` must outlive it.
    explicit ClusterStates(Database& database);

    /// Nothing when there is no such cluster that `caller` may see.
    std::optional<ClusterState> find(const model::Caller& caller, model::ClusterId cluster);

 private:
    base::RequestCoalescer<model::ClusterId, ClusterState> states_;
};

}  // namespace provisioner::store
