#include "provisioner/operations/changes/unfinished.hpp"

#include "provisioner/store/jobs/job_store.hpp"

namespace provisioner::operations {

std::set<int> unfinished_machines(store::Connection& connection, const model::Cluster& cluster,
                                  const std::vector<model::Node>& nodes) {
    std::set<model::NodeId> made;
    std::set<model::NodeId> open;
    for (const model::Task& task : store::tasks_of(connection, cluster.latest_job)) {
        if (task.action == model::Action::create) made.insert(task.node);
        if (task.state != model::TaskState::done) open.insert(task.node);
    }
    std::set<int> numbers;
    for (const model::Node& node : nodes) {
        const bool half_made = made.contains(node.id) && open.contains(node.id);
        if (node.leaves || half_made) numbers.insert(node.nodenum);
    }
    return numbers;
}

}  // namespace provisioner::operations
