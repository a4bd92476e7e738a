#pragma once

#include <string>
#include <vector>

#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/clusters/node_condition.hpp"

namespace provisioner::store {

/// The ids of the clusters that a query with statuses means: the newest of each status, by an index
/// that ends with the id. So terminated clusters, which are many, are not read to find the others.
/// Each status gets the limit of the whole list. Does not look who asks for all tenants.
class ClusterIds {
 public:
    ClusterIds(const model::Caller& caller, const ClusterQuery& query);

    /// A statement for `IN (...)`.
    std::string sql() const;
    /// The rows of all statuses, in no order, for `FROM (...) AS name`.
    std::string rows(const std::string& columns) const;
    /// Binds the `?` of sql(), or of rows().
    void bind(Statement& select) const;

 private:
    const model::Caller& caller_;
    const ClusterQuery& query_;
    std::vector<std::string> statuses_;
    /// For `ClusterQuery::text`.
    std::string pattern_;
    NodeCondition machine_;
};

}  // namespace provisioner::store
