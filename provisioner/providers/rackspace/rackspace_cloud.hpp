#pragma once

#include "provisioner/providers/cloud/cloud.hpp"
#include "provisioner/providers/openstack/api.hpp"
#include "provisioner/providers/openstack/servers.hpp"
#include "provisioner/providers/rackspace/rackspace_identity.hpp"

namespace provisioner::providers::rackspace {

/// Rackspace Cloud Servers: Nova's API v2 without microversions. There are no tags, so machines are
/// found by their metadata; networks, addresses and firewalls are Rackspace's own. README.md says
/// what it needs and does.
class RackspaceCloud final : public cloud::Cloud {
 public:
    explicit RackspaceCloud(cloud::Tools tools);

    model::PluginType type() const override;
    std::string account_name(const Account& account) const override;
    cloud::Rates rates() const override;
    /// There are no zones.
    std::string zone_field() const override { return ""; }
    base::Problems check(const Account& account, const MachineSpec& spec) const override;
    boost::asio::awaitable<std::vector<cloud::CloudMachine>> list(const Account& account) override;
    boost::asio::awaitable<Machine> make(const cloud::Order& order) override;
    boost::asio::awaitable<void> remove(const Account& account,
                                        const cloud::CloudMachine& machine) override;
    boost::asio::awaitable<Offer> test(const Account& account) override;

 private:
    boost::asio::awaitable<std::string> id_of(const Account& account, std::string kind,
                                              std::string name);

    RackspaceIdentity identity_;
    openstack::Api api_;
};

/// As Provider::type(), without the fields that all clouds have.
model::PluginType rackspace_type();

/// Metadata that the owner wants on servers: `rackspace_metadata`, a JSON object of texts or
/// "key=value, key=value". Adds problems for other texts and for more than Rackspace takes.
base::Json own_metadata(const Account& account, base::Problems& problems);

/// Files that are put on servers: `rackspace_files`, a JSON object from path to text. As the
/// "personality" of Nova: at most 5, 1,000 bytes each.
base::Json own_files(const Account& account, base::Problems& problems);

/// How the machine of a server is, also by RackConnect's automation where it is waited for. Source:
/// https://docs.rackspace.com/docs/rackconnect-v2.
cloud::CloudMachine machine_of(const base::Json& server, bool waits_for_rackconnect);

/// The body of POST /servers.
base::Json body_of(const cloud::Order& order, const openstack::ServerParts& parts);

}  // namespace provisioner::providers::rackspace
