#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// What is known of a service on a machine, from the tasks of all jobs that are still stored. That
/// it was stopped is known without them, too.
struct ServiceState {
    model::NodeId node;
    std::string service{};
    /// The last start or stop of it that was attempted.
    model::Action action = model::Action::start;
    /// `cancelled` if an abort has cut it short: whether the service runs is not known.
    model::TaskState state = model::TaskState::done;
};

/// A machine and one of its services.
using ServicePlaces = std::set<std::pair<model::NodeId, std::string>>;

/// The last start or stop of each of these services. Those without one, those whose first start was
/// cut short, and those that were removed since and have come back, have no row. Tasks that have
/// not begun do not count. Reads the newest jobs of the cluster one by one, and all the others only
/// if something is still missing.
std::vector<ServiceState> service_states(Connection& connection, model::ClusterId cluster,
                                         ServicePlaces wanted);

/// The same of active clusters, where all that runs was started unless it is stopped: of each of
/// these services. Reads only what is stopped; without clusters nothing is.
std::vector<ServiceState> states_of_active(Connection& connection,
                                           const std::vector<model::ClusterId>& clusters,
                                           const ServicePlaces& wanted);

/// Those of these services that jobs of the cluster before `job` have started, and not removed
/// since, as far as the tasks of those jobs are still stored. Reads as service_states().
ServicePlaces started_before(Connection& connection, model::ClusterId cluster, model::JobId job,
                             ServicePlaces wanted);

/// Where services of a cluster are stopped, as of the last end of a job that may have changed it.
ServicePlaces stopped_places(Connection& connection, model::ClusterId cluster);

/// The names of the services that are stopped on a machine of these clusters.
std::map<model::ClusterId, std::set<std::string>> stopped_services(
    Connection& connection, const std::vector<model::ClusterId>& clusters);

/// The names of the services of each cluster that have a start or stop action.
std::map<model::ClusterId, std::set<std::string>> services_that_run(
    Connection& connection, const std::vector<model::ClusterId>& clusters);

}  // namespace provisioner::store
