#include "fcgi/pages/clusters/jobs/job_reads.hpp"

#include <algorithm>

#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/frame.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
using namespace provisioner::model;
using namespace provisioner::store;

namespace {

constexpr int most_runs = 12;
/// Tasks of earlier runs that are looked at; the newest run counts whatever its size.
constexpr int most_tasks_of_runs = 20'000;
constexpr std::size_t longest_filter = 255;
constexpr int most_tasks_of_overview = 2000;

std::vector<EarlierRun> runs_to_learn_from(Connection& connection, const Cluster& cluster,
                                           const Job& job) {
    auto runs = earlier_runs(connection, cluster, job, most_runs);
    int tasks = 0;
    const auto enough = std::ranges::find_if(runs, [&](const EarlierRun& run) {
        tasks += run.tasks;
        return tasks > most_tasks_of_runs && run.job != runs.front().job;
    });
    runs.erase(enough, runs.end());
    return runs;
}

/// The forecast, and the unfinished tasks that it was made of.
std::vector<Task> read_forecast(Connection& connection, JobPage& page, std::vector<EarlierRun> runs,
                                provisioner::base::Timestamp now) {
    page.earlier_runs = runs.size();
    const auto usual = usual_time(runs, page.job.tasks_total);
    // What is done of this job is known, too.
    runs.push_back({.job = page.job.id, .tasks = page.job.tasks_total});
    const Durations durations(typical_times(connection, runs));
    auto unfinished = unfinished_tasks_of(connection, page.job.id);
    page.forecast = forecast(unfinished, edges_to_waiting(connection, page.job.id), durations, now);
    if (page.forecast) {
        const auto begin = page.job.created_at;
        follow_usual_time(*page.forecast, usual, begin, idle_between(begin, now, page.breaks), now);
    }
    return unfinished;
}

/// From the first task of the path that is known back to the beginning of the job.
std::vector<Task> read_path(Connection& connection, const JobPage& page,
                            const std::vector<Task>& unfinished) {
    std::vector<Task> rest;
    if (page.forecast) {
        for (const TaskId id : page.forecast->path) {
            rest.push_back(*std::ranges::lower_bound(unfinished, id, {}, &Task::id));
        }
    } else {
        auto last =
            page.job.finished_at ? std::nullopt : longest_running_task(connection, page.job.id);
        if (!last) last = last_ended_task(connection, page.job.id);
        if (last) rest.push_back(*std::move(last));
    }
    if (rest.empty()) return rest;
    const auto back = way_back_from(connection, rest.front().id, static_cast<int>(longest_path));
    auto next = back.begin();
    auto path = critical_path(rest.front(), [&](const Task&) {
        return next == back.end() ? std::nullopt : std::optional(*next++);
    });
    path.insert(path.end(), rest.begin() + 1, rest.end());
    return path;
}

void read_lanes(Connection& connection, JobPage& page) {
    const LanePage shown = lane_page(page.machines, page.query.lanes);
    std::vector<NodeId> nodes;
    for (std::size_t i = shown.first; i < shown.last; ++i) nodes.push_back(page.machines[i].node);
    page.lane_tasks = tasks_on_machines(connection, page.job.id, nodes);
    std::vector<TaskId> repeated;
    for (const Task& task : page.lane_tasks) {
        const bool waits_again = task.started_at && !task.finished_at;
        if (task.attempt > 1 || waits_again || task.is_replaced()) repeated.push_back(task.id);
    }
    page.attempts = attempt_times(connection, repeated);
}

/// How many tasks the filter lets through, by the counts of kinds; nothing if these do not say it.
std::optional<int> counted_by_kind(const std::vector<KindCount>& counts, const TaskFilter& filter) {
    if (filter.is_repeated || filter.is_replaced || !filter.machine.empty()) return std::nullopt;
    int tasks = 0;
    for (const KindCount& each : counts) {
        const bool is_meant = (!filter.state || *filter.state == each.state) &&
                              (!filter.action || *filter.action == each.kind.action) &&
                              (!filter.service || *filter.service == each.kind.service);
        if (is_meant) tasks += each.tasks;
    }
    return tasks;
}

void read_tasks(Connection& connection, JobPage& page) {
    const TaskFilter filter = page.query.filter();
    const auto counted = counted_by_kind(page.kinds, filter);
    page.matching = counted ? *counted : count_listed_tasks(connection, page.job.id, filter);
    const int pages = std::max(1, (page.matching + tasks_on_a_page - 1) / tasks_on_a_page);
    page.query.page = std::clamp(page.query.page, 1, pages);
    page.tasks = list_tasks(connection, page.job.id, filter, tasks_on_a_page,
                            (page.query.page - 1) * tasks_on_a_page);
}

}  // namespace

JobQuery job_query_in(const http::Request& request, std::vector<std::string>& notes) {
    const auto word = [&](const char* name) {
        const std::string text = provisioner::base::to_utf8(request.query_value(name).value_or(""));
        return std::string(provisioner::base::utf8_prefix(text, longest_filter));
    };
    JobQuery query{.state = word("state"),
                   .action = word("action"),
                   .service = word("service"),
                   .machine = word("machine"),
                   .order = word("order"),
                   .page = page_number(request, "page", notes),
                   .lanes = page_number(request, "lanes", notes)};
    const TaskFilter known = query.filter();
    if (!known.state && !known.is_repeated && !known.is_replaced)
        forget_unknown(query.state, translated("state"), notes);
    if (known.order == TaskOrder::by_need) {
        forget_unknown(query.order, translated("order"), notes);
    }
    if (!known.action) forget_unknown(query.action, translated("action"), notes);
    return query;
}

std::optional<JobPage> read_job_page(Connection& connection, const ClusterPage& page, JobId id,
                                     JobQuery query) {
    const auto found = find_job(connection, id);
    if (!found || found->cluster != page.cluster.id) return std::nullopt;
    JobPage job{.job = *found, .query = std::move(query), .labels = page.labels};
    job.breaks = breaks_of(connection, {job.job}, page.now);
    job.kinds = kinds_of_job(connection, id);
    std::vector<Task> unfinished;
    if (may_forecast(job.job, job.kinds)) {
        unfinished = read_forecast(connection, job,
                                   runs_to_learn_from(connection, page.cluster, job.job), page.now);
    }
    job.path = read_path(connection, job, unfinished);
    std::set<NodeId> on_path;
    for (const Task& task : job.path) on_path.insert(task.node);
    job.machines = ordered_lanes(machines_of_job(connection, id), on_path);
    for (const JobMachine& machine : job.machines) job.replaced += machine.replaced;
    read_lanes(connection, job);
    read_tasks(connection, job);
    return job;
}

std::string forecast_of_latest(Connection& connection, const ClusterPage& page) {
    if (!page.job || page.job->tasks_total > most_tasks_of_overview) return "";
    JobPage job{.job = *page.job,
                .kinds = kinds_of_job(connection, page.job->id),
                .breaks = breaks_of(page.breaks, page.job->id)};
    if (!may_forecast(job.job, job.kinds)) return "";
    auto runs = runs_to_learn_from(connection, page.cluster, job.job);
    int tasks = 0;
    for (const EarlierRun& run : runs) tasks += run.tasks;
    if (tasks > most_tasks_of_overview) return "";
    read_forecast(connection, job, std::move(runs), page.now);
    return forecast_words(job, page.now);
}

std::optional<JobGraph> read_job_graph(Connection& connection, const ClusterPage& page, JobId id,
                                       Job& job) {
    const auto found = find_job(connection, id);
    if (!found || found->cluster != page.cluster.id) return std::nullopt;
    job = *found;
    if (job.tasks_total <= most_single_tasks) {
        return graph_of_tasks(shown_tasks_of(connection, id), edges_of(connection, id),
                              machines_of_job(connection, id), page.href(), page.labels);
    }
    return graph_of_kinds(kinds_of_job(connection, id), kind_edges_of_job(connection, id),
                          page.href() + "/jobs/" + std::to_string(id.value), page.labels);
}

}  // namespace fcgi::pages
