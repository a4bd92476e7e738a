#include "provisioner/operations/jobs/retry_choice.hpp"

#include <algorithm>
#include <map>

namespace provisioner::operations {

namespace {

using model::NodeId;
using model::Task;
using model::TaskId;
using model::TaskState;

bool lacks(const Task& task) {
    return task.state == TaskState::failed || task.state == TaskState::cancelled;
}

/// The tasks of a job by id, with what comes before and after each.
struct Graph {
    Graph(const std::vector<Task>& tasks, const TaskEdges& edges) {
        for (const Task& task : tasks) by_id[task.id] = &task;
        for (const auto& [before, after] : edges) {
            if (by_id.contains(before) && by_id.contains(after)) followers[before].push_back(after);
        }
    }

    std::map<TaskId, const Task*> by_id;
    std::map<TaskId, std::vector<TaskId>> followers;
};

/// Calls `visit(task)` for all that follow `open`, also over several edges, as long as it says
/// true.
template <class Visit>
void walk(const Graph& graph, std::vector<TaskId> open, Visit&& visit) {
    while (!open.empty()) {
        const auto found = graph.followers.find(open.back());
        open.pop_back();
        if (found == graph.followers.end()) continue;
        for (const TaskId follower : found->second) {
            if (visit(*graph.by_id.at(follower))) open.push_back(follower);
        }
    }
}

/// Nodes by number and by id.
std::map<std::string, const model::Node*> by_name(const std::vector<model::Node>& nodes) {
    std::map<std::string, const model::Node*> names;
    for (const model::Node& node : nodes) {
        names[node.uuid] = &node;
        names[std::to_string(node.nodenum)] = &node;
    }
    return names;
}

/// The nodes of those tasks for which `counts(task)`.
template <class Counts>
std::set<NodeId> nodes_with(const std::vector<Task>& tasks, Counts&& counts) {
    std::set<NodeId> nodes;
    for (const Task& task : tasks) {
        if (counts(task)) nodes.insert(task.node);
    }
    return nodes;
}

}  // namespace

std::set<TaskId> tasks_to_retry(const std::vector<Task>& tasks, const TaskEdges& edges,
                                const std::set<NodeId>& nodes) {
    const Graph graph(tasks, edges);
    std::set<TaskId> again;
    std::vector<TaskId> begins;
    for (const Task& task : tasks) {
        if (lacks(task) && nodes.contains(task.node) && again.insert(task.id).second) {
            begins.push_back(task.id);
        }
    }
    walk(graph, begins, [&](const Task& task) {
        return task.state == TaskState::cancelled && again.insert(task.id).second;
    });
    std::vector<TaskId> obstacles;
    for (const Task& task : tasks) {
        if (task.state != TaskState::done && !again.contains(task.id)) obstacles.push_back(task.id);
    }
    walk(graph, obstacles, [&](const Task& task) { return again.erase(task.id) > 0; });
    return again;
}

base::Checked<RetryChoice> choose_retry(const std::vector<std::string>& wanted,
                                        const std::vector<model::Node>& nodes,
                                        const std::vector<Task>& tasks, const TaskEdges& edges) {
    base::Problems problems;
    RetryChoice choice;
    std::vector<const model::Node*> found;
    const auto names = by_name(nodes);
    for (const std::string& name : wanted) {
        const auto node = names.find(name);
        if (node == names.end()) {
            problems.push_back({"nodes", "There is no machine " + name + " in this cluster."});
        } else if (choice.nodes.insert(node->second->id).second) {
            found.push_back(node->second);
        }
    }
    if (wanted.empty()) problems.push_back({"nodes", "Name at least one machine."});
    const auto again = tasks_to_retry(tasks, edges, choice.nodes);
    const auto lacking = nodes_with(tasks, lacks);
    const auto ready = nodes_with(tasks, [&](const Task& task) { return again.contains(task.id); });
    for (const model::Node* node : found) {
        if (ready.contains(node->id)) continue;
        const bool waits = lacking.contains(node->id);
        problems.push_back(
            {"nodes", node->hostname + (waits ? " waits for machines that failed. Retry those, too."
                                              : " has no failed or cancelled tasks.")});
    }
    if (!problems.empty()) return base::unexpected(std::move(problems));
    choice.tasks.assign(again.begin(), again.end());
    return choice;
}

}  // namespace provisioner::operations
