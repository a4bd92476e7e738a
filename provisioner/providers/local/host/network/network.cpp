#include "provisioner/providers/local/host/network/network.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
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

/// Whether an interface other than the network's own has an address in its range.
bool is_used_elsewhere(int network) {
    const std::vector<std::string> own = interfaces_of(network);
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) != 0) fail("cannot list the machine's addresses");
    bool used = false;
    for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
        if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
        const auto* address = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
        if (std::find(own.begin(), own.end(), one->ifa_name) != own.end()) continue;
        used = used || lies_in(ntohl(address->sin_addr.s_addr), network);
    }
    freeifaddrs(list);
    return used;
}

/// Removes what a state directory has left on this machine, also if it was deleted by hand. Hosts
/// go first, because they hold the other ends of the cables.
void remove_traces(int network, const std::string& owner) {
    for (const ProcessId& host : hosts_of(owner)) end_process(host);
    remove_interfaces(network);
    remove_groups_below(name_of(network));
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
    if (!interfaces_of(network).empty() || is_used_elsewhere(network)) return false;
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
    // State directories compete for the same numbers.
    const FileLock turn = lock_claims();
    const int network = claimed_network(dir);
    return network < 0 ? claim_any(dir) : network;
}

std::string settle_network(const StateDir& dir, const Installation& installation) {
    const FileLock turn = lock_claims();
    const int network = claimed_network(dir);
    return network < 0 ? "" : hold_network(dir, network, installation);
}

void watch_network(const StateDir& dir) {
    const FileLock turn = lock_claims();
    const int network = claimed_network(dir);
    if (network >= 0) repair_network(dir, network);
}

void remove_network(const StateDir& dir) {
    const FileLock turn = lock_claims();
    const int network = number_claimed_by(dir);
    if (network >= 0) {
        remove_traces(network, dir.path());
        unlink(claim_of(network).c_str());
    }
    for (const fs::path& file : {dir.network(), dir.cluster_networks()}) unlink(file.c_str());
}

void set_up_inside(Place place) {
    const std::string lines = "link set dev lo up\naddr add " + address_of(place) + "/" +
                              std::to_string(prefix_bits) +
                              " dev eth0\nlink set dev eth0 up\nroute add default via " +
                              address_of({place.network, 1}) + "\n";
    run_tool({"ip", "-batch", "-"}, lines);
}

}  // namespace provisioner::providers::local
