#pragma once

#include "provisioner/model/action.hpp"
#include "provisioner/model/clusters/node.hpp"

namespace provisioner::model {

enum class JobStatus { not_submitted, running, complete, failed, paused };

/// blocked: waits for other tasks; ready: may be claimed; claimed: a worker has it; done, failed,
/// cancelled: ended.
enum class TaskState { blocked, ready, claimed, done, failed, cancelled };

/// Who asked for a job.
struct Asker {
    /// A user who may be gone by now; 0: no user did.
    UserId user{};
    /// The user's name; without a user what asked instead, empty when that is not known.
    std::string name{};

    bool operator==(const Asker&) const = default;
};

/// What asks for the deletion of a cluster whose lease has ended.
constexpr auto asked_by_lease = "lease";

/// One operation under way on one cluster.
struct Job {
    JobId id;
    ClusterId cluster;
    Operation operation = Operation::cluster_create;
    JobStatus status = JobStatus::running;
    std::string message;
    base::Timestamp created_at{};
    std::optional<base::Timestamp> finished_at;
    int tasks_total = 0;
    int tasks_done = 0;
    /// A person ended it: what still runs is the last of it.
    bool aborted = false;
    Asker asked_by{};
};

/// One action on one node for one service (empty for hardware actions).
struct Task {
    TaskId id;
    JobId job;
    NodeId node;
    Action action = Action::create;
    std::string service;
    TaskState state = TaskState::blocked;
    /// Attempts begun so far.
    int attempt = 0;
    /// Why it failed or what it waits for; empty otherwise.
    std::string message;
    std::optional<base::Timestamp> started_at;
    std::optional<base::Timestamp> finished_at;
};

}  // namespace provisioner::model

namespace provisioner::base {

template <>
inline constexpr std::array words<model::JobStatus>{
    std::pair{model::JobStatus::not_submitted, std::string_view("not_submitted")},
    std::pair{model::JobStatus::running, std::string_view("running")},
    std::pair{model::JobStatus::complete, std::string_view("complete")},
    std::pair{model::JobStatus::failed, std::string_view("failed")},
    std::pair{model::JobStatus::paused, std::string_view("paused")}};

template <>
inline constexpr std::array words<model::TaskState>{
    std::pair{model::TaskState::blocked, std::string_view("blocked")},
    std::pair{model::TaskState::ready, std::string_view("ready")},
    std::pair{model::TaskState::claimed, std::string_view("claimed")},
    std::pair{model::TaskState::done, std::string_view("done")},
    std::pair{model::TaskState::failed, std::string_view("failed")},
    std::pair{model::TaskState::cancelled, std::string_view("cancelled")}};

}  // namespace provisioner::base
