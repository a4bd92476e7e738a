#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/inventory/machine.hpp"

namespace provisioner::inventory {

// Lists of machines that exist already: text in, machines out. Pure.

/// The field of a provider that holds the inventory; problems carry it.
inline constexpr std::string_view machines_field = "machines";

/// The largest inventory that is read, in bytes.
constexpr std::size_t longest_inventory = 4UL << 20;
/// Most machines of one inventory.
constexpr std::size_t most_machines = 10'000;
/// Most groups of one Ansible inventory, and most of them one within another.
constexpr std::size_t most_groups = 1'000;
constexpr int most_generations = 200;
/// Most flavors, images or tags of one machine.
constexpr std::size_t most_words = 1'000;

/// What an inventory must say beside names and addresses.
struct Rules {
    /// Whether each machine must have a host key. Without it the first login trusts any key.
    bool needs_host_key = true;
    /// Whether each machine must have a controller that switches it on.
    bool needs_controller = false;
};

/// The machines in `text`, in its order: a list in JSON or YAML, or an Ansible inventory in INI or
/// YAML (README.md has the forms). Problems name the line and the machine, all at once, at most
/// 100. An empty list is a problem.
base::Checked<std::vector<ListedMachine>> read_inventory(std::string_view text, const Rules& rules);

/// What is wrong with the list that stands in the fields of a provider itself (`machines`: a text,
/// or a list in JSON). Nothing for providers of types without such a list, and for lists in files.
base::Problems problems_with_list(std::string_view provider_type, const base::Json& fields);

/// The text of the field `machines`. A list in JSON becomes a text with a line for each value.
std::string list_in_fields(const base::Json& fields);

}  // namespace provisioner::inventory
