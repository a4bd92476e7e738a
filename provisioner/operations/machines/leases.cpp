#include "provisioner/operations/machines/leases.hpp"

#include "provisioner/operations/audit.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/machines/lease_store.hpp"

namespace provisioner::operations {

namespace {

using model::LeaseState;

/// Whether nobody of ours brings the machine back: its provider is gone, so no daemon looks at it.
bool is_forgotten(store::Connection& connection, const model::MachineLease& lease) {
    if (model::is_held(lease.state)) return false;
    return !store::find_entry(connection, lease.tenant, model::CatalogueKind::provider,
                              lease.provider);
}

/// What becomes of a machine in that state.
std::string outlook(const model::MachineLease& lease) {
    if (model::is_held(lease.state)) {
        return "node " + lease.node + " has it; delete the node";
    }
    return "it is being wiped and comes back by itself";
}

}  // namespace

Result<void> release_lease(store::Database& database, const model::Caller& caller,
                           model::MachineLeaseId lease) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto found = store::find_lease(connection, caller.tenant_in_charge(), lease);
        if (!found) {
            return refuse(Refusal::Kind::not_found, "",
                          "there is no lease " + std::to_string(lease.value));
        }
        const bool may_go = found->state == LeaseState::broken || is_forgotten(connection, *found);
        if (may_go && store::free_machine(connection, lease, found->state)) {
            audit(connection, caller,
                  {.action = "machine-lease.release",
                   .object = {.kind = "machine-lease",
                              .id = std::to_string(lease.value),
                              .name = found->machine},
                   .before = {{"provider", found->provider},
                              {"state", base::to_word(found->state)},
                              {"reason", found->reason}},
                   .chain = found->tenant});
            return {};
        }
        return refuse(Refusal::Kind::conflict, "",
                      "machine " + found->machine + " is not out of use: " + outlook(*found));
    });
}

}  // namespace provisioner::operations
