#pragma once

#include <string>
#include <utility>

// After <utility>: this header of Boost 1.74 uses std::exchange without including it.
#include <boost/asio/awaitable.hpp>

namespace provisioner::providers::local {

/// Whether an SSH server introduces itself at port 22 of an IPv4 address within a second.
boost::asio::awaitable<bool> answers_with_ssh(std::string address);

}  // namespace provisioner::providers::local
