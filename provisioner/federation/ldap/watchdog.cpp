#include "provisioner/federation/ldap/watchdog.hpp"

#include <sys/socket.h>

namespace provisioner::federation {

Watchdog::~Watchdog() {
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Watchdog::arm(const Deadline& deadline) {
    {
        const std::lock_guard lock(mutex_);
        until_ = std::chrono::steady_clock::now() + deadline.left();
    }
    changed_.notify_all();
}

void Watchdog::disarm() {
    const std::lock_guard lock(mutex_);
    until_.reset();
}

// With a network time-out libldap 2.5 shakes hands by reads that do not block, one after the other,
// which takes a whole processor while the server is silent. It is for the connecting only.
int Watchdog::begin(LDAP* ldap, Sockbuf* buffer, LDAPURLDesc*, sockaddr*, ldap_conncb* callbacks) {
    auto* self = static_cast<Watchdog*>(callbacks->lc_arg);
    const std::lock_guard lock(self->mutex_);
    ber_sockbuf_ctrl(buffer, LBER_SB_OPT_GET_FD, &self->socket_);
    const timeval none{.tv_sec = -1, .tv_usec = 0};
    ldap_set_option(ldap, LDAP_OPT_NETWORK_TIMEOUT, &none);
    return 0;
}

void Watchdog::end(LDAP*, Sockbuf*, ldap_conncb* callbacks) {
    auto* self = static_cast<Watchdog*>(callbacks->lc_arg);
    const std::lock_guard lock(self->mutex_);
    self->socket_ = -1;
}

void Watchdog::run() {
    std::unique_lock lock(mutex_);
    while (!is_over_) {
        if (!until_) {
            changed_.wait(lock);
        } else if (std::chrono::steady_clock::now() < *until_) {
            changed_.wait_until(lock, *until_);
        } else {
            if (socket_ >= 0) shutdown(socket_, SHUT_RDWR);
            until_.reset();
        }
    }
}

}  // namespace provisioner::federation
