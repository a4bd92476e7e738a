#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace provisioner::model {

/// Ports of one protocol.
struct PortRange {
    /// "tcp" or "udp".
    std::string protocol{};
    /// 1 to 65535.
    int first = 0;
    /// At least `first`.
    int last = 0;

    bool operator==(const PortRange&) const = default;
};

/// Reads "80/tcp" or "8000-8100/udp"; nothing for other texts.
std::optional<PortRange> port_range_in(std::string_view text);

}  // namespace provisioner::model
