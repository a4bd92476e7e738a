#include "provisioner/automators/registry.hpp"

#include <array>

#include "provisioner/automators/ansible/ansible.hpp"
#include "provisioner/automators/chef/chef_solo.hpp"
#include "provisioner/automators/docker/docker.hpp"
#include "provisioner/automators/puppet/puppet.hpp"
#include "provisioner/automators/shell/shell.hpp"
#include "provisioner/automators/simulated.hpp"

namespace provisioner::automators {

namespace {

struct Entry {
    std::string_view type;
    const Automator* automator;
};

const AnsibleAutomator ansible;
const ChefSoloAutomator chef_solo;
const DockerAutomator docker;
const PuppetAutomator puppet;
const ShellAutomator shell;
const SimulatedAutomator simulated;

constexpr std::array table{
    Entry{"ansible", &ansible}, Entry{"chef-solo", &chef_solo}, Entry{"docker", &docker},
    Entry{"puppet", &puppet},   Entry{"shell", &shell},         Entry{"simulated", &simulated},
};

}  // namespace

const Automator* find_automator(const std::string& type) {
    for (const Entry& entry : table) {
        if (entry.type == type) return entry.automator;
    }
    return nullptr;
}

std::vector<const Automator*> all_automators() {
    std::vector<const Automator*> all;
    all.reserve(table.size());
    for (const Entry& entry : table) all.push_back(entry.automator);
    return all;
}

}  // namespace provisioner::automators
