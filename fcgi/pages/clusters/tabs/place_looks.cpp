#include "fcgi/pages/clusters/tabs/place_looks.hpp"

#include <algorithm>

namespace fcgi::pages {

using namespace provisioner::model;
using provisioner::store::ListedMachine;
using provisioner::store::MachineTasks;
using provisioner::store::ServiceState;

namespace {

/// Where the latest job has no task of the service, it is as far as its machine: nothing of that is
/// a failure of the service, or work on it.
MachineLook look_like_machine(const ClusterAtWork& cluster, const ListedMachine& machine,
                              MachinePart part) {
    const MachineLook look = look_of(cluster, LostSince(), machine, part);
    const bool is_elsewhere = look == MachineLook::failed || look == MachineLook::running ||
                              look == MachineLook::change_waits;
    if (!is_elsewhere) return look;
    return cluster.status == ClusterStatus::pending ? MachineLook::waiting : MachineLook::untouched;
}

MachineLook look_of_unknown(const ClusterAtWork& cluster, const ListedMachine& machine,
                            const MachineTasks& work, bool runs) {
    // What an active cluster does not know about its services it once knew.
    if (cluster.status == ClusterStatus::active) {
        return runs ? MachineLook::ready : MachineLook::installed;
    }
    // Nothing was there before of a service that is added, or was to be started and never was.
    const bool is_change = !runs && is_change_of_services(cluster.operation) &&
                           cluster.operation != Operation::add_services;
    const bool is_done = work.tasks > 0 && work.done == work.tasks;
    const MachineLook look =
        is_done          ? MachineLook::ready
        : work.tasks > 0 ? look_of_work(cluster, work, is_change)
                         : look_like_machine(cluster, machine,
                                             runs ? MachinePart::services : MachinePart::itself);
    return look == MachineLook::ready && !runs ? MachineLook::installed : look;
}

}  // namespace

PlaceLooks looks_of_places(const KnownOfServices& known) {
    std::map<std::pair<NodeId, std::string>, const ServiceState*> states;
    for (const ServiceState& state : known.states) states[{state.node, state.service}] = &state;
    const bool is_active = known.cluster.status == ClusterStatus::active;
    PlaceLooks looks;
    for (const ListedMachine& machine : known.machines) {
        const bool is_gone = look_of(known.cluster, LostSince(), machine) == MachineLook::gone;
        for (const std::string& service : machine.services) {
            const std::pair place{machine.node, service};
            if (is_gone) {
                looks[place] = MachineLook::gone;
                continue;
            }
            const auto tasks = known.work.find(place);
            const MachineTasks work = tasks == known.work.end() ? MachineTasks() : tasks->second;
            const auto found = states.find(place);
            const ServiceState* state = found == states.end() ? nullptr : found->second;
            if (work.failed > 0 || (state && state->state == TaskState::failed)) {
                looks[place] = MachineLook::failed;
            } else if ((work.running > 0 && !is_active) ||
                       (state && state->state == TaskState::claimed)) {
                looks[place] = MachineLook::running;
            } else if (state && state->state == TaskState::done) {
                looks[place] =
                    state->action == Action::start ? MachineLook::runs : MachineLook::stopped;
            } else {
                looks[place] =
                    look_of_unknown(known.cluster, machine, work, known.run.contains(service));
            }
        }
    }
    return looks;
}

provisioner::store::ServicePlaces places_of(const std::set<std::string>& run,
                                            std::span<const ListedMachine> machines) {
    provisioner::store::ServicePlaces places;
    for (const ListedMachine& machine : machines) {
        for (const std::string& name : machine.services) {
            if (run.contains(name)) places.emplace(machine.node, name);
        }
    }
    return places;
}

}  // namespace fcgi::pages
