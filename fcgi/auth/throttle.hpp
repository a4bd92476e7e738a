#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "provisioner/base/clock.hpp"

namespace fcgi::auth {

/// Makes guessing slow: whoever failed `most_failures` times within a minute has to wait for the
/// rest of it. Counts for itself in each process. May be used from any thread.
class Throttle {
 public:
    static constexpr int most_failures = 60;
    static constexpr std::chrono::seconds window{60};

    /// The clock must outlive it.
    explicit Throttle(const provisioner::base::Clock& clock) : clock_(clock) {}

    /// How long `who` has to wait; nothing when another try is allowed.
    std::optional<std::chrono::seconds> wait_of(const std::string& who);

    /// `who` has failed once more.
    void count_failure(const std::string& who);

 private:
    struct Failures {
        provisioner::base::Timestamp began{};
        int count = 0;
    };

    void forget_old(provisioner::base::Timestamp now);

    const provisioner::base::Clock& clock_;
    std::mutex mutex_;
    std::map<std::string, Failures> failures_;
};

}  // namespace fcgi::auth
