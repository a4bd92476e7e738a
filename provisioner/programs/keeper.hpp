#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "provisioner/base/log.hpp"

namespace provisioner::programs {

/// What a keeper does besides keeping a child at work.
struct Keeping {
    /// The work of the child; its result is the exit code. `is_successor` is true in the first
    /// child after a reload, whose predecessor has been asked to end and may still be at work.
    std::function<int(bool is_successor)> work;
    /// Arguments with which the program, as it is now, only looks whether it could work, and exits
    /// with 0 if so. On SIGHUP it is run with them first; otherwise the child goes on.
    std::vector<std::string> trial;
    /// How long the child before a reload may take to end before it is killed.
    std::chrono::seconds predecessor_limit{30};
    /// Called in the keeper when SIGTERM or SIGINT arrives, before it is passed on, and when the
    /// keeper ends. May be called twice, and be empty.
    std::function<void()> ending{};
    /// Whether the child gets SIGTERM when its keeper is killed.
    bool child_ends_with_keeper = false;
    /// What the program finds in its environment after a reload, for example inherited descriptors.
    std::map<std::string, std::string> for_successor{};
};

/// Runs `work` in a child process and starts a new child whenever a signal ended the last one (a
/// crash, kill -9). Work then stands still for less than a second instead of until the next minute
/// of cron.
///
/// Returns in two processes: in the child with the result of `work`, and in the keeper with the
/// child's exit code once it exited by itself. The keeper passes SIGTERM and SIGINT on to the child
/// as SIGTERM, and returns 0 when SIGTERM ended it. It gives up with 1 after
/// timing::most_short_lives children in a row that lived no longer than timing::short_life.
///
/// SIGHUP makes the keeper execute its program anew, with the same arguments and the same pid. So
/// the new child has new settings and, after an upgrade, the new program. The keeper then sends
/// SIGTERM to the old child. A child whose keeper was killed ends on SIGHUP.
///
/// Unless `child_ends_with_keeper`, a child outlives a keeper that is killed, and keeps what it
/// holds. Such a child must take its instance lock itself: a lock taken before the fork would be
/// shared with the keeper. Call it before any thread starts, because fork copies one thread only.
/// Blocks the signals in the keeper and leaves them blocked. Throws std::runtime_error when no
/// process can be started.
int keep_running(const Keeping& keeping, const base::Log& log);

/// No crash of this process, or of those it starts, leaves a core, which would have every secret
/// that is in memory. Others of the same user can neither read nor write its memory.
void leave_no_core();

/// What main() does first: leave_no_core(). SIGHUP waits until keep_running() looks at it, which it
/// would otherwise end.
void begin_process();

}  // namespace provisioner::programs
