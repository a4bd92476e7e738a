#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "provisioner/base/clock.hpp"

namespace provisioner::providers::cloud {

/// How many calls of one kind an account allows.
struct Lane {
    /// Which account: a fingerprint without secrets (account_key()). At most 64 characters.
    std::string account;
    /// Kind of call: "read", "create". Each is counted apart. At most 32 characters.
    std::string kind;
    /// Calls a second, above 0.
    double per_second = 10;
    /// Calls that may go at once after a pause, at least 1.
    int burst = 10;
};

/// Shares what an account allows among all that call it: the loops of a daemon, and the daemons of
/// the installation. Any thread.
class RateLimits {
 public:
    virtual ~RateLimits() = default;

    /// Takes the next call of the lane when it is due within `patience`, and returns the wait
    /// before it. A result above `patience` means that nothing was taken; ask again about that
    /// time. Of many that ask at once each is told another one, so that they come one by one.
    virtual boost::asio::awaitable<std::chrono::milliseconds> take(
        Lane lane, std::chrono::milliseconds patience) = 0;

    /// No call of the lane for so long: the cloud said so. Shortens nothing.
    virtual boost::asio::awaitable<void> pause(Lane lane, std::chrono::milliseconds length) = 0;
};

/// The time at which the next call is due ("generic cell rate algorithm"): one number a lane.
/// Source: ITU-T I.371, appendix; also https://brandur.org/rate-limiting.
struct DueTime {
    /// When the lane would be idle.
    base::Timestamp idle_at{};

    /// The wait before the next call at `now`, without taking it.
    std::chrono::microseconds wait(const Lane& lane, base::Timestamp now) const;
    /// Counts `calls`.
    void take(const Lane& lane, base::Timestamp now, int calls = 1);
    /// Makes the next call due after `length` at the earliest.
    void pause(const Lane& lane, base::Timestamp now, std::chrono::milliseconds length);
};

/// Limits of one process, in memory. The daemon uses it while the database is away; tests use it.
/// Forgets lanes that are idle, so memory stays bounded by the lanes in use.
class LocalRateLimits final : public RateLimits {
 public:
    /// The clock must outlive it.
    explicit LocalRateLimits(const base::Clock& clock) : clock_(clock) {}

    boost::asio::awaitable<std::chrono::milliseconds> take(
        Lane lane, std::chrono::milliseconds patience) override;
    boost::asio::awaitable<void> pause(Lane lane, std::chrono::milliseconds length) override;

    /// The same without a coroutine.
    std::chrono::milliseconds take_now(const Lane& lane, std::chrono::milliseconds patience);
    void pause_now(const Lane& lane, std::chrono::milliseconds length);

 private:
    DueTime& due(const Lane& lane);

    const base::Clock& clock_;
    std::mutex mutex_;
    std::map<std::pair<std::string, std::string>, DueTime> due_;
};

}  // namespace provisioner::providers::cloud
