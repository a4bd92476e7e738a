#pragma once

#include <boost/asio/thread_pool.hpp>

#include "provisioner/providers/existing/leases.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::daemon {

/// Leases in the database. Calls of the database block, so they run on two threads of this object;
/// the caller's loop goes on meanwhile. Throws what the database throws.
class DatabaseLeases final : public providers::existing::Leases {
 public:
    /// `database` must outlive this object.
    explicit DatabaseLeases(store::Database& database) : database_(database), threads_(2) {}
    /// Blocks until calls that were begun have ended.
    ~DatabaseLeases() override { threads_.join(); }

    boost::asio::awaitable<model::LeaseAnswer> take(model::LeaseWish wish) override;
    boost::asio::awaitable<std::vector<model::MachineLease>> of_node(std::string node) override;
    boost::asio::awaitable<std::vector<model::MachineLease>> of_provider(
        model::TenantId tenant, std::string type, std::string provider) override;
    boost::asio::awaitable<bool> change(model::MachineLeaseId lease, model::LeaseState from,
                                        model::LeaseState to, std::string reason) override;
    boost::asio::awaitable<void> note(model::MachineLeaseId lease, std::string reason) override;
    boost::asio::awaitable<void> relist(model::MachineLeaseId lease, base::Json listed) override;
    boost::asio::awaitable<bool> enter(model::MachineLeaseId lease,
                                       std::vector<std::string> identities) override;
    boost::asio::awaitable<void> disown(model::MachineLeaseId lease) override;
    boost::asio::awaitable<bool> free(model::MachineLeaseId lease, model::LeaseState in) override;

 private:
    store::Database& database_;
    boost::asio::thread_pool threads_;
};

}  // namespace provisioner::daemon
