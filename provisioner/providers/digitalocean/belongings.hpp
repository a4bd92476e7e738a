#pragma once

#include <string>
#include <vector>

#include "provisioner/providers/digitalocean/api.hpp"

namespace provisioner::providers::digitalocean {

// What a cluster or a machine has besides its droplets.

/// Makes the cluster's firewall and its tag, or gives them the rules they should have. Does not
/// look where this daemon found them as they should be less than `trusted` ago, at most a minute:
/// another daemon may have deleted them since.
boost::asio::awaitable<void> keep_firewall(Api& api, const Account& account,
                                           const MachineSpec& spec,
                                           std::chrono::milliseconds trusted);
/// Deletes the cluster's firewall and its tag, whatever the fields say now.
boost::asio::awaitable<void> drop_firewall(Api& api, const Account& account,
                                           const cloud::Mark& mark);

/// The id of the machine's data disk, made if it does not exist. Throws cloud::NotYet while it is
/// attached to an earlier machine.
boost::asio::awaitable<std::string> keep_volume(Api& api, const Account& account,
                                                const cloud::Mark& mark, const std::string& region);
/// Deletes the machine's data disks, in all regions and whatever the fields say now. Says what is
/// still there.
boost::asio::awaitable<std::vector<std::string>> drop_volumes(Api& api, const Account& account,
                                                              const cloud::Mark& mark);

/// The id of the account's key with that name, fingerprint or id. Throws a Refusal with near names.
boost::asio::awaitable<std::int64_t> key_named(Api& api, const Account& account,
                                               const std::string& name);

/// Puts on what a creation left out: the tags of the installation and the cluster, by which the
/// firewall takes effect. Machines that lack them count as starting until the next listing.
boost::asio::awaitable<void> put_tags_on(Api& api, const Account& account,
                                         std::vector<cloud::CloudMachine>& machines);

/// Data disks and firewalls of the installation that no machine has. A firewall counts once it is
/// an hour old: a cluster begins with it.
boost::asio::awaitable<std::vector<cloud::Leftover>> belongings_left(
    Api& api, const Account& account, const std::vector<cloud::CloudMachine>& machines);

}  // namespace provisioner::providers::digitalocean
