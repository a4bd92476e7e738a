#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// Tasks of a job on one machine, by state.
struct MachineTasks {
    int tasks = 0;
    int done = 0;
    int running = 0;
    int failed = 0;
    /// With those that a retry of other machines has left as they were.
    int cancelled = 0;

    bool operator==(const MachineTasks&) const = default;
};

/// A machine of a cluster with how far a job is on it: what lists of machines show. Without the
/// large columns of its node.
struct ListedMachine {
    model::NodeId node;
    model::ClusterId cluster{};
    int nodenum = 0;
    std::string hostname{};
    std::string hardware_type{};
    /// In the order of the node.
    std::vector<std::string> services{};
    /// "access_v4"; empty before it is known.
    std::string address{};
    /// Tasks of the job on this machine, by state.
    int tasks = 0;
    int done = 0;
    int running = 0;
    int failed = 0;
    /// With those that a retry of other machines has left as they were.
    int cancelled = 0;
    /// Those of them that belong to no service: they make, prepare or delete the machine itself.
    MachineTasks own{};
    /// model::Node::was_set_up
    bool was_set_up = false;
    /// Whether a job takes the machine away; and has deleted it.
    bool leaves = false;
    bool is_deleted = false;
    /// Services that the machine should not have any more, and that the job has not stopped and
    /// removed there, by name.
    std::vector<std::string> left_behind{};
    /// Those of `failed` that belong to them: what the machine should have has not failed.
    int failed_removals = 0;
    /// A running task of the job; the one with the highest id. Only meaningful while `running` > 0.
    model::Action action = model::Action::create;
    std::string service{};
};

/// Tasks of a job by the machine and the service that they are for; without those of no service.
using TasksOfServices = std::map<std::pair<model::NodeId, std::string>, MachineTasks>;

struct ListedMachines {
    std::vector<ListedMachine> machines{};
    /// The tasks on these machines.
    TasksOfServices of_services{};
};

/// The present machines of a cluster by number, with the tasks of `job` (0: none). Costs a row for
/// each machine and for each task of the job. Does not check who may see the cluster.
ListedMachines list_machines(Connection& connection, model::ClusterId cluster, model::JobId job);

/// The same of one machine; none if the cluster has no such number.
ListedMachines list_machine(Connection& connection, model::ClusterId cluster, std::int64_t nodenum,
                            model::JobId job);

/// A cluster and the job (0: none) whose tasks on its machines are counted.
struct ListedCluster {
    model::ClusterId cluster{};
    model::JobId job{};
};

/// The same of several clusters, the newest first, and in each by number: the machines that
/// NodeCondition means by `text`. Costs what the machines and jobs of all of these clusters cost.
ListedMachines list_machines(Connection& connection, const std::vector<ListedCluster>& clusters,
                             const std::string& text);

/// How many present machines of each cluster NodeCondition means by `query.machine_text`, the
/// newest cluster first; clusters without such a machine are left out. A host name costs an index
/// entry for each machine, an address its row.
std::vector<std::pair<model::ClusterId, int>> count_machines(Connection& connection,
                                                             const model::Caller& caller,
                                                             ClusterQuery query);

}  // namespace provisioner::store
