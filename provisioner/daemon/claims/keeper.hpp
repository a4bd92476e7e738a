#pragma once

#include <functional>

#include "provisioner/base/log.hpp"

namespace provisioner::daemon {

/// Runs `work` in a child process and starts a new child whenever a signal ended the last one (a
/// crash, kill -9). Tasks then stand still for less than a second instead of until the next minute
/// of cron.
///
/// Returns in two processes: in the child with the result of `work`, and in the keeper with the
/// child's exit code once it exited by itself. The keeper passes SIGTERM and SIGINT on to the child
/// as SIGTERM, and returns 0 when SIGTERM ended it. It gives up with 1 after
/// timing::most_short_lives children in a row that lived no longer than timing::short_life.
///
/// A child outlives a keeper that is killed, and keeps the instance lock. `work` must take that
/// lock itself: a lock taken before the fork would be shared with the keeper. Call it before any
/// thread starts, because fork copies one thread only. Blocks the signals in the keeper and leaves
/// them blocked. Throws std::runtime_error when no process can be started.
int keep_running(const std::function<int()>& work, const base::Log& log);

}  // namespace provisioner::daemon
