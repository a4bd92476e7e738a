#include "provisioner/inventory/ansible.hpp"

namespace provisioner::inventory {

namespace {

/// Aliases can make a small text name the same groups again and again.
constexpr int most_named = 20'000;

/// Walks the groups of a YAML inventory.
class YamlReader {
 public:
    explicit YamlReader(Complaints& complaints) : complaints_(complaints) {}

    void read_groups(const Node& groups, const std::string& parent) {
        for (const auto& [name, content] : groups.members) {
            if (complaints_.are_enough()) return;
            if (++seen_ > most_named) {
                return complaints_.give_up(groups.line, "with its aliases written out, it names " +
                                                            std::to_string(most_named) +
                                                            " groups and more");
            }
            if (inventory_.group(name, content->line, complaints_) == nullptr) continue;
            AnsibleGroup* above =
                parent.empty() ? nullptr : inventory_.group(parent, groups.line, complaints_);
            if (above != nullptr) above->children.insert(name);
            read_group(name, *content);
        }
    }

    AnsibleInventory take() { return std::move(inventory_); }

 private:
    void read_group(const std::string& name, const Node& content) {
        if (content.is_null) return;
        if (content.kind != Node::Kind::map) {
            return complaints_.add(content.line, "",
                                   "group " + name + " must have hosts, vars or children");
        }
        for (const auto& [part, value] : content.members) read_part(name, part, *value);
    }

    void read_part(const std::string& group, const std::string& part, const Node& value) {
        if (part != "hosts" && part != "vars" && part != "children") {
            return complaints_.add(
                value.line, "",
                "group " + group + " has \"" + part + "\": there are hosts, vars and children");
        }
        if (value.is_null) return;
        if (value.kind != Node::Kind::map) {
            return complaints_.add(
                value.line, "",
                part + " of group " + group + " must be a map, each name with a colon behind it");
        }
        if (part == "children") return read_groups(value, group);
        if (part == "vars") {
            AnsibleGroup* known = inventory_.group(group, value.line, complaints_);
            if (known != nullptr) read_variables(value, "", known->variables);
            return;
        }
        for (const auto& [name, variables] : value.members) {
            if (complaints_.are_enough()) return;
            read_host(group, name, *variables);
        }
    }

    void read_host(const std::string& group, const std::string& pattern, const Node& content) {
        const auto hosts = hosts_of_pattern(pattern);
        if (!hosts) return complaints_.add(content.line, pattern, hosts.error());
        if (!content.is_null && content.kind != Node::Kind::map) {
            return complaints_.add(content.line, pattern, "its variables must be a map");
        }
        Variables variables;
        if (!hosts->port.empty()) {
            variables["ansible_port"] = {
                .texts = {hosts->port}, .is_list = false, .line = content.line};
        }
        read_variables(content, pattern, variables);
        inventory_.add_hosts(*hosts, variables, group, content.line, complaints_);
    }

    /// Variables that mean nothing here may have any form. They are counted as well: an alias
    /// leads here again for each host and group.
    void read_variables(const Node& content, const std::string& host, Variables& into) {
        for (const auto& [name, value] : content.members) {
            if (!complaints_.has_room_for(size_of(name), content.line)) return;
            if (!name.starts_with("ansible_") && !name.starts_with("cooperage_")) continue;
            if (!value->tag.empty() && value->tag.front() == '!') {
                if (!complaints_.has_room_for(size_of(value->tag), value->line)) return;
                into[name] = {.texts = {value->tag}, .is_list = false, .line = value->line};
                continue;
            }
            const bool is_ours = name.starts_with("cooperage_");
            if (!is_ours && value->kind != Node::Kind::scalar) continue;
            if (auto read = value_of(*value, host, name, complaints_)) into[name] = *read;
        }
    }

    Complaints& complaints_;
    AnsibleInventory inventory_;
    int seen_ = 0;
};

}  // namespace

AnsibleInventory read_ansible_yaml(const Node& document, Complaints& complaints) {
    YamlReader reader(complaints);
    reader.read_groups(document, "");
    return reader.take();
}

}  // namespace provisioner::inventory
