#pragma once

#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "provisioner/providers/aws/api.hpp"
#include "provisioner/providers/aws/replies.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::aws {

/// The image with that id. Throws cloud::Refusal "Invalid AMI specified", with near ids among the
/// account's own images, when there is none that can be started.
boost::asio::awaitable<Image> image_of(Api& api, std::string id);

/// All instance types of the region, sorted.
boost::asio::awaitable<std::vector<std::string>> instance_types(Api& api);

/// As cloud::Cloud::test(): zones, own images, types, key pairs, groups and subnets to choose from.
/// Throws cloud::Refusal when the login is refused or a field names what does not exist; all such
/// fields at once. Notes say what the login may not do.
boost::asio::awaitable<Offer> offer_of(Api& api);

}  // namespace provisioner::providers::aws
