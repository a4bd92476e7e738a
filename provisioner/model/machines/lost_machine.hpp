#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/clusters/cluster.hpp"

namespace provisioner::model {

/// A node's machine that its account listed before and does not list any more: its provider took it
/// back (spot machines), or somebody deleted it. Found by the search for orphans
/// (daemon/machines/orphans.hpp), which looks twice before it says so.
struct LostMachine {
    NodeId node{};
    /// The node's id in the API.
    std::string uuid{};
    int nodenum = 0;
    ClusterId cluster{};
    TenantId tenant{};
    std::string tenant_name{};
    std::string hostname{};
    /// The provider's id of the machine.
    std::string machine{};
    /// The first look that did not find it.
    base::Timestamp missing_since{};
    /// Whether its provider may take it back at any time (a spot machine).
    bool may_be_reclaimed = false;

    bool operator==(const LostMachine&) const = default;
};

/// The result of a node that is true when its provider may take its machine back.
constexpr auto may_be_reclaimed_fact = "may_be_reclaimed";

}  // namespace provisioner::model
