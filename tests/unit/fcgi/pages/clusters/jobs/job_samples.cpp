#include "job_samples.hpp"

#include <algorithm>
#include <map>

#include "fcgi/pages/clusters/jobs/job_graph.hpp"
#include "fcgi/pages/clusters/tabs/jobs.hpp"

namespace samples {

namespace {

std::vector<JobRetry> some_retries(JobId job) {
    return {{.job = job,
             .user = "ada",
             .at = now - 62s,
             .has_new_configuration = true,
             .changed = {"web.port", "web.title"}},
            {.job = job, .user = "grace", .at = now - 1h},
            {.job = job, .kind = JobRetry::Kind::abort, .user = "grace", .at = now - 2h}};
}

/// One task after the other on each machine, from the beginning of the job to now.
void let_tasks_run(std::vector<Task>& tasks, provisioner::base::Timestamp begin) {
    std::map<NodeId, provisioner::base::Timestamp> next;
    for (Task& task : tasks) {
        if (!task.started_at) continue;
        auto& at = next.try_emplace(task.node, begin + 1s).first->second;
        task.started_at = at;
        // No two machines are equally fast.
        const auto took = 1100ms + 400ms * (task.id.value * 7 % 13) + 100ms * (task.node.value % 5);
        at = std::min<provisioner::base::Timestamp>(at + took, now - 2s);
        if (task.finished_at) task.finished_at = at;
    }
}

JobPage job_page_of(const ClusterPage& page, JobQuery query) {
    auto tasks = page.tasks;
    let_tasks_run(tasks, page.job->created_at);
    TaskEdges edges;
    for (std::size_t i = 1; i < tasks.size(); ++i) {
        if (tasks[i].node == tasks[i - 1].node) edges.emplace_back(tasks[i - 1].id, tasks[i].id);
    }
    std::vector<provisioner::store::TypicalTime> times;
    for (const Action action : {Action::create, Action::confirm, Action::bootstrap, Action::install,
                                Action::configure, Action::initialize, Action::start}) {
        times.push_back({.kind = {.action = action}, .time = 6s, .samples = 40});
    }
    auto job = *page.job;
    job.message = page.cluster.message;
    auto made = tests::read_job(job, tasks, edges, page.nodes, std::move(query), Durations(times),
                                page.now);
    made.earlier_runs = made.forecast ? 12 : 0;
    made.labels = page.labels;
    return made;
}

JobPage job_with_attempts(const ClusterPage& page, JobQuery query) {
    auto job = job_page_of(page, std::move(query));
    for (const Task& task : job.lane_tasks) {
        if (task.attempt < 2 || !task.finished_at) continue;
        const auto third = (*task.finished_at - *task.started_at) / 3;
        for (int number = 1; number < task.attempt; ++number) {
            job.attempts.push_back({.task = task.id,
                                    .number = number,
                                    .status = "failed",
                                    .began = *task.started_at + third * (number - 1),
                                    .ended = *task.started_at + third * number - third / 4});
        }
    }
    return job;
}

}  // namespace

Json jobs_of_cluster() {
    auto page = ClusterBuilder().in_the_middle();
    page.retries = some_retries(JobId{3});
    auto ended = *page.job;
    ended.id = JobId{3};
    ended.status = JobStatus::failed;
    ended.message = "install cache failed on shop-42-1001.";
    ended.finished_at = now - 10s;
    auto aborted = ended;
    aborted.id = JobId{7};
    aborted.aborted = true;
    aborted.asked_by = {.user = {}, .name = asked_by_lease};
    auto configured = ended;
    configured.id = JobId{8};
    configured.operation = Operation::cluster_configure;
    configured.status = JobStatus::complete;
    configured.message.clear();
    page.retries.push_back({.job = configured.id,
                            .kind = JobRetry::Kind::configure,
                            .user = "ada",
                            .at = configured.created_at,
                            .changed = {"web.port from 80 to 81", "web.password"}});
    return jobs_json(page, {*page.job, configured, ended, aborted});
}

Json job_of_cluster(const ClusterPage& page, JobQuery query) {
    return job_json(page, job_with_attempts(page, std::move(query)));
}

Json timeline_of_cluster(const ClusterPage& page, JobQuery query) {
    return timeline_json(page, job_with_attempts(page, std::move(query)));
}

Json retried_job() {
    auto page = ClusterBuilder().failed();
    auto job = job_page_of(page, {});
    const Timestamp again = now - 60s;
    constexpr auto pause = 3h;
    provisioner::store::JobBreak idle{.job = job.job.id, .begin = job.job.created_at - pause};
    const auto move = [&](std::optional<Timestamp>& begin, std::optional<Timestamp>& end) {
        if (!begin || *begin >= again) return;
        *begin -= pause;
        if (!end) return;
        *end -= pause;
        idle.begin = std::max(idle.begin, *end);
    };
    for (Task& task : job.lane_tasks) move(task.started_at, task.finished_at);
    for (Task& task : job.path) move(task.started_at, task.finished_at);
    for (auto& listed : job.tasks) move(listed.task.started_at, listed.task.finished_at);
    for (auto& machine : job.machines) *machine.began -= pause;
    job.job.created_at -= pause;
    idle.end = again;
    page.breaks = job.breaks = {idle};
    job.replaced = 14;
    page.retries = some_retries(job.job.id);
    job.job.operation = Operation::cluster_configure;
    page.retries.push_back({.job = job.job.id,
                            .kind = JobRetry::Kind::configure,
                            .user = "ada",
                            .at = job.job.created_at,
                            .changed = {"web.port from 80 to 81"}});
    return job_json(page, job);
}

Json graph_of_job(const ClusterPage& page) {
    TaskEdges edges;
    for (std::size_t i = 1; i < page.tasks.size(); ++i) {
        if (page.tasks[i].node != page.tasks[i - 1].node) continue;
        edges.emplace_back(page.tasks[i - 1].id, page.tasks[i].id);
    }
    const auto job = job_page_of(page, {});
    if (page.tasks.size() <= most_single_tasks) {
        return job_graph_json(page, *page.job,
                              graph_of_tasks(page.tasks, edges, job.machines, page.href()));
    }
    std::vector<provisioner::store::KindEdge> kind_edges;
    const auto kind_of = [&](TaskId id) {
        const Task& task = *std::ranges::find(page.tasks, id, &Task::id);
        return provisioner::store::TaskKind{.action = task.action, .service = task.service};
    };
    for (const auto& [before, after] : edges) {
        kind_edges.push_back({.before = kind_of(before), .after = kind_of(after), .edges = 1});
    }
    return job_graph_json(page, *page.job,
                          graph_of_kinds(job.kinds, kind_edges, page.href() + "/jobs/2"));
}

Json graph_of_many_kinds(const ClusterPage& page) {
    JobGraph graph{.is_of_kinds = true};
    for (std::size_t i = 0; i <= most_boxes; ++i) {
        const std::string service = "service-" + std::to_string(i);
        graph.nodes.push_back({.what = "install " + service, .column = service, .tasks = 3});
        if (i > 0) graph.edges.emplace_back(i - 1, i);
    }
    return job_graph_json(page, *page.job, graph);
}

Json graph_of_many_services(const ClusterPage& page) {
    JobGraph graph{.is_of_kinds = true};
    for (std::size_t i = 0; i <= most_boxes; ++i) {
        const std::string service = "service-" + std::to_string(i / 5);
        graph.nodes.push_back(
            {.what = (i % 5 == 0 ? "install " : "start ") + service,
             .column = service,
             .href = "/clusters/00000007/jobs/2?service=" + service + "#tasks",
             .column_href = "/clusters/00000007/jobs/2?service=" + service + "#tasks",
             .tasks = 3});
        if (i >= 10) graph.edges.emplace_back(i / 10, i);
    }
    return job_graph_json(page, *page.job, graph);
}

}  // namespace samples
