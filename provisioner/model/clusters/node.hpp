#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "provisioner/model/clusters/cluster.hpp"

namespace provisioner::model {

/// The number of the first node of a cluster.
constexpr int first_nodenum = 1000;

/// A machine of a cluster: a row of table node. Written when the machine is planned, before it
/// exists. After the machine is deleted the row stays until retention deletes it.
///
/// Written by the web side (plan, services, leaves) and by the engine (hostname, addresses,
/// results), the latter in the transaction that finishes the task. Configurations of all nodes
/// contain the properties of all others, so each change is counted in job.node_changes.
struct Node {
    /// 0 before it is stored.
    NodeId id;
    ClusterId cluster;
    /// Id in the API (UUID version 4); unique in the installation.
    std::string uuid;
    /// 1000, 1001, ... in layout order. Unique in the cluster and never reused: retention keeps the
    /// row with the highest number.
    int nodenum = 0;
    /// Fully qualified; made by hostname() in names.hpp. A task may report another one.
    std::string hostname;
    /// Name of the catalogue entry for its size.
    std::string hardware_type;
    /// Name of the catalogue entry for its operating system.
    std::string image_type;
    /// The provider's names for hardware and image type, from `settings`; empty when the catalogue
    /// has none for this provider.
    std::string flavor;
    std::string image;
    /// User for SSH logins, from the image type's setting "sshuser".
    std::string ssh_user = "root";
    /// All settings of its hardware and image type for its provider: flavor, image, memory_mb, ...
    /// The hardware type's value wins where both have a key.
    std::map<std::string, std::string> settings;
    /// Names of services planned for it, installed or not.
    std::vector<std::string> services;
    /// Automator types of all actions of these services, sorted. A daemon must have all of them to
    /// claim a task of this node (statements/ready_task.hpp).
    std::vector<std::string> automators;
    /// Address type ("access_v4", "bind_v4") -> address; empty until the machine is confirmed.
    std::map<std::string, std::string> addresses;
    /// Facts that tasks reported, merged at top level: "providerid", "ssh_host_keys", ... Later
    /// facts replace earlier ones of the same key.
    base::Json results = base::Json::object();
    /// Whether a job is removing it from the cluster. Configurations of other nodes no longer
    /// include it.
    bool leaves = false;
    /// Whether a job has done all that it had to do there: it serves, or has served. False from its
    /// plan on, through all jobs that fail before that.
    bool was_set_up = false;
};

/// Identifies a node's machine at the provider. All attempts to create the machine use this name,
/// so a crash cannot make two machines. No other node of the installation ever has it. The search
/// for orphans maps machines back to nodes by it (daemon/machines/orphans.hpp).
struct MachineName {
    ClusterId cluster;
    int nodenum = 0;

    auto operator<=>(const MachineName&) const = default;
};

/// Name at the provider: "00000001-1001".
std::string to_text(const MachineName& name);

/// Inverse of to_text; nothing for any other text. Refuses other spellings of the same numbers:
/// such a machine was not named by us.
std::optional<MachineName> machine_name_in(std::string_view text);

/// The cluster of a wire id ("00000001"); nothing for any other text, as above. Things that belong
/// to a whole cluster, such as security groups, are named by it.
std::optional<ClusterId> cluster_named(std::string_view text);

/// `properties` of a node in wire form. Part of the API, of callbacks and of the configuration that
/// automators receive. Without reported facts.
///
///     {"ipaddresses": {"access_v4": "10.0.0.7"}, "hostname": "web12-1001.local",
///      "nodenum": 1001, "hardwaretype": "small", "imagetype": "debian", "flavor": "m1.small",
///      "image": "ami-1", "sshuser": "root", "services": ["nginx"], "automators": ["shell"]}
base::Json properties_json(const Node& node);

/// Whether other nodes' configurations see no difference: same uuid and properties. Facts and
/// settings are ignored. When true for all nodes, cached configurations stay valid
/// (store::ClusterWatch).
bool looks_the_same(const Node& a, const Node& b);

/// Distinct automator types of all actions of the services in `names`, sorted. Definitions come
/// from `services`; names without a definition are ignored.
std::vector<std::string> automators_of(const std::vector<std::string>& names,
                                       const std::vector<Service>& services);

}  // namespace provisioner::model
