#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "provisioner/queue/outcome.hpp"

namespace provisioner::queue {

/// Why an attempt failed, as far as it decides about another one.
enum class Cause {
    /// A command on the node ended badly or took too long: it may have met a passing trouble.
    step,
    /// apt or dpkg was busy with something else, on a fresh machine usually its own first update.
    apt_locked,
    /// The connection to the node or the provider was lost for longer than we wait within an
    /// attempt.
    network,
    /// sshd closed the connection before its greeting: it is starting, or drops bursts.
    no_banner,
    /// The provider said "not now".
    provider_busy,
    /// The machine did not come up or go in time.
    machine_late,
    /// The provider said "no".
    provider_refused,
    /// A macro of the configuration cannot be expanded.
    macro,
    /// The node shows another host key than the one we know.
    host_key,
    /// What the catalogue or this daemon has does not fit the task.
    definition,
    /// What the attempt's steps are made of changed while they were under way.
    changed,
    /// Another worker has the task now.
    taken_over,
    /// A person has aborted the job.
    aborted,
    /// The database refused to store how the attempt ended.
    unstorable,
    /// Who is to be called back could not be reached or did not say that it was received.
    callback,
};

/// How often a task is tried in all after failures of a cause, and how long the pauses are: the
/// first, doubled from try to try up to the longest.
struct RetryRule {
    Cause cause;
    int tries;
    std::chrono::milliseconds first;
    std::chrono::milliseconds longest;
};

/// The one table of what is worth another try. Three tries are the wire contract's.
inline constexpr std::array retry_rules{
    RetryRule{Cause::step, 3, std::chrono::seconds{2}, std::chrono::minutes{5}},
    RetryRule{Cause::apt_locked, 10, std::chrono::seconds{5}, std::chrono::seconds{60}},
    RetryRule{Cause::network, 3, std::chrono::seconds{2}, std::chrono::minutes{5}},
    RetryRule{Cause::no_banner, 6, std::chrono::seconds{1}, std::chrono::seconds{30}},
    RetryRule{Cause::provider_busy, 3, std::chrono::seconds{2}, std::chrono::minutes{5}},
    RetryRule{Cause::machine_late, 3, std::chrono::seconds{2}, std::chrono::minutes{5}},
    RetryRule{Cause::provider_refused, 1, {}, {}},
    RetryRule{Cause::macro, 1, {}, {}},
    RetryRule{Cause::host_key, 1, {}, {}},
    RetryRule{Cause::definition, 1, {}, {}},
    // As many as anything else may have used up before.
    RetryRule{Cause::changed, 10, std::chrono::seconds{1}, std::chrono::seconds{1}},
    RetryRule{Cause::unstorable, 3, std::chrono::seconds{2}, std::chrono::minutes{5}},
    RetryRule{Cause::taken_over, 1, {}, {}},
    RetryRule{Cause::aborted, 1, {}, {}},
    // A day and a half in all.
    RetryRule{Cause::callback, 45, std::chrono::seconds{5}, std::chrono::hours{1}},
};

/// Time until the try after try number `tries` (from 1), within 20 % above the rule's pause as
/// `jitter` in [0, 1) says; nothing when that was the last one. Source: AWS Architecture Blog,
/// "Exponential Backoff and Jitter".
std::optional<std::chrono::milliseconds> retry_in(Cause cause, int tries, double jitter);

/// What people read behind the reason of try number `tries` when another one follows after
/// `pause`: " (try 1 of 3, the next one after 2 s)".
std::string about_next_try(Cause cause, int tries, std::chrono::milliseconds pause);

/// The failure of try number `tries`, with what people read of the next one. `jitter` as above.
Failed failure(Cause cause, int tries, double jitter, std::string message, int status_code);

/// `apt_locked` when what a command printed says that it could not get a lock of apt or dpkg, else
/// `step`.
Cause cause_of_step(std::string_view printed);

/// `no_banner` when a lost connection's message says so, else `network`.
Cause cause_of_outage(std::string_view message);

}  // namespace provisioner::queue
