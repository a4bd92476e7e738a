#include "provisioner/operations/changes/kept_machines.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "provisioner/operations/changes/change.hpp"
#include "provisioner/operations/changes/go_on.hpp"
#include "provisioner/store/clusters/service_states.hpp"
#include "provisioner/store/jobs/job_end_store.hpp"

namespace provisioner::operations {

namespace {

using store::LeavingMachine;

std::set<std::string> services_with_start(const model::Cluster& cluster) {
    std::set<std::string> names;
    for (const model::Service& service : cluster.snapshot.services) {
        if (service.actions.contains(model::Action::start)) names.insert(service.header.name);
    }
    return names;
}

store::ServicePlaces places_of(const std::vector<LeavingMachine>& machines,
                               const std::set<std::string>& services) {
    store::ServicePlaces places;
    for (const LeavingMachine& machine : machines) {
        for (const std::string& service : machine.services) {
            if (services.contains(service)) places.emplace(machine.node, service);
        }
    }
    return places;
}

}  // namespace

std::vector<KeepableMachine> keepable_machines(store::Connection& connection,
                                               const model::Cluster& cluster) {
    const bool has_failed = cluster.status == model::ClusterStatus::incomplete ||
                            cluster.status == model::ClusterStatus::inconsistent;
    if (!has_failed) return {};
    auto machines = store::undeleted_machines(connection, cluster.id);
    if (machines.empty()) return {};
    auto not_running = places_of(machines, services_with_start(cluster));
    for (auto& state : store::service_states(connection, cluster.id, not_running)) {
        const bool runs =
            state.action == model::Action::start && state.state == model::TaskState::done;
        if (runs) not_running.erase({state.node, std::move(state.service)});
    }
    std::vector<KeepableMachine> keepable;
    for (LeavingMachine& machine : machines) {
        KeepableMachine& found = keepable.emplace_back();
        for (const std::string& service : machine.services) {
            if (not_running.contains({machine.node, service})) found.not_running.insert(service);
        }
        found.machine = std::move(machine);
    }
    return keepable;
}

std::optional<WayToKeep> way_to_keep(store::Connection& connection, const model::Cluster& cluster,
                                     const model::Job& job) {
    if (job.status != model::JobStatus::failed || !can_lose_parts(cluster, job)) return {};
    WayToKeep way;
    for (auto& keepable : keepable_machines(connection, cluster)) {
        way.kept.push_back(std::move(keepable.machine));
    }
    if (way.kept.empty()) return std::nullopt;
    way.others_leaving =
        store::leaving_machines_of(connection, cluster.id) - static_cast<int>(way.kept.size());
    way.without = store::unfinished_machines(connection, cluster.id);
    if (way.without.empty()) return way;
    auto groups =
        store::machine_groups(connection, cluster.id, job.id, store::FailedMachines::not_set_up);
    for (const LeavingMachine& machine : way.kept) {
        groups.push_back({.services = machine.services, .machines = 1});
    }
    if (!can_spare_failed(cluster, groups)) return std::nullopt;
    return way;
}

}  // namespace provisioner::operations
