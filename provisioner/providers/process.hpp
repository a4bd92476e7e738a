#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// After <utility>: this header of Boost 1.74 uses std::exchange without including it.
#include <boost/asio/awaitable.hpp>

namespace provisioner::providers {

/// A program to run.
struct ProcessRequest {
    /// Path of the program (no search), then its arguments.
    std::vector<std::string> command;
    /// After this the process and its children are killed.
    std::chrono::milliseconds limit{30'000};
    /// So much of each of its outputs is kept, the rest read and thrown away.
    std::size_t most_output = 256 * 1024;
};

/// How it ended.
struct ProcessResult {
    /// 0 to 255; -1 when a signal ended it.
    int exit_code = -1;
    /// The signal that ended it, 0 if none.
    int signal = 0;
    bool timed_out = false;
    std::string out;
    std::string err;
};

/// Runs a program without blocking the loop: no standard input, no descriptor of ours but its two
/// outputs, default signals, its own process group. Waits for the program, not for whatever it
/// leaves running. When the coroutine is destroyed, the program is killed; it is never left a
/// zombie. Throws std::system_error when it cannot be started.
boost::asio::awaitable<ProcessResult> run_process(ProcessRequest request);

}  // namespace provisioner::providers
