#include "provisioner/operations/prepare_change.hpp"

#include <algorithm>
#include <set>

#include "provisioner/operations/cluster_limits.hpp"
#include "provisioner/operations/node_rows.hpp"
#include "provisioner/operations/prepare_cluster.hpp"
#include "provisioner/operations/stored_entries.hpp"
#include "provisioner/planner/plan.hpp"
#include "provisioner/solver/add_services.hpp"
#include "provisioner/solver/resize.hpp"
#include "provisioner/solver/selection.hpp"
#include "provisioner/solver/solve.hpp"
#include "provisioner/store/cluster_store.hpp"
#include "provisioner/store/job_store.hpp"

namespace provisioner::operations {

namespace {

using model::ClusterStatus;
using model::Operation;
using planner::Fate;
using Names = std::vector<std::string>;

/// What a change begins with.
struct Situation {
    store::Connection& connection;
    const model::Caller& caller;
    const model::Cluster& cluster;
    const ChangeCluster& wanted;
    /// By nodenum.
    std::vector<model::Node> nodes;
};

bool has(const Names& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

Names without(const Names& names, const Names& others) {
    Names rest;
    std::copy_if(names.begin(), names.end(), std::back_inserter(rest),
                 [&](const std::string& name) { return !has(others, name); });
    return rest;
}

/// Sorted, each once.
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

std::vector<solver::NodeGroup> present_groups(const std::vector<model::Node>& nodes) {
    std::vector<solver::NodeGroup> groups;
    for (const model::Node& node : nodes) {
        solver::NodeGroup group{.hardware_type = node.hardware_type,
                                .image_type = node.image_type,
                                .services = together(node.services, {}),
                                .count = 0};
        const auto like = std::find_if(groups.begin(), groups.end(), [&](const auto& other) {
            return other.hardware_type == group.hardware_type &&
                   other.image_type == group.image_type && other.services == group.services;
        });
        auto& counted = like == groups.end() ? groups.emplace_back(std::move(group)) : *like;
        ++counted.count;
    }
    return groups;
}

/// What all nodes have; nothing when they differ.
std::optional<std::string> in_common(const std::vector<model::Node>& nodes,
                                     std::string model::Node::*type) {
    if (nodes.empty()) return std::nullopt;
    const std::string& first = nodes.front().*type;
    const bool same = std::all_of(nodes.begin(), nodes.end(),
                                  [&](const auto& node) { return node.*type == first; });
    return same ? std::optional(first) : std::nullopt;
}

const model::Node* find_node(const std::vector<model::Node>& nodes, const std::string& name) {
    const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const auto& node) {
        return node.uuid == name || std::to_string(node.nodenum) == name;
    });
    return found == nodes.end() ? nullptr : &*found;
}

solver::LayoutProblem layout_problem(const Situation& now, const MachineTypes& types) {
    return {.cluster_template = now.cluster.snapshot.cluster_template,
            .provider = now.cluster.snapshot.provider.header.name,
            .services = now.cluster.services,
            .hardware_type = std::nullopt,
            .image_type = std::nullopt,
            .hardware_types = types.hardware,
            .image_types = types.image,
            .all_services = now.cluster.snapshot.services};
}

/// A change that has not been planned yet: all nodes stay as they are.
PreparedChange unchanged(const Situation& now, Operation operation) {
    PreparedChange change;
    change.operation = operation;
    change.cluster = now.cluster;
    for (const model::Node& node : now.nodes) {
        change.nodes.push_back({.fate = node.leaves ? Fate::lost : Fate::stays, .node = node});
    }
    return change;
}

Result<PreparedChange> planned(const Situation& now, PreparedChange change) {
    planner::ChangeRequest request{
        .nodes = {},
        .services = change.cluster.snapshot.services,
        .restart = now.wanted.restart,
        .tell_all = now.cluster.status != ClusterStatus::active,
    };
    for (const NodeChange& node : change.nodes) {
        request.nodes.push_back({.name = node.node.hostname,
                                 .fate = node.fate,
                                 .services = node.node.services,
                                 .leaving = node.leaving});
    }
    auto graph = planner::plan_change(request);
    if (!graph) return operations::refuse(Refusal::Kind::conflict, graph.error());
    change.graph = *std::move(graph);
    return change;
}

/// Why the services of `cluster` could not do without those in `going`.
std::optional<solver::Unsatisfiable> why_needed(const model::Cluster& cluster, const Names& going) {
    return solver::check_services({}, {.services = {}, .present = without(cluster.services, going)},
                                  cluster.snapshot.services);
}

// Adding services.

/// The cluster's own definitions of what it has, the catalogue's of what is new.
std::vector<model::Service> definitions(const Situation& now) {
    std::vector<model::Service> all;
    for (const model::Service& service : now.cluster.snapshot.services) {
        if (has(now.cluster.services, service.header.name)) all.push_back(service);
    }
    for (model::Service& service :
         stored_entries(now.connection, now.caller.tenant.id, model::CatalogueKind::service,
                        model::service_from_json)) {
        if (!has(now.cluster.services, service.header.name)) all.push_back(std::move(service));
    }
    return all;
}

/// The snapshot with the definitions of services that are new to the cluster.
void join_snapshot(model::Cluster& cluster, const Names& added,
                   const std::vector<model::Service>& catalogue) {
    auto& known = cluster.snapshot.services;
    for (const model::Service& service : catalogue) {
        const std::string& name = service.header.name;
        if (!has(added, name) || has(cluster.services, name)) continue;
        // One that was here before comes back as it is defined now.
        std::erase_if(known, [&](const auto& other) { return other.header.name == name; });
        known.push_back(service);
    }
    for (const std::string& name : added) {
        if (!has(cluster.services, name)) cluster.services.push_back(name);
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
    if (const auto wrong = solver::check_services(
            rules, {.services = added, .present = now.cluster.services}, catalogue)) {
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

// Removing services.

Result<void> check_removal(const Situation& now, const Names& going) {
    base::Problems problems;
    for (const std::string& name : going) {
        if (has(now.cluster.services, name)) continue;
        problems.push_back({"services", "service " + name + " does not exist on cluster " +
                                            model::wire_id(now.cluster.id)});
    }
    if (going.empty()) problems.push_back({"services", "Name at least 1 service to remove."});
    if (!problems.empty()) {
        const auto kind = going.empty() ? Refusal::Kind::invalid : Refusal::Kind::not_found;
        return operations::refuse(kind, std::move(problems));
    }
    if (now.cluster.status != ClusterStatus::active) {
        return operations::refuse(
            Refusal::Kind::conflict, "",
            "Cluster is not in a state where service actions can be performed.");
    }
    if (const auto needed = why_needed(now.cluster, going)) {
        return refuse(Refusal::Kind::unsatisfiable, *needed, "services");
    }
    return {};
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
    // Their definitions stay in the snapshot: the tasks that remove them need them.
    change.cluster.services = without(change.cluster.services, going);
    for (NodeChange& node : change.nodes) {
        node.leaving = without(node.node.services, without(node.node.services, going));
        node.node.services = without(node.node.services, going);
    }
    return planned(now, std::move(change));
}

// Growing.

Result<void> check_growth(const Situation& now, int machines) {
    if (machines <= 0) {
        return operations::refuse(Refusal::Kind::invalid, "numMachines",
                                  "At least 1 machine has to be added.");
    }
    if (now.cluster.status != ClusterStatus::active) {
        return operations::refuse(Refusal::Kind::conflict, "",
                                  "Cluster is not in a state where machines can be added.");
    }
    const long size = static_cast<long>(now.nodes.size()) + machines;
    if (size > max_cluster_size) {
        return operations::refuse(
            Refusal::Kind::invalid, "numMachines",
            "numMachines above max cluster size " + std::to_string(max_cluster_size));
    }
    if (exceeds_quota(now.connection, now.caller.tenant, {.clusters = 0, .nodes = machines})) {
        return operations::refuse(Refusal::Kind::conflict, "numMachines",
                                  "Growing the cluster would cause node quotas to be violated.");
    }
    return check_size(now.cluster.snapshot.cluster_template.constraints, static_cast<int>(size));
}

int next_number(const Situation& now) {
    return std::max(first_nodenum, store::highest_number_of(now.connection, now.cluster.id) + 1);
}

void let_come(PreparedChange& change, const solver::ClusterLayout& layout, int first,
              const MachineTypes& types) {
    for (const NodePreview& preview : number_nodes(layout, first)) {
        change.nodes.push_back(
            {.fate = Fate::comes, .node = node_row(change.cluster, preview, types)});
    }
}

Result<PreparedChange> prepare(const Situation& now, const GrowCluster& wanted) {
    if (auto wrong = check_growth(now, wanted.machines); !wrong) {
        return base::unexpected(wrong.error());
    }
    const MachineTypes types = machine_types(now.connection, now.caller.tenant.id);
    auto problem = layout_problem(now, types);
    problem.machines = wanted.machines;
    problem.present = present_groups(now.nodes);
    problem.hardware_type = wanted.hardware_type
                                ? wanted.hardware_type
                                : in_common(now.nodes, &model::Node::hardware_type);
    problem.image_type =
        wanted.image_type ? wanted.image_type : in_common(now.nodes, &model::Node::image_type);
    const auto layout = solver::solve(problem);
    if (!layout) return refuse(Refusal::Kind::unsatisfiable, layout.error(), layout.error().field);
    PreparedChange change = unchanged(now, Operation::cluster_grow);
    let_come(change, *layout, next_number(now), types);
    return planned(now, std::move(change));
}

// Shrinking.

/// Nodes of an incomplete cluster that are half made or half gone.
std::set<int> unfinished(const Situation& now) {
    std::map<model::NodeId, bool> made;
    std::set<model::NodeId> open;
    for (const model::Task& task : store::tasks_of(now.connection, now.cluster.latest_job)) {
        if (task.action == model::Action::create) made[task.node] = true;
        if (task.state != model::TaskState::done) open.insert(task.node);
    }
    std::set<int> numbers;
    for (const model::Node& node : now.nodes) {
        const bool half_made = made.contains(node.id) && open.contains(node.id);
        if (node.leaves || half_made) numbers.insert(node.nodenum);
    }
    return numbers;
}

bool can_shrink(const Situation& now) {
    if (now.cluster.status == ClusterStatus::incomplete) {
        const auto job = store::find_job(now.connection, now.cluster.latest_job);
        return job && job->operation != Operation::cluster_delete;
    }
    return now.cluster.status == ClusterStatus::active ||
           now.cluster.status == ClusterStatus::inconsistent;
}

Result<std::vector<int>> named_nodes(const Situation& now, const Names& names) {
    std::vector<int> numbers;
    base::Problems problems;
    for (const std::string& name : names) {
        if (const model::Node* node = find_node(now.nodes, name)) {
            numbers.push_back(node->nodenum);
        } else {
            problems.push_back({"nodes", "node " + name + " does not exist on cluster " +
                                             model::wire_id(now.cluster.id)});
        }
    }
    if (!problems.empty()) {
        return operations::refuse(Refusal::Kind::not_found, std::move(problems));
    }
    return numbers;
}

Result<std::set<int>> going_nodes(const Situation& now, const ShrinkCluster& wanted) {
    auto named = named_nodes(now, wanted.nodes);
    if (!named) return base::unexpected(named.error());
    const auto going = solver::shrink({.cluster_template = now.cluster.snapshot.cluster_template,
                                       .nodes = present(now.nodes),
                                       .count = wanted.machines,
                                       .named = *named});
    const std::string field = wanted.nodes.empty() ? "numMachines" : "nodes";
    if (!going) return refuse(Refusal::Kind::unsatisfiable, going.error(), field);
    const std::set<int> numbers(going->begin(), going->end());
    if (now.cluster.status != ClusterStatus::incomplete) return numbers;
    std::string staying;
    for (const int number : unfinished(now)) {
        if (numbers.contains(number)) continue;
        staying += (staying.empty() ? "" : ", ") + std::to_string(number);
    }
    if (staying.empty()) return numbers;
    return operations::refuse(Refusal::Kind::conflict, field,
                              "The work on the cluster was not finished: it can go on only "
                              "without all of its unfinished machines. Name these, too: " +
                                  staying + ".");
}

Result<void> check_shrinking(const Situation& now, const ShrinkCluster& wanted) {
    const bool by_number = wanted.machines != 0;
    if (by_number != wanted.nodes.empty()) {
        return operations::refuse(Refusal::Kind::invalid, "numMachines",
                                  "Say how many machines go, or name them in nodes, not both.");
    }
    if (by_number && wanted.machines < 0) {
        return operations::refuse(Refusal::Kind::invalid, "numMachines",
                                  "At least 1 machine has to go.");
    }
    if (can_shrink(now)) return {};
    return operations::refuse(Refusal::Kind::conflict, "",
                              "Cluster is not in a state where machines can be taken away.");
}

Result<PreparedChange> prepare(const Situation& now, const ShrinkCluster& wanted) {
    if (auto wrong = check_shrinking(now, wanted); !wrong) return base::unexpected(wrong.error());
    const auto going = going_nodes(now, wanted);
    if (!going) return base::unexpected(going.error());
    const std::set<int> broken =
        now.cluster.status == ClusterStatus::incomplete ? unfinished(now) : std::set<int>{};
    PreparedChange change = unchanged(now, Operation::cluster_shrink);
    Names before;
    Names after;
    for (NodeChange& node : change.nodes) {
        before = together(std::move(before), node.node.services);
        const int number = node.node.nodenum;
        if (!going->contains(number)) {
            after = together(std::move(after), node.node.services);
            continue;
        }
        node.fate = wanted.force || broken.contains(number) ? Fate::lost : Fate::goes;
    }
    if (const auto needed = why_needed(now.cluster, without(before, after))) {
        return refuse(Refusal::Kind::unsatisfiable, *needed, "nodes");
    }
    return planned(now, std::move(change));
}

// Replacing.

Result<PreparedChange> prepare(const Situation& now, const ReplaceNode& wanted) {
    const model::Node* dead = find_node(now.nodes, wanted.node);
    if (dead == nullptr) {
        return operations::refuse(
            Refusal::Kind::not_found, "node",
            "node " + wanted.node + " does not exist on cluster " + model::wire_id(now.cluster.id));
    }
    if (now.cluster.status != ClusterStatus::active &&
        now.cluster.status != ClusterStatus::inconsistent) {
        return operations::refuse(Refusal::Kind::conflict, "",
                                  "Cluster is not in a state where machines can be replaced.");
    }
    const MachineTypes types = machine_types(now.connection, now.caller.tenant.id);
    const auto same = solver::replacement(layout_problem(now, types), present({*dead}).front());
    if (!same) return refuse(Refusal::Kind::unsatisfiable, same.error(), "node");
    PreparedChange change = unchanged(now, Operation::replace_node);
    for (NodeChange& node : change.nodes) {
        if (node.node.id == dead->id) node.fate = Fate::lost;
    }
    let_come(change, {.groups = {*same}}, next_number(now), types);
    return planned(now, std::move(change));
}

}  // namespace

Result<PreparedChange> prepare_change(store::Connection& connection, const model::Caller& caller,
                                      const model::Cluster& cluster, const ChangeCluster& wanted) {
    const Situation now{.connection = connection,
                        .caller = caller,
                        .cluster = cluster,
                        .wanted = wanted,
                        .nodes = store::nodes_of(connection, cluster.id)};
    auto change = std::visit([&](const auto& asked) { return prepare(now, asked); }, wanted.change);
    if (!change) return change;
    for (NodeChange& node : change->nodes) {
        const bool changed = !node.arriving.empty() || !node.leaving.empty();
        if (!changed) continue;
        node.node.automators =
            model::automators_of(node.node.services, change->cluster.snapshot.services);
    }
    return change;
}

}  // namespace provisioner::operations
