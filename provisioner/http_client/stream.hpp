#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace provisioner::http_client {

/// A server that takes bytes over TCP and answers nothing, like one of syslog.
struct StreamTarget {
    /// A name or an address; IPv6 without brackets.
    std::string host;
    int port = 0;
    /// Certificate and name are always checked.
    bool is_tls = true;
    /// Path of a PEM file of the only trusted authorities; empty: those of the system.
    std::string authorities;
    /// Longest time for connecting, and again for sending.
    std::chrono::milliseconds limit{10'000};
};

/// Connects, sends all bytes and closes. Returns why that failed; empty when the other side's
/// system has taken every byte and did not break the connection. Such a protocol has no
/// acknowledgement of its own, so a receiver that dies with bytes unread may have lost them;
/// without TLS that is noticed, because the end of the connection is awaited. Blocks the thread. No
/// proxy is used.
std::string send_stream(const StreamTarget& target, std::string_view bytes);

}  // namespace provisioner::http_client
