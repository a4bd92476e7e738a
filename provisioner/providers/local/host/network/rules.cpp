#include "provisioner/providers/local/host/network/rules.hpp"

#include <algorithm>
#include <compare>

#include "provisioner/model/catalogue/ports.hpp"
#include "provisioner/providers/local/host/network/addresses.hpp"

namespace provisioner::providers::local {

namespace {

/// Hooks come before those of the machine's own tables, which only see what is left. Nothing routes
/// broadcasts, nor IPv6, which bridges do not speak: both come through within one bridge only.
///
/// Flushing a table removes its rules and keeps its sets, so that whoever has many connections is
/// not counted anew whenever a cluster changes what it declares.
///
/// The kernel remembers a connection that is over for a while more without counting it, therefore
/// `brief` and `pace`: see Connections.
constexpr auto frame = R"(add table inet @table
flush table inet @table
table inet @table {
    set talkers { type ipv4_addr; flags dynamic; size 4096; }
    set pace { type ipv4_addr; flags dynamic, timeout; timeout 5m; size 4096; }
    ct timeout brief { protocol tcp; l3proto ip; policy = { time_wait : @brief, close : @brief }; }
    chain unremembered {
        type filter hook prerouting priority raw - 150; policy accept;
        iifname "@bridges*" jump from_cable
    }
    chain from_cable {
        meta nfproto ipv6 notrack accept
        meta pkttype { broadcast, multicast } notrack accept
        fib daddr . iif oif exists notrack accept
        ip frag-off & 0x3fff != 0 drop
    }
    chain input {
        type filter hook input priority filter - 10; policy accept;
        iifname "@bridges*" jump to_machine
    }
    chain to_machine {
        jump unforged
        ct state established,related accept
        icmp type echo-request jump counted
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
        iifname != "@bridges*" accept
        ct state != new drop
        update @pace { ip saddr limit rate over @pace_of/second burst @most packets } drop
        add @talkers { ip saddr ct count over @most } drop
        ip protocol tcp ct timeout set "brief"
        accept
    }
    chain unforged {
        ip saddr != @range drop
        fib saddr . iif oif missing drop
    }
}
)";

/// Seconds that the kernel may remember a connection that is over: those of `brief`, and those
/// until it looks for what has run out (GC_SCAN_INTERVAL_MAX).
constexpr long brief = 2;
constexpr long longest_afterlife = brief + 60;

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

Connections connections_of_host(long most_of_machine, long most_hosts) {
    const long share = most_of_machine / 4 * 3 / std::max(1L, most_hosts);
    Connections each;
    each.at_once = std::clamp(share / 3, 1L, most_connections_of_host);
    each.per_second = std::max(1L, (share - 2 * each.at_once) / longest_afterlife);
    return each;
}

std::string rules_of(int network, const ClusterNetworks& clusters, const Opening& opening) {
    std::string open;
    for (const auto& [name, cluster] : clusters) {
        open += lines_for("oifname \"" + bridge_of(network, cluster.number) + "\"",
                          cluster.open_ports, "jump counted");
    }
    const Connections each = opening.connections;
    std::string text = frame;
    replace(text, "@table", table_of(network));
    replace(text, "@bridges", bridges_of(network));
    replace(text, "@range", range_of(network));
    replace(text, "@brief", std::to_string(brief));
    replace(text, "@pace_of", std::to_string(each.per_second));
    replace(text, "@most", std::to_string(each.at_once));
    replace(
        text, "@machine",
        lines_for("ip daddr " + address_of({network, 1}), opening.machine_ports, "jump counted"));
    replace(text, "@open", open);
    return text;
}

}  // namespace provisioner::providers::local
