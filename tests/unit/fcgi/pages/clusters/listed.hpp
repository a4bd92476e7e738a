#pragma once

#include <algorithm>
#include <vector>

#include "provisioner/store/clusters/machine_list.hpp"

namespace tests {

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
            if (task.service.empty()) {
                ++machine.own.tasks;
                machine.own.done += task.state == TaskState::done ? 1 : 0;
                machine.own.running += task.state == TaskState::claimed ? 1 : 0;
                machine.own.failed += task.state == TaskState::failed ? 1 : 0;
                machine.own.cancelled += task.state == TaskState::cancelled ? 1 : 0;
            }
            ++machine.tasks;
            machine.done += task.state == TaskState::done ? 1 : 0;
            machine.failed += task.state == TaskState::failed ? 1 : 0;
            machine.cancelled += task.state == TaskState::cancelled ? 1 : 0;
            if (task.state != TaskState::claimed) continue;
            ++machine.running;
            machine.action = task.action;
            machine.service = task.service;
        }
        machines.push_back(std::move(machine));
    }
    return machines;
}

}  // namespace tests
