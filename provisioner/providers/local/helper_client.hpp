#pragma once

#include <string>
#include <utility>

// After <utility>: this header of Boost 1.74 uses std::exchange without including it.
#include <boost/asio/awaitable.hpp>

namespace provisioner::providers::local {

/// Sends one request (a line) to the helper that listens on `socket`, and returns all it answers,
/// complete or not (protocol.hpp tells). Takes at most 120 s and 16 MiB.
///
/// Throws std::runtime_error that names the socket if the helper cannot be asked, takes longer, or
/// answers more.
boost::asio::awaitable<std::string> ask_helper(std::string socket, std::string request);

}  // namespace provisioner::providers::local
