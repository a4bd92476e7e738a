#include "provisioner/operations/changes/go_on.hpp"

#include <algorithm>
#include <map>

#include "provisioner/operations/changes/change.hpp"
#include "provisioner/operations/changes/situation.hpp"
#include "provisioner/solver/changes/resize.hpp"
#include "provisioner/solver/layout/selection.hpp"

namespace provisioner::operations {

std::optional<store::FailedMachines> failed_machines_after(const model::Cluster& cluster,
                                                           const std::optional<model::Job>& job) {
    const bool has_failed = job && job->status == model::JobStatus::failed &&
                            cluster.status != model::ClusterStatus::active &&
                            can_lose_parts(cluster, job);
    // A machine that could not be stopped still serves.
    if (!has_failed || job->operation == model::Operation::stop_services) return std::nullopt;
    if (!job->aborted) return store::FailedMachines::with_failed_task;
    return store::FailedMachines::not_set_up;
}

bool can_spare_failed(const model::Cluster& cluster,
                      const std::vector<store::MachineGroup>& groups) {
    const auto& rules = cluster.snapshot.cluster_template.constraints;
    int failed = 0;
    int kept = 0;
    std::map<std::string, int> kept_by_service;
    for (const store::MachineGroup& group : groups) {
        failed += group.failed;
        kept += group.machines - group.failed;
        for (const std::string& service : group.services) {
            kept_by_service[service] += group.machines - group.failed;
        }
    }
    Names vanishing;
    for (const auto& [service, machines] : kept_by_service) {
        if (machines == 0) vanishing.push_back(service);
    }
    const bool keeps_rules = std::ranges::all_of(rules.services, [&](const auto& rule) {
        const auto found = kept_by_service.find(rule.first);
        return found == kept_by_service.end() || found->second >= rule.second.min;
    });
    return failed > 0 && keeps_rules && kept >= std::max(1, rules.size_min) &&
           !solver::check_removal(without(cluster.services, vanishing), cluster.snapshot.services);
}

bool can_spare_services(const model::Cluster& cluster,
                        const std::vector<store::MachineGroup>& groups, const Names& services) {
    const bool empties_one = std::ranges::any_of(groups, [&](const store::MachineGroup& group) {
        return without(group.services, services).empty();
    });
    return !services.empty() && !empties_one &&
           !solver::check_removal(without(cluster.services, services), cluster.snapshot.services);
}

bool can_spare_any(const model::Cluster& cluster, const std::vector<store::MachineGroup>& groups) {
    solver::ShrinkProblem problem{.cluster_template = cluster.snapshot.cluster_template,
                                  .nodes = {}};
    for (const store::MachineGroup& group : groups) {
        const solver::PresentNode node{
            .number = 0, .hardware_type = "", .image_type = "", .services = group.services};
        problem.nodes.insert(problem.nodes.end(), static_cast<std::size_t>(group.machines), node);
    }
    return solver::can_any_go(problem);
}

}  // namespace provisioner::operations
