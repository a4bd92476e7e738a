#pragma once

#include <ldap.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "provisioner/federation/trouble.hpp"

namespace provisioner::federation {

/// Ends calls of libldap that take too long: it shakes hands for TLS without regard to time-outs. A
/// thread shuts the socket down, and the call fails. Once a connection is made, its network
/// time-out is taken away, so that the handshake blocks and does not spin.
class Watchdog {
 public:
    Watchdog() : callbacks_{.lc_add = begin, .lc_del = end, .lc_arg = this} {}
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /// Watches the connections of a handle; it has to outlive them.
    void watch(LDAP* ldap) { ldap_set_option(ldap, LDAP_OPT_CONNECT_CB, &callbacks_); }

    /// Until when the next call has to return.
    void arm(const Deadline& deadline);
    void disarm();

 private:
    static int begin(LDAP* ldap, Sockbuf* buffer, LDAPURLDesc* url, sockaddr* address,
                     ldap_conncb* callbacks);
    static void end(LDAP* ldap, Sockbuf* buffer, ldap_conncb* callbacks);
    void run();

    ldap_conncb callbacks_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_over_ = false;
    int socket_ = -1;
    std::optional<std::chrono::steady_clock::time_point> until_;
    /// Last: it uses the others.
    std::thread thread_{[this] { run(); }};
};

}  // namespace provisioner::federation
