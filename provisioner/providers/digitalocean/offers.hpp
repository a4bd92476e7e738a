#pragma once

#include "provisioner/providers/digitalocean/api.hpp"

namespace provisioner::providers::digitalocean {

/// Tries the account: whether the token is valid, whether region, key and VPC network of the fields
/// exist, and what may be chosen. Notes what the token's scopes leave out. Throws a Refusal.
boost::asio::awaitable<Offer> offer_of(Api& api, const Account& account);

}  // namespace provisioner::providers::digitalocean
