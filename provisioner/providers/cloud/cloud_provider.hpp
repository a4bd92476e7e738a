#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>

#include "provisioner/providers/cloud/cloud.hpp"
#include "provisioner/providers/cloud/listings.hpp"

namespace provisioner::providers::cloud {

/// Makes a Provider of a Cloud: what is alike in all clouds.
///
/// * Looks before it makes: a machine with the node's mark is the wanted one. So a reply that was
///   lost, and a daemon that was killed, cost no second machine.
/// * One listing serves all machines of an account that are waited for (Listings).
/// * Where there is no room, tries the next placement.
/// * Host keys travel in user data and are known before the first packet (user_data.hpp).
/// * Deleting ends when the machine, and what belonged to it, is gone. The last machine of a
/// cluster
///   takes the cluster's own things along.
class CloudProvider final : public Provider {
 public:
    CloudProvider(std::unique_ptr<Cloud> cloud, http_client::OwnNetwork own_network)
        : cloud_(std::move(cloud)), own_network_(own_network) {}

    boost::asio::awaitable<Created> create(const Account& account,
                                           const MachineSpec& spec) override;
    boost::asio::awaitable<Confirmed> confirm(const Account& account, const MachineSpec& spec,
                                              const base::Json& results) override;
    boost::asio::awaitable<Destroyed> destroy(const Account& account, const MachineSpec& spec,
                                              const base::Json& results) override;
    boost::asio::awaitable<std::vector<SeenMachine>> machines(const Account& account) override;
    boost::asio::awaitable<Tested> test(const Account& account) override;
    std::string account_name(const Account& account) const override;
    bool gives_names() const override { return false; }
    model::PluginType type() const override;

 private:
    using Machines = Listings::Machines;

    /// The account's machines as a listing shows them that began at most `age` ago.
    boost::asio::awaitable<Machines> listed(const Account& account, std::chrono::milliseconds age);
    /// The verbs, which may throw what failures.hpp has.
    boost::asio::awaitable<Created> find_or_make(const Account& account, const MachineSpec& spec);
    boost::asio::awaitable<Created> make(const Account& account, const MachineSpec& spec);
    boost::asio::awaitable<Confirmed> look_at(const Account& account, const MachineSpec& spec,
                                              const base::Json& results);
    /// How long to wait after a lost reply before looking whether the machine was made.
    std::chrono::milliseconds looks_after(bool is_first_place) const;
    /// Removes machines of the node but the one that it has.
    boost::asio::awaitable<void> remove_doubles(const Account& account, const MachineSpec& spec,
                                                const std::vector<CloudMachine>& all,
                                                const std::string& kept);
    boost::asio::awaitable<Confirmed> reached(const Account& account, const MachineSpec& spec,
                                              const CloudMachine& machine);
    boost::asio::awaitable<Destroyed> take_away(const Account& account, const MachineSpec& spec,
                                                const base::Json& results);
    /// What is left of the machine and of its cluster, deleted; Pending while something is there.
    boost::asio::awaitable<Destroyed> clean_up(const Account& account, const MachineSpec& spec,
                                               const std::vector<CloudMachine>& machines);

    /// Whether a turn of this creation may have ended without a word: it did not begin here, so the
    /// daemon that began it may have died with a request under way. True once for each creation.
    bool may_be_under_way(const MachineSpec& spec);

    std::unique_ptr<Cloud> cloud_;
    http_client::OwnNetwork own_network_;
    std::mutex mutex_;
    /// Creations that this process has had a turn of, by name, task and attempt.
    std::set<std::tuple<std::string, long long, int>> begun_;
};

/// The CloudProvider of a cloud. `own_network` as in Tools.
std::unique_ptr<Provider> provider_of(
    std::unique_ptr<Cloud> cloud,
    http_client::OwnNetwork own_network = http_client::OwnNetwork::closed);

}  // namespace provisioner::providers::cloud
