#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

// After <utility>: this header of Boost 1.74 uses std::exchange without including it.
#include <boost/asio/awaitable.hpp>

namespace provisioner::providers::local {

/// Limit of one verb. A start takes a fraction of a second, but many starts at once queue for few
/// processors. The helper gives a request the same time.
inline constexpr std::chrono::seconds verb_limit{120};

/// Bytes of an answer; a host in a list takes a few hundred.
inline constexpr std::size_t longest_answer = std::size_t{16} * 1024 * 1024;

/// Sends one request (a line) to the helper that listens on `socket`, and returns all it answers,
/// complete or not (protocol.hpp tells).
///
/// Throws std::runtime_error that names the socket if the helper cannot be asked, takes longer than
/// `limit`, or answers more than `longest_answer`.
boost::asio::awaitable<std::string> ask_helper(std::string socket, std::string request,
                                               std::chrono::milliseconds limit = verb_limit);

}  // namespace provisioner::providers::local
