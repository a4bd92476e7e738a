#include "provisioner/operations/changes/situation.hpp"

#include <algorithm>

#include "provisioner/operations/changes/write.hpp"
#include "provisioner/solver/constraints.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace provisioner::operations {

using model::ClusterStatus;
using planner::Membership;

Situation situation_of(store::Connection& connection, const model::Caller& caller,
                       const model::Cluster& cluster, bool restart) {
    auto nodes = store::nodes_of(connection, cluster.id);
    auto unfinished = unfinished_work(connection, cluster, nodes);
    auto job = store::find_job(connection, cluster.latest_job);
    const bool is_all_outdated = are_services_unknown(cluster, job);
    return {.connection = connection,
            .caller = caller,
            .cluster = cluster,
            .restart = restart,
            .job = std::move(job),
            .nodes = std::move(nodes),
            .unfinished = std::move(unfinished),
            .is_all_outdated = is_all_outdated};
}

Names without(const Names& names, const Names& others) {
    Names rest;
    std::copy_if(names.begin(), names.end(), std::back_inserter(rest),
                 [&](const std::string& name) { return !solver::contains(others, name); });
    return rest;
}

Names together(Names names, const Names& more) {
    names.insert(names.end(), more.begin(), more.end());
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

base::unexpected<Refusal> refuse(Refusal::Kind kind, const solver::Unsatisfiable& why,
                                 const std::string& field) {
    base::Problems problems;
    for (const std::string& reason : why.reasons) problems.push_back({field, reason});
    if (problems.empty()) problems.push_back({field, why.text});
    auto refusal = operations::refuse(kind, std::move(problems));
    const bool text_stands_alone = kind == Refusal::Kind::invalid;
    refusal.value().wire_message = text_stands_alone ? why.text : solver::wire_message(why);
    return refusal;
}

std::vector<solver::PresentNode> present(const std::vector<model::Node>& nodes) {
    std::vector<solver::PresentNode> found;
    for (const model::Node& node : nodes) {
        found.push_back({.number = node.nodenum,
                         .hardware_type = node.hardware_type,
                         .image_type = node.image_type,
                         .services = node.services});
    }
    return found;
}

PreparedChange unchanged(const Situation& now, model::Operation operation) {
    PreparedChange change;
    change.operation = operation;
    change.is_given_up = now.is_given_up;
    change.cluster = now.cluster;
    for (const model::Node& node : now.nodes) {
        NodeChange& same = change.nodes.emplace_back();
        same.node = node;
        same.is_kept = now.kept.contains(node.nodenum);
        const auto rest = now.unfinished.half_made.find(node.nodenum);
        if (node.leaves) {
            same.membership = Membership::dropped;
            continue;
        }
        if (rest != now.unfinished.half_made.end()) {
            same.membership = Membership::resumes;
            auto there = rest->second.settled;
            there.merge(std::set(now.unfinished.served.at(node.nodenum)));
            same.arriving = without(node.services, {there.begin(), there.end()});
        }
        const auto behind = now.unfinished.left_behind.find(node.nodenum);
        if (behind == now.unfinished.left_behind.end()) continue;
        for (const auto& [service, steps] : behind->second) same.leaving.push_back(service);
    }
    return change;
}

namespace {

/// A machine that only loses services needs no agents for others.
planner::RestOfCreation rest_of(const Situation& now, const NodeChange& node) {
    if (node.membership != Membership::resumes) return {};
    auto rest = now.unfinished.half_made.at(node.node.nodenum);
    if (node.arriving.empty() && !node.leaving.empty()) {
        rest.steps.erase({model::Action::bootstrap, ""});
    }
    return rest;
}

/// Those of stop and remove for a service that leaves the machine, as far as its set-up has come.
std::set<model::Action> last_steps(const UnfinishedWork& unfinished, const NodeChange& node,
                                   const std::string& service) {
    const std::set<model::Action> both{model::Action::stop, model::Action::remove};
    if (node.membership != Membership::resumes) return both;
    const auto& rest = unfinished.half_made.at(node.node.nodenum);
    if (rest.steps.contains({model::Action::install, service})) return {};
    const bool may_run = rest.begun.contains(service) || rest.settled.contains(service) ||
                         unfinished.served.at(node.node.nodenum).contains(service);
    return may_run ? both : std::set{model::Action::remove};
}

planner::ChangedNode changed_node(const Situation& now, const PreparedChange& change,
                                  const NodeChange& node) {
    planner::ChangedNode changed{.name = node.node.hostname,
                                 .membership = node.membership,
                                 .services = node.node.services,
                                 .rest = rest_of(now, node)};
    if (is_going(node) && now.is_given_up) changed.services.clear();
    if (is_going(node)) return changed;
    const auto found = now.unfinished.left_behind.find(node.node.nodenum);
    if (found != now.unfinished.left_behind.end()) changed.left_behind = found->second;
    for (const std::string& service : node.leaving) {
        if (changed.left_behind.contains(service)) continue;
        changed.leaving[service] = last_steps(now.unfinished, node, service);
    }
    for (auto* const services : {&changed.leaving, &changed.left_behind}) {
        for (auto& [service, steps] : *services) {
            if (solver::contains(change.forgotten, service)) steps.clear();
        }
    }
    return changed;
}

}  // namespace

Result<PreparedChange> planned(const Situation& now, PreparedChange change) {
    planner::ChangeRequest request{
        .nodes = {},
        .services = change.cluster.snapshot.services,
        .restart = now.restart,
        .reconfigure_all = now.is_all_outdated,
        .also_restarted = now.unfinished.to_restart,
        .also_configured = now.unfinished.to_configure,
    };
    for (const NodeChange& node : change.nodes) {
        request.nodes.push_back(changed_node(now, change, node));
    }
    auto graph = planner::plan_change(request);
    if (!graph) return operations::refuse(Refusal::Kind::conflict, graph.error());
    change.graph = *std::move(graph);
    return change;
}

}  // namespace provisioner::operations
