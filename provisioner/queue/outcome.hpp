#pragma once

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "provisioner/base/json.hpp"
#include "provisioner/base/words.hpp"

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

/// What a turn at a task found out about an outage: that the node, the provider or what the task is
/// made of could not be reached.
enum class Outage {
    /// There is none: the other side answered.
    none,
    /// The other side answered during this turn, and then no longer.
    begins,
    /// The other side did not answer during this turn.
    goes_on,
};

/// How long an attempt has been in an outage, over all of its turns.
struct OutageSoFar {
    /// Since the other side was last heard, by the database's clock.
    std::chrono::milliseconds age{0};
    /// Turns that did not reach it.
    int turns = 0;

    bool operator==(const OutageSoFar&) const = default;
};

/// Nothing is wrong, it just takes time: back to the queue, the attempt goes on.
struct Waiting {
    std::chrono::milliseconds poll_in{1000};
    std::string reason;
    /// Whether the next look gives the output from its beginning, so that what is stored must go.
    bool output_starts_over = false;
    Outage outage = Outage::none;
};

/// How a worker's turn at a task ended.
using Outcome = std::variant<Succeeded, Failed, Waiting>;

/// The outcome as any server takes it, whatever a node or a provider put into it: every text is
/// UTF-8 without NUL and cut to what its column holds, facts are neither deep nor large, a hostname
/// that is none is left out. What is valid and within the bounds stays as it is.
///
/// Bounds in bytes: messages and reasons 8 KiB, tails 8 KiB each, an address and its type 255, a
/// fact with its name 64 KiB, all facts together 256 KiB. Facts are nested at most 20 levels deep,
/// of the 32 that MariaDB's JSON_VALID allows. A fact beyond them is replaced by a text that says
/// so.
Outcome storable(Outcome outcome);

}  // namespace provisioner::queue

namespace provisioner::base {

using namespace std::string_view_literals;

template <>
inline constexpr std::array words<queue::Outage>{
    std::pair{queue::Outage::none, "none"sv},
    std::pair{queue::Outage::begins, "begins"sv},
    std::pair{queue::Outage::goes_on, "goes_on"sv},
};

}  // namespace provisioner::base
