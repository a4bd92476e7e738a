#include "provisioner/providers/local/host/network/bridges.hpp"

#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <iostream>

#include "provisioner/base/ids.hpp"
#include "provisioner/providers/local/host/network/connections.hpp"
#include "provisioner/providers/local/host/network/firewall.hpp"
#include "provisioner/providers/local/host/network/rules.hpp"

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

bool exists(const std::string& interface) {
    return if_nametoindex(interface.c_str()) != 0;
}

void ip(const std::string& lines) {
    run_tool({"ip", "-batch", "-"}, lines);
}

/// Carries out every line. Others, or the kernel with a dying namespace, may remove the same
/// things; who calls looks at what is left.
void ip_whatever_fails(const std::string& lines) {
    try {
        run_tool({"ip", "-force", "-batch", "-"}, lines);
    } catch (const Failure&) {
        return;
    }
}

FileLock lock_network(const StateDir& dir) {
    return {dir.lock_of("network"), LockKind::exclusive};
}

/// Sets it unless it is so. Where settings are read-only, they stay as they are.
void set(const fs::path& setting, const char* value) {
    const auto now = read_file(setting);
    if (!now || trimmed(*now) == value) return;
    try {
        write_into(setting, value);
    } catch (const Failure& failure) {
        std::cerr << "cooperage-local-host: " << failure.what() << "\n";
    }
}

/// Only with rules: without them everything would be routed.
void set_forwarding(const std::string& bridge, bool is_guarded) {
    set(fs::path("/proc/sys/net/ipv4/conf") / bridge / "forwarding", is_guarded ? "1" : "0");
}

/// How many connections the machine's kernel remembers at most. Before the first rules that need
/// it, there may be no such setting.
long most_connections() {
    constexpr long usual = 262144;
    const auto text = read_file("/proc/sys/net/netfilter/nf_conntrack_max");
    return text ? base::parse_number(trimmed(*text)).value_or(usual) : usual;
}

std::string rules_for(int network, const ClusterNetworks& networks,
                      const Installation& installation) {
    return rules_of(
        network, networks,
        {.machine_ports = installation.machine_ports,
         .connections = connections_of_host(most_connections(), installation.most_hosts)});
}

/// Hosts see the whole network beside them. For those of other clusters the machine answers
/// (proxy_arp), and takes what comes on its way or drops it.
void settle(const std::string& bridge, bool is_guarded) {
    const fs::path ipv4 = fs::path("/proc/sys/net/ipv4/conf") / bridge;
    set(fs::path("/proc/sys/net/ipv6/conf") / bridge / "disable_ipv6", "1");
    set(fs::path("/proc/sys/net/ipv4/neigh") / bridge / "proxy_delay", "0");
    set(ipv4 / "rp_filter", "1");
    set(ipv4 / "send_redirects", "0");
    set(ipv4 / "proxy_arp", is_guarded ? "1" : "0");
    set_forwarding(bridge, is_guarded);
}

/// Whoever sets ip_forward sets it for every interface. Bridges that are not there are left out.
void settle_all(int network, const ClusterNetworks& networks, bool is_guarded) {
    for (const auto& [name, cluster] : networks) {
        settle(bridge_of(network, cluster.number), is_guarded);
    }
}

void make_bridge(const std::string& name) {
    const Fd any(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (ioctl(any.get(), SIOCBRADDBR, name.c_str()) != 0 && errno != EEXIST) {
        fail("cannot make the bridge " + name);
    }
}

/// The lines that give the bridge its addresses. The route catches what is for hosts that are not
/// there: nothing of this leaves the machine.
std::string lines_of_bridge(int network, int cluster) {
    const std::string name = bridge_of(network, cluster);
    return "link set dev " + name + " address " + mac_of_bridge(network, cluster) +
           " up\naddr replace " + address_of({network, 1}) + "/32 dev " + name +
           "\nroute replace unreachable " + range_of(network) + "\n";
}

std::string line_of_route(Place place, int cluster) {
    return "route replace " + address_of(place) + "/32 dev " + bridge_of(place.network, cluster) +
           " src " + address_of({place.network, 1}) + "\n";
}

/// The bridge learns no addresses: a host could fill the machine's memory with invented ones, or
/// draw to itself what is for others. It has to be told those that there are (make_known()).
std::string line_of_port(Place place) {
    return "link set dev " + cable_of(place) + " type bridge_slave learning off\n";
}

void make_known(Place place) {
    run_tool(
        {"bridge", "fdb", "replace", mac_of(place), "dev", cable_of(place), "master", "static"});
}

std::optional<ClusterNetworks> kept_networks(const StateDir& dir) {
    const auto text = read_file(dir.cluster_networks());
    return text ? cluster_networks_of(*text) : std::nullopt;
}

void keep(const StateDir& dir, const ClusterNetworks& networks) {
    replace_file(dir.cluster_networks(), text_of(networks), 0600);
}

/// A host that has a cable, with its place.
struct Member {
    Place place;
    /// The task it was made for; later ones know better what their cluster declares.
    long long task = 0;
    ClusterMember member;
};

std::vector<Member> recorded_members(const StateDir& dir, int network) {
    std::vector<Member> members;
    for (const std::string& name : dir.names()) {
        const auto record = dir.load(name);
        const auto place = record ? place_of(record->address) : std::nullopt;
        if (!place || place->network != network || record->process.boot != this_boot()) continue;
        if (!exists(cable_of(*place))) continue;
        members.push_back(
            {.place = *place,
             .task = record->task,
             .member = {
                 .machine = name, .cluster = record->cluster, .open_ports = record->open_ports}});
    }
    std::stable_sort(members.begin(), members.end(),
                     [](const Member& one, const Member& other) { return one.task < other.task; });
    return members;
}

std::string with_commas(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
    return text;
}

/// For state directories of earlier versions, which had one bridge, and for those whose file was
/// lost: puts every cable where it belongs. All are pulled out first, so that never two clusters
/// are on one bridge.
ClusterNetworks put_in_order(const StateDir& dir, int network) {
    const std::vector<Member> members = recorded_members(dir, network);
    std::string lines;
    for (const std::string& name : interfaces_of(network)) {
        const bool is_cable = name.starts_with(name_of(network) + "-");
        lines += is_cable ? "link set dev " + name + " nomaster\n" : "";
    }
    for (const std::string& name : interfaces_of(network)) {
        const bool is_cable = name.starts_with(name_of(network) + "-");
        lines += is_cable ? "" : "link del dev " + name + "\n";
    }
    if (!lines.empty()) ip(lines);
    ClusterNetworks networks;
    for (const Member& one : members) {
        const int cluster = join(networks, one.member);
        const std::string bridge = bridge_of(network, cluster);
        make_bridge(bridge);
        settle(bridge, false);
        ip(lines_of_bridge(network, cluster) + line_of_route(one.place, cluster));
        // It may end at this moment.
        ip_whatever_fails("link set dev " + cable_of(one.place) + " master " + bridge + "\n" +
                          line_of_port(one.place));
        if (exists(cable_of(one.place))) make_known(one.place);
    }
    for (const auto& [name, cluster] : networks) {
        std::cerr << "cooperage-local-host: cluster " << name
                  << " got a network of its own while its hosts run; open: "
                  << (cluster.open_ports.empty() ? "nothing, until its next host starts"
                                                 : with_commas(cluster.open_ports))
                  << std::endl;
    }
    return networks;
}

ClusterNetworks known_networks(const StateDir& dir, int network) {
    auto networks = kept_networks(dir);
    if (!networks) {
        networks = put_in_order(dir, network);
        keep(dir, *networks);
    }
    return *networks;
}

}  // namespace

std::vector<std::string> interfaces_of(int network) {
    std::vector<std::string> names;
    struct if_nameindex* const all = if_nameindex();
    for (const struct if_nameindex* one = all; one != nullptr && one->if_index != 0; ++one) {
        const std::string name = one->if_name;
        const bool is_ours = name == name_of(network) || name.starts_with(bridges_of(network)) ||
                             name.starts_with(name_of(network) + "-");
        if (is_ours) names.push_back(name);
    }
    if (all != nullptr) if_freenameindex(all);
    return names;
}

std::string hold_network(const StateDir& dir, int network, const Installation& installation) {
    const FileLock turn = lock_network(dir);
    const ClusterNetworks networks = known_networks(dir, network);
    const std::string trouble = hold_rules(network, rules_for(network, networks, installation));
    settle_all(network, networks, trouble.empty());
    return trouble;
}

void repair_network(const StateDir& dir, int network) {
    const FileLock turn = lock_network(dir);
    const auto networks = kept_networks(dir);
    if (!networks || !has_rules(network)) return;
    const std::string trouble = hold_last_rules(network);
    settle_all(network, *networks, trouble.empty());
    if (!trouble.empty()) std::cerr << "cooperage-local-host: " << trouble << std::endl;
}

void plug_in(const StateDir& dir, const Plug& plug) {
    const FileLock turn = lock_network(dir);
    const int network = plug.place.network;
    ClusterNetworks networks = known_networks(dir, network);
    const int cluster = join(networks, plug.member);
    keep(dir, networks);
    if (plug.is_guarded) {
        const std::string trouble =
            hold_rules(network, rules_for(network, networks, plug.installation));
        if (!trouble.empty()) throw Failure(trouble);
        forget_connections_of(plug.place);
    }
    const std::string bridge = bridge_of(network, cluster);
    const std::string cable = cable_of(plug.place);
    make_bridge(bridge);
    settle(bridge, plug.is_guarded);
    ip(lines_of_bridge(network, cluster) + "link add name " + cable +
       " type veth peer name eth0 address " + mac_of(plug.place) + " netns " +
       std::to_string(plug.pid) + "\nlink set dev " + cable + " addrgenmode none master " + bridge +
       " up\n" + line_of_port(plug.place) + line_of_route(plug.place, cluster));
    make_known(plug.place);
}

void unplug(const StateDir& dir, Place place, const std::string& machine) {
    const FileLock turn = lock_network(dir);
    ClusterNetworks networks = known_networks(dir, place.network);
    const std::optional<int> empty = leave(networks, machine);
    const std::string cable = cable_of(place);
    const std::string bridge = empty ? bridge_of(place.network, *empty) : "";
    std::string lines;
    if (exists(cable)) lines += "link del dev " + cable + "\n";
    lines += empty ? "link del dev " + bridge + "\n" : "route del " + address_of(place) + "/32\n";
    ip_whatever_fails(lines);
    for (const std::string& name : {cable, bridge}) {
        if (!name.empty() && exists(name)) throw Failure("cannot remove the interface " + name);
    }
    // They would take room of all for days, and whoever makes and removes hosts could take all of
    // it.
    if (has_rules(place.network)) forget_connections_of(place);
    keep(dir, networks);
}

void forget_plug(const StateDir& dir, const std::string& machine) {
    const FileLock turn = lock_network(dir);
    auto networks = kept_networks(dir);
    if (!networks) return;
    leave(*networks, machine);
    keep(dir, *networks);
}

void remove_interfaces(int network) {
    // Cables go with the namespaces of dead hosts, which the kernel may be removing at this moment.
    const std::vector<std::string> names = interfaces_of(network);
    std::string lines;
    for (const std::string& name : names) lines += "link del dev " + name + "\n";
    ip_whatever_fails(lines + "route del unreachable " + range_of(network) + "\n");
    for (const std::string& name : names) {
        if (exists(name)) throw Failure("cannot remove the interface " + name);
    }
    drop_rules(network);
}

}  // namespace provisioner::providers::local
