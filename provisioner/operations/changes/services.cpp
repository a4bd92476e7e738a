#include <algorithm>

#include "provisioner/operations/access/permissions.hpp"
#include "provisioner/operations/catalogue/stored_entries.hpp"
#include "provisioner/operations/changes/situation.hpp"
#include "provisioner/planner/plan.hpp"
#include "provisioner/solver/changes/add_services.hpp"
#include "provisioner/solver/changes/resize.hpp"
#include "provisioner/solver/constraints.hpp"
#include "provisioner/solver/layout/selection.hpp"

namespace provisioner::operations {

using model::ClusterStatus;
using model::Operation;

namespace {

/// The definitions to add services with: the cluster's own for the services it has, the catalogue's
/// for all others.
std::vector<model::Service> definitions(const Situation& now) {
    std::vector<model::Service> all;
    for (const model::Service& service : now.cluster.snapshot.services) {
        if (solver::contains(now.cluster.services, service.header.name)) all.push_back(service);
    }
    for (model::Service& service :
         stored_entries(now.connection, now.caller.tenant.id, model::CatalogueKind::service,
                        model::service_from_json)) {
        if (!solver::contains(now.cluster.services, service.header.name))
            all.push_back(std::move(service));
    }
    return all;
}

/// Adds the services in `added` to the cluster, and the definitions of new ones to its snapshot.
void join_snapshot(model::Cluster& cluster, const Names& added,
                   const std::vector<model::Service>& catalogue) {
    auto& known = cluster.snapshot.services;
    for (const model::Service& service : catalogue) {
        const std::string& name = service.header.name;
        if (!solver::contains(added, name) || solver::contains(cluster.services, name)) continue;
        // A service that the cluster had before gets its present definition from the catalogue.
        std::erase_if(known, [&](const auto& other) { return other.header.name == name; });
        known.push_back(service);
    }
    for (const std::string& name : added) {
        if (!solver::contains(cluster.services, name)) cluster.services.push_back(name);
    }
}

Result<PreparedChange> planned_addition(PreparedChange change, const Names& added) {
    planner::PlanRequest request{
        .operation = Operation::add_services,
        .nodes = {},
        .services = change.cluster.snapshot.services,
        .only_nodes = {},
        .only_services = added,
    };
    for (const NodeChange& node : change.nodes) {
        request.nodes.push_back({.name = node.node.hostname, .services = node.node.services});
    }
    auto graph = planner::plan(request);
    if (!graph) return operations::refuse(Refusal::Kind::conflict, graph.error());
    change.graph = *std::move(graph);
    return change;
}

/// What an earlier job has not removed everywhere.
Names left_behind(const UnfinishedWork& unfinished) {
    Names names;
    for (const auto& [node, services] : unfinished.left_behind) {
        for (const auto& [service, steps] : services) names.push_back(service);
    }
    return names;
}

Result<void> check_removal(const Situation& now, const Names& going) {
    base::Problems problems;
    const Names there = together(now.cluster.services, left_behind(now.unfinished));
    for (const std::string& name : going) {
        if (solver::contains(there, name)) continue;
        problems.push_back({"services", "service " + name + " does not exist on cluster " +
                                            model::wire_id(now.cluster.id)});
    }
    if (going.empty()) problems.push_back({"services", "Name at least 1 service to remove."});
    if (!problems.empty()) {
        const auto kind = going.empty() ? Refusal::Kind::invalid : Refusal::Kind::not_found;
        return operations::refuse(kind, std::move(problems));
    }
    if (!can_lose_parts(now.cluster, now.job)) {
        return operations::refuse(
            Refusal::Kind::conflict, "",
            "Cluster is not in a state where service actions can be performed.");
    }
    if (const auto needed = solver::check_removal(without(now.cluster.services, going),
                                                  now.cluster.snapshot.services)) {
        return refuse(Refusal::Kind::unsatisfiable, *needed, "services");
    }
    return {};
}

}  // namespace

Result<PreparedChange> prepare(const Situation& now, const AddServices& wanted) {
    if (now.cluster.status != ClusterStatus::active) {
        return operations::refuse(
            Refusal::Kind::conflict, "",
            "Cluster is not in a state where service actions can be performed.");
    }
    if (wanted.services.empty()) {
        return operations::refuse(Refusal::Kind::invalid, "services",
                                  "Name at least 1 service to add.");
    }
    const auto& rules = now.cluster.snapshot.cluster_template;
    const auto catalogue = definitions(now);
    const Names added = together(wanted.services, {});
    std::vector<NamedEntry> entries;
    for (const std::string& name : added) {
        entries.push_back({"services", model::CatalogueKind::service, name});
    }
    const auto withheld = store::withheld_from(now.connection, now.caller);
    if (auto problems = withheld_problems(withheld, entries); !problems.empty()) {
        return operations::refuse(Refusal::Kind::forbidden, std::move(problems));
    }
    if (const auto wrong = solver::check_services(
            rules, {.services = added, .present = now.cluster.services, .existence_first = true},
            catalogue)) {
        return refuse(Refusal::Kind::invalid, *wrong, "services");
    }
    const auto additions = solver::add_services({.cluster_template = rules,
                                                 .nodes = present(now.nodes),
                                                 .services = added,
                                                 .all_services = catalogue});
    if (!additions) return refuse(Refusal::Kind::unsatisfiable, additions.error(), "services");
    PreparedChange change = unchanged(now, Operation::add_services);
    join_snapshot(change.cluster, added, catalogue);
    for (std::size_t at = 0; at < change.nodes.size(); ++at) {
        NodeChange& node = change.nodes[at];
        node.arriving = additions->at(at);
        node.node.services = together(std::move(node.node.services), node.arriving);
    }
    return planned_addition(std::move(change), added);
}

Result<PreparedChange> prepare(const Situation& now, const RemoveServices& wanted) {
    const Names going = together(wanted.services, {});
    if (auto wrong = check_removal(now, going); !wrong) return base::unexpected(wrong.error());
    Names placed;
    for (const model::Node& node : now.nodes) placed = together(std::move(placed), node.services);
    const Names nowhere = without(going, placed);
    if (nowhere.size() < going.size()) {
        const auto changed =
            solver::remove_services({.nodes = present(now.nodes),
                                     .services = without(going, nowhere),
                                     .all_services = now.cluster.snapshot.services});
        if (!changed) return refuse(Refusal::Kind::unsatisfiable, changed.error(), "services");
    }
    PreparedChange change = unchanged(now, Operation::remove_services);
    if (wanted.force) change.forgotten = going;
    if (now.cluster.status != ClusterStatus::active) change.without = going;
    change.leaves_as_is = !change.without.empty() && wanted.force &&
                          without(going, now.cluster.services).size() == going.size();
    // Their definitions stay in the snapshot: the tasks that remove them need them.
    change.cluster.services = without(change.cluster.services, going);
    for (NodeChange& node : change.nodes) {
        const Names staying = without(node.node.services, going);
        node.leaving = together(std::move(node.leaving), without(node.node.services, staying));
        node.node.services = without(node.node.services, going);
        node.arriving = without(node.arriving, going);
    }
    return planned(now, std::move(change));
}

}  // namespace provisioner::operations
