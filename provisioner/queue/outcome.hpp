#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "provisioner/base/json.hpp"

namespace provisioner::queue {

/// The attempt did its work.
struct Succeeded {
    /// Merged into the node's results at top level.
    base::Json facts = base::Json::object();
    /// Replaces the node's addresses when not empty.
    std::map<std::string, std::string> addresses;
    /// Replaces the node's hostname when not empty.
    std::string hostname;
};

/// The attempt failed.
struct Failed {
    /// A sentence for people: what failed and the tool's last words.
    std::string message;
    /// Exit code or the wire contract's status; 200 to 299 means that no machine was made.
    int status_code = 1;
    /// Last characters of both streams.
    std::string stdout_tail;
    std::string stderr_tail;
    /// When to try again; nothing: never.
    std::optional<std::chrono::milliseconds> retry_in;
};

/// Nothing is wrong, it just takes time: back to the queue, the attempt goes on.
struct Waiting {
    std::chrono::milliseconds poll_in{1000};
    std::string reason;
    /// Whether the next look gives the output from its beginning, so that what is stored must go.
    bool output_starts_over = false;
};

/// How a worker's turn at a task ended.
using Outcome = std::variant<Succeeded, Failed, Waiting>;

}  // namespace provisioner::queue
