#pragma once

#include <boost/asio/ip/address.hpp>

namespace provisioner::http_client {

/// Whether the address is one of this host's interfaces, as they are now. True if the kernel does
/// not say. IPv4 addresses written as IPv6 ones count as what they are. Takes some microseconds.
bool is_own_address(const boost::asio::ip::address& address);

/// Whether people who only name a server must not lead the daemon there: is_own_network() or
/// is_own_address().
bool leads_to_own_network(const boost::asio::ip::address& address);

}  // namespace provisioner::http_client
