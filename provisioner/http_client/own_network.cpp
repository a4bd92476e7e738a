#include "provisioner/http_client/own_network.hpp"

#include <algorithm>
#include <array>

#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>

namespace provisioner::http_client {
namespace ip = boost::asio::ip;

namespace {

bool is_own(ip::address_v4 address) {
    static const std::array networks{
        ip::make_network_v4("0.0.0.0/8"), ip::make_network_v4("127.0.0.0/8"),
        ip::make_network_v4("169.254.0.0/16"),
        // Hosts of the provider `local`: tenants, who are on this machine.
        ip::make_network_v4("10.77.0.0/16"),
        // Metadata and agents: Azure, Oracle, Alibaba.
        ip::make_network_v4("168.63.129.16/32"), ip::make_network_v4("192.0.0.192/32"),
        ip::make_network_v4("100.100.100.200/32")};
    return std::any_of(networks.begin(), networks.end(), [&](const ip::network_v4& network) {
        return ip::network_v4(address, network.prefix_length()).canonical() == network;
    });
}

/// An IPv4 address in the last four bytes.
ip::address_v4 last_part(const ip::address_v6::bytes_type& bytes) {
    return ip::address_v4({bytes[12], bytes[13], bytes[14], bytes[15]});
}

bool is_own(const ip::address_v6& address) {
    // Metadata: EC2, Google.
    static const std::array metadata{ip::make_address_v6("fd00:ec2::254"),
                                     ip::make_address_v6("fd20:ce::254")};
    if (address.is_link_local()) return true;
    if (std::find(metadata.begin(), metadata.end(), address) != metadata.end()) return true;
    const auto held = held_v4(address);
    return held && is_own(*held);
}

}  // namespace

std::optional<ip::address_v4> held_v4(const ip::address& address) {
    if (address.is_v4()) return address.to_v4();
    const auto bytes = address.to_v6().to_bytes();
    // ::/96 has ::, ::1 and a form of IPv4 addresses that is no longer used; then mapped ones
    // (::ffff:0:0/96) and those of a translator (64:ff9b::/96).
    const auto begins_with = [&](std::array<unsigned char, 12> prefix) {
        return std::equal(prefix.begin(), prefix.end(), bytes.begin());
    };
    const bool holds_v4 = begins_with({}) ||
                          begins_with({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255}) ||
                          begins_with({0, 0x64, 0xff, 0x9b});
    return holds_v4 ? std::optional(last_part(bytes)) : std::nullopt;
}

bool is_own_network(const ip::address& address) {
    return address.is_v4() ? is_own(address.to_v4()) : is_own(address.to_v6());
}

}  // namespace provisioner::http_client
