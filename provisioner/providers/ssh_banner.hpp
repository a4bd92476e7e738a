#pragma once

#include <string>
#include <utility>

// After <utility>: this header of Boost 1.74 uses std::exchange without including it.
#include <boost/asio/awaitable.hpp>

namespace provisioner::providers {

/// Whether an SSH server sends its banner on that port of the address within one second. Connects,
/// reads four bytes and closes. A refused or silent port is false. Throws if the text is no IP
/// address.
boost::asio::awaitable<bool> answers_with_ssh(std::string address, int port = 22);

}  // namespace provisioner::providers
