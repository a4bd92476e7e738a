#pragma once

#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "provisioner/providers/aws/api.hpp"
#include "provisioner/providers/cloud/cloud.hpp"

namespace provisioner::providers::aws {

// Disks and network interfaces that outlived their machines; security groups and key pairs that
// outlived their clusters. All are found by the tags of cloud::tags_of().

/// As cloud::Cloud::leftovers().
boost::asio::awaitable<std::vector<cloud::Leftover>> leftovers_in(
    Api& api, const std::vector<cloud::CloudMachine>& machines);
/// As cloud::Cloud::release().
boost::asio::awaitable<std::vector<std::string>> release_machine(Api& api, const cloud::Mark& mark);
/// As cloud::Cloud::release_cluster().
boost::asio::awaitable<std::vector<std::string>> release_cluster(Api& api, const cloud::Mark& mark);

}  // namespace provisioner::providers::aws
