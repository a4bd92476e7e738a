#pragma once

#include <boost/asio/ip/address.hpp>
#include <optional>

namespace provisioner::http_client {

/// The IPv4 address that this one is or holds: written as an IPv6 one, or for a translator.
std::optional<boost::asio::ip::address_v4> held_v4(const boost::asio::ip::address& address);

/// Whether the address leads to this host itself (loopback, unspecified), to the link it is on, to
/// hosts of the provider `local` (10.77.0.0/16), or to where clouds tell their machines about
/// themselves. Services there believe whoever reaches them, so people who only name a server must
/// not lead the daemon there (Request::forbids_own_network). IPv4 addresses written as IPv6 ones
/// count as what they are. Pure; own_addresses.hpp has the addresses of its interfaces. Sources:
/// RFC 6890 for the ranges; the clouds' manuals for the single addresses.
bool is_own_network(const boost::asio::ip::address& address);

}  // namespace provisioner::http_client
