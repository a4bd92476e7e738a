#pragma once

#include <vector>

#include "provisioner/model/machines/unknown_machine.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Sets what machines of a known kind cost per hour, by the price lists of the tenants they were
/// made for.
void add_costs(store::Connection& connection, std::vector<model::UnknownMachine>& machines,
               base::Timestamp now);

}  // namespace provisioner::operations
