#pragma once

#include <chrono>
#include <vector>

#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// A time in which nothing of a job was worked on, because somebody had paused it, or it had failed
/// and was retried later.
struct JobBreak {
    model::JobId job{};
    base::Timestamp begin{};
    base::Timestamp end{};
};

/// What is shorter is no break: a task may wait that long for another try by itself
/// (queue/retry.hpp: 60 s, and a fifth of it).
inline constexpr std::chrono::seconds least_break{90};

/// Between the failure of a job and a retry by a person nothing was tried again by itself, so less
/// is a break there.
inline constexpr std::chrono::seconds least_break_before_retry{1};

/// The breaks of those of these jobs that have lasted long enough to have one, by job and time. The
/// time before the first attempt is none; the time behind the last one is, while the job has not
/// ended. Of the newest jobs only, if they have very many tasks. Does not check who may see them.
std::vector<JobBreak> breaks_of(Connection& connection, std::vector<model::Job> jobs,
                                base::Timestamp now);

}  // namespace provisioner::store
