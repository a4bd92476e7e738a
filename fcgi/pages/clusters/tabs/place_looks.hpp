#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fcgi/pages/clusters/tabs/machine_state.hpp"
#include "provisioner/store/clusters/service_states.hpp"

namespace fcgi::pages {

/// What pages know of the services on the machines of a cluster, or on some of them. Borrowed.
struct KnownOfServices {
    ClusterAtWork cluster{};
    /// Those that have a start or stop action.
    const std::set<std::string>& run;
    std::span<const provisioner::store::ListedMachine> machines;
    /// The last start or stop of each.
    std::span<const provisioner::store::ServiceState> states;
    /// Their tasks of the latest job.
    const provisioner::store::TasksOfServices& work;
    const LostMachines& lost;
};

/// The state of a service on a machine: `failed`, `running` (a task of the latest job works on it),
/// `runs` or `stopped` by its last start or stop, also after a change that has not reached it, and
/// `unknown` if that was cut short; `installed` if it never runs, `gone` and `lost` with its
/// machine; where it was neither started nor stopped, how far the latest job is: `waiting`,
/// `unfinished` ..., `leaves` if the machine does, and `ready` if that says nothing.
using PlaceLooks = std::map<std::pair<provisioner::model::NodeId, std::string>, MachineLook>;

/// Of each service of each of the machines. Pure.
PlaceLooks looks_of_places(const KnownOfServices& known);

/// The services that run, or are stopped or have failed after they were there, in a cluster whose
/// latest job has failed; with those without a start, where their machine was set up. Pure.
provisioner::store::ServicePlaces places_that_were_there(const KnownOfServices& known);

/// Where the services of machines that run are: what service_states() is asked for.
provisioner::store::ServicePlaces places_of(
    const std::set<std::string>& run, std::span<const provisioner::store::ListedMachine> machines);

}  // namespace fcgi::pages
