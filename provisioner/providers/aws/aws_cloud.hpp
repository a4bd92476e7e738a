#pragma once

#include "provisioner/providers/aws/credentials.hpp"
#include "provisioner/providers/cloud/cloud.hpp"

namespace provisioner::providers::aws {

/// Amazon EC2 by its Query API. The README of this folder says which permissions it needs.
class AwsCloud final : public cloud::Cloud {
 public:
    /// What `tools` refers to must outlive it.
    explicit AwsCloud(cloud::Tools tools, AwsSettings settings = {})
        : tools_(tools), settings_(std::move(settings)) {}

    model::PluginType type() const override;
    std::string account_name(const Account& account) const override;
    cloud::Rates rates() const override;
    base::Problems check(const Account& account, const MachineSpec& spec) const override;
    /// With several subnets (`subnet_id`), these take the place of zones.
    std::vector<cloud::Placement> placements(const Account& account,
                                             const MachineSpec& spec) const override;
    /// At once: the client token makes a repeated call harmless.
    bool may_take_back(const Account& account, const MachineSpec& spec) const override;
    std::chrono::milliseconds shows_within() const override { return std::chrono::seconds{1}; }

    boost::asio::awaitable<std::vector<cloud::CloudMachine>> list(const Account& account) override;
    boost::asio::awaitable<std::vector<cloud::Leftover>> leftovers(
        const Account& account, const std::vector<cloud::CloudMachine>& machines) override;
    boost::asio::awaitable<Machine> make(const cloud::Order& order) override;
    boost::asio::awaitable<void> remove(const Account& account,
                                        const cloud::CloudMachine& machine) override;
    boost::asio::awaitable<std::vector<std::string>> release(const Account& account,
                                                             const cloud::Mark& mark) override;
    boost::asio::awaitable<std::vector<std::string>> release_cluster(
        const Account& account, const cloud::Mark& mark) override;
    boost::asio::awaitable<std::string> host_key_of(const Account& account,
                                                    const cloud::CloudMachine& machine) override;
    boost::asio::awaitable<Offer> test(const Account& account) override;

 private:
    cloud::Tools tools_;
    AwsSettings settings_;
};

}  // namespace provisioner::providers::aws
