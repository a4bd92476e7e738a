#pragma once

#include <chrono>

/// Durations that both programs share; daemon/timing.hpp has the daemon's own.
namespace provisioner::programs::timing {

using namespace std::chrono_literals;

/// How often the standby tries to take the instance lock.
constexpr auto lock_poll = 100ms;

/// After most_short_lives children in a row that lived no longer than short_life, the keeper starts
/// none; cron or systemd starts the next keeper within a minute.
constexpr int most_short_lives = 30;
constexpr auto short_life = 1s;

/// A program that has not said by then whether it could work cannot.
constexpr auto trial_limit = 20s;
constexpr auto trial_poll = 10ms;

}  // namespace provisioner::programs::timing
