#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Rows of the table cluster, and the columns of the table node that change with their cluster.
// Functions that take a Caller return nothing for a cluster the caller may not see. Admins see all
// of their tenant, users their own. The other functions do not check that.
//
// Writers lock the cluster's row first. The tenant's row comes before it where a quota is checked,
// the job's row where a job is changed.

/// Stores the cluster and returns its id; `cluster.id` is ignored. Does not store `secrets` and
/// `latest_job`: update_secrets and update_cluster do. A user that was deleted meanwhile owns
/// nothing.
model::ClusterId insert_cluster(Connection& connection, const model::Cluster& cluster);

/// The whole cluster with its documents; nothing when the caller may not see it. Throws
/// std::logic_error when a document cannot be read.
std::optional<model::Cluster> find_cluster(Connection& connection, const model::Caller& caller,
                                           model::ClusterId cluster);

/// The same, with its row locked until the transaction ends.
std::optional<model::Cluster> lock_cluster(Connection& connection, const model::Caller& caller,
                                           model::ClusterId cluster);

/// A cluster as lists and the status show it: no snapshot, no config, no secrets.
struct ClusterSummary {
    model::ClusterId id;
    /// Name of its tenant.
    std::string tenant;
    /// Name of the owner, who may have been deleted.
    std::string owner;
    std::string name;
    std::string description;
    model::ClusterStatus status = model::ClusterStatus::pending;
    /// Why the last job failed; empty when it did not.
    std::string message;
    base::Timestamp created_at{};
    /// Nothing: never.
    std::optional<base::Timestamp> expires_at;
    /// Names, in the order of the cluster.
    std::vector<std::string> services;
    int node_count = 0;
    /// As Cluster::services_stopped.
    int services_stopped = 0;
    /// Headers of provider and template as frozen in the cluster.
    model::EntityHeader provider;
    model::EntityHeader cluster_template;
    /// Every committed cluster has one.
    std::optional<model::Job> latest_job;
};

/// What is wrong with machines of a cluster: a task of its latest job has failed, or its account
/// does not list a machine any more. `any` chooses nothing.
enum class MachineTrouble { any, failed, lost };

/// Which clusters a list shows.
struct ClusterQuery {
    /// Empty: all statuses.
    std::vector<model::ClusterStatus> statuses{};
    /// The clusters of every tenant that is not deleted; nothing for others than superadmins.
    bool all_tenants = false;
    /// Only clusters with stopped services; needs `statuses`.
    bool only_stopped = false;
    /// Only clusters with this text in their name, description, owner, template (name or label) or,
    /// with `all_tenants`, tenant, or with this number; empty takes all. Needs `statuses`. All
    /// clusters of the statuses may be read.
    std::string text{};
    /// Only clusters of this template, and of this provider, by their names; empty takes all. Needs
    /// `statuses`. All clusters of the statuses may be read.
    std::string cluster_template{};
    std::string provider{};
    /// Only clusters that have a machine that NodeCondition means; needs `statuses`.
    std::string machine_text{};
    /// Only clusters that may have failed, or lost, machines; needs `statuses`.
    MachineTrouble trouble = MachineTrouble::any;
    /// Maximum number of clusters; 0 means no maximum.
    int limit = 0;
    /// Only clusters with a smaller id, that is, older ones; 0 begins with the newest.
    model::ClusterId before{};
    /// Only clusters with this id or a larger one; needs `statuses`. 0: all.
    model::ClusterId from{};

    bool is_search() const { return !text.empty() || !machine_text.empty(); }
};

/// The clusters `caller` may see, newest first. With a limit, an admin's list costs the same
/// however many clusters the tenant ever had.
std::vector<ClusterSummary> list_clusters(Connection& connection, const model::Caller& caller,
                                          const ClusterQuery& query = {});

/// Those of `clusters` that the caller may see, in their order; also those of other tenants with
/// `all_tenants`.
std::vector<ClusterSummary> list_clusters(Connection& connection, const model::Caller& caller,
                                          const std::vector<model::ClusterId>& clusters,
                                          bool all_tenants);

/// How many nodes a cluster has, and what tells whether all of them are ready.
struct ClusterSize {
    model::ClusterId cluster{};
    int nodes = 0;
    model::ClusterStatus status = model::ClusterStatus::pending;
    /// As Cluster::services_stopped.
    int services_stopped = 0;
};

/// The sizes of the clusters that list_clusters() has, in its order; much cheaper. Needs
/// `statuses`.
std::vector<ClusterSize> cluster_sizes(Connection& connection, const model::Caller& caller,
                                       const ClusterQuery& query);

/// The cluster with that many newer ones in the list that `query` means; nothing if the list is
/// shorter. The query needs `statuses` and has no text. Reads an index as far as that.
std::optional<model::ClusterId> cluster_after(Connection& connection, const model::Caller& caller,
                                              ClusterQuery query, int newer);

/// The changing part of a cluster while a job is under way. ClusterStates shares it between
/// viewers.
struct ClusterState {
    model::ClusterId id;
    model::TenantId tenant{};
    /// 0: that user was deleted.
    model::UserId owner_id{};
    model::ClusterStatus status = model::ClusterStatus::pending;
    std::optional<model::Job> latest_job{};
};

/// The states of those of `clusters` that exist, of any tenant, in no order. One statement, so
/// Database::look is enough.
std::vector<ClusterState> find_states(Connection& connection,
                                      const std::set<model::ClusterId>& clusters);

/// One cluster as a list shows it; nothing when the caller may not see it. Cheaper than
/// find_cluster.
std::optional<ClusterSummary> find_summary(Connection& connection, const model::Caller& caller,
                                           model::ClusterId cluster);

/// The current clusters of that name that `caller` may see, newest first; at most 5.
std::vector<ClusterSummary> clusters_named(Connection& connection, const model::Caller& caller,
                                           const std::string& name);

/// How long it took to create clusters from this template at this provider, both by name: the
/// latest ones first, at most 5, of the newest 100 clusters of the tenant. Only creations that
/// succeeded without a retry; pauses count.
std::vector<std::chrono::milliseconds> creation_times(Connection& connection,
                                                      model::TenantId tenant,
                                                      const std::string& cluster_template,
                                                      const std::string& provider);

/// Writes status, message and latest job. A terminated cluster is also closed
/// (close_if_terminated). The message is cut to its column.
void update_cluster(Connection& connection, const model::Cluster& cluster);

/// Marks a terminated cluster for which no layout kept all rules, so no machine was ever made. Such
/// clusters have a retention of their own.
void note_unsatisfiable(Connection& connection, model::ClusterId cluster);

/// The number of clusters with that mark of the user that ended at `moment` or later.
int count_unsatisfiable_since(Connection& connection, model::UserId owner, base::Timestamp moment);
/// The same of all users of a tenant who are not deleted.
int count_unsatisfiable_of_tenant_since(Connection& connection, model::TenantId tenant,
                                        base::Timestamp moment);

/// Closes the cluster with this latest job if it is terminated. Records the time, deletes the
/// secrets and ends the usage of its machines. Does nothing otherwise, and nothing the second time.
void close_if_terminated(Connection& connection, model::JobId latest);

/// Sets the end of the lease; nothing: it has no end. Also restarts the count of failed deletions.
void update_expiry(Connection& connection, model::ClusterId cluster,
                   std::optional<base::Timestamp> expires_at);

/// Replaces the description; at most model::longest_text bytes.
void update_description(Connection& connection, model::ClusterId cluster,
                        const std::string& description);

/// Replaces the secret provider fields of the cluster itself; `cluster.secrets` holds sealed
/// values.
void update_secrets(Connection& connection, const model::Cluster& cluster);

/// Replaces the snapshot and the region, which follows from it. Lists go on showing the old
/// headers; update_template changes both.
void update_snapshot(Connection& connection, const model::Cluster& cluster);

/// Replaces the snapshot and the headers of provider and template that lists show.
void update_template(Connection& connection, const model::Cluster& cluster);

/// Notes the present configuration as the one that works, before another one replaces it. If one is
/// noted, the present one was never applied everywhere; a job that completes ends the note.
void keep_working_config(Connection& connection, model::ClusterId cluster);
/// What keep_working_config() has noted, if the present configuration is another one.
std::optional<base::Json> working_config(Connection& connection, model::ClusterId cluster);
/// Replaces the configuration, a JSON object.
void update_config(Connection& connection, model::ClusterId cluster, const base::Json& config);

/// Stores the nodes, all of one cluster, and returns their ids in the same order. `id` of each is
/// ignored; nodenum must be unique within the cluster. O(nodes of the cluster).
std::vector<model::NodeId> insert_nodes(Connection& connection,
                                        const std::vector<model::Node>& nodes);

/// The nodes of a cluster, by nodenum. Leaves out nodes that are gone: those a job took away that
/// is complete. Nodes that are being taken away are included (`leaves`).
std::vector<model::Node> nodes_of(Connection& connection, model::ClusterId cluster);

/// The same with nodes that are gone: tasks of earlier jobs refer to them.
std::vector<model::Node> nodes_ever_of(Connection& connection, model::ClusterId cluster);

/// The nodenum of the cluster's next node: one more than it ever used, first_nodenum when it never
/// had a node. Retention keeps the row with the highest number, so the deletion of old rows frees
/// none. Lock the cluster first.
int next_number_of(Connection& connection, model::ClusterId cluster);

/// Replaces the names of the cluster's services, and its snapshot, which holds their definitions.
void update_services(Connection& connection, const model::Cluster& cluster);

/// Sets the number of nodes that lists show and quotas count.
void update_node_count(Connection& connection, model::ClusterId cluster, int nodes);

/// Replaces services and automators of a node. Workers read them with the next job only, so change
/// them in the transaction that starts one.
void update_services_of(Connection& connection, const model::Node& node);

/// Records that `job` takes the nodes away: they are gone when it is complete. When it fails they
/// stay, still marked (`leaves`).
void mark_leaving(Connection& connection, const std::vector<model::NodeId>& nodes,
                  model::JobId job);

}  // namespace provisioner::store
