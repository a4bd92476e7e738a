#include "provisioner/providers/cloud/own_machines.hpp"

#include <algorithm>
#include <tuple>

namespace provisioner::providers::cloud {

using State = CloudMachine::State;

bool is_there(const CloudMachine& machine) {
    return machine.state != State::gone;
}

std::vector<CloudMachine> machines_of(const std::vector<CloudMachine>& all,
                                      const MachineSpec& spec) {
    std::vector<CloudMachine> own;
    for (const CloudMachine& machine : all) {
        if (machine.mark.name == spec.name && is_there(machine)) own.push_back(machine);
    }
    const auto rank = [](const CloudMachine& machine) {
        const int worth = machine.state == State::running    ? 0
                          : machine.state == State::starting ? 1
                                                             : 2;
        return std::tuple(worth, machine.mark.task, machine.mark.attempt, machine.id);
    };
    std::sort(own.begin(), own.end(),
              [&](const auto& one, const auto& other) { return rank(one) < rank(other); });
    // A list that is read in pages names a machine twice when another is made meanwhile.
    const auto is_same = [](const auto& one, const auto& other) { return one.id == other.id; };
    own.erase(std::unique(own.begin(), own.end(), is_same), own.end());
    return own;
}

const CloudMachine* find_machine(const std::vector<CloudMachine>& all, const std::string& id,
                                 const std::string& name) {
    for (const CloudMachine& machine : all) {
        if (machine.id == id) return &machine;
    }
    for (const CloudMachine& machine : all) {
        if (machine.mark.name == name && is_there(machine)) return &machine;
    }
    return nullptr;
}

bool is_made_for_later(const CloudMachine& machine, const MachineSpec& spec) {
    return spec.task > 0 && machine.mark.task > spec.task;
}

}  // namespace provisioner::providers::cloud
