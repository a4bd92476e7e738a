#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/inventory/inventory.hpp"
#include "provisioner/inventory/listed.hpp"

namespace provisioner::inventory {

/// The machines, each value checked; every mistake is a complaint. Also checks what no two machines
/// may share: name, address with port, host key, place at a controller.
std::vector<ListedMachine> checked_machines(const std::vector<Listed>& listed, const Rules& rules,
                                            Complaints& complaints);

/// The IPv4 or IPv6 address of one machine in its shortest form, so that equal addresses are equal
/// texts. Nothing for other texts and for addresses that no machine has.
std::optional<std::string> canonical_address(const std::string& text);

}  // namespace provisioner::inventory
