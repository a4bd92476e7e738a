#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "provisioner/base/clock.hpp"

namespace fcgi::auth {

/// Slows down guessing of API keys. After `most_failures` failures within one window, `who` must
/// wait for the end of that window. A window begins with its first failure, so the wait is at most
/// one minute.
///
/// At most `most_kept` names are counted. One more makes it forget the name whose window is the
/// oldest, with its failures: inventing names costs no memory, and buys one name a new window.
///
/// It answers from memory, so a good key costs no write. Site also counts failures in the database
/// and tells them here. Passwords are counted by operations::begin_sign_in. Safe to use from any
/// thread.
class Throttle {
 public:
    /// Failures allowed in one window.
    static constexpr int most_failures = 60;
    /// Names counted at once.
    static constexpr std::size_t most_kept = 10'000;
    /// Length of a window.
    static constexpr std::chrono::seconds window{60};

    /// `clock` must outlive it.
    explicit Throttle(const provisioner::base::Clock& clock) : clock_(clock) {}

    /// How long `who` has to wait, rounded up to whole seconds; nothing if another attempt is
    /// allowed. Checking and counting are two calls, so parallel requests may exceed the limit by
    /// their number. Site uses "network user" as `who`, and for tokens the network and the path.
    std::optional<std::chrono::seconds> wait_of(const std::string& who);

    /// Counts one failed attempt of `who`. `elsewhere` is what all processes together have counted;
    /// the larger number holds. Amortised O(log n) for n names.
    void count_failure(const std::string& who, int elsewhere = 0);

    /// Number of names that are counted now, some of them perhaps with a window that has ended.
    std::size_t kept();

 private:
    /// Failures of one window. `began` is the time of the first one.
    struct Failures {
        provisioner::base::Timestamp began{};
        int count = 0;
    };

    using ByName = std::map<std::string, Failures>;

    /// Removes entries whose window has ended. The caller holds mutex_, here and below.
    void forget_old(provisioner::base::Timestamp now);
    /// Removes the first of by_age_, which is not empty.
    void forget_oldest();

    const provisioner::base::Clock& clock_;
    std::mutex mutex_;
    ByName failures_;
    /// Every entry of failures_ once, in the order in which their windows began.
    std::deque<ByName::iterator> by_age_;
};

}  // namespace fcgi::auth
