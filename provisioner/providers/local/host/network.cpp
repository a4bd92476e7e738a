#include "provisioner/providers/local/host/network.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <vector>

#include "provisioner/providers/local/host/isolation/id_range.hpp"
#include "provisioner/providers/local/host/limits.hpp"
#include "provisioner/providers/local/host/processes.hpp"

namespace provisioner::providers::local {
namespace fs = std::filesystem;

namespace {

const fs::path claims = "/run/cooperage/networks";

FileLock lock_claims() {
    fs::create_directories(claims);
    return FileLock(claims.string() + ".lock", LockKind::exclusive);
}

fs::path claim_of(int network) {
    return claims / std::to_string(network);
}

/// The state directory that has claimed the network; empty if none has.
std::string owner_of(int network) {
    std::error_code none;
    return fs::read_symlink(claim_of(network), none).string();
}

bool exists(const std::string& interface) {
    return if_nametoindex(interface.c_str()) != 0;
}

void ip(const std::string& lines) {
    run_tool({"ip", "-batch", "-"}, lines);
}

/// Another process, or the kernel with a dying namespace, may delete it at the same time. That is
/// no failure.
void delete_interface(const std::string& name) {
    if (!exists(name)) return;
    try {
        ip("link del dev " + name + "\n");
    } catch (const Failure&) {
        if (exists(name)) throw;
    }
}

/// Whether an interface other than the network's own bridge has an address in its range.
bool is_used_elsewhere(int network) {
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) != 0) fail("cannot list the machine's addresses");
    bool used = false;
    for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
        if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
        const auto* address = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
        if (one->ifa_name == bridge_of(network)) continue;
        used = used || lies_in(ntohl(address->sin_addr.s_addr), network);
    }
    freeifaddrs(list);
    return used;
}

/// Removes what a state directory has left on this machine, also if it was deleted by hand. Hosts
/// go first, because they hold the other ends of the cables.
void remove_traces(int network, const std::string& owner) {
    for (const ProcessId& host : hosts_of(owner)) end_process(host);
    std::vector<std::string> cables;
    std::error_code none;
    for (const auto& port :
         fs::directory_iterator(fs::path("/sys/class/net") / bridge_of(network) / "brif", none)) {
        cables.push_back(port.path().filename());
    }
    for (const std::string& cable : cables) delete_interface(cable);
    delete_interface(bridge_of(network));
    remove_groups_below(bridge_of(network));
    release_all_ids(owner);
}

/// Takes the network if it is free. The lock of the claims must be held: between the look at the
/// owner and the new link nobody else may claim it.
bool claim(int network, const StateDir& dir) {
    const std::string owner = owner_of(network);
    if (!owner.empty()) {
        if (fs::exists(fs::path(owner) / "network")) return false;
        remove_traces(network, owner);
        unlink(claim_of(network).c_str());
    }
    // An unclaimed bridge may belong to a container that shares our network but not our /run.
    if (exists(bridge_of(network)) || is_used_elsewhere(network)) return false;
    return symlink(dir.path().c_str(), claim_of(network).c_str()) == 0;
}

int claim_any(const StateDir& dir) {
    for (int network = 0; network < network_count; ++network) {
        if (!claim(network, dir)) continue;
        replace_file(dir.network(), std::to_string(network) + "\n");
        return network;
    }
    throw Failure("no network is left for local hosts: all of 10.77.0.0/16 is in use (see " +
                  claims.string() + ")");
}

/// Whatever the machine does as a router for others: nothing comes from hosts but what is for it,
/// and from their own addresses. Where settings are read-only, they stay as they are.
void refuse_to_route(const std::string& bridge) {
    const auto set = [&](const char* protocol, const char* name, const char* value) {
        const fs::path settings = fs::path("/proc/sys/net") / protocol / "conf" / bridge;
        try {
            write_into(settings / name, value);
        } catch (const Failure& failure) {
            if (fs::exists(settings))
                std::cerr << "cooperage-local-host: " << failure.what() << "\n";
        }
    };
    set("ipv4", "forwarding", "0");
    set("ipv4", "rp_filter", "1");
    set("ipv6", "disable_ipv6", "1");
}

void ensure_bridge(int network) {
    const std::string bridge = bridge_of(network);
    if (!exists(bridge)) ip("link add name " + bridge + " type bridge\n");
    const std::string address = address_of({network, 1}) + "/" + std::to_string(prefix_bits);
    ip("addr replace " + address + " dev " + bridge + "\nlink set dev " + bridge + " up\n");
    refuse_to_route(bridge);
}

int number_claimed_by(const StateDir& dir) {
    for (int network = 0; network < network_count; ++network) {
        if (owner_of(network) == dir.path()) return network;
    }
    return -1;
}

}  // namespace

int claimed_network(const StateDir& dir) {
    return fs::exists(dir.network()) ? number_claimed_by(dir) : -1;
}

int ensure_network(const StateDir& dir) {
    // State directories compete for the same numbers, so choosing one and making its bridge is one
    // turn. The claim is linked before the bridge exists: after a crash between the two the next
    // call makes it.
    const FileLock turn = lock_claims();
    int network = claimed_network(dir);
    if (network < 0) network = claim_any(dir);
    ensure_bridge(network);
    return network;
}

void remove_network(const StateDir& dir) {
    const FileLock turn = lock_claims();
    const int network = number_claimed_by(dir);
    if (network >= 0) {
        remove_traces(network, dir.path());
        unlink(claim_of(network).c_str());
    }
    unlink(dir.network().c_str());
}

void plug_in(Place place, pid_t pid) {
    const std::string cable = cable_of(place);
    ip("link add name " + cable + " type veth peer name eth0 address " + mac_of(place) + " netns " +
       std::to_string(pid) + "\nlink set dev " + cable + " master " + bridge_of(place.network) +
       " up\n");
}

void unplug(Place place) {
    delete_interface(cable_of(place));
}

void set_up_inside(Place place) {
    ip("link set dev lo up\naddr add " + address_of(place) + "/" + std::to_string(prefix_bits) +
       " dev eth0\nlink set dev eth0 up\nroute add default via " + address_of({place.network, 1}) +
       "\n");
}

}  // namespace provisioner::providers::local
