#include "provisioner/planner/passes/await_addresses.hpp"

namespace provisioner::planner {

namespace {

Tasks tasks_of(const TaskGraph& graph, model::Action action) {
    Tasks found;
    for (std::size_t task = 0; task < graph.tasks().size(); ++task) {
        if (graph.tasks()[task].action == action) found.push_back(task);
    }
    return found;
}

/// The service tasks that wait for no other service task.
Tasks first_of_services(const TaskGraph& graph) {
    const auto& tasks = graph.tasks();
    std::vector<bool> follows_a_service(tasks.size(), false);
    for (std::size_t task = 0; task < tasks.size(); ++task) {
        if (tasks[task].service.empty()) continue;
        for (const std::size_t after : graph.followers(task)) follows_a_service[after] = true;
    }
    Tasks firsts;
    for (std::size_t task = 0; task < tasks.size(); ++task) {
        if (!tasks[task].service.empty() && !follows_a_service[task]) firsts.push_back(task);
    }
    return firsts;
}

}  // namespace

void await_addresses(TaskGraph& graph, Barriers barriers) {
    add_barrier(graph, tasks_of(graph, model::Action::confirm),
                tasks_of(graph, model::Action::bootstrap), first_of_services(graph), barriers);
}

}  // namespace provisioner::planner
