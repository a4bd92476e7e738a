#include "provisioner/store/jobs/job_breaks.hpp"

#include <algorithm>
#include <map>

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

// All attempts by time, and the end of the job as the last of them: a break is where the latest end
// so far is long before the next begin. The only attempt of a task that is done has the times of
// the task, so that most of a large job is read without the table of attempts. # is a list of `?`.
constexpr auto select_breaks = R"sql(
    SELECT job_id, ended_before, began
    FROM (SELECT work.job_id, work.began,
                 MAX(work.ended) OVER (PARTITION BY work.job_id ORDER BY work.began, work.ended
                                       ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ended_before
          FROM (SELECT job_id, started_at AS began, finished_at AS ended
                FROM task FORCE INDEX (task_job)
                WHERE job_id IN # AND state = 'done' AND attempt = 1
                UNION ALL
                SELECT task.job_id, attempt.started_at,
                       COALESCE(attempt.finished_at, UTC_TIMESTAMP(6))
                FROM task FORCE INDEX (task_job)
                JOIN attempt ON attempt.task_id = task.id
                WHERE task.job_id IN # AND NOT (task.state = 'done' AND task.attempt = 1)
                UNION ALL
                SELECT id, COALESCE(finished_at, UTC_TIMESTAMP(6)), COALESCE(finished_at, UTC_TIMESTAMP(6))
                FROM job
                WHERE id IN #) AS work) AS walk
    WHERE TIMESTAMPDIFF(MICROSECOND, ended_before, began) >= ?
    ORDER BY job_id, began
    LIMIT 10000
)sql";

// When the first task of the latest retry by a person began. A retry keeps what was done before it
// as offset.
constexpr auto select_retries = R"sql(
    SELECT job_id, MIN(started_at) AS began
    FROM task FORCE INDEX (task_job)
    WHERE job_id IN # AND attempts_offset > 0 AND started_at IS NOT NULL
    GROUP BY job_id
)sql";

/// So many `#` has select_breaks.
constexpr int lists_of_jobs = 3;

/// Tasks that are looked at; the newest job counts whatever its size.
constexpr int most_tasks = 20'000;

std::string with_list(std::string statement, const std::string& list) {
    for (auto at = statement.find('#'); at != std::string::npos; at = statement.find('#', at)) {
        statement.replace(at, 1, list);
    }
    return statement;
}

/// When each job that was retried began again.
std::map<model::JobId, base::Timestamp> retries_of(Connection& connection,
                                                   const std::vector<model::Job>& jobs,
                                                   const std::string& list) {
    Statement select = connection.sql(with_list(select_retries, list));
    for (const model::Job& job : jobs) select << job.id.value;
    std::map<model::JobId, base::Timestamp> began;
    Rows row = select.query();
    while (row.next()) {
        began[model::JobId{row.get<long long>("job_id")}] = time_column(row, "began");
    }
    return began;
}

/// Leaves the breaks that are long enough, and the one before each job's retry.
void keep_breaks(std::vector<JobBreak>& breaks,
                 const std::map<model::JobId, base::Timestamp>& retries) {
    std::map<model::JobId, base::Timestamp> ends_before_retry;
    for (const JobBreak& one : breaks) {
        const auto retry = retries.find(one.job);
        // A task begins a moment before its attempt.
        if (retry != retries.end() && one.end < retry->second + least_break_before_retry) {
            ends_before_retry[one.job] = one.end;
        }
    }
    std::erase_if(breaks, [&](const JobBreak& one) {
        const auto found = ends_before_retry.find(one.job);
        const bool is_before_retry = found != ends_before_retry.end() && found->second == one.end;
        return one.end - one.begin < least_break && !is_before_retry;
    });
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
    std::vector<JobBreak> breaks;
    if (jobs.empty()) return breaks;
    const std::string list = "(" + repeated("?", jobs.size()) + ")";
    Statement select = connection.sql(with_list(select_breaks, list));
    for (int i = 0; i < lists_of_jobs; ++i) {
        for (const model::Job& job : jobs) select << job.id.value;
    }
    Rows row = select << std::chrono::microseconds(least_break_before_retry).count();
    while (row.next()) {
        breaks.push_back({.job = model::JobId{row.get<long long>("job_id")},
                          .begin = time_column(row, "ended_before"),
                          .end = time_column(row, "began")});
    }
    keep_breaks(breaks, retries_of(connection, jobs, list));
    return breaks;
}

}  // namespace provisioner::store
