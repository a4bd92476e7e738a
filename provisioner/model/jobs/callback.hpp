#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "provisioner/model/jobs/job.hpp"

namespace provisioner::model {

/// What a callback is about.
enum class CallbackEvent {
    /// A job has begun, or begins again after a retry.
    start,
    /// A job is complete.
    success,
    /// A job failed or was aborted.
    failure,
    /// A lease will end soon (setting lease.warning_hours). Noted once for each end of a lease.
    expiring
};

/// State of a callback; all but waiting are final.
enum class CallbackState {
    /// To be sent, or sent again after a failed attempt.
    waiting,
    /// The receiver confirmed it.
    delivered,
    /// The last allowed attempt failed (queue/retry.hpp).
    given_up,
    /// No URL is configured for its event and operation.
    unwanted
};

/// A message about a cluster for a configured URL: a row of table callback. Inserted in the
/// transaction of the change it reports, so none is lost. Sent later by the daemon
/// (callbacks/sender.hpp), in order for each cluster, possibly more than once.
struct Callback {
    /// Ascending. Callbacks of one cluster are sent in this order, each after the one before is
    /// settled.
    std::int64_t id = 0;
    /// Each cluster has its own sequence of callbacks; a slow receiver delays only that sequence.
    ClusterId cluster;
    /// The job it reports; for expiring the cluster's latest job.
    JobId job;
    /// Operation of that job.
    Operation operation = Operation::cluster_create;
    /// With `operation` it selects the configured URL (callbacks/targets.hpp).
    CallbackEvent event = CallbackEvent::start;
    /// States of cluster and job when it was inserted, not when it is sent.
    ClusterStatus cluster_status = ClusterStatus::pending;
    JobStatus job_status = JobStatus::running;
    /// Message of the job; for expiring that of the cluster.
    std::string message;
    /// Pages and API leave out unwanted ones.
    CallbackState state = CallbackState::waiting;
    /// Attempts begun, including one under way.
    int attempts = 0;
    /// HTTP status of the latest answer; nothing when there was none.
    std::optional<int> reply;
    /// Why the latest attempt failed; empty otherwise.
    std::string error;
    /// When it was inserted, by the database's clock.
    base::Timestamp created_at{};
    /// When it reached a final state.
    std::optional<base::Timestamp> finished_at;
};

}  // namespace provisioner::model

namespace provisioner::base {

/// Words of callback.event and of the settings callback.<event>.url and callback.<event>.triggers.
template <>
inline constexpr std::array words<model::CallbackEvent>{
    std::pair{model::CallbackEvent::start, std::string_view("start")},
    std::pair{model::CallbackEvent::success, std::string_view("success")},
    std::pair{model::CallbackEvent::failure, std::string_view("failure")},
    std::pair{model::CallbackEvent::expiring, std::string_view("expiring")}};

/// Words of callback.state.
template <>
inline constexpr std::array words<model::CallbackState>{
    std::pair{model::CallbackState::waiting, std::string_view("waiting")},
    std::pair{model::CallbackState::delivered, std::string_view("delivered")},
    std::pair{model::CallbackState::given_up, std::string_view("given_up")},
    std::pair{model::CallbackState::unwanted, std::string_view("unwanted")}};

}  // namespace provisioner::base
