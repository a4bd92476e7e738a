#pragma once

#include "provisioner/providers/cloud/cloud.hpp"
#include "provisioner/providers/openstack/keystone.hpp"
#include "provisioner/providers/openstack/neutron.hpp"

namespace provisioner::providers::openstack {

/// OpenStack: servers of Nova with ports and floating addresses of Neutron, images of Glance,
/// volumes of Cinder. README.md says what it needs and does.
class OpenStackCloud final : public cloud::Cloud {
 public:
    explicit OpenStackCloud(cloud::Tools tools);

    model::PluginType type() const override;
    std::string account_name(const Account& account) const override;
    cloud::Rates rates() const override;
    base::Problems check(const Account& account, const MachineSpec& spec) const override;
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
    boost::asio::awaitable<Offer> test(const Account& account) override;

 private:
    /// Completes the addresses of machines that get a floating one: without it they cannot be
    /// reached yet.
    boost::asio::awaitable<void> find_floating(const Account& account,
                                               std::vector<cloud::CloudMachine>& machines);
    /// Why a server came to nothing; empty when nobody knows.
    boost::asio::awaitable<std::string> fault_of(const Account& account, std::string id);
    /// Flavor, image, server group and ports of a new server; makes what is missing of them.
    boost::asio::awaitable<Machine> make_server(const cloud::Order& order);
    boost::asio::awaitable<std::string> flavor_id(const Account& account, std::string name);
    boost::asio::awaitable<std::string> image_id(const Account& account, std::string name);
    /// Id of the server group that the fields name or ask for; empty for none.
    boost::asio::awaitable<std::string> server_group(const Account& account,
                                                     const MachineSpec& spec);
    boost::asio::awaitable<std::string> own_server_group(const Account& account,
                                                         const MachineSpec& spec,
                                                         std::string policy);
    /// Throws what a refusal of POST /servers means, with near names where Nova names nothing.
    boost::asio::awaitable<void> explain(const cloud::Order& order, http_client::Reply reply);
    /// Volumes of Cinder with a mark of this installation; none without Cinder.
    boost::asio::awaitable<std::vector<base::Json>> volumes(const Account& account);
    /// Marks a machine's volumes, which Nova deletes with it, so that what is left is found.
    boost::asio::awaitable<void> mark_volumes(const Account& account,
                                              const cloud::CloudMachine& machine);

    Keystone keystone_;
    Api api_;
    Neutron neutron_;
};

/// As Provider::type(), without the fields that all clouds have.
model::PluginType openstack_type();

}  // namespace provisioner::providers::openstack
