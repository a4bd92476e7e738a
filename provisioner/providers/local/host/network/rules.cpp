#include "provisioner/providers/local/host/network/rules.hpp"

#include <algorithm>
#include <compare>

#include "provisioner/model/catalogue/ports.hpp"
#include "provisioner/providers/local/host/network/addresses.hpp"

namespace provisioner::providers::local {

namespace {

/// Hooks come before those of the machine's own tables, which only see what is left. Nothing routes
/// broadcasts, nor IPv6, which bridges do not speak: both come through within one bridge only.
constexpr auto frame = R"(add table inet @table
delete table inet @table
table inet @table {
    set talkers { type ipv4_addr; flags dynamic; size 4096; }
    chain input {
        type filter hook input priority filter - 10; policy accept;
        iifname "@bridges*" jump to_machine
    }
    chain to_machine {
        jump unforged
        ct state established,related accept
        icmp type echo-request limit rate 100/second accept
@machine        drop
    }
    chain forward {
        type filter hook forward priority filter - 10; policy accept;
        iifname "@bridges*" meta pkttype { broadcast, multicast } accept
        iifname "@bridges*" fib daddr . iif oif exists accept
        iifname "@bridges*" oifname "@bridges*" meta nfproto ipv6 accept
        iifname "@bridges*" jump from_host
        oifname "@bridges*" jump to_host
        iifname "@bridges*" drop
    }
    chain from_host {
        jump unforged
        ct state established,related accept
    }
    chain to_host {
        ct state established,related accept
@open        drop
    }
    chain counted {
        iifname "@bridges*" ct state new add @talkers { ip saddr ct count over @most } drop
        accept
    }
    chain unforged {
        ip saddr != @range drop
        fib saddr . iif oif missing drop
    }
}
)";

void replace(std::string& text, const std::string& mark, const std::string& value) {
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
        text.replace(at, mark.size(), value);
        at += value.size();
    }
}

struct Ports {
    int first = 0;
    int last = 0;

    auto operator<=>(const Ports&) const = default;
};

/// By protocol, sorted and joined: sets of nftables have no ranges that overlap.
std::map<std::string, std::vector<Ports>> ranges_by_protocol(
    const std::vector<std::string>& texts) {
    std::map<std::string, std::vector<Ports>> all;
    for (const std::string& text : texts) {
        const auto range = model::port_range_in(text);
        if (range) all[range->protocol].push_back({range->first, range->last});
    }
    for (auto& [protocol, ranges] : all) {
        std::sort(ranges.begin(), ranges.end());
        std::vector<Ports> apart;
        for (const Ports& ports : ranges) {
            if (apart.empty() || apart.back().last + 1 < ports.first) {
                apart.push_back(ports);
            } else {
                apart.back().last = std::max(apart.back().last, ports.last);
            }
        }
        ranges = apart;
    }
    return all;
}

/// A line for each protocol: what is in `before` and goes to one of the ports.
std::string lines_for(const std::string& before, const std::vector<std::string>& ports,
                      const std::string& verdict) {
    std::string lines;
    for (const auto& [protocol, ranges] : ranges_by_protocol(ports)) {
        std::string list;
        for (const Ports& range : ranges) {
            if (!list.empty()) list += ", ";
            list += std::to_string(range.first);
            if (range.last != range.first) list += "-" + std::to_string(range.last);
        }
        lines += "        " + before + " " + protocol + " dport { " + list + " } " + verdict + "\n";
    }
    return lines;
}

}  // namespace

std::string table_of(int network) {
    return "cooperage_" + std::to_string(network);
}

std::string rules_of(int network, const ClusterNetworks& clusters,
                     const std::vector<std::string>& machine_ports) {
    std::string open;
    for (const auto& [name, cluster] : clusters) {
        open += lines_for("oifname \"" + bridge_of(network, cluster.number) + "\"",
                          cluster.open_ports, "jump counted");
    }
    std::string text = frame;
    replace(text, "@table", table_of(network));
    replace(text, "@bridges", bridges_of(network));
    replace(text, "@range", range_of(network));
    replace(text, "@most", std::to_string(most_connections_of_host));
    replace(text, "@machine",
            lines_for("ip daddr " + address_of({network, 1}), machine_ports, "accept"));
    replace(text, "@open", open);
    return text;
}

}  // namespace provisioner::providers::local
