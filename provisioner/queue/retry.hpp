#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "provisioner/queue/outcome.hpp"

namespace provisioner::queue {

/// Why an attempt failed, in as much detail as the decision about another attempt needs. Each cause
/// has exactly one rule in retry_rules; retry_in() throws std::logic_error for one without.
///
/// The performer chooses the cause where the failure occurs, because only there it is known whether
/// the other side answered. callbacks::Sender uses `callback` for deliveries.
enum class Cause {
    /// A command on the node failed or exceeded its limit; the cause may be temporary.
    step,
    /// A command on the node ended with exit code 78 (EX_CONFIG of sysexits.h): its configuration
    /// is
    /// wrong, so another try would fail in the same way.
    configuration,
    /// Another process held a lock of apt or dpkg, on a new machine usually its first update.
    apt_locked,
    /// The node or the provider could not be reached for longer than an attempt waits
    /// (daemon::has_lasted_too_long). Or a node that is there did not end a request in time.
    network,
    /// sshd closed the connection before its banner: it is starting, or refuses bursts.
    no_banner,
    /// The provider refused and says that the same call may succeed later.
    provider_busy,
    /// The machine did not become reachable, or did not disappear, in time.
    machine_late,
    /// The provider refused for good.
    provider_refused,
    /// A macro in the cluster's configuration cannot be expanded.
    macro,
    /// The node showed another host key than the one stored for it.
    host_key,
    /// The catalogue or the stored data do not fit the task, as with an action that is missing.
    definition,
    /// The steps compiled for this turn differ from those the attempt began with.
    changed,
    /// The node has seen a higher fence: another worker has claimed the task.
    taken_over,
    /// A person aborted the job.
    aborted,
    /// The database refused to store the outcome.
    unstorable,
    /// The receiver of a callback could not be reached or did not answer with 2xx.
    callback,
};

/// How often a task is tried after failures of one cause, and the pauses between tries.
struct RetryRule {
    Cause cause;
    /// Tries in all, whatever the causes of the earlier ones; 1: no other try.
    int tries;
    /// Pause after the first try, before jitter. It doubles from try to try.
    std::chrono::milliseconds first;
    /// Upper bound of the pause, before jitter.
    std::chrono::milliseconds longest;
};

/// All retry rules of the engine. Two things overrule them: a job that is ending tries nothing
/// again (JobEnds), and a machine that came to nothing is built anew (TaskEnds). Three tries come
/// from the wire contract.
inline constexpr std::array retry_rules{
    RetryRule{Cause::step, 3, std::chrono::seconds{2}, std::chrono::minutes{5}},
    RetryRule{Cause::configuration, 1, {}, {}},
    RetryRule{Cause::apt_locked, 10, std::chrono::seconds{5}, std::chrono::seconds{60}},
    RetryRule{Cause::network, 3, std::chrono::seconds{2}, std::chrono::minutes{5}},
    RetryRule{Cause::no_banner, 6, std::chrono::seconds{1}, std::chrono::seconds{30}},
    RetryRule{Cause::provider_busy, 3, std::chrono::seconds{2}, std::chrono::minutes{5}},
    RetryRule{Cause::machine_late, 3, std::chrono::seconds{2}, std::chrono::minutes{5}},
    RetryRule{Cause::provider_refused, 1, {}, {}},
    RetryRule{Cause::macro, 1, {}, {}},
    RetryRule{Cause::host_key, 1, {}, {}},
    RetryRule{Cause::definition, 1, {}, {}},
    // Ten, because earlier failures of other causes may have used up as many.
    RetryRule{Cause::changed, 10, std::chrono::seconds{1}, std::chrono::seconds{1}},
    RetryRule{Cause::unstorable, 3, std::chrono::seconds{2}, std::chrono::minutes{5}},
    RetryRule{Cause::taken_over, 1, {}, {}},
    RetryRule{Cause::aborted, 1, {}, {}},
    // A day and a half in all.
    RetryRule{Cause::callback, 45, std::chrono::seconds{5}, std::chrono::hours{1}},
};

/// Pause after try number `tries` (from 1): the rule's pause plus `jitter` (in [0, 1)) times 20 %
/// of it, so that tasks which failed together do not return together. Nothing when that try was the
/// last one. Source: AWS Architecture Blog, "Exponential Backoff and Jitter".
std::optional<std::chrono::milliseconds> retry_in(Cause cause, int tries, double jitter);

/// Text appended to the message of try number `tries` when another one follows after `pause`:
/// " (try 1 of 3, the next one after 2 s)". The pause is rounded to whole seconds.
std::string about_next_try(Cause cause, int tries, std::chrono::milliseconds pause);

/// The outcome of try number `tries` that failed for `cause`: `message` with about_next_try() when
/// another try follows, `message` alone as stderr_tail, and retry_in() with `jitter`.
Failed failure(Cause cause, int tries, double jitter, std::string message, int status_code);

/// The cause of a failed step: `apt_locked` when its output has one of the messages by which apt
/// and dpkg report a held lock, `configuration` for exit code 78, else `step`. Linear in the length
/// of `printed`.
Cause cause_of_step(std::string_view printed, int exit_code);

/// The cause of an outage that lasted too long: `no_banner` when the message of the TransportError
/// names the banner, else `network`.
Cause cause_of_outage(std::string_view message);

}  // namespace provisioner::queue
