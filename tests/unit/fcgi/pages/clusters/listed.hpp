#pragma once

#include <algorithm>
#include <vector>

#include "provisioner/store/clusters/machine_list.hpp"

namespace tests {

/// A task in such a state, among those of a machine or of a service.
template <class Counts>
void count(Counts& counts, provisioner::model::TaskState state) {
    using provisioner::model::TaskState;
    ++counts.tasks;
    counts.done += state == TaskState::done ? 1 : 0;
    counts.running += state == TaskState::claimed ? 1 : 0;
    counts.failed += state == TaskState::failed ? 1 : 0;
    counts.cancelled += state == TaskState::cancelled ? 1 : 0;
}

/// The tasks of services as the database counts them.
inline provisioner::store::TasksOfServices of_services(
    const std::vector<provisioner::model::Task>& tasks) {
    provisioner::store::TasksOfServices work;
    for (const auto& task : tasks) {
        if (!task.service.empty()) count(work[{task.node, task.service}], task.state);
    }
    return work;
}

/// The machines as the database lists them for these nodes and tasks.
inline std::vector<provisioner::store::ListedMachine> listed(
    const std::vector<provisioner::model::Node>& nodes,
    const std::vector<provisioner::model::Task>& tasks) {
    using provisioner::model::TaskState;
    std::vector<provisioner::store::ListedMachine> machines;
    for (const auto& node : nodes) {
        provisioner::store::ListedMachine machine{.node = node.id,
                                                  .nodenum = node.nodenum,
                                                  .hostname = node.hostname,
                                                  .hardware_type = node.hardware_type,
                                                  .services = node.services,
                                                  .was_set_up = node.was_set_up};
        const auto address = node.addresses.find("access_v4");
        if (address != node.addresses.end()) machine.address = address->second;
        for (const auto& task : tasks) {
            if (task.node != node.id) continue;
            if (task.service.empty()) count(machine.own, task.state);
            count(machine, task.state);
            if (task.state != TaskState::claimed) continue;
            machine.action = task.action;
            machine.service = task.service;
        }
        machines.push_back(std::move(machine));
    }
    return machines;
}

}  // namespace tests
