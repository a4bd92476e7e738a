#pragma once

#include <chrono>
#include <string>

#include "provisioner/providers/cloud/calls.hpp"

namespace provisioner::providers::cloud {

// What is kept as it should be, a cluster's firewall say, is not looked at again for every machine
// that waits. But another daemon may delete it, so nobody trusts an old look for long.

/// Whether this daemon found `thing` to be as `wanted` says less than `trusted` ago, at most a
/// minute. `thing` is its full name: cloud, account, cluster.
bool was_good_lately(const Tools& tools, const std::string& thing, const std::string& wanted,
                     std::chrono::milliseconds trusted);
/// Notes that `thing` is now as `wanted` says.
void note_good(const Tools& tools, const std::string& thing, const std::string& wanted);
/// Before `thing` is deleted.
void forget_look(const Tools& tools, const std::string& thing);

/// How old a look may be before the first login to a machine.
inline constexpr std::chrono::seconds trusted_for_login{5};

}  // namespace provisioner::providers::cloud
