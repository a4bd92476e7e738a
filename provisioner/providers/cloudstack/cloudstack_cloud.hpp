#pragma once

#include <string>
#include <vector>

#include "provisioner/providers/cloudstack/api.hpp"
#include "provisioner/providers/cloudstack/security_groups.hpp"
#include "provisioner/providers/cloudstack/static_nat.hpp"

namespace provisioner::providers::cloudstack {

/// Apache CloudStack 4.
///
/// A deployment answers with the machine's id at once and works on as a job. It cannot set tags.
/// Therefore the display name, which it can set, carries the mark; tags come by a second call and
/// are put on again when they are missing.
class CloudStackCloud final : public cloud::Cloud {
 public:
    explicit CloudStackCloud(cloud::Tools tools) : api_(tools), groups_(api_), addresses_(api_) {}

    model::PluginType type() const override;
    std::string account_name(const Account& account) const override;
    base::Problems check(const Account& account, const MachineSpec& spec) const override;
    /// The record of a machine is written before the answer.
    std::chrono::milliseconds shows_within() const override { return std::chrono::seconds{3}; }

    boost::asio::awaitable<std::vector<cloud::CloudMachine>> list(const Account& account) override;
    boost::asio::awaitable<std::vector<cloud::Leftover>> leftovers(
        const Account& account, const std::vector<cloud::CloudMachine>& machines) override;
    boost::asio::awaitable<Machine> make(const cloud::Order& order) override;
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
    /// What the names of the order mean.
    boost::asio::awaitable<DeploymentIds> ids_of(const cloud::Order& order);
    boost::asio::awaitable<std::vector<std::string>> network_ids(const cloud::Order& order,
                                                                 const std::string& zone);
    /// Ids of the groups that the fields name, else of the cluster's own.
    boost::asio::awaitable<std::vector<std::string>> group_ids(const cloud::Order& order,
                                                               bool zone_has_groups);
    /// The machine that has the name of the order already.
    boost::asio::awaitable<Machine> machine_of_that_name(const cloud::Order& order);
    /// Tags a machine. A failure is no harm: the listing tags it again.
    boost::asio::awaitable<void> tag(const Account& account, const std::string& id,
                                     const cloud::Mark& mark, std::string job);
    /// Adds what the listing does not tell: tags that are missing, and why a job failed.
    boost::asio::awaitable<void> mend(const Account& account,
                                      std::vector<cloud::CloudMachine>& machines);
    boost::asio::awaitable<std::string> reason_of(const Account& account, const std::string& job);
    /// The choices of one field; none where the account may not list them.
    boost::asio::awaitable<std::vector<Choice>> choices(const Account& account, std::string command,
                                                        Params params, std::string member);

    Api api_;
    SecurityGroups groups_;
    StaticNat addresses_;
};

}  // namespace provisioner::providers::cloudstack
