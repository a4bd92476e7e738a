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

/// The attempt did its work; the task is done. `facts`, `addresses` and `hostname` may be empty:
/// most tasks report nothing.
struct Succeeded {
    /// A JSON object, merged into the node's results at top level.
    base::Json facts = base::Json::object();
    /// Address type ("access_v4", "bind_v4") -> address; replaces all the node has when not empty.
    std::map<std::string, std::string> addresses;
    /// Replaces the node's hostname when not empty.
    std::string hostname;
};

/// The attempt failed. The task fails for good without `retry_in`; otherwise its next attempt
/// begins later. Usually built by failure() (retry.hpp), which applies the retry rules.
struct Failed {
    /// A sentence for people: what failed and the last line the tool printed.
    std::string message;
    /// Exit code of a step, or a status of the wire contract. 200 to 299 says that a create
    /// certainly made no machine: if that holds for all creates of a job, its cluster ends as
    /// terminated.
    int status_code = 1;
    /// The end of both streams of the failed step, at most 8 KiB each once storable.
    std::string stdout_tail;
    std::string stderr_tail;
    /// Pause before the next attempt; nothing: there is none.
    std::optional<std::chrono::milliseconds> retry_in;
};

/// What one turn at a task found out about an outage. In an outage the node, the provider or the
/// data of the task cannot be reached.
enum class Outage {
    /// The other side answered: an earlier outage is over.
    none,
    /// The other side answered during this turn and then stopped: the outage is counted from now.
    begins,
    /// The other side did not answer during this turn: the outage is one turn longer.
    goes_on,
};

/// The outage an attempt is in, summed over its turns and stored with the attempt, so that it
/// survives a change of daemon. All zero: no outage. daemon::has_lasted_too_long judges it.
struct OutageSoFar {
    /// Time since the other side was last heard, by the database's clock.
    std::chrono::milliseconds age{0};
    /// Turns since then that did not reach it.
    int turns = 0;

    bool operator==(const OutageSoFar&) const = default;
};

/// The turn is over and the attempt goes on: the task returns to the queue and is due again after
/// `poll_in`. Uses up no attempt. Any daemon may have the next turn.
struct Waiting {
    std::chrono::milliseconds poll_in{1000};
    /// Shown as the task's message while it waits; may be empty.
    std::string reason;
    /// Whether the next turn reads the step's output from its beginning. The stored output of the
    /// attempt is deleted then, notes excepted.
    bool output_starts_over = false;
    /// Stored with the attempt when the task is put back.
    Outage outage = Outage::none;
};

/// How a worker's turn at a task ended. Only Failed and Succeeded end the attempt; a turn that was
/// cut off reports nothing, and its claim runs out.
using Outcome = std::variant<Succeeded, Failed, Waiting>;

/// The outcome in a form that MySQL and MariaDB accept, whatever a node or a provider put into it.
/// Every text becomes UTF-8 without NUL and is cut to its bound; a text that is no hostname is
/// dropped. What is valid and within the bounds is left unchanged. Pure; the reporter calls it for
/// every outcome, on the thread that reports it.
///
/// Bounds in bytes: messages and reasons 8 KiB, tails 8 KiB each, an address and its type 255, a
/// fact with its name 64 KiB, all facts together 256 KiB; a hostname 253 (RFC 1035, 2.3.4). Facts
/// are nested at most 20 levels deep, because MariaDB's JSON_VALID allows 32. A fact beyond a bound
/// is replaced by a text that says so; it does not fail the task.
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
