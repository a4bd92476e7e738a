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

/// How long the pool tries and keeps.
struct PoolOptions {
    /// One attempt to connect.
    std::chrono::milliseconds attempt{20'000};
    /// The pause after the first failed attempt; it doubles up to `longest_pause`, each spread over
    /// +-50 %.
    std::chrono::milliseconds first_pause{250};
    std::chrono::milliseconds longest_pause{5'000};
    /// How long an unused session is kept.
    std::chrono::minutes idle_limit{5};
    /// Random numbers in [0, 1).
    std::function<double()> jitter;
};

/// Keeps sessions open between steps. One pool per event loop: no locks, and everything runs on
/// that loop's thread.
class SessionPool {
 public:
    using Moment = std::chrono::steady_clock::time_point;

    /// `connector` must outlive the pool.
    explicit SessionPool(Connector& connector, PoolOptions options = {});

    /// A session nobody else holds: a kept one that is alive, else a new one. It goes back to the
    /// pool when its last holder lets go. Tries again after a TransportError until `patience` has
    /// passed, then throws the last one; UntrustedHost is thrown at once.
    boost::asio::awaitable<std::shared_ptr<Session>> acquire(Endpoint endpoint,
                                                             std::chrono::milliseconds patience);

    /// Forgets the sessions to this address: the machine is gone. Who holds one keeps it until the
    /// end.
    void drop(const std::string& address);

    /// Closes the sessions that are dead or have been unused for `idle_limit`. To be called every
    /// now and then; an idle time begins with the first call that finds a session unused.
    void close_idle(Moment now);

    /// How many sessions are kept, those in use included.
    std::size_t size() const { return kept_.size(); }

 private:
    /// Address, port, user, host key.
    using Place = std::tuple<std::string, int, std::string, std::string>;
    struct Kept {
        std::shared_ptr<Session> session;
        Moment idle_since{};
    };

    static Place place_of(const Endpoint& endpoint);
    std::shared_ptr<Session> take_kept(const Endpoint& endpoint);
    boost::asio::awaitable<std::shared_ptr<Session>> connect(Endpoint endpoint,
                                                             std::chrono::milliseconds patience);

    Connector& connector_;
    PoolOptions options_;
    /// By place, because a thousand nodes are asked for one after the other.
    std::multimap<Place, Kept> kept_;
};

}  // namespace provisioner::remote
