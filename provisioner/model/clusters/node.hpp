#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/model/clusters/cluster.hpp"

namespace provisioner::model {

/// A machine of a cluster, from its planning to its end.
struct Node {
    NodeId id;
    ClusterId cluster;
    /// The id the outside sees.
    std::string uuid;
    /// 1000, 1001, ... in layout order.
    int nodenum = 0;
    std::string hostname;
    std::string hardware_type;
    std::string image_type;
    /// The provider's words for them.
    std::string flavor;
    std::string image;
    std::string ssh_user = "root";
    /// All settings of its image and hardware type for its provider (flavor, image, memory_mb,
    /// ...).
    std::map<std::string, std::string> settings;
    std::vector<std::string> services;
    /// Automator types of all actions of all services on the node.
    std::vector<std::string> automators;
    /// Address type ("access_v4", "bind_v4") -> address; empty before the machine is confirmed.
    std::map<std::string, std::string> addresses;
    /// What tasks reported, merged at top level: "providerid", "ssh_host_keys", ...
    base::Json results = base::Json::object();
    /// Whether a job is taking it out of the cluster; others no longer count on it.
    bool leaves = false;
};

/// What a node's machine is called where it is made: no other node ever has that name.
struct MachineName {
    ClusterId cluster;
    int nodenum = 0;

    auto operator<=>(const MachineName&) const = default;
};

/// "00000001-1001".
std::string to_text(const MachineName& name);

/// Reads what to_text wrote; nothing for anything else.
std::optional<MachineName> machine_name_in(std::string_view text);

/// The node's `properties` in wire form (ipaddresses, hostname, nodenum, hardwaretype, ...).
base::Json properties_json(const Node& node);

/// Whether others see the same of both: their uuids and properties, not what tasks reported.
bool looks_the_same(const Node& a, const Node& b);

/// Distinct automator types of all actions of the named services, sorted.
std::vector<std::string> automators_of(const std::vector<std::string>& names,
                                       const std::vector<Service>& services);

}  // namespace provisioner::model
