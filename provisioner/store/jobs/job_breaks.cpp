#include "provisioner/store/jobs/job_breaks.hpp"

#include <algorithm>
#include <map>

#include "provisioner/store/database/columns.hpp"
#include "provisioner/store/database/tasks_of_jobs.hpp"

namespace provisioner::store {

namespace {

// All attempts, and the end of the job as the last of them, by the second in which they began: what
// began in one second has no break inside it (least_break_before_retry), so that a large job is a
// few rows. A window over all attempts takes time by the square of their number. The only attempt
// of a task that is done has the times of the task, so that most of a large job is read without the
// table of attempts. # is a list of `?`.
constexpr auto select_work = R"sql(
    SELECT job_id, MIN(began) AS first_began, MAX(ended) AS last_ended
    FROM (SELECT job_id, TIMESTAMPDIFF(SECOND, '2000-01-01', started_at) AS second,
                 MIN(started_at) AS began, MAX(finished_at) AS ended
          FROM @tasks
          WHERE @jobs AND state = 'done' AND attempt = 1
          GROUP BY job_id, second
          UNION ALL
          SELECT task.job_id, TIMESTAMPDIFF(SECOND, '2000-01-01', attempt.started_at) AS second,
                 MIN(attempt.started_at), MAX(COALESCE(attempt.finished_at, UTC_TIMESTAMP(6)))
          FROM @tasks
          STRAIGHT_JOIN attempt ON attempt.task_id = task.id
          WHERE @jobs AND NOT (task.state = 'done' AND task.attempt = 1)
          GROUP BY task.job_id, second
          UNION ALL
          SELECT id, TIMESTAMPDIFF(SECOND, '2000-01-01', COALESCE(finished_at, UTC_TIMESTAMP(6))),
                 COALESCE(finished_at, UTC_TIMESTAMP(6)), COALESCE(finished_at, UTC_TIMESTAMP(6))
          FROM job
          WHERE id IN #) AS work
    GROUP BY job_id, second
    ORDER BY job_id, first_began
)sql";

static_assert(least_break_before_retry >= std::chrono::seconds{1});

// When tasks that a person had retried began, one for each second; now, if one has not yet. A retry
// keeps what was done before it as offset. What replaces a task is new in a retry.
constexpr auto select_retries = R"sql(
    SELECT job_id, MIN(began) AS began
    FROM (SELECT job_id,
                 IF(attempts_offset <= attempt, COALESCE(started_at, UTC_TIMESTAMP(6)),
                    (SELECT MIN(COALESCE(later.started_at, UTC_TIMESTAMP(6)))
                     FROM task AS later
                     WHERE later.node_id = task.node_id AND later.id > task.id AND
                           later.job_id = task.job_id AND later.action = task.action AND
                           later.service = task.service AND
                           later.attempts_offset <= later.attempt)) AS began
          FROM @tasks
          WHERE @jobs AND attempts_offset > 0) AS retried
    WHERE began IS NOT NULL
    GROUP BY job_id, TIMESTAMPDIFF(SECOND, '2000-01-01', began)
    ORDER BY job_id, began
    LIMIT 100000
)sql";

/// Tasks that are looked at; the newest job counts whatever its size.
constexpr int most_tasks = 20'000;

/// Where nothing of a job was worked on for least_break_before_retry, by job and time: the latest
/// end so far is long before the next begin.
std::vector<JobBreak> pauses_of(Connection& connection, const TasksOfJobs& tasks,
                                const std::vector<model::JobId>& jobs) {
    Statement select = connection.sql(with_list(tasks.in(select_work), jobs.size()));
    for (const model::JobId job : jobs) select << job.value;
    std::vector<JobBreak> pauses;
    model::JobId job{};
    base::Timestamp worked_until{};
    Rows row = select.query();
    while (row.next()) {
        const model::JobId next{row.get<long long>("job_id")};
        const auto began = time_column(row, "first_began");
        const auto ended = time_column(row, "last_ended");
        if (next == job && began - worked_until >= least_break_before_retry) {
            pauses.push_back({.job = job, .begin = worked_until, .end = began});
        }
        worked_until = next == job ? std::max(worked_until, ended) : ended;
        job = next;
    }
    return pauses;
}

/// When tasks of jobs that were retried began again, in ascending order.
using Retries = std::map<model::JobId, std::vector<base::Timestamp>>;

Retries retries_of(Connection& connection, const TasksOfJobs& tasks) {
    Retries began;
    Rows row = connection.sql(tasks.in(select_retries)).once().query();
    while (row.next()) {
        began[model::JobId{row.get<long long>("job_id")}].push_back(time_column(row, "began"));
    }
    return began;
}

/// Whether a retried task began at the end of the break. A task begins a moment before its attempt.
bool is_before_retry(const JobBreak& one, const Retries& retries) {
    const auto began = retries.find(one.job);
    if (began == retries.end()) return false;
    const auto next = std::ranges::upper_bound(began->second, one.end - least_break_before_retry);
    return next != began->second.end() && *next < one.end + least_break_before_retry &&
           *next >= one.begin;
}

}  // namespace

std::vector<JobBreak> breaks_of(Connection& connection, std::vector<model::Job> jobs,
                                base::Timestamp now) {
    std::erase_if(jobs, [&](const model::Job& job) {
        return job.tasks_total == 0 ||
               job.finished_at.value_or(now) - job.created_at < least_break_before_retry;
    });
    std::ranges::sort(jobs, std::greater(), &model::Job::id);
    int tasks = 0;
    const auto enough = std::ranges::find_if(jobs, [&](const model::Job& job) {
        tasks += job.tasks_total;
        return tasks > most_tasks && job.id != jobs.front().id;
    });
    jobs.erase(enough, jobs.end());
    if (jobs.empty()) return {};
    std::vector<model::JobId> ids;
    for (const model::Job& job : jobs) ids.push_back(job.id);
    const TasksOfJobs all(connection, ids);
    std::vector<JobBreak> breaks = pauses_of(connection, all, ids);
    // Retries are looked for among all tasks.
    if (breaks.empty()) return breaks;
    const Retries retries = retries_of(connection, all);
    std::erase_if(breaks, [&](const JobBreak& one) {
        return one.end - one.begin < least_break && !is_before_retry(one, retries);
    });
    return breaks;
}

}  // namespace provisioner::store
