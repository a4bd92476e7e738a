#pragma once

#include <string>
#include <vector>

namespace provisioner::inventory {

/// The board management controller (BMC) of a machine, which can switch it on and off.
struct Controller {
    /// Address of its Redfish service, "https://10.0.1.11" or with a port; empty: the machine has
    /// no controller that we may use.
    std::string url;
    /// Path of the machine below it, "/redfish/v1/Systems/1". Empty: the service manages one
    /// machine alone.
    std::string system;

    bool operator==(const Controller&) const = default;
};

/// A machine that exists already, as its owner lists it.
struct ListedMachine {
    /// The owner's name for it; unique in the inventory.
    std::string name;
    /// IPv4 or IPv6 address at which sshd answers.
    std::string address;
    /// Where services listen; as `address` if the owner names none.
    std::string bind_address;
    int port = 22;
    /// Who logs in; empty: the user of the image type.
    std::string user;
    /// Public host keys as in known_hosts without the host name, the preferred one first. All of
    /// types that can be checked. May be empty only where the rules allow it.
    std::vector<std::string> host_keys;
    /// Sizes for which the machine is good, in the words of hardware types; empty: for all.
    std::vector<std::string> flavors;
    /// Systems that it runs, in the words of image types; empty: any.
    std::vector<std::string> images;
    /// Words of the owner, "ssd" or "rack=7"; groups of an Ansible inventory are among them.
    std::vector<std::string> tags;
    Controller controller;
    /// The line of the inventory on which it begins, from 1.
    int line = 0;

    bool operator==(const ListedMachine&) const = default;
};

}  // namespace provisioner::inventory
