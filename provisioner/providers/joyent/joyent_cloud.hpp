#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/providers/cloud/cloud.hpp"
#include "provisioner/providers/joyent/replies.hpp"

namespace provisioner::providers::joyent {

/// Joyent's cloud, today's Triton, by CloudAPI 7 to 9. Names of machines are unique in an account,
/// so a name can be made once, whatever happens to replies.
class JoyentCloud final : public cloud::Cloud {
 public:
    explicit JoyentCloud(cloud::Tools tools) : tools_(tools) {}

    model::PluginType type() const override;
    std::string account_name(const Account& account) const override;
    base::Problems check(const Account& account, const MachineSpec& spec) const override;
    /// A region is an address of its own: there are no zones.
    std::string zone_field() const override { return ""; }
    /// CreateMachine answers when the machine is in the listing.
    std::chrono::milliseconds shows_within() const override { return std::chrono::seconds{2}; }
    std::chrono::seconds listed_within() const override { return std::chrono::seconds{15}; }
    base::Json more_user_data(const Account& account, const MachineSpec& spec) const override;

    boost::asio::awaitable<std::vector<cloud::CloudMachine>> list(const Account& account) override;
    boost::asio::awaitable<std::vector<cloud::Leftover>> leftovers(
        const Account& account, const std::vector<cloud::CloudMachine>& machines) override;
    boost::asio::awaitable<Machine> make(const cloud::Order& order) override;
    /// Keeps the cluster's firewall rules, which the end of an earlier machine may have taken
    /// along.
    boost::asio::awaitable<void> complete(const Account& account, const MachineSpec& spec,
                                          const cloud::CloudMachine& machine) override;
    boost::asio::awaitable<void> remove(const Account& account,
                                        const cloud::CloudMachine& machine) override;
    boost::asio::awaitable<std::vector<std::string>> release_cluster(
        const Account& account, const cloud::Mark& mark) override;
    boost::asio::awaitable<Offer> test(const Account& account) override;

 private:
    /// Sends a call within the limits of the account.
    boost::asio::awaitable<http_client::Reply> send(const Account& account, std::string method,
                                                    std::string path,
                                                    base::Json body = base::Json());
    /// One reading of all pages of machines; nothing if some may have been missed, because others
    /// went in the meantime.
    boost::asio::awaitable<std::optional<std::vector<cloud::CloudMachine>>> read_pages(
        const Account& account);
    /// A listing of things with names: "/packages".
    boost::asio::awaitable<std::vector<Named>> named(const Account& account, std::string path);
    /// The image's id; asks only for names.
    boost::asio::awaitable<std::string> image_id(const cloud::Order& order);
    boost::asio::awaitable<std::vector<std::string>> network_ids(const cloud::Order& order);
    /// Makes the firewall rules of the machine's cluster what they must be. Does not look where
    /// this daemon found them so less than `trusted` ago.
    boost::asio::awaitable<void> keep_rules(const Account& account, const MachineSpec& spec,
                                            std::chrono::milliseconds trusted);
    boost::asio::awaitable<void> repair_rules(const Account& account,
                                              const std::vector<std::string>& wanted,
                                              const std::string& group);
    /// What a refused creation comes to: the machine that has the name already, or a refusal with
    /// near names.
    boost::asio::awaitable<Machine> resolve(const cloud::Order& order,
                                            const http_client::Reply& reply);
    boost::asio::awaitable<Machine> machine_of_that_name(const cloud::Order& order);
    boost::asio::awaitable<void> delete_rule(const Account& account, const std::string& id);

    cloud::Tools tools_;
};

}  // namespace provisioner::providers::joyent
