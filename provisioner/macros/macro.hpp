#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "provisioner/macros/expand.hpp"

namespace provisioner::macros {

/// What a macro speaks about.
enum class Subject {
    cluster_owner,
    host_self,
    host_service,
    ip_self,
    ip_service,
    num_service,
    instance_self_service
};

/// One macro, taken apart: `%join(map(ip.access_v4.service.db[0],'$:3306'),' ')%`.
struct Macro {
    Subject subject = Subject::cluster_owner;
    /// Of the ip subjects.
    std::string address_type = "bind_v4";
    /// Empty for the subjects that name no service.
    std::string service;
    /// Zero-based in order of nodenum; used by host_service and ip_service.
    std::optional<int> index;
    /// The format of map(): '$' stands for the value, "$$" for one '$'.
    std::optional<std::string> format;
    /// What join() puts between values.
    std::string separator = ",";

    bool operator==(const Macro&) const = default;
};

/// Parses what stands between two '%'. The syntax of the whole is checked before the name;
/// positions in messages are zero-based in `text`.
base::expected<Macro, MacroError> parse(std::string_view text);

}  // namespace provisioner::macros
