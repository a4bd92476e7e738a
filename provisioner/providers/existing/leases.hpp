#pragma once

#include <string>
#include <utility>
#include <vector>

// After <utility>: this header of Boost 1.74 uses std::exchange without including it.
#include <boost/asio/awaitable.hpp>

#include "provisioner/model/machines/machine_lease.hpp"

namespace provisioner::providers::existing {

/// Which node has which machine, in the whole installation. The daemon keeps it in the database
/// (store/machines/lease_store.hpp, whose functions say more); tests keep it in memory. Several
/// threads may call it at once. Every call throws when the result is unknown; repeating it is
/// harmless.
class Leases {
 public:
    virtual ~Leases() = default;

    /// The lease of the wish's node, or a new one. Never gives a machine to two.
    virtual boost::asio::awaitable<model::LeaseAnswer> take(model::LeaseWish wish) = 0;
    /// All leases of machines that the node has or had.
    virtual boost::asio::awaitable<std::vector<model::MachineLease>> of_node(std::string node) = 0;
    /// All leases of machines of a provider.
    virtual boost::asio::awaitable<std::vector<model::MachineLease>> of_provider(
        model::TenantId tenant, std::string type, std::string provider) = 0;
    /// Changes the state of a lease that is in state `from`; false if it is not.
    virtual boost::asio::awaitable<bool> change(model::MachineLeaseId lease, model::LeaseState from,
                                                model::LeaseState to, std::string reason) = 0;
    /// Says what the lease waits for.
    virtual boost::asio::awaitable<void> note(model::MachineLeaseId lease, std::string reason) = 0;
    /// Keeps what is known of the machine by now: the key that its first login showed.
    virtual boost::asio::awaitable<void> relist(model::MachineLeaseId lease, base::Json listed) = 0;
    /// From now on the lease has these identities, which its machine has proven. False if another
    /// lease has one of them, which ends this one, or if no node holds the lease any more.
    virtual boost::asio::awaitable<bool> enter(model::MachineLeaseId lease,
                                               std::vector<std::string> identities) = 0;
    /// From now on the lease keeps the machine from its own tenant alone.
    virtual boost::asio::awaitable<void> disown(model::MachineLeaseId lease) = 0;
    /// Frees the machine of a lease in that state; false if it is in another.
    virtual boost::asio::awaitable<bool> free(model::MachineLeaseId lease,
                                              model::LeaseState in) = 0;
};

}  // namespace provisioner::providers::existing
