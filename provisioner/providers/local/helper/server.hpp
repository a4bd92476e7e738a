#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include "provisioner/providers/local/host/command_line.hpp"

namespace provisioner::providers::local {

/// Bytes of a request, its line end included.
inline constexpr std::size_t longest_request = std::size_t{64} * 1024;
/// A client that has not sent its whole request by then is cut off.
inline constexpr std::chrono::seconds request_patience{10};
/// Requests that are carried out at once; the others wait.
inline constexpr std::size_t most_children = 32;
/// Connections that have sent no whole request or wait for a child. Beyond them the backlog of the
/// socket holds clients. A client that was silent for a second has to go first.
inline constexpr std::size_t most_connections = 128;
/// A request that takes longer is killed with the tools that it runs, as its client has given up.
inline constexpr std::chrono::seconds child_limit{120};

/// Seconds between two looks at what others may have changed.
inline constexpr std::chrono::seconds watch_interval{2};

/// Carries out one request, in a child process. Standard output is the client. Returns the exit
/// code of the child.
using CarryOut = std::function<int(const std::string& request)>;

/// Takes requests on the socket of `command` until SIGTERM or SIGINT: then it accepts no more,
/// carries out what arrives whole within a second, waits for its children, and returns. Throws
/// Refusal and Failure if it cannot begin.
///
/// Each connection carries one request, a line, and one answer, which ends with the connection.
/// Only root and the user of `command` are listened to. A request runs in a process of its own with
/// the descriptors of the program as it was started, so a crash ends nothing else. If this process
/// is killed, its children end their work. Whatever a client does, or does not, others are served:
/// this process only collects the bytes of a request and never waits for a single client.
///
/// Only for a program with one thread. Hosts that children make belong to no process here; they
/// survive this one. `closed` is called once, in this process, when nothing is accepted any more:
/// from then on another helper can serve, while the last requests here end.
/// `watch` is called every watch_interval, in a child of its own, never twice at once.
void serve(const ServeCommand& command, const CarryOut& carry_out,
           const std::function<void()>& closed, const std::function<void()>& watch);

}  // namespace provisioner::providers::local
