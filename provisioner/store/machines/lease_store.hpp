#pragma once

#include <optional>
#include <vector>

#include "provisioner/model/machines/machine_lease.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Leases of existing machines: which node has which machine. A machine is known by its identities
// (addresses, host keys, controllers). Its tenant keeps it by all that it lists, from the
// beginning. The whole installation knows it only by what the machine has proven: the key that a
// login was shown, the address where that was, the controller that took the account's password. So
// two tenants that list the same machine never both use it, and nobody keeps a machine from others
// by a list alone. All times are the database's.

/// The lease of the node `wish.node`: the one it holds already, else a new one of a candidate none
/// of whose identities a lease has. A new lease has those of its own tenant. Takes the candidate
/// whose `spread` the fewest machines of the cluster have, of those the first. `task` of a lease
/// that is found grows to that of the wish.
///
/// One transaction of Database::write; it waits for others that take leases. Throws
/// std::logic_error when the installation has no id yet.
model::LeaseAnswer take_machine(Connection& connection, const model::LeaseWish& wish);

/// The leases of machines that a node has or had, by id; broken ones, too.
std::vector<model::MachineLease> leases_of_node(Connection& connection, const std::string& node);

/// The leases of all machines of a provider, by id.
std::vector<model::MachineLease> leases_of_provider(Connection& connection, model::TenantId tenant,
                                                    const std::string& provider_type,
                                                    const std::string& provider);

/// Changes the state from one of two neighbours; false if it is another one by now or the lease is
/// gone. A lease that is neither leased nor powered is held by no node any more.
[[nodiscard]] bool change_lease(Connection& connection, model::MachineLeaseId lease,
                                model::LeaseState from, model::LeaseState to,
                                const std::string& reason);

/// Says what a lease waits for; its state stays.
void note_lease(Connection& connection, model::MachineLeaseId lease, const std::string& reason);

/// Replaces what the lease says about its machine. Its identities stay.
void relist_machine(Connection& connection, model::MachineLeaseId lease, const base::Json& listed);

/// From now on the lease has these identities, too, which its machine has proven. False if no node
/// holds the lease any more, and if another lease has one of them. Then the machine is that
/// lease's: this one is deleted, and what its tenant calls the machine belongs to the other lease
/// as long as that stands, so that the tenant's next node is not given the same machine again.
///
/// One transaction of Database::write; it waits for others that take leases.
[[nodiscard]] bool enter_machine(Connection& connection, model::MachineLeaseId lease,
                                 const std::vector<std::string>& identities);

/// Takes the identities that other tenants' machines may share from the lease. For a machine that
/// its tenant only claims to have.
void disown_machine(Connection& connection, model::MachineLeaseId lease);

/// Frees the machine if the lease is in that state. False if it is not or is gone.
[[nodiscard]] bool free_machine(Connection& connection, model::MachineLeaseId lease,
                                model::LeaseState in);

/// The lease of a tenant (0: of any); nothing if there is none of that id.
std::optional<model::MachineLease> find_lease(Connection& connection, model::TenantId tenant,
                                              model::MachineLeaseId lease);

/// One page of the leases of a tenant (0: of all tenants), by id, with tenant names. Starts after
/// the id `after`; at most `limit`.
std::vector<model::MachineLease> list_leases(Connection& connection, model::TenantId tenant,
                                             std::int64_t after, int limit);

}  // namespace provisioner::store
