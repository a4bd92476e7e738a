#include "provisioner/model/catalogue/ports.hpp"

#include "provisioner/base/ids.hpp"

namespace provisioner::model {

namespace {

constexpr std::int64_t last_port_number = 65535;

}  // namespace

std::optional<PortRange> port_range_in(std::string_view text) {
    const auto slash = text.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const std::string_view protocol = text.substr(slash + 1);
    if (protocol != "tcp" && protocol != "udp") return std::nullopt;
    const std::string_view ports = text.substr(0, slash);
    const auto hyphen = ports.find('-');
    const auto first = base::parse_number(ports.substr(0, hyphen));
    const auto last =
        hyphen == std::string_view::npos ? first : base::parse_number(ports.substr(hyphen + 1));
    if (!first || !last || *first < 1 || *last < *first || *last > last_port_number) {
        return std::nullopt;
    }
    return PortRange{.protocol = std::string(protocol),
                     .first = static_cast<int>(*first),
                     .last = static_cast<int>(*last)};
}

}  // namespace provisioner::model
