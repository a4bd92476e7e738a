#include "provisioner/store/database/tasks_of_jobs.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_span = R"sql(
    SELECT tasks_total,
           COALESCE((SELECT MIN(task.id) FROM task WHERE task.job_id = job.id), 0) AS first_id,
           COALESCE((SELECT MAX(task.id) FROM task WHERE task.job_id = job.id), 0) AS last_id
    FROM job
    WHERE id IN #
)sql";

/// The ids from the first to the last task.
struct Span {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = 0;
    std::int64_t tasks = 0;

    /// Whether few of them are tasks of others. A retry may have made tasks later.
    bool is_dense() const {
        constexpr std::int64_t most_others = 200;
        return last >= first && last - first < 2 * tasks + most_others;
    }
};

Span span_of(Connection& connection, const std::vector<model::JobId>& jobs) {
    Statement select = connection.sql(with_list(select_span, jobs.size()));
    for (const model::JobId job : jobs) select << job.value;
    Span span;
    Rows row = select.query();
    while (row.next()) {
        const auto last = row.get<long long>("last_id");
        if (last == 0) continue;
        span.first = std::min<std::int64_t>(span.first, row.get<long long>("first_id"));
        span.last = std::max<std::int64_t>(span.last, last);
        span.tasks += row.get<long long>("tasks_total");
    }
    return span;
}

void replace_all(std::string& text, std::string_view what, const std::string& by) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
        text.replace(at, what.size(), by);
        at += by.size();
    }
}

}  // namespace

TasksOfJobs::TasksOfJobs(Connection& connection, model::JobId job)
    : TasksOfJobs(connection, std::vector{job}) {}

TasksOfJobs::TasksOfJobs(Connection& connection, const std::vector<model::JobId>& jobs) {
    std::string ids;
    for (const model::JobId job : jobs) {
        ids += (ids.empty() ? "" : ", ") + std::to_string(job.value);
    }
    condition_ = "task.job_id IN (" + ids + ")";
    // Left alone, the server walks through the tasks of all jobs when it takes these for a fifth of
    // them, or because another index has their groups in order.
    table_ = "task FORCE INDEX (task_job)";
    const Span span = span_of(connection, jobs);
    if (!span.is_dense()) return;
    table_ = "task FORCE INDEX (PRIMARY)";
    condition_ +=
        " AND task.id BETWEEN " + std::to_string(span.first) + " AND " + std::to_string(span.last);
}

std::string TasksOfJobs::in(std::string statement) const {
    replace_all(statement, "@tasks", table_);
    replace_all(statement, "@jobs", condition_);
    return statement;
}

}  // namespace provisioner::store
