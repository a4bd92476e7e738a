#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "provisioner/model/jobs/job.hpp"

namespace provisioner::model {

/// What somebody can be called back about: a job began, ended well or badly; a lease is about to
/// end.
enum class CallbackEvent { start, success, failure, expiring };

/// waiting: to be sent, or sent again; unwanted: nobody asked for it.
enum class CallbackState { waiting, delivered, given_up, unwanted };

/// One thing to tell, and how telling it went.
struct Callback {
    std::int64_t id = 0;
    ClusterId cluster;
    /// The job it is about, or the cluster's latest one.
    JobId job;
    Operation operation = Operation::cluster_create;
    CallbackEvent event = CallbackEvent::start;
    /// Cluster and job as they were when it happened.
    ClusterStatus cluster_status = ClusterStatus::pending;
    JobStatus job_status = JobStatus::running;
    std::string message;
    CallbackState state = CallbackState::waiting;
    /// Attempts begun.
    int attempts = 0;
    /// HTTP status of the last answer.
    std::optional<int> reply;
    /// Why the last attempt failed; empty otherwise.
    std::string error;
    base::Timestamp created_at{};
    std::optional<base::Timestamp> finished_at;
};

}  // namespace provisioner::model

namespace provisioner::base {

template <>
inline constexpr std::array words<model::CallbackEvent>{
    std::pair{model::CallbackEvent::start, std::string_view("start")},
    std::pair{model::CallbackEvent::success, std::string_view("success")},
    std::pair{model::CallbackEvent::failure, std::string_view("failure")},
    std::pair{model::CallbackEvent::expiring, std::string_view("expiring")}};

template <>
inline constexpr std::array words<model::CallbackState>{
    std::pair{model::CallbackState::waiting, std::string_view("waiting")},
    std::pair{model::CallbackState::delivered, std::string_view("delivered")},
    std::pair{model::CallbackState::given_up, std::string_view("given_up")},
    std::pair{model::CallbackState::unwanted, std::string_view("unwanted")}};

}  // namespace provisioner::base
