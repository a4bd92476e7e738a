#pragma once

#include <map>
#include <string>
#include <vector>

#include "provisioner/http_client/message.hpp"
#include "provisioner/providers/cloud/cloud.hpp"
#include "provisioner/providers/cloud/firewall.hpp"

namespace provisioner::providers::aws {

// What answers of EC2 say. All functions are pure and throw cloud::Lost for a text that is no XML,
// because it was cut off, and for other documents.

/// An image, as far as machines need it.
struct Image {
    std::string id{};
    std::string name{};
    /// "available", or why it cannot be started.
    std::string state{};
    /// "/dev/xvda": the name that the mapping of the root disk must have.
    std::string root_device{};
    /// Whether the root disk is a volume (EBS) and not a disk of the host.
    bool is_on_volume = false;
    /// GiB of the image's root disk; 0: unknown.
    long long root_size = 0;
    /// "x86_64" or "arm64".
    std::string architecture{};

    bool operator==(const Image&) const = default;
};

/// A volume, network interface, security group or key pair.
struct Thing {
    std::string id{};
    std::string name{};
    /// Of volumes and interfaces: "available", "in-use" ...
    std::string state{};
    /// The network of a security group or subnet; the zone of a subnet is in `zone`.
    std::string vpc{};
    std::string zone{};
    std::map<std::string, std::string> tags{};
    /// Of a volume; 0: the reply has none.
    int size_gb = 0;

    bool operator==(const Thing&) const = default;
};

/// The ports of a rule whose protocol has none. EC2's -1 is another thing: all types of ICMP.
inline constexpr int no_port = -2;

/// A security group with its rules for what comes in.
struct Group {
    std::string id{};
    /// Ranges only, sorted; EC2's "all protocols" has the protocol "-1" and no ports.
    std::vector<cloud::FirewallRule> rules{};
    /// Whether its members reach each other at all ports.
    bool is_open_inside = false;

    bool operator==(const Group&) const = default;
};

/// The members of an answer in which `set` is the list ("volumeSet") and the id has that name
/// ("volumeId").
std::vector<Thing> things_in(const http_client::Reply& reply, const std::string& set,
                             const std::string& id);
std::vector<Image> images_in(const http_client::Reply& reply);
std::vector<Group> groups_in(const http_client::Reply& reply);
/// The instances of DescribeInstances or RunInstances. `uses_public_name`: the machine gets the
/// name that AWS gave it. `waits_for_public`: an address that only the network of the machine
/// reaches does not count as "access_v4".
std::vector<cloud::CloudMachine> machines_in(const http_client::Reply& reply, bool uses_public_name,
                                             bool waits_for_public);
/// The text of `element` in each item of `set`.
std::vector<std::string> texts_in(const http_client::Reply& reply, const std::string& set,
                                  const std::string& element);
/// The text of an element below the root: "groupId", "output".
std::string text_below_root(const http_client::Reply& reply, const std::string& element);
/// The token of the next page; "" at the end.
std::string next_page(const http_client::Reply& reply);

}  // namespace provisioner::providers::aws
