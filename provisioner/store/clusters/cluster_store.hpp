#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// Stores the cluster (its id is ignored) and returns its number.
model::ClusterId insert_cluster(Connection& connection, const model::Cluster& cluster);

/// The cluster if `caller` may see it: admins see all of their tenant, users their own.
std::optional<model::Cluster> find_cluster(Connection& connection, const model::Caller& caller,
                                           model::ClusterId cluster);

/// The same, with its row locked until the transaction ends.
std::optional<model::Cluster> lock_cluster(Connection& connection, const model::Caller& caller,
                                           model::ClusterId cluster);

/// A cluster as lists and the status show it: no snapshot, no config.
struct ClusterSummary {
    model::ClusterId id;
    std::string owner;
    std::string name;
    std::string description;
    model::ClusterStatus status = model::ClusterStatus::pending;
    std::string message;
    base::Timestamp created_at{};
    std::optional<base::Timestamp> expires_at;
    std::vector<std::string> services;
    int node_count = 0;
    /// Headers of provider and template as frozen in the cluster.
    model::EntityHeader provider;
    model::EntityHeader cluster_template;
    std::optional<model::Job> latest_job;
};

/// Which clusters a list shows.
struct ClusterQuery {
    /// None: all of them.
    std::vector<model::ClusterStatus> statuses{};
    /// How many at most; 0 is all.
    int limit = 0;
    /// Only older ones than this; 0 begins with the newest.
    model::ClusterId before{};
};

/// What `caller` may see, newest first.
std::vector<ClusterSummary> list_clusters(Connection& connection, const model::Caller& caller,
                                          const ClusterQuery& query = {});

/// What there is to follow while a job is under way.
struct ClusterState {
    model::ClusterId id;
    model::TenantId tenant{};
    /// 0: that user was deleted.
    model::UserId owner_id{};
    model::ClusterStatus status = model::ClusterStatus::pending;
    std::optional<model::Job> latest_job{};
};

/// Those of these clusters that exist, whoever's they are. One statement, so Database::look is
/// enough.
std::vector<ClusterState> find_states(Connection& connection,
                                      const std::set<model::ClusterId>& clusters);

std::optional<ClusterSummary> find_summary(Connection& connection, const model::Caller& caller,
                                           model::ClusterId cluster);

/// Sets status, message and latest job; one that is terminated ends (close_if_terminated).
void update_cluster(Connection& connection, const model::Cluster& cluster);

/// Notes that nothing was ever made of a terminated cluster: no layout kept all rules.
void note_unsatisfiable(Connection& connection, model::ClusterId cluster);

/// How many such clusters of the user ended since `moment`.
int count_unsatisfiable_since(Connection& connection, model::UserId owner, base::Timestamp moment);

/// Notes when the cluster with this latest job ended, if it is terminated, forgets its secrets and
/// ends the usage of its machines.
void close_if_terminated(Connection& connection, model::JobId latest);

/// Sets when the lease ends; the deletions that failed so far do not count any more.
void update_expiry(Connection& connection, model::ClusterId cluster, base::Timestamp expires_at);

/// Replaces the secret provider fields of the cluster itself.
void update_secrets(Connection& connection, const model::Cluster& cluster);

/// Replaces the snapshot.
void update_snapshot(Connection& connection, const model::Cluster& cluster);

/// Replaces the cluster's own copy of its template, in lists, too.
void update_template(Connection& connection, const model::Cluster& cluster);

/// Replaces the configuration.
void update_config(Connection& connection, model::ClusterId cluster, const base::Json& config);

/// Stores the nodes (ids are ignored) and returns their ids in the same order.
std::vector<model::NodeId> insert_nodes(Connection& connection,
                                        const std::vector<model::Node>& nodes);

/// The nodes of a cluster by nodenum; not those that are gone because the job that took them away
/// is complete.
std::vector<model::Node> nodes_of(Connection& connection, model::ClusterId cluster);

/// The same with those that are gone: tasks of earlier jobs are theirs.
std::vector<model::Node> nodes_ever_of(Connection& connection, model::ClusterId cluster);

/// The highest nodenum the cluster ever used; 0 when it never had a node.
int highest_number_of(Connection& connection, model::ClusterId cluster);

/// Replaces the names of the cluster's services, and its snapshot.
void update_services(Connection& connection, const model::Cluster& cluster);

/// Sets the number of nodes lists show and quotas count.
void update_node_count(Connection& connection, model::ClusterId cluster, int nodes);

/// Replaces services and automators of a node.
void update_services_of(Connection& connection, const model::Node& node);

/// The nodes go with `job`: they are gone when it is complete.
void mark_leaving(Connection& connection, const std::vector<model::NodeId>& nodes,
                  model::JobId job);

}  // namespace provisioner::store
