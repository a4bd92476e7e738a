#pragma once

#include <optional>

#include "provisioner/base/request_coalescer.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"

namespace provisioner::store {

/// The status of clusters, for pages and scripts that follow a job and ask every few seconds.
///
/// Requests that arrive while a query runs are answered together by the next query
/// (base::RequestCoalescer). A hundred viewers cost about as many queries as one. No answer is
/// older than its request. The web process has one object of this class. Safe to use from any
/// thread.
class ClusterStates {
 public:
    /// `database` must outlive it.
    explicit ClusterStates(Database& database);

    /// The state; nothing when there is no such cluster or `caller` may not see it. Blocks for one
    /// query, or two when one is under way. Throws as Database::look.
    std::optional<ClusterState> find(const model::Caller& caller, model::ClusterId cluster);

 private:
    /// Keyed without the caller: access is checked on the shared answer.
    base::RequestCoalescer<model::ClusterId, ClusterState> states_;
};

}  // namespace provisioner::store
