#pragma once

#include <map>
#include <set>
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
/// large columns of its node, so a list of 1,000 machines is read in one statement and one row
/// each.
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
    /// A running task of the job; the one with the highest id. Only meaningful while `running` > 0.
    model::Action action = model::Action::create;
    std::string service{};
};

/// The present machines of a cluster by number, with the tasks of `job` (0: none). Does not check
/// who may see the cluster.
std::vector<ListedMachine> list_machines(Connection& connection, model::ClusterId cluster,
                                         model::JobId job);

/// A cluster and the job (0: none) whose tasks on its machines are counted.
struct ListedCluster {
    model::ClusterId cluster{};
    model::JobId job{};
};

/// The same of several clusters, the newest first, and in each by number: the machines that
/// NodeCondition means by `text`. Costs what the machines of all of these clusters cost.
std::vector<ListedMachine> list_machines(Connection& connection,
                                         const std::vector<ListedCluster>& clusters,
                                         const std::string& text);

/// How many present machines of each cluster NodeCondition means by `query.machine_text`, the
/// newest cluster first; clusters without such a machine are left out. A host name costs an index
/// entry for each machine, an address its row.
std::vector<std::pair<model::ClusterId, int>> count_machines(Connection& connection,
                                                             const model::Caller& caller,
                                                             ClusterQuery query);

/// Tasks of a job by the machine and the service that they are for; without those of no service.
using TasksOfServices = std::map<std::pair<model::NodeId, std::string>, MachineTasks>;

/// The tasks of these jobs, each of another cluster. Costs their tasks.
TasksOfServices tasks_of_services(Connection& connection, const std::vector<model::JobId>& jobs);

/// What is known of a service on a machine, from the tasks of all jobs that are still stored. That
/// it was stopped is known without them, too.
struct ServiceState {
    model::NodeId node;
    std::string service{};
    /// The last start or stop of it that was attempted.
    model::Action action = model::Action::start;
    model::TaskState state = model::TaskState::done;
};

/// A machine and one of its services.
using ServicePlaces = std::set<std::pair<model::NodeId, std::string>>;

/// The last start or stop of each of these services. Those without one, and those that were removed
/// since and have come back, have no row. Tasks that have not begun do not count. Reads the newest
/// jobs of the cluster one by one, and all the others only if something is still missing.
std::vector<ServiceState> service_states(Connection& connection, model::ClusterId cluster,
                                         ServicePlaces wanted);

/// The same of active clusters, where all that runs was started unless it is stopped: of each of
/// these services. Reads only what is stopped; without clusters nothing is.
std::vector<ServiceState> states_of_active(Connection& connection,
                                           const std::vector<model::ClusterId>& clusters,
                                           const ServicePlaces& wanted);

/// The names of the services that are stopped on a machine of these clusters.
std::map<model::ClusterId, std::set<std::string>> stopped_services(
    Connection& connection, const std::vector<model::ClusterId>& clusters);

/// The names of the services of each cluster that have a start or stop action.
std::map<model::ClusterId, std::set<std::string>> services_that_run(
    Connection& connection, const std::vector<model::ClusterId>& clusters);

}  // namespace provisioner::store
