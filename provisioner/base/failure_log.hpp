#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "provisioner/base/log.hpp"

namespace provisioner::base {

/// Logs something that fails again and again, twice a second through a long outage, so that the log
/// stays readable: the first failure at once, then one line a minute, and that it works again. For
/// one thread at a time.
class FailureLog {
 public:
    using Moment = std::chrono::steady_clock::time_point;

    /// `event` as in "claim.failed", `again` as in "claim.works_again"; both literals. `which` is a
    /// field of every line, where several things fail under one event. `log` must outlive it.
    FailureLog(const Log& log, std::string_view event, std::string_view again,
               std::optional<LogField> which = std::nullopt)
        : log_(log), event_(event), again_(again), which_(std::move(which)) {}

    /// It failed. Logs the error with the number of failures since it last worked.
    void failed(const std::string& error, Moment now = std::chrono::steady_clock::now());

    /// It worked. Logs for how long it had failed, if it had.
    void worked(Moment now = std::chrono::steady_clock::now());

 private:
    const Log& log_;
    std::string_view event_;
    std::string_view again_;
    std::optional<LogField> which_;
    /// Since it last worked.
    int failures_ = 0;
    Moment first_{};
    Moment logged_{};
};

}  // namespace provisioner::base
