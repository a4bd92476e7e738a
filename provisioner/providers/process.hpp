#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// After <utility>: this header of Boost 1.74 uses std::exchange without including it.
#include <boost/asio/awaitable.hpp>

namespace provisioner::providers {

/// A program to run, for providers that work through a command-line tool.
struct ProcessRequest {
    /// Path of the program (PATH is not searched), then its arguments. Must not be empty.
    std::vector<std::string> command;
    /// After this time the program and the other processes of its group are killed.
    std::chrono::milliseconds limit{30'000};
    /// Bytes of each of the two outputs that are kept; the rest is read and dropped, so that the
    /// program never blocks on a full pipe.
    std::size_t most_output = 256 * 1024;
};

/// How the program ended.
struct ProcessResult {
    /// 0 to 255; -1 if a signal ended it.
    int exit_code = -1;
    /// The signal that ended it; 0 if it exited.
    int signal = 0;
    /// Whether it was killed at its limit.
    bool timed_out = false;
    /// The first `most_output` bytes of standard output.
    std::string out;
    /// The first `most_output` bytes of standard error.
    std::string err;
};

/// Runs a program without blocking the loop and returns when it has ended. The program gets our
/// environment, default signals, a process group of its own and an empty standard input. Of our
/// descriptors it gets only its two outputs. Processes that it leaves running are not waited for.
///
/// If the loop is destroyed first, the program is killed and reaped. Throws std::system_error if
/// the program cannot be started.
boost::asio::awaitable<ProcessResult> run_process(ProcessRequest request);

}  // namespace provisioner::providers
