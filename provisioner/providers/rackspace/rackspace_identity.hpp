#pragma once

#include "provisioner/providers/openstack/identity.hpp"

namespace provisioner::providers::rackspace {

/// Keystone v2.0 with an API key, Rackspace's extension of it. Source:
/// https://docs.rackspace.com/docs/cloud-identity.
class RackspaceIdentity final : public openstack::Identity {
 public:
    /// "joe at identity.api.rackspacecloud.com, DFW".
    std::string account_name(const Account& account) const override;
    std::string key(const Account& account) const override;
    http_client::Request login(const Account& account) const override;
    cloud::Tokens::Token token_in(const Account& account, const http_client::Reply& reply,
                                  base::Timestamp now) const override;
    std::string base_url(const Account& account, const base::Json& endpoints,
                         std::string_view service) const override;
};

/// The identity service without a version: `rackspace_auth_url`, else `api_endpoint`, else that of
/// the region, which is another one in the UK.
std::string auth_url(const Account& account);

/// `rackspace_region` in capitals, as the catalogue has it.
std::string region_of(const Account& account);

/// Regions that Coopr's form offers, in its order.
const std::vector<std::string>& regions();

}  // namespace provisioner::providers::rackspace
