#pragma once

#include "provisioner/providers/cloud/cloud.hpp"
#include "provisioner/providers/digitalocean/api.hpp"

namespace provisioner::providers::digitalocean {

/// Droplets of DigitalOcean, by its API v2 with a token. There are no client tokens: a droplet is
/// found again by its name, which has the machine, the task and the attempt, and by its tags.
class DigitalOceanCloud final : public cloud::Cloud {
 public:
    explicit DigitalOceanCloud(cloud::Tools tools) : api_(tools) {}

    model::PluginType type() const override;
    std::string account_name(const Account& account) const override;
    cloud::Rates rates() const override { return usual_rates(); }
    base::Problems check(const Account& account, const MachineSpec& spec) const override;
    std::string zone_field() const override { return "digitalocean_region"; }
    base::Json more_user_data(const Account& account, const MachineSpec& spec) const override;

    /// One call for each 200 droplets of the account, ours or not: one whose tags are not on yet is
    /// known by its name.
    boost::asio::awaitable<std::vector<cloud::CloudMachine>> list(const Account& account) override;
    boost::asio::awaitable<std::vector<cloud::Leftover>> leftovers(
        const Account& account, const std::vector<cloud::CloudMachine>& machines) override;
    boost::asio::awaitable<Machine> make(const cloud::Order& order) override;
    /// Keeps the cluster's firewall, which the end of an earlier machine may have taken along.
    boost::asio::awaitable<void> complete(const Account& account, const MachineSpec& spec,
                                          const cloud::CloudMachine& machine) override;
    boost::asio::awaitable<void> remove(const Account& account,
                                        const cloud::CloudMachine& machine) override;
    boost::asio::awaitable<std::vector<std::string>> release(const Account& account,
                                                             const cloud::Mark& mark) override;
    boost::asio::awaitable<std::vector<std::string>> release_cluster(
        const Account& account, const cloud::Mark& mark) override;
    boost::asio::awaitable<Offer> test(const Account& account) override;

 private:
    Api api_;
};

}  // namespace provisioner::providers::digitalocean
