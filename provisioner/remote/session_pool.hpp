#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "provisioner/remote/session.hpp"

namespace provisioner::remote {

/// How patiently a SessionPool connects and how long it keeps sessions.
struct PoolOptions {
    /// The longest time of one attempt to connect; the rest of acquire()'s patience bounds it too.
    std::chrono::milliseconds attempt{20'000};
    /// The pause after the first failed attempt. It doubles after each further one, up to
    /// `longest_pause`. Each pause is multiplied by a random factor in [0.5, 1.5), so that many
    /// nodes are not tried at the same moment: sshd drops logins above its MaxStartups.
    std::chrono::milliseconds first_pause{250};
    std::chrono::milliseconds longest_pause{5'000};
    /// How long an unused session is kept before close_idle() closes it.
    std::chrono::minutes idle_limit{5};
    /// Returns a random number in [0, 1); called before each pause. Empty: the pool takes a
    /// generator of its own.
    std::function<double()> jitter;
};

/// Keeps sessions open between steps, because a login costs a node more processor time than a step.
/// Sessions are kept by address, port, user, host key and the keys to log in with: a session is for
/// those alone who could have made it. Two tenants may name the same address. A kept session is
/// free when the pool holds the only reference to it; so giving one back needs no call and cannot
/// be forgotten.
///
/// One pool per event loop: it has no locks, and all calls must come from that loop's thread.
class SessionPool {
 public:
    /// A time of the clock that idle times are measured with.
    using Moment = std::chrono::steady_clock::time_point;

    /// `connector` must outlive the pool.
    explicit SessionPool(Connector& connector, PoolOptions options = {});

    /// A session for the caller alone: a kept one that is free and alive, else a new one. It
    /// becomes free again when the caller's last reference goes. After a TransportError the pool
    /// connects again until `patience` has passed, then throws the last error. At least one attempt
    /// is made. UntrustedHost is thrown at once.
    boost::asio::awaitable<std::shared_ptr<Session>> acquire(Endpoint endpoint,
                                                             std::chrono::milliseconds patience);

    /// Removes the sessions to this address from the pool, because its machine is deleted. A
    /// session in use stays open until its holder lets it go.
    void drop(const std::string& address);

    /// Closes free sessions that are dead or have been unused for `idle_limit`. The daemon calls it
    /// at regular intervals (timing::close_idle_every). An idle time begins with the first call
    /// that finds the session free. Linear in the number of sessions.
    void close_idle(Moment now);

    /// Number of sessions kept, those in use included.
    std::size_t size() const { return kept_.size(); }

 private:
    /// Address, port, user, host key, SHA-256 of the keys to log in with. The address comes first,
    /// so drop() finds its sessions by a range.
    using Place = std::tuple<std::string, int, std::string, std::string, std::string>;
    /// A session of the pool.
    struct Kept {
        std::shared_ptr<Session> session;
        /// When close_idle() first found it free; the zero moment while it is in use.
        Moment idle_since{};
    };

    /// The key of the endpoint's sessions. A session of a first contact, whose endpoint knew no
    /// host key, is kept under the key that the host showed. Comments of keys do not count.
    static Place place_of(const Endpoint& endpoint);
    /// A free and alive session of that place, or null. Removes the dead ones it meets.
    std::shared_ptr<Session> take_kept(const Endpoint& endpoint);
    /// The loop of attempts behind acquire(). Adds nothing to the pool.
    boost::asio::awaitable<std::shared_ptr<Session>> connect(Endpoint endpoint,
                                                             std::chrono::milliseconds patience);

    Connector& connector_;
    PoolOptions options_;
    /// Ordered by place, because thousands of nodes are looked up one after the other.
    std::multimap<Place, Kept> kept_;
};

}  // namespace provisioner::remote
