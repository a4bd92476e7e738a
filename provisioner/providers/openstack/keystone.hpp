#pragma once

#include "provisioner/providers/openstack/identity.hpp"

namespace provisioner::providers::openstack {

/// Keystone v3 with a password or an application credential. Source:
/// https://docs.openstack.org/api-ref/identity/v3/.
class Keystone final : public Identity {
 public:
    /// "project demo of Default at cloud.example.org:5000, RegionOne". An application credential
    /// belongs to a project that only the cloud knows, so its id stands for it.
    std::string account_name(const Account& account) const override;
    std::string key(const Account& account) const override;
    http_client::Request login(const Account& account) const override;
    cloud::Tokens::Token token_in(const Account& account, const http_client::Reply& reply,
                                  base::Timestamp now) const override;
    std::string base_url(const Account& account, const base::Json& endpoints,
                         std::string_view service) const override;
};

/// Where Keystone is, without a version: the field `openstack_auth_url`, else `api_endpoint`. Old
/// catalogues have ".../v2.0/tokens"; v3 is at the same place.
std::string auth_url(const Account& account);

/// Problems of the fields that the login needs, all of them.
base::Problems check_login(const Account& account);

}  // namespace provisioner::providers::openstack
