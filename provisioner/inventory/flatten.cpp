#include <algorithm>
#include <bitset>
#include <functional>
#include <optional>
#include <tuple>

#include "provisioner/base/ids.hpp"
#include "provisioner/inventory/ansible.hpp"
#include "provisioner/inventory/inventory.hpp"

namespace provisioner::inventory {

namespace {

constexpr std::string_view our_prefix = "cooperage_";

/// Room for a bit for each group, "all" and "ungrouped" among them.
constexpr std::size_t most_bits = 1'024;
static_assert(most_groups + 2 <= most_bits);

/// Longer ones could be no tags.
constexpr std::size_t longest_group_name = 255;

/// Groups that every inventory has; they say nothing about a host.
const std::set<std::string> plain_groups{"all", "ungrouped"};

/// Ansible's variables by which a host is reached, newer names first, and ours.
const std::vector<std::pair<std::string, std::string>> ansible_names{
    {"ansible_host", "address"},  {"ansible_ssh_host", "address"}, {"ansible_port", "port"},
    {"ansible_ssh_port", "port"}, {"ansible_user", "user"},        {"ansible_ssh_user", "user"},
};

/// The groups with all of their ancestors, worked out once for each group, so that a host costs
/// little however many groups there are.
class Family {
 public:
    /// A group by its place in the order of names, and groups as a bit for each, by rank.
    using Place = std::size_t;
    using Groups = std::bitset<most_bits>;

    Family(const AnsibleInventory& inventory, Complaints& complaints) {
        static const AnsibleGroup empty;
        for (const auto& [name, group] : inventory.groups) add(name, group);
        for (const std::string& name : plain_groups) add(name, empty);
        for (Place place = 0; place < members_.size(); ++place) {
            for (const std::string& child : members_[place].group->children) {
                const auto found = places_.find(child);
                // Everything is in "all", whatever is written above it.
                if (child != "all" && found != places_.end())
                    members_[found->second].parents.push_back(place);
            }
        }
        for (Place place = 0; place < members_.size(); ++place) {
            if (*members_[place].name == "all") {
                members_[place].depth = 0;
                members_[place].is_settled = true;
            }
        }
        for (Place place = 0; place < members_.size(); ++place) {
            const Member& member = settled(place);
            if (!member.depth) {
                complain(member, complaints, "is its own descendant");
            } else if (*member.depth > most_generations) {
                complain(
                    member, complaints,
                    "is within too many groups: more than " + std::to_string(most_generations));
            }
        }
        put_in_order();
    }

    /// These groups, all of their ancestors and "all".
    Groups with_ancestors(const std::set<std::string>& names) const {
        Groups all;
        all.set(members_[places_.at("all")].rank);
        for (const std::string& name : names) {
            const auto found = places_.find(name);
            if (found == places_.end()) continue;
            const Member& member = members_[found->second];
            all.set(member.rank);
            all |= member.ancestors;
        }
        return all;
    }

    /// What these groups take of the room that Complaints watches.
    std::size_t size_of_all(const Groups& groups) const {
        std::size_t size = 0;
        for (auto rank = groups._Find_first(); rank < most_bits; rank = groups._Find_next(rank)) {
            size += members_[in_order_[rank]].size;
        }
        return size;
    }

    /// Calls with the name and variables of each of these groups, the nearest last.
    template <class Visitor>
    void visit(const Groups& groups, const Visitor& visitor) const {
        for (auto rank = groups._Find_first(); rank < most_bits; rank = groups._Find_next(rank)) {
            const Member& member = members_[in_order_[rank]];
            visitor(*member.name, member.group->variables);
        }
    }

 private:
    struct Member {
        const std::string* name;
        const AnsibleGroup* group;
        std::size_t size = 0;
        std::int64_t priority = 1;
        std::vector<Place> parents = {};
        Groups ancestors = {};
        /// Its place in the order in which groups give their variables, and its bit.
        std::size_t rank = 0;
        /// How far it is from "all"; nothing for a group in a circle or below one.
        std::optional<int> depth = {};
        bool is_settled = false;
    };

    void add(const std::string& name, const AnsibleGroup& group) {
        if (!places_.try_emplace(name, members_.size()).second) return;
        Member member{.name = &name, .group = &group};
        member.size = size_of(name) + size_of(group.variables);
        const auto given = group.variables.find("ansible_group_priority");
        if (given != group.variables.end() && !given->second.texts.empty()) {
            member.priority = base::parse_number(given->second.texts.front()).value_or(1);
        }
        members_.push_back(std::move(member));
    }

    /// Works out the depth, once. Goes as deep as there are groups, which are few.
    const Member& settled(Place place) {
        Member& member = members_[place];
        if (member.is_settled) return member;
        // Until the depth is known: who comes back here has gone round in a circle.
        member.is_settled = true;
        int depth = 1;
        bool is_in_circle = false;
        for (const Place parent : member.parents) {
            const Member& above = settled(parent);
            if (!above.depth) is_in_circle = true;
            depth = std::max(depth, above.depth.value_or(0) + 1);
        }
        if (!is_in_circle) member.depth = depth;
        return member;
    }

    /// Parents come before their children then, so one pass gathers the ancestors.
    void put_in_order() {
        for (Place place = 0; place < members_.size(); ++place) in_order_.push_back(place);
        std::sort(in_order_.begin(), in_order_.end(),
                  [this](Place a, Place b) { return rank_of(members_[a]) < rank_of(members_[b]); });
        for (std::size_t rank = 0; rank < in_order_.size(); ++rank) {
            Member& member = members_[in_order_[rank]];
            member.rank = rank;
            for (const Place parent : member.parents) {
                member.ancestors.set(members_[parent].rank);
                member.ancestors |= members_[parent].ancestors;
            }
        }
    }

    static void complain(const Member& member, Complaints& complaints, const std::string& what) {
        complaints.add(member.group->line, "", "group " + *member.name + " " + what);
    }

    static std::tuple<int, std::int64_t, std::string_view> rank_of(const Member& member) {
        return {member.depth.value_or(0), member.priority, *member.name};
    }

    std::vector<Member> members_;
    std::map<std::string_view, Place> places_;
    std::vector<Place> in_order_;
};

/// Variables where they stand: what many hosts have from one group is not copied for each.
using Found = std::map<std::string_view, const Value*>;

/// Both names of one value, so that the nearer one wins.
std::string_view merged_name(std::string_view name) {
    if (name == "cooperage_flavor") return "cooperage_flavors";
    if (name == "cooperage_image") return "cooperage_images";
    if (name == "cooperage_host_key") return "cooperage_host_keys";
    return name;
}

void merge(Found& into, const Variables& nearer) {
    for (const auto& [name, value] : nearer) into[merged_name(name)] = &value;
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

void translate(const Found& variables, Listed& listed, Complaints& complaints) {
    for (const auto& [theirs, ours] : ansible_names) {
        const auto found = variables.find(theirs);
        if (found != variables.end()) take(listed, ours, *found->second, complaints);
    }
    for (const auto& [name, value] : variables) {
        if (!name.starts_with(our_prefix)) continue;
        const std::string ours(name.substr(our_prefix.size()));
        const auto& known = value_names();
        if (std::find(known.begin(), known.end(), ours) == known.end() || ours == "name") {
            complaints.add(value->line, listed.name, "there is no variable " + std::string(name));
        } else {
            take(listed, ours, *value, complaints);
        }
    }
    const auto connection = variables.find("ansible_connection");
    if (connection == variables.end() || connection->second->texts.empty()) return;
    const std::string& word = connection->second->texts.front();
    if (word == "ssh" || word == "smart" || word == "paramiko") return;
    complaints.add(connection->second->line, listed.name,
                   "is reached by ansible_connection=" + word + "; only ssh is possible");
}

void add_groups(Listed& listed, const Family& family, const Family::Groups& groups,
                Complaints& complaints) {
    Value& tags = listed.values["tags"];
    if (!tags.is_list && tags.texts.size() == 1) tags.texts = words_in(tags);
    tags.is_list = true;
    if (tags.line == 0) tags.line = listed.line;
    if (tags.texts.size() > most_words) {
        return complaints.give_up(tags.line, too_many_words(listed.name, "tags"));
    }
    const std::set<std::string> own(tags.texts.begin(), tags.texts.end());
    family.visit(groups, [&](const std::string& group, const Variables&) {
        if (!plain_groups.contains(group) && !own.contains(group)) tags.texts.push_back(group);
    });
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
            return complaints.give_up(line, too_many_machines());
        }
        if (!complaints.has_room_for(size_of(name) + of_each, line)) return;
        AnsibleHost& added = host(name, line);
        for (const auto& [key, value] : variables) added.variables[key] = value;
        added.groups.insert(to_group);
    }
}

AnsibleGroup* AnsibleInventory::group(const std::string& name, int line, Complaints& complaints) {
    const auto known = groups.find(name);
    if (known != groups.end()) return &known->second;
    if (name.size() > longest_group_name) {
        complaints.add(
            line, "",
            "the name of a group has at most " + std::to_string(longest_group_name) + " bytes");
        return nullptr;
    }
    if (groups.size() == most_groups) {
        complaints.give_up(
            line, "there must not be more than " + std::to_string(most_groups) + " groups");
        return nullptr;
    }
    AnsibleGroup& group = groups[name];
    group.line = line;
    return &group;
}

std::vector<Listed> flatten(const AnsibleInventory& inventory, Complaints& complaints) {
    if (complaints.are_enough()) return {};
    const Family family(inventory, complaints);
    std::vector<Listed> all;
    for (const AnsibleHost& host : inventory.hosts) {
        const auto groups = family.with_ancestors(host.groups);
        if (!complaints.has_room_for(family.size_of_all(groups), host.line)) break;
        if (complaints.are_enough()) break;
        Found variables;
        family.visit(
            groups, [&](const std::string&, const Variables& theirs) { merge(variables, theirs); });
        merge(variables, host.variables);
        Listed listed{.name = host.name, .line = host.line, .values = {}};
        translate(variables, listed, complaints);
        listed.values.try_emplace("address",
                                  Value{.texts = {host.name}, .is_list = false, .line = host.line});
        add_groups(listed, family, groups, complaints);
        all.push_back(std::move(listed));
    }
    return all;
}

}  // namespace provisioner::inventory
