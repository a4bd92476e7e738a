#pragma once

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "provisioner/metrics/counters.hpp"
#include "provisioner/metrics/family.hpp"
#include "provisioner/model/action.hpp"

namespace provisioner::daemon {

/// How an attempt ended.
enum class AttemptEnd {
    succeeded,
    /// Failed, and another attempt follows.
    retried,
    /// Failed, and none follows: the job fails.
    failed
};

/// The verbs of a provider.
enum class Verb { create, confirm, destroy, machines };

/// How a call of a provider ended.
enum class CallEnd {
    answered,
    /// A definite negative answer.
    refused,
    /// An exception: nobody knows what the provider did.
    broken
};

/// Durations of attempts in seconds: a call of a cloud takes tenths, an installation minutes.
constexpr std::array<double, 13> attempt_bounds{0.1, 0.5, 1,   2.5, 5,    10,  30,
                                                60,  120, 300, 600, 1800, 3600};

/// What one provider type did in this process.
class ProviderCounters {
 public:
    void called(Verb verb, CallEnd end, std::chrono::nanoseconds took);
    void attempted(model::Action action, AttemptEnd end);

 private:
    friend class DaemonMetrics;

    static constexpr std::size_t verbs = 4;
    static constexpr std::size_t ends = 3;
    static constexpr std::size_t actions = 10;

    std::array<std::array<metrics::Counter, ends>, verbs> calls_;
    std::array<metrics::Counter, verbs> nanoseconds_;
    std::array<std::array<metrics::Counter, ends>, actions> attempts_;
};

/// What this process counts about itself; the daemon writes families() into its row with every
/// heartbeat. Everything counts from 0 in each life of the daemon.
///
/// Add the providers first, before any thread starts. Afterwards any thread may count.
class DaemonMetrics {
 public:
    DaemonMetrics();

    /// The counters of a provider type; made when they do not exist yet. Valid as long as this
    /// object.
    ProviderCounters& add_provider(const std::string& type);

    /// The plugins whose tasks this daemon takes, in the words of ready_task.needs.
    void offer(std::set<std::string> plugins);

    /// An attempt has ended, on a cluster of that provider type, `took` after it began. A type that
    /// was not added counts as "other".
    void attempt_ended(const std::string& provider, model::Action action, AttemptEnd end,
                       std::chrono::nanoseconds took);

    /// Tasks claimed; turns that ended without ending the attempt; tasks put back for dead
    /// workers; turns whose claim had run out before they began.
    metrics::Counter claimed;
    metrics::Counter waited;
    metrics::Counter rescued;
    metrics::Counter lost;
    /// Failures of the queue's connections: claiming, renewing, reporting.
    metrics::Counter database_failures;
    /// Logins to nodes by how they ended, and sessions that are open.
    metrics::Counter logins;
    metrics::Counter failed_logins;
    metrics::Counter untrusted_hosts;
    metrics::Level sessions;

    /// All of it. `loop_lag` is the time that a loop needed to come to what it was asked, the
    /// slowest of them; `resident_bytes` the memory of the process.
    metrics::Families families(std::chrono::nanoseconds loop_lag,
                               std::int64_t resident_bytes) const;

 private:
    using AttemptTimes = metrics::Histogram<attempt_bounds.size()>;

    metrics::Family attempts() const;
    metrics::Family attempt_times() const;
    metrics::Family calls() const;
    metrics::Family call_seconds() const;
    metrics::Family login_counts() const;
    metrics::Family offers() const;

    /// By type; fixed once threads run.
    std::map<std::string, ProviderCounters> providers_;
    ProviderCounters& other_;
    std::set<std::string> offers_;
    /// By action.
    std::array<std::unique_ptr<AttemptTimes>, ProviderCounters::actions> times_;
};

}  // namespace provisioner::daemon
