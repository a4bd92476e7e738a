#include "fcgi/pages/clusters/tabs/place_looks.hpp"

#include <algorithm>

namespace fcgi::pages {

using namespace provisioner::model;
using provisioner::store::ListedMachine;
using provisioner::store::MachineTasks;
using provisioner::store::ServiceState;

namespace {

using ServicePlace = std::pair<NodeId, std::string>;

/// The last start or stop of services, and the machines of which there is one.
struct KnownStates {
    explicit KnownStates(std::span<const ServiceState> states) {
        for (const ServiceState& state : states) {
            places[{state.node, state.service}] = &state;
            nodes.insert(state.node);
        }
    }

    const ServiceState* at(const ServicePlace& place) const {
        const auto found = places.find(place);
        return found == places.end() ? nullptr : found->second;
    }

    std::map<ServicePlace, const ServiceState*> places{};
    std::set<NodeId> nodes{};
};

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

/// Whether none of the services of the machine was ever there: it was never set up, or some of them
/// are to be started and none was.
bool has_never_served(const KnownOfServices& known, const ListedMachine& machine,
                      const KnownStates& states) {
    if (is_set_up_by_job(known.cluster, machine)) return true;
    return !states.nodes.contains(machine.node) &&
           std::ranges::any_of(machine.services,
                               [&](const std::string& name) { return known.run.contains(name); });
}

MachineLook look_of_unknown(const ClusterAtWork& cluster, const ListedMachine& machine,
                            const MachineTasks& work, bool runs, bool is_new) {
    // What an active cluster does not know about its services it once knew.
    if (cluster.status == ClusterStatus::active) {
        return runs ? MachineLook::ready : MachineLook::installed;
    }
    if (machine.leaves) return MachineLook::leaves;
    // Nothing was there before of a service that is added, or was to be started and never was.
    const bool is_change = !runs && !is_new && cluster.operation != Operation::cluster_create &&
                           cluster.operation != Operation::add_services;
    const bool is_done = work.tasks > 0 && work.done == work.tasks;
    const MachineLook look =
        is_done          ? MachineLook::ready
        : work.tasks > 0 ? look_of_work(cluster, work, is_change)
                         : look_like_machine(cluster, machine,
                                             runs ? MachinePart::services : MachinePart::itself);
    if (look == MachineLook::ready && !runs) return MachineLook::installed;
    return runs || is_new ? without_change(look) : look;
}

/// Whether the service was there, on a machine of a cluster whose latest job has failed.
bool was_there(MachineLook look, const ServiceState* last, bool runs, bool is_new) {
    if (look == MachineLook::failed && runs) {
        const bool is_first_start =
            is_new && last && last->action == Action::start && last->state == TaskState::failed;
        return last && !is_first_start;
    }
    if (look == MachineLook::failed || look == MachineLook::leaves) return !runs && !is_new;
    return look == MachineLook::runs || look == MachineLook::stopped ||
           look == MachineLook::installed || look == MachineLook::ready ||
           look == MachineLook::change_left;
}

}  // namespace

PlaceLooks looks_of_places(const KnownOfServices& known) {
    const KnownStates states(known.states);
    const bool is_active = known.cluster.status == ClusterStatus::active;
    PlaceLooks looks;
    for (const ListedMachine& machine : known.machines) {
        const bool is_gone = look_of(known.cluster, LostSince(), machine) == MachineLook::gone;
        const bool is_new = has_never_served(known, machine, states);
        for (const std::string& service : machine.services) {
            const ServicePlace place{machine.node, service};
            if (is_gone) {
                looks[place] = MachineLook::gone;
                continue;
            }
            const auto tasks = known.work.find(place);
            const MachineTasks work = tasks == known.work.end() ? MachineTasks() : tasks->second;
            const ServiceState* state = states.at(place);
            if (work.failed > 0 || (state && state->state == TaskState::failed)) {
                looks[place] = MachineLook::failed;
            } else if ((work.running > 0 && !is_active) ||
                       (state && state->state == TaskState::claimed)) {
                looks[place] = MachineLook::running;
            } else if (state && state->state == TaskState::done) {
                looks[place] =
                    state->action == Action::start ? MachineLook::runs : MachineLook::stopped;
            } else {
                looks[place] = look_of_unknown(known.cluster, machine, work,
                                               known.run.contains(service), is_new);
            }
        }
    }
    return looks;
}

provisioner::store::ServicePlaces places_that_were_there(const KnownOfServices& known) {
    const PlaceLooks looks = looks_of_places(known);
    const KnownStates states(known.states);
    provisioner::store::ServicePlaces places;
    for (const ListedMachine& machine : known.machines) {
        const bool is_new = has_never_served(known, machine, states);
        for (const std::string& service : machine.services) {
            const ServicePlace place{machine.node, service};
            const bool runs = known.run.contains(service);
            if (was_there(looks.at(place), states.at(place), runs, is_new)) places.insert(place);
        }
    }
    return places;
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
