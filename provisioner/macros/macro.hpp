#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "provisioner/macros/expand.hpp"

namespace provisioner::macros {

/// What the name of a macro refers to. The enumerator says how the name begins; S is a service, T
/// an address type.
enum class Subject {
    /// cluster.owner
    cluster_owner,
    /// host.self
    host_self,
    /// host.service.S
    host_service,
    /// ip.self or ip.T.self
    ip_self,
    /// ip.service.S or ip.T.service.S
    ip_service,
    /// num.service.S: the number of nodes with S, "0" when there is none.
    num_service,
    /// instance.self.service.S: place of the node among those with S by nodenum, from 1. A node
    /// that
    /// is being removed counts itself and those that stay.
    instance_self_service
};

/// One parsed macro, for example `%join(map(ip.access_v4.service.db[0],'$:3306'),' ')%`. Made by
/// parse(), used by evaluate().
struct Macro {
    Subject subject = Subject::cluster_owner;
    /// Key of Node::addresses; used by ip_self and ip_service. "bind_v4" when the name has none.
    std::string address_type = "bind_v4";
    /// Name of the service, not checked against the cluster; empty for subjects without one.
    std::string service;
    /// Zero-based place by nodenum, >= 0; used by host_service and ip_service. Other subjects
    /// accept and ignore it.
    std::optional<int> index;
    /// Format of map(), see formatted(); nothing when there is no map().
    std::optional<std::string> format;
    /// Text that join() puts between values; "," without join().
    std::string separator = ",";

    bool operator==(const Macro&) const = default;
};

/// Parses the text between two '%'. Syntax is checked before the name, so an unknown name in a
/// malformed macro is reported as malformed. Grammar:
///
///     macro   = "join(" inner "," literal ")" | inner
///     inner   = "map(" basic "," literal ")" | basic
///     basic   = name [ "[" digits "]" ]
///     literal = "'" ... "'" | '"' ... '"'        (no escapes, no blanks outside of literals)
base::expected<Macro, MacroError> parse(std::string_view text);

}  // namespace provisioner::macros
