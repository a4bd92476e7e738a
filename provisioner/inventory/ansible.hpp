#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/inventory/host_pattern.hpp"
#include "provisioner/inventory/listed.hpp"

namespace provisioner::inventory {

/// Variables of a group or host by Ansible's names.
using Variables = std::map<std::string, Value>;
/// What they take of the room that Complaints watches.
std::size_t size_of(const Variables& variables);

/// A group of an Ansible inventory.
struct AnsibleGroup {
    /// Where it is named first.
    int line = 0;
    std::set<std::string> children;
    Variables variables;
};

/// A host of an Ansible inventory with the variables that stand beside it.
struct AnsibleHost {
    std::string name;
    int line = 0;
    Variables variables;
    /// The groups in which it stands itself.
    std::set<std::string> groups;
};

/// An Ansible inventory as both of its forms have it. Everything is in the group "all".
struct AnsibleInventory {
    std::map<std::string, AnsibleGroup> groups;
    /// In the order in which they are named first.
    std::vector<AnsibleHost> hosts;

    /// The host of that name, added if it is new.
    AnsibleHost& host(const std::string& name, int line);
    /// The group of that name, added if it is new. Null, with a complaint, for a name that is too
    /// long and beyond `most_groups`.
    AnsibleGroup* group(const std::string& name, int line, Complaints& complaints);
    /// Puts the hosts of a pattern into a group, with these variables. Complains of more than
    /// `most_machines`, and where there is no room.
    void add_hosts(const NamedHosts& named, const Variables& variables, const std::string& to_group,
                   int line, Complaints& complaints);

 private:
    std::map<std::string, std::size_t> places_;
};

/// The INI form: [group], [group:vars], [group:children], hosts with ranges and variables.
AnsibleInventory read_ansible_ini(std::string_view text, Complaints& complaints);

/// The YAML form: groups with hosts, vars and children.
AnsibleInventory read_ansible_yaml(const Node& document, Complaints& complaints);

/// The hosts with what their groups give them: the nearest group wins, then the later name, as
/// Ansible has it (`ansible_group_priority` before that). Ansible's variables become our names; the
/// groups of a host become tags.
std::vector<Listed> flatten(const AnsibleInventory& inventory, Complaints& complaints);

}  // namespace provisioner::inventory
