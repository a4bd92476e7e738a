#pragma once

#include <boost/asio/ip/address.hpp>

namespace provisioner::http_client {

/// Whether the address leads to this host itself (loopback, unspecified), to the link it is on, or
/// to where clouds tell their machines about themselves. Services there believe whoever reaches
/// them, so people who only name a server must not lead the daemon there
/// (Request::forbids_own_network). IPv4 addresses written as IPv6 ones count as what they are.
/// Sources: RFC 6890 for the ranges; the clouds' manuals for the single addresses.
bool is_own_network(const boost::asio::ip::address& address);

}  // namespace provisioner::http_client
