#include "provisioner/operations/machines/leases.hpp"

#include "provisioner/store/machines/lease_store.hpp"

namespace provisioner::operations {

namespace {

using model::LeaseState;

/// What becomes of a machine in that state.
std::string outlook(const model::MachineLease& lease) {
    if (lease.state == LeaseState::leased || lease.state == LeaseState::powered) {
        return "node " + lease.node + " has it; delete the node";
    }
    return "it is being wiped and comes back by itself";
}

}  // namespace

Result<void> release_lease(store::Database& database, model::TenantId tenant,
                           model::MachineLeaseId lease) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto found = store::find_lease(connection, tenant, lease);
        if (!found) {
            return refuse(Refusal::Kind::not_found, "",
                          "there is no lease " + std::to_string(lease.value));
        }
        if (store::free_machine(connection, lease, LeaseState::broken)) return {};
        return refuse(Refusal::Kind::conflict, "",
                      "machine " + found->machine + " is not out of use: " + outlook(*found));
    });
}

}  // namespace provisioner::operations
