#include "provisioner/inventory/inventory.hpp"

#include "provisioner/inventory/ansible.hpp"
#include "provisioner/inventory/checks.hpp"

namespace provisioner::inventory {

namespace {

enum class Form { yaml, ini };

/// The first line that is neither empty nor a comment, without blanks around it.
std::string_view first_line(std::string_view text) {
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const auto first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos) continue;
        line = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
        if (line.front() != '#' && line.front() != ';') return line;
    }
    return {};
}

/// A section as "[web]" is INI, and "[" with an object or nothing behind it JSON. A line that ends
/// with a colon, "---" and "- " are YAML; other lines are hosts of an INI file.
Form form_of(std::string_view text) {
    const auto line = first_line(text);
    if (line.starts_with('[')) {
        const auto next = text.find_first_not_of(" \t\r\n", text.find(line) + 1);
        const char c = next == std::string_view::npos ? ']' : text[next];
        return c == '{' || c == ']' || c == '[' ? Form::yaml : Form::ini;
    }
    if (line.starts_with('{') || line.starts_with("---") || line.starts_with("- ") || line == "-" ||
        line.starts_with("%YAML")) {
        return Form::yaml;
    }
    const auto code = line.substr(0, line.find(" #"));
    const auto colon = code.find_last_not_of(" \t");
    return colon != std::string_view::npos && code[colon] == ':' ? Form::yaml : Form::ini;
}

std::vector<Listed> listed_of_yaml(std::string_view text, Complaints& complaints) {
    const auto document = read_yaml(text);
    if (!document) {
        complaints.add(document.error().line, "", document.error().message);
        return {};
    }
    if (*document == nullptr || (*document)->is_null) return {};
    if ((*document)->kind == Node::Kind::list) return listed_in(**document, complaints);
    if ((*document)->kind == Node::Kind::map) {
        return flatten(read_ansible_yaml(**document, complaints), complaints);
    }
    complaints.add((*document)->line, "",
                   "is neither a list of machines nor an inventory of Ansible");
    return {};
}

}  // namespace

base::Checked<std::vector<ListedMachine>> read_inventory(std::string_view text,
                                                         const Rules& rules) {
    Complaints complaints;
    if (text.size() > longest_inventory) {
        complaints.add(0, "", "must not exceed " + std::to_string(longest_inventory) + " bytes");
        return base::unexpected(complaints.problems());
    }
    const auto listed = form_of(text) == Form::yaml
                            ? listed_of_yaml(text, complaints)
                            : flatten(read_ansible_ini(text, complaints), complaints);
    auto machines = checked_machines(listed, rules, complaints);
    if (machines.empty() && complaints.empty()) complaints.add(0, "", "lists no machine");
    if (!complaints.empty()) return base::unexpected(complaints.problems());
    return machines;
}

std::string list_in_fields(const base::Json& fields) {
    const base::Json* machines = base::member(fields, machines_field);
    if (machines != nullptr && machines->is_array()) return machines->dump(1);
    return base::text_at(fields, machines_field);
}

base::Problems problems_with_list(std::string_view provider_type, const base::Json& fields) {
    const bool is_metal = provider_type == "metal";
    if (!is_metal && provider_type != "existing") return {};
    const std::string text = list_in_fields(fields);
    if (text.empty()) return {};
    const base::Json* pins = base::member(fields, "pin_on_first_contact");
    const bool trusts = pins != nullptr && (*pins == "true" || *pins == true);
    const auto machines =
        read_inventory(text, {.needs_host_key = !trusts, .needs_controller = is_metal});
    return machines ? base::Problems{} : machines.error();
}

}  // namespace provisioner::inventory
