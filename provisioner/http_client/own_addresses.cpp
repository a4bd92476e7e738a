#include "provisioner/http_client/own_addresses.hpp"

#include <ifaddrs.h>
#include <netinet/in.h>

#include <cstring>

#include "provisioner/http_client/own_network.hpp"

namespace provisioner::http_client {
namespace ip = boost::asio::ip;

namespace {

bool is_at(const sockaddr& interface, const ip::address& wanted) {
    if (interface.sa_family == AF_INET && wanted.is_v4()) {
        sockaddr_in at{};
        std::memcpy(&at, &interface, sizeof at);
        return wanted.to_v4().to_uint() == ntohl(at.sin_addr.s_addr);
    }
    if (interface.sa_family == AF_INET6 && wanted.is_v6()) {
        sockaddr_in6 at{};
        std::memcpy(&at, &interface, sizeof at);
        const auto bytes = wanted.to_v6().to_bytes();
        return std::memcmp(&at.sin6_addr, bytes.data(), bytes.size()) == 0;
    }
    return false;
}

}  // namespace

bool is_own_address(const ip::address& address) {
    const auto held = held_v4(address);
    const ip::address wanted = held ? ip::address(*held) : address;
    ifaddrs* all = nullptr;
    if (getifaddrs(&all) != 0) return true;
    bool is_own = false;
    for (const ifaddrs* one = all; one != nullptr && !is_own; one = one->ifa_next) {
        is_own = one->ifa_addr != nullptr && is_at(*one->ifa_addr, wanted);
    }
    freeifaddrs(all);
    return is_own;
}

bool leads_to_own_network(const ip::address& address) {
    return is_own_network(address) || is_own_address(address);
}

}  // namespace provisioner::http_client
