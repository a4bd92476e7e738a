#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "provisioner/base/log.hpp"

namespace provisioner::daemon {

/// Logs something that fails again and again, twice a second through a long outage, so that the log
/// stays readable: the first failure at once, then one line a minute, and that it works again. For
/// one thread.
class FailureLog {
 public:
    using Moment = std::chrono::steady_clock::time_point;

    /// `event` as in "claim.failed", `again` as in "claim.works_again"; both literals. `log` must
    /// outlive it.
    FailureLog(const base::Log& log, std::string_view event, std::string_view again)
        : log_(log), event_(event), again_(again) {}

    /// It failed. Logs the error with the number of failures since it last worked.
    void failed(const std::string& error, Moment now = std::chrono::steady_clock::now());

    /// It worked. Logs for how long it had failed, if it had.
    void worked(Moment now = std::chrono::steady_clock::now());

 private:
    const base::Log& log_;
    std::string_view event_;
    std::string_view again_;
    /// Since it last worked.
    int failures_ = 0;
    Moment first_{};
    Moment logged_{};
};

}  // namespace provisioner::daemon
