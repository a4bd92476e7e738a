#pragma once

#include <chrono>
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
/// Each process counts for itself, in memory. Passwords are not counted here: nginx limits the rate
/// of POST /login. Safe to use from any thread.
class Throttle {
 public:
    /// Failures allowed in one window.
    static constexpr int most_failures = 60;
    /// Length of a window.
    static constexpr std::chrono::seconds window{60};

    /// `clock` must outlive it.
    explicit Throttle(const provisioner::base::Clock& clock) : clock_(clock) {}

    /// How long `who` has to wait, rounded up to whole seconds; nothing if another attempt is
    /// allowed. Checking and counting are two calls, so parallel requests may exceed the limit by
    /// their number. Site uses "address user" as `who`.
    std::optional<std::chrono::seconds> wait_of(const std::string& who);

    /// Counts one failed attempt of `who`. Costs a walk over all entries once there are more than
    /// 10 000.
    void count_failure(const std::string& who);

 private:
    /// Failures of one window. `began` is the time of the first one.
    struct Failures {
        provisioner::base::Timestamp began{};
        int count = 0;
    };

    /// Removes entries whose window has ended. The caller holds mutex_.
    void forget_old(provisioner::base::Timestamp now);

    const provisioner::base::Clock& clock_;
    std::mutex mutex_;
    std::map<std::string, Failures> failures_;
};

}  // namespace fcgi::auth
