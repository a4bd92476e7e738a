#pragma once

#include <functional>

#include "provisioner/base/log.hpp"

namespace provisioner::daemon {

/// Runs `work` in a child process, and again in a new one whenever a signal ended the last (a
/// crash, kill -9); returns what `work` returned once it did. SIGTERM and SIGINT go on to the
/// child. Gives up after a few children that lived only seconds: then the next minute of cron is
/// soon enough. A child outlives a keeper that is killed. Call before any thread starts; throws
/// std::runtime_error when there can be no child.
int keep_running(const std::function<int()>& work, const base::Log& log);

}  // namespace provisioner::daemon
