#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "provisioner/base/expected.hpp"

namespace provisioner::inventory {

/// A host as an INI line names it.
struct NamedHosts {
    std::vector<std::string> names;
    /// The port behind a colon; empty without one.
    std::string port;
};

/// The hosts of "web-[01:20]", "db-[a:c]:2222" or "10.0.0.[1:9:2]": every name of the ranges, at
/// most 10,000. Leading zeros are kept. The error says what is wrong with the pattern.
base::expected<NamedHosts, std::string> hosts_of_pattern(std::string_view pattern);

}  // namespace provisioner::inventory
