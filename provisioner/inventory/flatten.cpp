#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>

#include "provisioner/base/ids.hpp"
#include "provisioner/inventory/ansible.hpp"
#include "provisioner/inventory/inventory.hpp"

namespace provisioner::inventory {

namespace {

constexpr std::string_view our_prefix = "cooperage_";

/// Groups within groups; recursion must end.
constexpr int most_generations = 200;

/// Groups that every inventory has; they say nothing about a host.
const std::set<std::string> plain_groups{"all", "ungrouped"};

/// Ansible's variables by which a host is reached, newer names first, and ours.
const std::vector<std::pair<std::string, std::string>> ansible_names{
    {"ansible_host", "address"},  {"ansible_ssh_host", "address"}, {"ansible_port", "port"},
    {"ansible_ssh_port", "port"}, {"ansible_user", "user"},        {"ansible_ssh_user", "user"},
};

/// The parents of each group and how far each is from "all".
class Family {
 public:
    Family(const AnsibleInventory& inventory, Complaints& complaints) : inventory_(inventory) {
        for (const auto& [name, group] : inventory.groups) {
            for (const std::string& child : group.children) parents_[child].insert(name);
        }
        for (const auto& [name, group] : inventory.groups) {
            if (depth_of(name)) continue;
            complaints.add(
                group.line, "",
                "group " + name +
                    (is_too_deep_ ? " is within too many groups" : " is its own descendant"));
        }
    }

    /// The groups of a host and all of their ancestors, the nearest last.
    std::vector<std::string> ancestry(const std::set<std::string>& groups) const {
        std::set<std::string> all{"all"};
        std::vector<std::string> open(groups.begin(), groups.end());
        while (!open.empty()) {
            const std::string name = open.back();
            open.pop_back();
            if (!all.insert(name).second) continue;
            const auto parents = parents_.find(name);
            if (parents == parents_.end()) continue;
            open.insert(open.end(), parents->second.begin(), parents->second.end());
        }
        std::vector<std::string> sorted(all.begin(), all.end());
        std::sort(sorted.begin(), sorted.end(),
                  [&](const auto& a, const auto& b) { return rank_of(a) < rank_of(b); });
        return sorted;
    }

    const Variables* variables_of(const std::string& group) const {
        const auto found = inventory_.groups.find(group);
        return found == inventory_.groups.end() ? nullptr : &found->second.variables;
    }

 private:
    std::tuple<int, std::int64_t, std::string> rank_of(const std::string& group) const {
        const auto depth = depths_.find(group);
        std::int64_t priority = 1;
        const Variables* variables = variables_of(group);
        if (variables != nullptr && variables->contains("ansible_group_priority")) {
            const Value& value = variables->at("ansible_group_priority");
            if (!value.texts.empty()) {
                priority = base::parse_number(value.texts.front()).value_or(1);
            }
        }
        return {depth == depths_.end() ? 0 : depth->second.value_or(0), priority, group};
    }

    /// Nothing for a group in a circle, and for one that is nested too deep.
    std::optional<int> depth_of(const std::string& group, int level = 0) {
        if (group == "all") return depths_[group] = 0;
        if (level > most_generations) {
            is_too_deep_ = true;
            return std::nullopt;
        }
        const auto known = depths_.find(group);
        if (known != depths_.end()) return known->second;
        // Until it is known: who comes back here has gone round in a circle.
        depths_[group] = std::nullopt;
        int depth = 1;
        for (const std::string& parent : parents_[group]) {
            const auto above = depth_of(parent, level + 1);
            if (!above) return std::nullopt;
            depth = std::max(depth, *above + 1);
        }
        return depths_[group] = depth;
    }

    const AnsibleInventory& inventory_;
    std::map<std::string, std::set<std::string>> parents_;
    std::map<std::string, std::optional<int>> depths_;
    bool is_too_deep_ = false;
};

/// Both names of one value, so that the nearer one wins.
std::string merged_name(const std::string& name) {
    for (const char* one : {"cooperage_flavor", "cooperage_image", "cooperage_host_key"}) {
        if (name == one) return name + "s";
    }
    return name;
}

void merge(Variables& into, const Variables& nearer) {
    for (const auto& [name, value] : nearer) into[merged_name(name)] = value;
}

/// A value that only Ansible could work out.
bool is_computed(const Value& value) {
    return std::any_of(value.texts.begin(), value.texts.end(), [](const std::string& text) {
        return text.find("{{") != std::string::npos || text.starts_with("!vault");
    });
}

void take(Listed& listed, const std::string& name, const Value& value, Complaints& complaints) {
    if (is_computed(value)) {
        return complaints.add(value.line, listed.name,
                              name +
                                  " holds a template or a vault's text, which only Ansible can "
                                  "read: write the value itself");
    }
    listed.values.emplace(name, value);
}

void translate(const Variables& variables, Listed& listed, Complaints& complaints) {
    for (const auto& [theirs, ours] : ansible_names) {
        const auto found = variables.find(theirs);
        if (found != variables.end()) take(listed, ours, found->second, complaints);
    }
    for (const auto& [name, value] : variables) {
        if (!name.starts_with(our_prefix)) continue;
        const std::string ours = name.substr(our_prefix.size());
        const auto& known = value_names();
        if (std::find(known.begin(), known.end(), ours) == known.end() || ours == "name") {
            complaints.add(value.line, listed.name, "there is no variable " + name);
        } else {
            take(listed, ours, value, complaints);
        }
    }
    const auto connection = variables.find("ansible_connection");
    if (connection == variables.end() || connection->second.texts.empty()) return;
    const std::string& word = connection->second.texts.front();
    if (word == "ssh" || word == "smart" || word == "paramiko") return;
    complaints.add(connection->second.line, listed.name,
                   "is reached by ansible_connection=" + word + "; only ssh is possible");
}

void add_groups(Listed& listed, const std::vector<std::string>& groups) {
    Value& tags = listed.values["tags"];
    if (!tags.is_list && tags.texts.size() == 1) tags.texts = words_in(tags);
    tags.is_list = true;
    if (tags.line == 0) tags.line = listed.line;
    for (const std::string& group : groups) {
        const bool is_there =
            std::find(tags.texts.begin(), tags.texts.end(), group) != tags.texts.end();
        if (!plain_groups.contains(group) && !is_there) tags.texts.push_back(group);
    }
}

}  // namespace

AnsibleHost& AnsibleInventory::host(const std::string& name, int line) {
    const auto [place, is_new] = places_.try_emplace(name, hosts.size());
    if (is_new) hosts.push_back({.name = name, .line = line, .variables = {}, .groups = {}});
    return hosts[place->second];
}

std::size_t size_of(const Variables& variables) {
    std::size_t size = 0;
    for (const auto& [name, value] : variables) size += size_of(name) + size_of(value);
    return size;
}

void AnsibleInventory::add_hosts(const NamedHosts& named, const Variables& variables,
                                 const std::string& to_group, int line, Complaints& complaints) {
    const std::size_t of_each = size_of(variables) + size_of(to_group);
    for (const std::string& name : named.names) {
        if (hosts.size() == most_machines && !places_.contains(name)) {
            return complaints.add(line, "", too_many_machines());
        }
        if (!complaints.has_room_for(size_of(name) + of_each, line)) return;
        AnsibleHost& added = host(name, line);
        for (const auto& [key, value] : variables) added.variables[key] = value;
        added.groups.insert(to_group);
    }
}

AnsibleGroup& AnsibleInventory::group(const std::string& name, int line) {
    AnsibleGroup& group = groups[name];
    if (group.line == 0) group.line = line;
    return group;
}

std::vector<Listed> flatten(const AnsibleInventory& inventory, Complaints& complaints) {
    const Family family(inventory, complaints);
    std::vector<Listed> all;
    for (const AnsibleHost& host : inventory.hosts) {
        const auto groups = family.ancestry(host.groups);
        std::size_t size = 0;
        for (const std::string& group : groups) {
            const Variables* theirs = family.variables_of(group);
            size += size_of(group) + (theirs == nullptr ? 0 : size_of(*theirs));
        }
        if (!complaints.has_room_for(size, host.line)) break;
        Variables variables;
        for (const std::string& group : groups) {
            const Variables* theirs = family.variables_of(group);
            if (theirs != nullptr) merge(variables, *theirs);
        }
        merge(variables, host.variables);
        Listed listed{.name = host.name, .line = host.line, .values = {}};
        translate(variables, listed, complaints);
        listed.values.try_emplace("address",
                                  Value{.texts = {host.name}, .is_list = false, .line = host.line});
        add_groups(listed, groups);
        all.push_back(std::move(listed));
    }
    return all;
}

}  // namespace provisioner::inventory
