#pragma once

#include <string>
#include <vector>

#include "provisioner/providers/cloudstack/api.hpp"

namespace provisioner::providers::cloudstack {

/// Public addresses of machines in isolated networks, one for each machine (static NAT).
///
/// CloudStack fetches an address without tags, so a reply that is lost leaves one that nobody
/// knows. Therefore an address of the network that is unused and has no tags is taken first. Such a
/// one is given back as it was; only what was fetched here is released.
class StaticNat {
 public:
    explicit StaticNat(Api& api) : api_(api) {}

    /// Gives the machine an address and opens its ports. Throws NotYet between the steps.
    boost::asio::awaitable<void> attach(const Account& account, const MachineSpec& spec,
                                        const cloud::CloudMachine& machine);
    /// Releases the addresses with that mark.
    boost::asio::awaitable<void> release(const Account& account, const cloud::Mark& mark);
    /// Addresses with the installation's tag whose machine is not among `machines`.
    boost::asio::awaitable<std::vector<cloud::Leftover>> leftovers(
        const Account& account, const std::vector<cloud::CloudMachine>& machines);

 private:
    boost::asio::awaitable<std::vector<base::Json>> marked(const Account& account,
                                                           const cloud::Mark& mark);
    /// The id of an address for the machine, tagged; fetched if there is no unused one.
    boost::asio::awaitable<std::string> reserve(const Account& account, const cloud::Mark& mark,
                                                const std::string& network);
    /// Fetches an address and takes the tags away that it kept of an earlier owner.
    boost::asio::awaitable<std::string> fetch(const Account& account, const std::string& network);
    boost::asio::awaitable<void> clear_tags(const Account& account, const std::string& id);
    /// Opens the ports of the machine on the address.
    boost::asio::awaitable<void> open_ports(const Account& account, const MachineSpec& spec,
                                            const std::string& address);
    /// Deletes the rules of an address that is given back as it was.
    boost::asio::awaitable<void> close_ports(const Account& account, const std::string& address);

    Api& api_;
};

/// Whether the address is of the mark's installation and, if the mark has a name, of its machine.
bool has_mark(const base::Json& address, const cloud::Mark& mark);

/// Whether nobody uses the address, so that a machine may have it.
bool is_unused(const base::Json& address);

}  // namespace provisioner::providers::cloudstack
