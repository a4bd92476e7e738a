#include "fcgi/pages/clusters/tabs/place_looks.hpp"

namespace fcgi::pages {

using namespace provisioner::model;
using provisioner::store::ListedMachine;
using provisioner::store::MachineTasks;
using provisioner::store::ServiceState;

namespace {

using ServicePlace = std::pair<NodeId, std::string>;

/// The last start or stop of services.
struct KnownStates {
    explicit KnownStates(std::span<const ServiceState> states) {
        for (const ServiceState& state : states) places[{state.node, state.service}] = &state;
    }

    const ServiceState* at(const ServicePlace& place) const {
        const auto found = places.find(place);
        return found == places.end() ? nullptr : found->second;
    }

    std::map<ServicePlace, const ServiceState*> places{};
};

/// Where the latest job has no task of the service, it is as far as its machine: nothing of that is
/// a failure of the service, or work on it.
MachineLook look_like_machine(const ClusterAtWork& cluster, const ListedMachine& machine,
                              MachinePart part) {
    const MachineLook look = look_of(cluster, LostSince(), machine, part);
    const bool is_elsewhere = look == MachineLook::failed || look == MachineLook::running;
    if (!is_elsewhere) return look;
    return cluster.status == ClusterStatus::pending ? MachineLook::waiting : MachineLook::untouched;
}

/// The state of a service of which no start or stop is known; `runs`: it has one.
MachineLook look_without_state(const ClusterAtWork& cluster, const ListedMachine& machine,
                               const MachineTasks& work, bool runs) {
    const MachineLook as_it_was = runs ? MachineLook::ready : MachineLook::installed;
    // What an active cluster does not know about its services it once knew.
    if (cluster.status == ClusterStatus::active) return as_it_was;
    if (machine.leaves) return MachineLook::leaves;
    if (work.tasks > 0 && work.done == work.tasks) return as_it_was;
    if (work.tasks > 0) {
        // What is added, or was to be started and never was, is not changed.
        const bool is_change =
            !runs && is_changed(cluster, machine) && cluster.operation != Operation::add_services;
        return look_of_work(cluster, work, is_change);
    }
    // The latest job has all that is left to do.
    if (is_changed(cluster, machine)) return as_it_was;
    const MachineLook look =
        look_like_machine(cluster, machine, runs ? MachinePart::services : MachinePart::itself);
    return look == MachineLook::ready ? as_it_was : look;
}

MachineLook look_of_place(const KnownOfServices& known, const ListedMachine& machine,
                          const ServicePlace& place, const ServiceState* last) {
    const auto tasks = known.work.find(place);
    const MachineTasks work = tasks == known.work.end() ? MachineTasks() : tasks->second;
    const bool is_active = known.cluster.status == ClusterStatus::active;
    const auto is_last = [&](TaskState state) { return last && last->state == state; };
    if (work.failed > 0 || is_last(TaskState::failed)) return MachineLook::failed;
    const bool is_at_work = work.running > 0 && !is_active;
    if (is_at_work || is_last(TaskState::claimed)) return MachineLook::running;
    if (is_last(TaskState::done)) {
        return last->action == Action::start ? MachineLook::runs : MachineLook::stopped;
    }
    if (is_last(TaskState::cancelled) && machine.was_set_up) return MachineLook::unknown;
    return look_without_state(known.cluster, machine, work, known.run.contains(place.second));
}

PlaceLooks looks_on_present_machines(const KnownOfServices& known, const KnownStates& states) {
    PlaceLooks looks;
    for (const ListedMachine& machine : known.machines) {
        const bool is_gone = look_of(known.cluster, LostSince(), machine) == MachineLook::gone;
        for (const std::string& service : machine.services) {
            const ServicePlace place{machine.node, service};
            looks[place] = is_gone ? MachineLook::gone
                                   : look_of_place(known, machine, place, states.at(place));
        }
    }
    return looks;
}

/// Whether the service was there, on a machine of a cluster whose latest job has failed.
bool was_there(MachineLook look, const ServiceState* last, bool runs, bool was_set_up) {
    if (look == MachineLook::failed && runs) {
        const bool is_first_start = !was_set_up && last && last->action == Action::start &&
                                    last->state == TaskState::failed;
        return last && !is_first_start;
    }
    if (look == MachineLook::failed || look == MachineLook::leaves) return !runs && was_set_up;
    return look == MachineLook::runs || look == MachineLook::stopped ||
           look == MachineLook::unknown || look == MachineLook::installed ||
           look == MachineLook::ready || look == MachineLook::change_left;
}

}  // namespace

PlaceLooks looks_of_places(const KnownOfServices& known) {
    PlaceLooks looks = looks_on_present_machines(known, KnownStates(known.states));
    if (known.cluster.status == ClusterStatus::pending) return looks;
    for (auto& [place, look] : looks) {
        if (look != MachineLook::gone && known.lost.contains(place.first)) look = MachineLook::lost;
    }
    return looks;
}

provisioner::store::ServicePlaces places_that_were_there(const KnownOfServices& known) {
    const KnownStates states(known.states);
    const PlaceLooks looks = looks_on_present_machines(known, states);
    provisioner::store::ServicePlaces places;
    for (const ListedMachine& machine : known.machines) {
        for (const std::string& service : machine.services) {
            const ServicePlace place{machine.node, service};
            const bool runs = known.run.contains(service);
            if (was_there(looks.at(place), states.at(place), runs, machine.was_set_up)) {
                places.insert(place);
            }
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
