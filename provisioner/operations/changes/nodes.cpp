#include <algorithm>
#include <map>
#include <set>

#include "provisioner/operations/access/permissions.hpp"
#include "provisioner/operations/changes/kept_machines.hpp"
#include "provisioner/operations/changes/situation.hpp"
#include "provisioner/operations/clusters/prepare.hpp"
#include "provisioner/solver/changes/resize.hpp"
#include "provisioner/solver/layout/selection.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/job_end_store.hpp"

namespace provisioner::operations {

using model::ClusterStatus;
using model::Operation;
using planner::Membership;

namespace {

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

/// The value that all nodes share; nothing when they differ.
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

/// A cluster does not grow on what its caller may not use. Replaced machines are no growth.
Result<void> check_growth_permissions(const Situation& now, const model::Withheld& withheld,
                                      const solver::LayoutProblem& problem) {
    using model::CatalogueKind;
    const model::Snapshot& snapshot = now.cluster.snapshot;
    std::vector<NamedEntry> entries{
        {"clusterTemplate", CatalogueKind::cluster_template, snapshot.cluster_template.header.name},
        {"provider", CatalogueKind::provider, snapshot.provider.header.name},
        {"hardwaretype", CatalogueKind::hardware_type, problem.hardware_type.value_or("")},
        {"imagetype", CatalogueKind::image_type, problem.image_type.value_or("")}};
    for (const std::string& name : now.cluster.services) {
        entries.push_back({"services", CatalogueKind::service, name});
    }
    auto problems = withheld_problems(withheld, entries);
    if (auto wrong =
            problem_with_provider_type(now.connection, now.caller, "provider", snapshot.provider)) {
        problems.push_back(*std::move(wrong));
    }
    if (problems.empty()) return {};
    return operations::refuse(Refusal::Kind::forbidden, std::move(problems));
}

void let_come(PreparedChange& change, const solver::ClusterLayout& layout, int first,
              const MachineTypes& types) {
    for (const NodePreview& preview : number_nodes(layout, first)) {
        change.nodes.push_back(
            {.membership = Membership::joins, .node = node_row(change.cluster, preview, types)});
    }
}

/// The numbers of the nodes in the order of `names`, which stand in the field `field`.
Result<std::vector<int>> named_nodes(const Situation& now, const Names& names,
                                     const std::string& field) {
    std::vector<int> numbers;
    base::Problems problems;
    for (const std::string& name : names) {
        if (const model::Node* node = find_node(now.nodes, name)) {
            numbers.push_back(node->nodenum);
        } else {
            problems.push_back({field, "node " + name + " does not exist on cluster " +
                                           model::wire_id(now.cluster.id)});
        }
    }
    if (!problems.empty()) {
        return operations::refuse(Refusal::Kind::not_found, std::move(problems));
    }
    return numbers;
}

/// The numbers of the nodes with exactly these services; nothing if any will do.
std::optional<std::set<int>> numbers_running(const std::vector<model::Node>& nodes,
                                             const std::optional<Names>& services) {
    if (!services) return std::nullopt;
    const std::set<std::string> wanted(services->begin(), services->end());
    std::set<int> numbers;
    for (const model::Node& node : nodes) {
        if (std::set(node.services.begin(), node.services.end()) == wanted) {
            numbers.insert(node.nodenum);
        }
    }
    return numbers;
}

/// The machines on which something failed, of those that the request is about.
std::set<int> failed_machines(const Situation& now, const std::optional<std::set<int>>& among) {
    std::set<int> numbers = now.unfinished.failed;
    if (among) std::erase_if(numbers, [&](int number) { return !among->contains(number); });
    return numbers;
}

/// As many as are wanted: first those that failed, if the rules can spare them, and then others.
base::expected<std::vector<int>, solver::Unsatisfiable> chosen_nodes(
    const solver::ShrinkProblem& problem, const std::set<int>& failed) {
    if (failed.empty()) return solver::shrink(problem);
    auto first = problem;
    const auto count = static_cast<std::size_t>(problem.count);
    if (count <= failed.size()) {
        first.among = failed;
    } else {
        std::erase_if(first.nodes, [&](const auto& node) { return failed.contains(node.number); });
        first.count = static_cast<int>(count - failed.size());
        const auto others = solver::shrink(first);
        if (!others) return solver::shrink(problem);
        first = problem;
        first.named.assign(failed.begin(), failed.end());
        first.named.insert(first.named.end(), others->begin(), others->end());
    }
    auto chosen = solver::shrink(first);
    return chosen ? chosen : solver::shrink(problem);
}

/// Whether no service can be stopped on the machine, or perhaps none.
bool is_broken(const Situation& now, const model::Node& node) {
    const auto rest = now.unfinished.half_made.find(node.nodenum);
    const bool is_half_made = rest != now.unfinished.half_made.end();
    if (node.leaves || now.is_given_up) return true;
    if (is_half_made && rest->second.steps.contains({model::Action::confirm, ""})) return true;
    if (now.unfinished.failed.contains(node.nodenum)) return true;
    return now.cluster.status == ClusterStatus::incomplete && is_half_made;
}

/// Nodes that an earlier job was taking away go in any case.
Result<std::set<int>> going_nodes(const Situation& now, const ShrinkCluster& wanted) {
    auto named = named_nodes(now, wanted.nodes, "nodes");
    if (!named) return base::unexpected(named.error());
    std::set<int> numbers;
    std::vector<model::Node> staying;
    for (const model::Node& node : now.nodes) {
        if (node.leaves) numbers.insert(node.nodenum);
        if (!node.leaves) staying.push_back(node);
    }
    std::erase_if(*named, [&](int number) { return numbers.contains(number); });
    if (named->empty() && wanted.machines == 0) return numbers;
    const auto among = numbers_running(staying, wanted.services);
    const auto going =
        chosen_nodes({.cluster_template = now.cluster.snapshot.cluster_template,
                      .nodes = present(staying),
                      .count = wanted.machines,
                      .named = *named,
                      .among = among},
                     wanted.nodes.empty() ? failed_machines(now, among) : std::set<int>());
    const std::string field = wanted.nodes.empty() ? "numMachines" : "nodes";
    if (!going) return refuse(Refusal::Kind::unsatisfiable, going.error(), field);
    numbers.insert(going->begin(), going->end());
    return numbers;
}

/// Whether nothing is left of what the latest job has begun if the machines that leave are kept and
/// these ones go: others were not told, no earlier job has left anything, and no new machine stays.
bool is_all_given_up(const Situation& now, const store::SinceLeaving& since,
                     const std::set<int>& going) {
    const bool is_begun_only = now.job && since.first_job == now.job->id &&
                               since.had_nothing_left && !since.are_others_told;
    if (!is_begun_only || std::ranges::any_of(now.nodes, &model::Node::leaves)) return false;
    return going == store::machines_made_by(now.connection, now.job->id);
}

/// The situation in which nobody takes the machines away that are whole and not to go. If
/// others were told that they are gone, their services come back as those of new machines do, but
/// for their set-up; those that run are not stopped.
Result<Situation> keeping_machines(Situation now, const ShrinkCluster& wanted) {
    auto named = named_nodes(now, wanted.nodes, "nodes");
    if (!named) return base::unexpected(named.error());
    std::map<int, std::set<std::string>> not_running;
    for (auto& [machine, services] : keepable_machines(now.connection, now.cluster)) {
        if (std::ranges::count(*named, machine.nodenum) > 0) continue;
        now.kept.insert(machine.nodenum);
        not_running[machine.nodenum] = std::move(services);
    }
    if (now.kept.empty()) {
        return operations::refuse(
            Refusal::Kind::conflict, "keep",
            "There is no machine to keep: none is to be taken away that was not removed before.");
    }
    for (auto& [number, services] :
         store::removals_left_on_leaving(now.connection, now.cluster.id)) {
        if (now.kept.contains(number)) now.unfinished.left_behind[number] = std::move(services);
    }
    const auto since = store::since_leaving(now.connection, now.cluster.id);
    bool are_all_running = true;
    for (model::Node& node : now.nodes) {
        if (!now.kept.contains(node.nodenum)) continue;
        node.leaves = false;
        const std::set<std::string>& begun = not_running.at(node.nodenum);
        are_all_running = are_all_running && begun.empty();
        if (!since.are_others_told && begun.empty()) continue;
        const std::set<std::string> services(node.services.begin(), node.services.end());
        now.unfinished.half_made[node.nodenum] = {.steps = {}, .begun = begun, .settled = {}};
        now.unfinished.served[node.nodenum] = services;
    }
    if (are_all_running && is_all_given_up(now, since, {named->begin(), named->end()})) {
        now.unfinished = {};
        now.is_given_up = true;
    }
    return now;
}

/// A job that takes machines away configures others. With a wrong value it fails as the last one
/// did.
Result<void> check_configuration(const Situation& now) {
    const bool has_failed = now.job && now.job->status == model::JobStatus::failed;
    if (now.has_new_configuration || !has_failed ||
        !store::has_wrong_configuration(now.connection, now.job->id))
        return {};
    return operations::refuse(Refusal::Kind::conflict, "",
                              "A value of the configuration is wrong: change the configuration "
                              "before machines are taken away.");
}

Result<void> check_replacing(const Situation& now, const std::set<int>& dead) {
    if (!can_lose_parts(now.cluster, now.job)) {
        return operations::refuse(Refusal::Kind::conflict, "",
                                  "Cluster is not in a state where machines can be replaced.");
    }
    if (auto wrong = check_configuration(now); !wrong) return wrong;
    base::Problems problems;
    for (const model::Node& node : now.nodes) {
        if (!node.leaves || !dead.contains(node.nodenum)) continue;
        problems.push_back({"node", "Node " + std::to_string(node.nodenum) +
                                        " is being taken away: run that work again."});
    }
    if (problems.empty()) return {};
    return operations::refuse(Refusal::Kind::conflict, std::move(problems));
}

Result<void> check_shrinking(const Situation& now, const ShrinkCluster& wanted) {
    const bool by_number = wanted.machines != 0;
    const bool only_keeps = wanted.keep && !by_number && wanted.nodes.empty();
    if (by_number != wanted.nodes.empty() && !only_keeps) {
        return operations::refuse(
            Refusal::Kind::invalid, "numMachines",
            "Give the number of machines to remove, or name them in nodes, not both.");
    }
    if (by_number && wanted.machines < 0) {
        return operations::refuse(Refusal::Kind::invalid, "numMachines",
                                  "At least 1 machine has to be removed.");
    }
    if (can_lose_parts(now.cluster, now.job)) return check_configuration(now);
    return operations::refuse(Refusal::Kind::conflict, "",
                              "Cluster is not in a state where machines can be taken away.");
}

}  // namespace

Result<PreparedChange> prepare(const Situation& now, const GrowCluster& wanted) {
    if (auto wrong = check_growth(now, wanted.machines); !wrong) {
        return base::unexpected(wrong.error());
    }
    const auto withheld = store::withheld_from(now.connection, now.caller);
    MachineTypes types = machine_types(now.connection, now.caller.tenant.id);
    const auto sentence =
        left_out(withheld.take_from(types.hardware, model::CatalogueKind::hardware_type),
                 withheld.take_from(types.image, model::CatalogueKind::image_type));
    auto problem = layout_problem(now, types);
    problem.machines = wanted.machines;
    problem.present = present_groups(now.nodes);
    problem.hardware_type = wanted.hardware_type
                                ? wanted.hardware_type
                                : in_common(now.nodes, &model::Node::hardware_type);
    problem.image_type =
        wanted.image_type ? wanted.image_type : in_common(now.nodes, &model::Node::image_type);
    if (auto may = check_growth_permissions(now, withheld, problem); !may) {
        return base::unexpected(may.error());
    }
    const auto layout = layout_of(problem);
    if (!layout) {
        auto refusal = refuse(Refusal::Kind::unsatisfiable, layout.error(), layout.error().field);
        return base::unexpected(with_left_out(std::move(refusal.value()), sentence));
    }
    PreparedChange change = unchanged(now, Operation::cluster_grow);
    let_come(change, *layout, store::next_number_of(now.connection, now.cluster.id), types);
    return planned(now, std::move(change));
}

namespace {

Result<PreparedChange> shrunk(const Situation& now, const ShrinkCluster& wanted) {
    const auto going = going_nodes(now, wanted);
    if (!going) return base::unexpected(going.error());
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
        node.membership =
            wanted.force || is_broken(now, node.node) ? Membership::dropped : Membership::leaves;
    }
    const Names vanishing = without(before, after);
    if (const auto needed = solver::check_removal(without(now.cluster.services, vanishing),
                                                  now.cluster.snapshot.services)) {
        return refuse(Refusal::Kind::unsatisfiable, *needed, "nodes");
    }
    return planned(now, std::move(change));
}

}  // namespace

Result<PreparedChange> prepare(const Situation& now, const ShrinkCluster& wanted) {
    if (auto wrong = check_shrinking(now, wanted); !wrong) return base::unexpected(wrong.error());
    if (!wanted.keep) return shrunk(now, wanted);
    const auto keeping = keeping_machines(now, wanted);
    if (!keeping) return base::unexpected(keeping.error());
    return shrunk(*keeping, wanted);
}

Result<PreparedChange> prepare(const Situation& now, const ReplaceNodes& wanted) {
    const auto named = named_nodes(now, wanted.nodes, "node");
    if (!named) return base::unexpected(named.error());
    const std::set<int> dead(named->begin(), named->end());
    if (auto wrong = check_replacing(now, dead); !wrong) return base::unexpected(wrong.error());
    const MachineTypes types = machine_types(now.connection, now.caller.tenant.id);
    const auto problem = layout_problem(now, types);
    PreparedChange change = unchanged(now, Operation::replace_node);
    solver::ClusterLayout layout;
    for (NodeChange& node : change.nodes) {
        if (!dead.contains(node.node.nodenum)) continue;
        node.membership = Membership::dropped;
        const auto same = solver::replacement(problem, present({node.node}).front());
        if (!same) return refuse(Refusal::Kind::unsatisfiable, same.error(), "node");
        layout.groups.push_back(*same);
    }
    let_come(change, layout, store::next_number_of(now.connection, now.cluster.id), types);
    return planned(now, std::move(change));
}

}  // namespace provisioner::operations
