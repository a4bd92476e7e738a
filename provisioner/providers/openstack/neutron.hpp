#pragma once

#include <string>
#include <vector>

#include "provisioner/providers/openstack/api.hpp"

namespace provisioner::providers::openstack {

/// What a machine and its cluster need of Neutron: ports, floating addresses, a security group.
/// Each carries the mark in its description and is found again by it. All functions may be repeated
/// and throw what failures.hpp has.
///
/// Machines get ports of ours, not Nova's: so a floating address can be bound before the server
/// boots, and a lost reply is noticed by the server that holds the port. They outlive the server
/// and are deleted after it.
class Neutron {
 public:
    /// `api` must outlive it.
    explicit Neutron(Api& api) : api_(api) {}

    /// The networks for the machine, whole: those of `network_ids`, by name or id, else the only
    /// usable one; none if there is no usable one. Throws Refusal for several.
    boost::asio::awaitable<std::vector<base::Json>> networks(const Account& account,
                                                             const MachineSpec& spec);
    /// Ids of the security groups: those of `security_groups`, else the cluster's own group, made
    /// and repaired. Throws NotYet after it was made: others may have made one at the same time.
    boost::asio::awaitable<std::vector<std::string>> groups(const Account& account,
                                                            const MachineSpec& spec);
    /// Ids of a port for the machine in each of the networks, in that order.
    boost::asio::awaitable<std::vector<std::string>> ports(const cloud::Order& order,
                                                           const std::vector<base::Json>& networks,
                                                           const std::vector<std::string>& groups);
    /// Binds a floating address to the port: the machine's, else a free one of the project, else a
    /// new one.
    boost::asio::awaitable<void> bind_address(const cloud::Order& order, const std::string& port);
    /// Addresses of machines by name, "203.0.113.7", for clouds whose Nova shows them late or
    /// never.
    boost::asio::awaitable<std::map<std::string, std::string>> floating_addresses(
        const Account& account);

    /// Deletes ports and addresses of a machine, or gives back an address that was taken.
    boost::asio::awaitable<std::vector<std::string>> release(const Account& account,
                                                             const cloud::Mark& mark);
    /// Deletes the cluster's group.
    boost::asio::awaitable<std::vector<std::string>> release_cluster(const Account& account,
                                                                     const cloud::Mark& mark);
    /// All marked parts, whether their machine is there or not.
    boost::asio::awaitable<std::vector<cloud::Leftover>> parts(const Account& account);

 private:
    boost::asio::awaitable<std::string> make_port(const cloud::Order& order,
                                                  const base::Json& network,
                                                  const std::vector<std::string>& groups);
    /// Ports of the machine that can be used, by network; those of a dead server are deleted.
    boost::asio::awaitable<std::map<std::string, std::string>> free_ports(
        const cloud::Order& order);
    boost::asio::awaitable<void> free_or_wait(const Account& account, const base::Json& port);
    boost::asio::awaitable<void> take_address(const cloud::Order& order, const base::Json& address,
                                              const std::string& port);
    boost::asio::awaitable<void> make_address(const cloud::Order& order, const std::string& port);
    boost::asio::awaitable<void> give_back(const Account& account, const base::Json& address);
    /// The security groups with exactly that description, the cluster's own. An API that ignores
    /// the filter lists others', too.
    boost::asio::awaitable<std::vector<base::Json>> groups_described(const Account& account,
                                                                     std::string description);
    boost::asio::awaitable<base::Json> own_group(const Account& account, const MachineSpec& spec);
    boost::asio::awaitable<void> repair(const Account& account, const MachineSpec& spec,
                                        const base::Json& group);
    /// POST or PUT with that body; the object `key` of the reply. Throws as throw_refusal().
    boost::asio::awaitable<base::Json> change(const Account& account, std::string method,
                                              std::string path, std::string key, base::Json body);

    Api& api_;
};

}  // namespace provisioner::providers::openstack
