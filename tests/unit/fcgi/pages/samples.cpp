#include "samples.hpp"

#include <algorithm>
#include <iterator>

#include "catalogue/builder_samples.hpp"
#include "catalogue_samples.hpp"
#include "clusters/job_fixture.hpp"
#include "clusters/listed.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/templates.hpp"
#include "fcgi/pages/changes/change_page.hpp"
#include "fcgi/pages/clusters/create_page.hpp"
#include "fcgi/pages/clusters/description.hpp"
#include "fcgi/pages/clusters/jobs/job_graph.hpp"
#include "fcgi/pages/clusters/list_page.hpp"
#include "fcgi/pages/clusters/preview_page.hpp"
#include "fcgi/pages/clusters/question_page.hpp"
#include "fcgi/pages/clusters/settings_page.hpp"
#include "fcgi/pages/clusters/tabs/about.hpp"
#include "fcgi/pages/clusters/tabs/jobs.hpp"
#include "fcgi/pages/clusters/tabs/machines.hpp"
#include "fcgi/pages/clusters/tabs/overview.hpp"
#include "fcgi/pages/clusters/tabs/services.hpp"
#include "fcgi/pages/docs.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/jobs/task_page.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "fcgi/pages/progress.hpp"
#include "sample_values.hpp"

namespace samples {

using namespace fcgi::pages;
using namespace provisioner::model;
using namespace std::chrono_literals;
using provisioner::base::Json;
using provisioner::base::Timestamp;

namespace {

EntityHeader header(const std::string& name, const std::string& label,
                    const std::string& description) {
    EntityHeader made;
    made.name = name;
    if (!label.empty()) made.label = label;
    made.description = description;
    return made;
}

Job job(int total, int done, Timestamp created_at) {
    Job made;
    made.id = JobId{2};
    made.created_at = created_at;
    made.tasks_total = total;
    made.tasks_done = done;
    return made;
}

PluginField plugin_field(const std::string& name, const std::string& label, const std::string& kind,
                         const std::string& tip) {
    PluginField made;
    made.name = name;
    made.label = label;
    made.kind = kind;
    made.tip = tip;
    return made;
}

ClusterTemplate web_template() {
    ClusterTemplate web;
    web.header =
        header("web", "Web site",
               "A load balancer in front of as many web servers as you like, sharing a cache.");
    web.defaults.services = {"cache", "cron", "load-balancer", "web"};
    web.defaults.provider = "local";
    web.defaults.hardware_type = "small";
    web.defaults.image_type = "debian";
    web.defaults.dns_suffix = "example.test";
    web.defaults.config = {{"web", {{"greeting", "Hello"}}}};
    web.compatibility.services = {"base", "cache", "cron", "load-balancer", "web"};
    web.constraints.size_max = 20;
    web.lease.initial = 168h;
    web.links = {{"Web site", "http://%ip.access_v4.service.load-balancer[0]%/"}};
    return web;
}

ClusterTemplate big_template() {
    ClusterTemplate hadoop;
    hadoop.header = header("hadoop-distributed", "",
                           "HDFS, YARN, HBase and ZooKeeper on three machines or more.");
    hadoop.defaults.services = {"hadoop-hdfs-datanode",
                                "hadoop-hdfs-namenode",
                                "hadoop-yarn-nodemanager",
                                "hadoop-yarn-resourcemanager",
                                "hbase-master",
                                "hbase-regionserver",
                                "zookeeper-server",
                                "hive-metastore",
                                "mysql-server"};
    hadoop.constraints.size_min = 3;
    return hadoop;
}

ClusterTemplate small_template() {
    ClusterTemplate single;
    single.header = header("redis", "Redis", "One machine with a Redis.");
    single.defaults.services = {"cache"};
    single.constraints.size_max = 1;
    single.lease.initial = 24h;
    return single;
}

Node node(int number, std::vector<std::string> services, bool confirmed) {
    Node made;
    made.id = NodeId{number};
    made.nodenum = 999 + number;
    made.hostname = "shop-42-" + std::to_string(made.nodenum) + ".example.test";
    made.hardware_type = "small";
    made.image_type = "debian";
    made.services = std::move(services);
    if (confirmed) made.addresses = {{"access_v4", "10.77.0." + std::to_string(10 + number)}};
    return made;
}

Offer offer();

class ClusterBuilder {
 public:
    ClusterBuilder() {
        page_.now = now;
        page_.labels = offer().labels();
        auto& cluster = page_.cluster;
        cluster.id = ClusterId{42};
        cluster.owner = "ada";
        cluster.name = "shop";
        cluster.description = "The shop, for the demo on Friday";
        cluster.created_at = now - 95s;
        cluster.expires_at = now + 168h;
        cluster.snapshot.cluster_template = web_template();
        cluster.snapshot.provider.header.name = "local";
        page_.nodes = {node(1, {"load-balancer", "cron"}, true), node(2, {"cache", "web"}, true),
                       node(3, {"cache", "web"}, true), node(4, {"web"}, false)};
        page_.cost.emplace();
        page_.cost->hourly.per_hour.add({"USD", 46'400});
        page_.cost->so_far.amounts.add({"USD", 1'224});
        page_.job = job(0, 0, now - 95s);
        page_.job->asked_by = {.user = UserId{1}, .name = "ada"};
        fill_tasks();
    }

    ClusterPage in_the_middle() {
        set(0, 7, TaskState::done);
        set(9, 14, TaskState::done);
        state_at(14, TaskState::claimed);
        set(20, 24, TaskState::done);
        state_at(24, TaskState::claimed);
        set(31, 33, TaskState::done);
        state_at(33, TaskState::claimed);
        state_at(7, TaskState::claimed);
        page_.tasks[33].message = "the machine does not answer yet";
        page_.forecast =
            "About 4 minutes left: should end at 10:04 UTC (based on the times of tasks in 12 "
            "earlier "
            "runs)";
        page_.retried = {page_.tasks[14]};
        page_.retried.front().attempt = 2;
        page_.retried.front().message = "exit status 100: could not get lock /var/lib/dpkg/lock";
        page_.outputs[TaskId{8}] =
            "Selecting previously unselected package haproxy.\nUnpacking haproxy "
            "(2.6.12-1+deb12u1) ...\n"
            "Setting up haproxy (2.6.12-1+deb12u1) ...\n\x1b[32mready\x1b[0m to be configured\n";
        return finished();
    }

    ClusterPage paused() {
        auto page = in_the_middle();
        page.job->status = JobStatus::paused;
        return page;
    }

    ClusterPage failed() {
        set(0, 40, TaskState::done);
        state_at(14, TaskState::failed);
        set(15, 20, TaskState::cancelled);
        page_.tasks[14].message = "exit status 100 after 3 attempts";
        page_.tasks[14].attempt = 3;
        page_.outputs[TaskId{15}] = "E: Unable to locate package redis-sever\n";
        page_.cluster.status = ClusterStatus::incomplete;
        page_.cluster.message = "install cache failed on shop-42-1001.";
        page_.job->status = JobStatus::failed;
        page_.job->finished_at = now - 10s;
        return finished();
    }

    ClusterPage wrongly_configured() {
        auto page = failed();
        page.has_wrong_configuration = true;
        return page;
    }

    ClusterPage of_one_service_each() {
        auto page = active();
        for (auto& machine : page.machines) machine.services = {"web"};
        return page;
    }

    ClusterPage without_layout() {
        auto page = failed();
        page.cluster.status = ClusterStatus::terminated;
        page.cluster.message = "Layout solving failed";
        page.job->operation = Operation::solve_layout;
        page.job->message = page.cluster.message;
        page.job->tasks_total = page.job->tasks_done = 0;
        page.nodes.clear();
        page.machines.clear();
        page.tasks.clear();
        page.services.clear();
        return page;
    }

    ClusterPage expired() {
        auto page = failed();
        page.cluster.expires_at = now - 2h;
        page.cluster.message = "delete on shop-42-1002.example.test: the provider is out of credit";
        page.job->operation = Operation::cluster_delete;
        page.job->asked_by = {.user = {}, .name = asked_by_lease};
        page.failed_deletions = {.count = 4, .last = now - 90s, .message = page.cluster.message};
        page.for_admin = true;
        return page;
    }

    /// Two of three services do not run.
    ClusterPage stopped() {
        auto page = active();
        using provisioner::store::ServiceState;
        for (const Node& machine : page.nodes) {
            for (const std::string& name : machine.services) {
                const bool is_cache = name == "cache";
                page.services.push_back(
                    {.node = machine.id,
                     .service = name,
                     .action = is_cache ? Action::stop : Action::start,
                     .state = name == "web" ? TaskState::failed : TaskState::done});
            }
        }
        return page;
    }

    /// 130 machines, a wave of work going through them.
    ClusterPage large() {
        page_.nodes.clear();
        page_.tasks.clear();
        for (int i = 1; i <= 130; ++i) {
            page_.nodes.push_back(node(i,
                                       i % 10 == 0 ? std::vector<std::string>{"load-balancer"}
                                                   : std::vector<std::string>{"cache", "web"},
                                       true));
        }
        fill_tasks();
        set(0, page_.tasks.size() / 2, TaskState::done);
        for (std::size_t i = page_.tasks.size() / 2; i < page_.tasks.size() / 2 + 60; ++i) {
            state_at(i, TaskState::claimed);
        }
        for (std::size_t i = 5; i < 200; i += 17) {
            state_at(i, TaskState::failed);
            page_.tasks[i].message =
                "could not lock /var/lib/dpkg, held by process " + std::to_string(i);
        }
        return finished();
    }

    /// A machine of these could not be prepared, and a service failed on others.
    ClusterPage large_and_failed() {
        large();
        set(0, page_.tasks.size(), TaskState::done);
        page_.cluster.status = ClusterStatus::incomplete;
        page_.job->status = JobStatus::failed;
        page_.job->finished_at = now - 2s;
        page_.job->tasks_done = 0;
        for (std::size_t i = 0; i < page_.tasks.size(); ++i) {
            Task& task = page_.tasks[i];
            const bool has_machine_failed = task.node.value % 40 == 3;
            const bool has_service_failed = task.node.value % 10 == 7;
            if (!has_machine_failed && !has_service_failed) continue;
            const bool is_first =
                task.action == (has_machine_failed ? Action::bootstrap : Action::install);
            const bool is_before = task.action == Action::create ||
                                   task.action == Action::confirm ||
                                   (has_service_failed && task.action == Action::bootstrap);
            if (is_before) continue;
            const bool fails = is_first && (has_machine_failed || task.service == "web");
            state_at(i, fails ? TaskState::failed : TaskState::cancelled);
            if (fails) {
                task.message =
                    "make directories ended with exit code 1: make directories: disk full";
            }
        }
        return finished();
    }

    /// One of two machines that failed is tried again; the other one is left as it was.
    ClusterPage partly_retried() {
        auto page = failed();
        page.cluster.status = ClusterStatus::pending;
        page.cluster.message.clear();
        page.job->status = JobStatus::running;
        page.job->message.clear();
        page.job->finished_at.reset();
        const NodeId again = page.nodes.back().id;
        for (Task& task : page.tasks) {
            if (task.node != again || task.service != "web") continue;
            task.state = task.action == Action::install ? TaskState::ready : TaskState::blocked;
            task.attempt = task.action == Action::install ? 4 : 0;
            task.finished_at.reset();
            if (task.action != Action::install) continue;
            task.message =
                "make directories ended with exit code 1: make directories: disk full (try 1 of 3, "
                "the next one after 2 s)";
            task.attempt_began = now - 4s;
            task.attempt_ended = now - 2s;
            page.retried.push_back(task);
        }
        page.machines = tests::listed(page.nodes, page.tasks);
        page.kinds = tests::kinds_of(page.tasks);
        return page;
    }

    ClusterPage failed_machine() {
        auto page = failed();
        page.machines.erase(page.machines.begin());
        page.nodes.erase(page.nodes.begin());
        const NodeId kept = page.nodes.front().id;
        std::erase_if(page.tasks, [&](const Task& task) { return task.node != kept; });
        page.lost[kept] = now - 300s;
        page.nodes.front().ssh_user = "root";
        page.earlier_jobs = {*page.job};
        return page;
    }

    /// The machines were there before; only their services would have been configured again.
    ClusterPage after_aborted_growth() {
        auto page = active();
        page.cluster.status = ClusterStatus::inconsistent;
        page.job->operation = Operation::cluster_grow;
        page.job->status = JobStatus::failed;
        page.job->aborted = true;
        page.job->message = "Aborted by user.";
        page.services.clear();
        for (auto& machine : page.machines) {
            machine.done = 0;
            machine.cancelled = machine.tasks;
            machine.own = {};
            for (const std::string& service : machine.services) {
                page.services.push_back({.node = machine.node, .service = service});
            }
        }
        page.services.front().action = Action::stop;
        return page;
    }

    ClusterPage machine_after_aborted_growth() {
        auto page = after_aborted_growth();
        page.tasks.clear();
        page.machines = {page.machines.back()};
        page.nodes = {page.nodes.back()};
        return page;
    }

    ClusterPage idle_machine() {
        auto page = active();
        page.tasks.clear();
        page.machines = tests::listed({page.nodes.back()}, {});
        page.nodes = {page.nodes.back()};
        return page;
    }

    ClusterPage without_services() {
        auto page = active();
        for (auto& machine : page.machines) machine.services.clear();
        page.callbacks.clear();
        page.may_operate = false;
        return page;
    }

    ClusterPage updated() {
        active();
        page_.cluster.snapshot.cluster_template.header.version = 2;
        page_.updated_from = 1;
        page_.for_admin = true;
        return page_;
    }

    ClusterPage active() {
        set(0, page_.tasks.size(), TaskState::done);
        page_.cluster.status = ClusterStatus::active;
        page_.job->status = JobStatus::complete;
        page_.job->finished_at = now - 53s;
        for (const char* name : {"cache", "load-balancer", "web"}) {
            Service service;
            service.header.name = name;
            service.actions[Action::start].type = "shell";
            if (service.header.name == "web") {
                service.links = {
                    {"Web site without the load balancer", "http://%ip.access_v4.self%:8080/"}};
            }
            page_.cluster.services.push_back(service.header.name);
            page_.cluster.snapshot.services.push_back(service);
        }
        page_.callbacks = {callback(CallbackEvent::success, CallbackState::waiting, 2),
                           callback(CallbackEvent::start, CallbackState::delivered, 1)};
        page_.callbacks.front().error = "answered 503";
        page_.cluster.config = web_template().defaults.config;
        return finished();
    }

 private:
    static Callback callback(CallbackEvent event, CallbackState state, int attempts) {
        Callback made;
        made.event = event;
        made.state = state;
        made.attempts = attempts;
        made.created_at = now - 53s;
        return made;
    }

    void fill_tasks() {
        for (const Node& machine : page_.nodes) {
            for (const Action action : {Action::create, Action::confirm, Action::bootstrap})
                add(machine, action, "");
            for (const Action action :
                 {Action::install, Action::configure, Action::initialize, Action::start}) {
                for (const auto& service : machine.services) add(machine, action, service);
            }
        }
    }

    void add(const Node& machine, Action action, const std::string& service) {
        Task task;
        task.id = TaskId{static_cast<std::int64_t>(page_.tasks.size()) + 1};
        task.node = machine.id;
        task.action = action;
        task.service = service;
        page_.tasks.push_back(task);
    }

    void state_at(std::size_t index, TaskState state) {
        Task& task = page_.tasks.at(index);
        task.state = state;
        task.attempt = 1;
        task.started_at = now - 4s;
        if (state == TaskState::done || state == TaskState::failed) task.finished_at = now - 1s;
    }

    void set(std::size_t begin, std::size_t end, TaskState state) {
        for (std::size_t i = begin; i < end; ++i) state_at(i, state);
    }

    ClusterPage finished() {
        page_.cluster.node_count = static_cast<int>(page_.nodes.size());
        page_.job->tasks_total = static_cast<int>(page_.tasks.size());
        for (const Task& task : page_.tasks)
            page_.job->tasks_done += task.state == TaskState::done ? 1 : 0;
        page_.machines = tests::listed(page_.nodes, page_.tasks);
        page_.kinds = tests::kinds_of(page_.tasks);
        return page_;
    }

    ClusterPage page_;
};

std::vector<JobRetry> some_retries(JobId job) {
    return {{.job = job,
             .user = "ada",
             .at = now - 62s,
             .has_new_configuration = true,
             .changed = {"web.port", "web.title"}},
            {.job = job, .user = "grace", .at = now - 1h},
            {.job = job, .kind = JobRetry::Kind::abort, .user = "grace", .at = now - 2h}};
}

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

Json job_of_cluster(const ClusterPage& page, JobQuery query = {}) {
    return job_json(page, job_with_attempts(page, std::move(query)));
}

Json timeline_of_cluster(const ClusterPage& page, JobQuery query = {}) {
    return timeline_json(page, job_with_attempts(page, std::move(query)));
}

/// It failed, and three hours later its rest was run.
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

/// More kinds of tasks than are drawn.
Json graph_of_many_kinds(const ClusterPage& page) {
    JobGraph graph{.is_of_kinds = true};
    for (std::size_t i = 0; i <= most_boxes; ++i) {
        const std::string service = "service-" + std::to_string(i);
        graph.nodes.push_back({.what = "install " + service, .column = service, .tasks = 3});
        if (i > 0) graph.edges.emplace_back(i - 1, i);
    }
    return job_graph_json(page, *page.job, graph);
}

/// More kinds of tasks than are drawn, of fewer services.
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

/// A large job that went well.
ClusterPage large_and_done() {
    auto page = ClusterBuilder().large();
    for (Task& task : page.tasks) {
        task.state = TaskState::done;
        task.message.clear();
        task.attempt = 1;
        task.started_at = now - 4s;
        task.finished_at = now - 1s;
    }
    page.job->status = JobStatus::complete;
    page.job->finished_at = now - 1s;
    page.job->tasks_done = page.job->tasks_total;
    page.cluster.status = ClusterStatus::active;
    return page;
}

provisioner::store::ClusterSummary summary(int number, const std::string& name,
                                           ClusterStatus status) {
    provisioner::store::ClusterSummary made;
    made.id = ClusterId{number};
    made.owner = number % 2 ? "ada" : "grace";
    made.name = name;
    made.status = status;
    made.created_at = now - std::chrono::hours(number * number);
    if (number % 3) made.expires_at = now + std::chrono::hours(30 * number);
    made.node_count = 2 + number;
    if (number % 3 == 2) {
        made.description =
            "For the demo on Friday: has the data of last week, and is shown to visitors of the "
            "fair until the end of the month";
    }
    made.cluster_template.name = number % 2 ? "web" : "hadoop-distributed";
    made.latest_job = job(60, 23, now - 60s);
    return made;
}

ClusterPage cluster_with_old_template() {
    ClusterPage page = ClusterBuilder().active();
    page.cluster.snapshot.cluster_template.header.version = 3;
    page.newest_template = 5;
    return page;
}

ClustersPage clusters_page(bool show_owner) {
    auto stopped = summary(6, "intranet", ClusterStatus::active);
    stopped.services_stopped = 2;
    return {.clusters = {summary(5, "shop", ClusterStatus::pending), stopped,
                         summary(4, "analytics", ClusterStatus::active),
                         summary(3, "shop", ClusterStatus::active),
                         summary(2, "try-out", ClusterStatus::incomplete),
                         summary(1, "old", ClusterStatus::inconsistent)},
            .choice = "",
            .order = show_owner ? "name" : "",
            .portion = show_owner ? std::optional(portion_of(312, 50, 2)) : std::nullopt,
            .is_first = !show_owner,
            .is_last = !show_owner,
            .show_owner = show_owner,
            .now = now};
}

ClustersPage clusters_of_all_tenants() {
    auto page = clusters_page(true);
    page.may_see_all = true;
    page.is_of_all = true;
    page.tenant = "superadmin";
    for (auto& cluster : page.clusters)
        cluster.tenant = cluster.id.value % 2 == 0 ? "demo" : "acme";
    return page;
}

ClustersPage found_clusters_page() {
    auto page = clusters_of_all_tenants();
    page.choice = "failing";
    page.text = "shop & more";
    auto& never = page.clusters.emplace_back(summary(7, "huge", ClusterStatus::terminated));
    never.tenant = "demo";
    never.latest_job->operation = Operation::solve_layout;
    never.latest_job->status = JobStatus::failed;
    return page;
}

ClustersPage terminated_clusters_page() {
    auto page = clusters_page(true);
    page.choice = "terminated";
    page.order = "ended";
    for (auto& cluster : page.clusters) {
        cluster.status = ClusterStatus::terminated;
        cluster.latest_job->finished_at = now - 3h;
    }
    page.clusters.back().latest_job->finished_at.reset();
    return page;
}

ClustersPage clusters_found_among_terminated() {
    return {.text = "old", .is_among_terminated = true, .now = now};
}

ClustersPage searched_clusters_page() {
    ClustersPage page{.text = "zebra", .now = now};
    page.searched = ClustersPage::Searched{.clusters = 10'000, .oldest = ClusterId{42}};
    return page;
}

Offer offer() {
    auto region = plugin_field("region", "Region", "select", "Where the machines stand.");
    region.options = {"eu-central", "us-east"};
    const auto key = plugin_field("key", "Key pair", "text", "");
    const auto password = plugin_field("secret", "Secret access key", "password", "");
    return {.templates = {big_template(), small_template(), web_template()},
            .providers = {{"local", "This machine"}, {"openstack", "openstack"}},
            .hardware_types = {{"large", "large", {"local", "openstack"}},
                               {"medium", "medium", {"openstack"}},
                               {"small", "Small, 2 cores", {"local", "openstack"}}},
            .image_types = {{"debian", "Debian 12", {"local"}}},
            .services = {{"cache", "Redis"},
                         {"cron", "cron"},
                         {"load-balancer", "load-balancer"},
                         {"web", "Web server"}},
            .provider_fields = {region, key, password}};
}

NewClusterPage new_cluster_page() {
    auto form = form_for(web_template());
    form.name = "shop";
    return {.offer = offer(), .form = form, .problems = {}};
}

NewClusterPage new_cluster_like_another() {
    auto page = new_cluster_page();
    page.form.like = "00000007";
    page.form.config = "{\"db_password\": \"********\"}";
    page.not_copied = {{"hardwaretype", "Not copied: this is the template's choice."},
                       {"imagetype", "Not copied: this is the template's choice."}};
    return page;
}

NewClusterPage new_cluster_in_doubt(bool is_admin) {
    auto page = new_cluster_page();
    page.doubts = {is_admin ? "Web server needs sql, and no machine of this layout has that."
                            : "Web server and Cache must not share a machine."};
    page.is_impossible = !is_admin;
    page.is_admin = is_admin;
    return page;
}

NewClusterPage new_cluster_with_problems() {
    auto page = new_cluster_page();
    page.form.name = "the shop!";
    page.form.machines = "40";
    page.form.config = "{\"web\": ";
    page.problems = {
        {"name", "Use letters, digits, dots, hyphens and underscores only."},
        {"numMachines", "The template allows 1 to 20 machines."},
        {"clusterTemplate", "This template has changed since the form was drawn."},
        {"config", "Line 2, column 5: expected the name of a member in double quotes, found }."},
        {"services", "web needs a load-balancer."},
        {"initialLeaseDuration", "At most 7 days."},
        {"providerFields.key", "The provider needs this."},
        {"", "The tenant's quota of 10 clusters is used up."}};
    page.missing = {{.service = "web", .needs = "load-balancer", .offered = {"load-balancer"}}};
    page.remedies = {{true, "Ask for 5 machines."},
                     {false, "Drop the rule that web and cache must not share a machine."}};
    return page;
}

/// The template's types cannot be used at the provider that the user chose.
NewClusterPage new_cluster_of_draft() {
    auto page = new_cluster_page();
    page.form.of_draft = true;
    return page;
}

NewClusterPage new_cluster_elsewhere(bool is_admin) {
    auto page = new_cluster_page();
    page.form.provider = "openstack";
    page.form.hardware_type = "huge";
    page.offer.hardware_types.push_back({"huge", "huge", {"local"}});
    page.problems = {{"hardwaretype", "Hardware type huge has no flavor for provider openstack."}};
    page.remedies = {{true, "Ask for hardware type large, medium or small."}};
    page.drawn_provider = "local";
    page.is_admin = is_admin;
    return page;
}

HourlyCost some_cost() {
    HourlyCost cost;
    cost.per_hour.add({"USD", 46'400});
    return cost;
}

/// Its services are none, too.
ClusterPage cluster_with_long_description() {
    ClusterPage page = ClusterBuilder().without_services();
    page.cluster.description =
        "The shop, for the demo on Friday.\n\nIt has the data of last week. Whoever changes it "
        "says so in "
        "the room of the team, because others show it to visitors, and puts it back as it was: see "
        "the "
        "notes beside the machine in the hall.";
    return page;
}

PreviewPage preview_page(int machines);

PreviewPage explained_preview_page() {
    auto page = preview_page(4);
    page.defaults.services = {"cache", "web"};
    page.defaults.config = {{"web", {{"port", 80}, {"title", "Hello"}}}};
    page.wanted.services = {"cache", "web", "cron", "load-balancer"};
    page.wanted.dns_suffix = "example.com";
    page.wanted.config = {{"web", {{"port", 8080}, {"theme", "dark"}}}};
    page.preview.reasons = {
        {.services = {{"cron", true, "cron needs at least 1 machine and is on no more than that."},
                      {"web", false, "web is not here: cron and web must not share a machine."}},
         .machine = "small is the only hardware type this cluster can have."},
        {.services = {{"web", true, "A machine takes every service it may have."}},
         .machine = "small is the only hardware type this cluster can have."}};
    return page;
}

PreviewPage preview_page(int machines) {
    PreviewPage page{.now = now};
    if (machines == 60) page.preview.lacking = {{"web", "sql"}};
    page.wanted.name = "shop";
    page.wanted.cluster_template = "web";
    page.wanted.description = "The shop, for the demo on Friday";
    page.preview.provider = "local";
    page.preview.provider_title = "This machine";
    page.preview.expires_at = now + 168h;
    for (int i = 1; i <= machines; ++i) {
        const auto services = i == 1 ? std::vector<std::string>{"cron", "load-balancer"}
                                     : std::vector<std::string>{"cache", "web"};
        page.preview.nodes.push_back({999 + i, "small", "debian", services});
    }
    page.preview.layout.groups = {{"small", "debian", {"cron", "load-balancer"}, 1},
                                  {"small", "debian", {"cache", "web"}, machines - 1}};
    page.preview.tasks = {{Action::create, machines},        {Action::confirm, machines},
                          {Action::bootstrap, machines},     {Action::install, 2 * machines},
                          {Action::configure, 2 * machines}, {Action::initialize, 0},
                          {Action::start, 2 * machines}};
    page.preview.task_count = 9 * machines;
    page.preview.stage_count = 9;
    page.wanted.machines = machines;
    page.labels = offer().labels();
    page.namesakes.emplace_back().name = "shop";
    page.creation_times = {std::chrono::seconds{70}, std::chrono::seconds{95}};
    page.preview.cost.emplace();
    page.preview.cost->per_hour.add({"USD", 46'400});
    page.preview.cost->unpriced[{"local", "local", "", "large", ""}] = 2;
    page.preview.cost_of_lease.add({"USD", 7'795'200});
    page.preview.warnings = {"85 % of the tenant's budget of 0.50 USD per hour is used."};
    page.sizes = {
        {.machines = machines - 1, .problems = {{"numMachines", "web needs at least 3 machines."}}},
        {.machines = machines,
         .layout = page.preview.layout,
         .task_count = 9 * machines,
         .cost = page.preview.cost},
        {.machines = machines + 1,
         .layout = page.preview.layout,
         .task_count = 9 * (machines + 1)}};
    provisioner::model::PluginField key;
    key.name = "key";
    key.label = "Key of the account";
    key.sensitive = true;
    page.provider_fields = {key};
    page.sent.fields = {{"providerFields.key", "typed"},
                        {"csrf", "5f3c"},
                        {"name", "shop"},
                        {"numMachines", std::to_string(machines)}};
    return page;
}

std::vector<Json> services() {
    return {
        Json::parse(
            R"({"name":"cache","version":3,"description":"Redis, listening on the inner network",
                "dependencies":{"provides":[],"conflicts":[],"install":{"requires":[],"uses":[]},
                "runtime":{"requires":["base"],"uses":[]}},"provisioner":{"actions":{"install":{"type":"shell",
                "fields":{"script":"redis.sh","args":"install"}},"start":{"type":"shell","fields":{"script":"redis.sh"}}}}})"),
        Json::parse(
            R"({"name":"web","version":1,"provisioner":{"actions":{"install":{"type":"shell","fields":{}}}}})")};
}

Json provider() {
    return Json::parse(
        R"({"name":"openstack","version":2,"description":"The department's cloud","providertype":"openstack",
        "provisioner":{"auth_url":"https://cloud.example.test:5000","api_username":"cooperage","api_password":"x"}})");
}

TaskPage task_page() {
    const auto cluster = ClusterBuilder().in_the_middle();
    TaskPage page{.cluster = cluster.cluster,
                  .node = cluster.nodes.front(),
                  .is_listed = true,
                  .operation = Operation::cluster_create,
                  .task = cluster.tasks.at(33),
                  .now = now};
    for (const int number : {-1, 0, 1}) {
        page.on_machine.push_back(page.task);
        page.on_machine.back().id.value += number;
        page.on_machine.back().started_at = now;
    }
    return page;
}

provisioner::store::TranscriptPiece printed(int attempt, const char* stream,
                                            const std::string& body, std::int64_t missing = 0) {
    return {.id = 1, .attempt = attempt, .stream = stream, .body = body, .missing = missing};
}

/// Colours, both streams, two attempts, a gap, a line that was overwritten and one that is very
/// long; what was searched for stands in some of them.
TaskPage task_page_with_log(LogQuery query) {
    TaskPage page = task_page();
    page.query = std::move(query);
    std::string colours;
    for (int i = 0; i < 16; ++i) {
        const std::string ink = std::to_string((i < 8 ? 30 : 82) + i);
        const std::string ground = std::to_string((i < 8 ? 40 : 92) + i);
        colours += "\x1b[" + ink + "mcolour " + std::to_string(i) + "\x1b[0m \x1b[" + ground +
                   "m ground \x1b[0m" + (i % 4 == 3 ? "\n" : "  ");
    }
    TaskLog log(400);
    log.add(printed(1, "note", "connected to 10.0.0.7\n"));
    log.add(printed(1, "out", "Reading package lists...\nGet:1 http://deb.example.test nginx\n"));
    log.add(printed(1, "err", "E: Could not get lock /var/lib/dpkg/lock, held by apt 4711\n"));
    log.add(printed(2, "out", "  10 %\r  60 %\r 100 % [" + std::string(60, '#') + "]\n" + colours));
    log.add(printed(2, "out",
                    "\x1b[1mbold\x1b[22m \x1b[2mfaint\x1b[22m \x1b[3mitalic\x1b[23m "
                    "\x1b[4munderlined\x1b[24m \x1b[7minverse\x1b[27m \x1b[7;31minverse red"
                    "\x1b[0m <b>no markup</b>\n"));
    log.add(printed(2, "out", "more\n", 1'234'567));
    log.add(printed(2, "out", "a very long line: " + std::string(12'000, 'x') + "\n"));
    log.add(printed(2, "err", "\x1b[31mE: nginx: dependency problems - leaving it\x1b[0m\n"));
    page.log = log.lines();
    return page;
}

/// 2,345 lines of a task that runs.
TaskPage task_page_long(LogQuery query) {
    TaskPage page = task_page();
    page.query = std::move(query);
    page.skipped = 1'500'000;
    TaskLog log(longest_line);
    for (int i = 1; i <= 2345; ++i) {
        log.add(printed(1, i % 9 == 0 ? "err" : "out",
                        "Unpacking package " + std::to_string(i) + " of 3000\n"));
    }
    page.log = log.lines();
    return page;
}

TaskPage task_page_ended(TaskPage page, TaskState state, const char* message) {
    page.task.state = state;
    page.task.finished_at = now;
    page.task.message = message;
    return page;
}

/// Of a run before a retry with another configuration.
TaskPage replaced_task_page() {
    auto page = task_page_ended(task_page(), TaskState::failed, "exit code 78: web: port");
    page.task.attempts_before = page.task.attempt + 1;
    return page;
}

TaskPage failed_task_page() {
    const auto cluster = ClusterBuilder().failed();
    auto page = task_page_with_log({.line = 3, .find = "e:"});
    page.node = cluster.nodes[1];
    page.task = cluster.tasks[14];
    page.task.message =
        "install cache ended with exit code 100: E: Unable to locate package redis-sever";
    page.status_code = 100;
    page.may_retry = true;
    page.failed = {{.task = page.task, .hostname = page.node.hostname},
                   {.task = cluster.tasks[24], .hostname = cluster.nodes[2].hostname}};
    return page;
}

namespace operations = provisioner::operations;
namespace planner = provisioner::planner;

operations::NodeChange node_change(planner::Membership membership, int number,
                                   const std::vector<std::string>& services) {
    operations::NodeChange change;
    change.membership = membership;
    change.node.nodenum = number;
    change.node.hostname = "shop42-" + std::to_string(number) + ".example.test";
    change.node.hardware_type = "small";
    change.node.image_type = "debian";
    change.node.services = services;
    return change;
}

/// A growth of a cluster of `machines` by one.
ChangePage growing_page(int machines) {
    const auto made = ClusterBuilder().active();
    ChangePage page{.change = Change::grow, .cluster = made.cluster, .nodes = made.nodes};
    page.labels = made.labels;
    page.asked.fields = {{"numMachines", "1"}, {"restart", "true"}};
    operations::PreparedChange change;
    change.operation = Operation::cluster_grow;
    change.cost_before = some_cost();
    change.cost_after = some_cost();
    change.cost_after->per_hour.add({"USD", 11'600});
    change.warnings = {"85 % of the tenant's budget of 0.50 USD per hour is used."};
    change.nodes.push_back(node_change(planner::Membership::stays, 1000, {"load-balancer"}));
    for (int i = 1; i < machines; ++i) {
        change.nodes.push_back(node_change(planner::Membership::stays, 1000 + i, {"web"}));
    }
    change.nodes.push_back(node_change(planner::Membership::joins, 1000 + machines, {"web"}));
    const auto last = static_cast<std::size_t>(machines);
    change.graph.order({last, Action::create, ""}, {last, Action::start, "web"});
    change.graph.order({last, Action::start, "web"}, {0, Action::configure, "load-balancer"});
    page.preview = change;
    return page;
}

ChangePage shrinking_page() {
    const auto made = ClusterBuilder().active();
    ChangePage page{.change = Change::shrink, .cluster = made.cluster, .nodes = made.nodes};
    page.labels = made.labels;
    page.asked.fields = {{"numMachines", "9"}, {"nodes", "1001"}};
    page.cluster.snapshot.cluster_template.constraints.size_min = 1;
    page.cluster.snapshot.cluster_template.constraints.services = {
        {"load-balancer", {.hardware_types = {}, .image_types = {}, .min = 1}}};
    page.problems = {{"nodes", "web needs at least 1 machine and would be on 0."},
                     {"numMachines", "The cluster has 4 machines and needs at least 3."}};
    return page;
}

/// A long list of machines to remove, filtered, with some chosen.
ChangePage picking_page() {
    auto page = shrinking_page();
    page.problems.clear();
    const Node like = page.nodes.back();
    for (int i = 0; i < 140; ++i) {
        Node& node = page.nodes.emplace_back(like);
        node.nodenum = 1010 + i;
        node.hostname = "shop42-" + std::to_string(node.nodenum) + ".example.test";
    }
    page.looks = {{1011, MachineLook::failed}, {1015, MachineLook::failed}};
    page.asked.fields = {{"numMachines", "1"}, {"nodes", "1011"}, {"nodes", "1140"},
                         {"q", "shop"},        {"page", "2"},     {"looked", "yes"}};
    return page;
}

ChangePage removing_page() {
    auto page = growing_page(2);
    page.change = Change::remove_services;
    page.asked.fields = {{"services", "cache"}};
    page.preview->operation = Operation::remove_services;
    page.preview->nodes[1].leaving = {"cache"};
    page.preview->nodes[1].arriving = {};
    page.preview->nodes.pop_back();
    page.preview->graph = {};
    page.preview->graph.order({1, Action::stop, "cache"}, {1, Action::remove, "cache"});
    return page;
}

Json error_page() {
    return to_json(ErrorPage{.heading = "There is no such cluster",
                             .text = "It may have been deleted, or it belongs to somebody else.",
                             .ways = {{"/clusters", "Clusters"}, {"/", "Home"}}});
}

Json in_docs(const Viewer& viewer) {
    const Json document{
        {"tags", {{{"name", "Clusters"}}}},
        {"paths",
         {{"/v2/clusters",
           {{"get", {{"tags", {"Clusters"}}, {"summary", "Clusters of the tenant."}}}}}}}};
    return framed({{"groups", calls_json(document)}},
                  {.title = "API", .section = "docs", .script = "api.js"}, viewer);
}

Json done(Json page, const std::string& words) {
    page["done"] = words;
    return page;
}

Json in_clusters(Json page, const Viewer& viewer = visitor) {
    return framed(std::move(page),
                  {.title = "Clusters",
                   .section = "clusters",
                   .script = "live.js",
                   .refresh = {.every = 5s, .still = "/clusters/00000007?reload=no"}},
                  viewer);
}

Json in_catalogue(const CataloguePage& page) {
    return framed(to_json(page),
                  {.title = tab_title(plural_title(page.kind)), .section = "catalogue"},
                  administrator);
}

Json entry_sample() {
    const EntryPage page{CatalogueKind::provider, provider(), "", "everybody"};
    return framed(to_json(page), {.title = title_of(page), .section = "catalogue"}, administrator);
}

std::vector<Sample> of_clusters_and_others() {
    const QuestionPage deletion{.question = Question::delete_cluster,
                                .cluster = ClusterBuilder().active().cluster,
                                .nodes = ClusterBuilder().active().nodes,
                                .problems = {{"", "Job 00000042-002 is still underway."}}};
    QuestionPage large_deletion{.question = Question::delete_cluster,
                                .cluster = deletion.cluster,
                                .nodes = deletion.nodes,
                                .typed = "shap"};
    large_deletion.problems = {{"confirm", "This is not the name of the cluster, which is shop."}};
    while (large_deletion.nodes.size() < machines_of_large_cluster) {
        large_deletion.nodes.push_back(large_deletion.nodes.back());
    }
    const QuestionPage give_up{
        .question = Question::give_up, .cluster = deletion.cluster, .nodes = deletion.nodes};
    const QuestionPage stop{.question = Question::stop_services,
                            .cluster = deletion.cluster,
                            .nodes = deletion.nodes,
                            .services = {"cache"},
                            .touched = {"cache", "web"}};
    QuestionPage blocked_restart{.question = Question::restart_services,
                                 .cluster = deletion.cluster,
                                 .job = ClusterBuilder().failed().job,
                                 .nodes = deletion.nodes};
    blocked_restart.cluster.status = ClusterStatus::incomplete;
    const QuestionPage start{.question = Question::start_services,
                             .cluster = deletion.cluster,
                             .nodes = deletion.nodes,
                             .services = {"cache"},
                             .touched = {"cache", "cron"},
                             .running = {"cron"},
                             .offered = {"web"}};
    const ConfigurePage configure{
        .cluster = deletion.cluster,
        .config = "{\"web\": ",
        .nodes = deletion.nodes,
        .touched = {"cache", "web"},
        .problems = {
            {"config",
             "Line 2, column 5: expected the name of a member in double quotes, found }."}}};
    ConfigurePage blocked_config{.cluster = deletion.cluster, .config = "{}"};
    blocked_config.cluster.status = ClusterStatus::incomplete;
    blocked_config.job = ClusterBuilder().failed().job;
    blocked_config.job->operation = Operation::cluster_grow;
    ConfigurePage repair{.cluster = deletion.cluster, .config = "{\"port\": \"eighty\"}"};
    repair.cluster.status = ClusterStatus::incomplete;
    repair.cluster.message = "configure web failed on shop-42-1001: port: eighty is no number";
    repair.cluster.config = {{"port", "eighty"}};
    repair.job = ClusterBuilder().failed().job;
    ConfigurePage repair_previewed = repair;
    repair_previewed.config = "{\"port\": 80}";
    repair_previewed.preview = Json{{"port", 80}};
    ConfigurePage repair_same = repair;
    repair_same.preview = repair.cluster.config;
    auto blocked_growth = growing_page(3);
    blocked_growth.cluster.status = ClusterStatus::pending;
    blocked_growth.preview.reset();
    ConfigurePage previewed = configure;
    previewed.problems = {};
    previewed.cluster.config = {{"web", {{"port", 80}}}, {"workers", 4}};
    previewed.preview = Json{{"web", {{"port", 8080}}}, {"workers", 4}};
    previewed.config = previewed.preview->dump(2);
    ConfigurePage failed_config = configure;
    failed_config.problems = {};
    failed_config.cluster.config = {{"web", {{"port", "abc"}}}, {"db_password", "wine"}};
    failed_config.cluster.message = "configure web failed on shop-42-1001: port: abc is no number";
    failed_config.working = Json{{"web", {{"port", 80}}}, {"db_password", "beer"}};
    failed_config.config =
        text_of_config(failed_config.cluster.config, failed_config.cluster.config);
    const LeasePage lease{.cluster = deletion.cluster,
                          .expires = "2026-12-01T10:00",
                          .now = now,
                          .problems = {{"expireTime",
                                        "Cluster cannot be prolonged beyond its max "
                                        "duration"}}};
    return {
        {"templates", "catalogue/templates",
         framed(to_json(TemplatesPage{{big_template(), small_template(), web_template()},
                                      {{web_template().header.name, some_cost()}},
                                      {},
                                      {web_template().header.name},
                                      {small_template().header.name}}),
                {.title = "Templates", .section = "templates"}, visitor)},
        {"templates_searched", "catalogue/templates",
         framed(to_json(TemplatesPage{.templates = {small_template(), web_template()},
                                      .search = "web"}),
                {.title = "Templates", .section = "templates"}, visitor)},
        {"templates_none", "catalogue/templates",
         framed(to_json(TemplatesPage{}), {.title = "Templates", .section = "templates"}, visitor)},
        {"clusters", "clusters/index", in_clusters(to_json(clusters_page(false)))},
        {"clusters_admin", "clusters/index",
         in_clusters(to_json(clusters_page(true)), administrator)},
        {"clusters_everywhere", "clusters/index",
         in_clusters(to_json(clusters_of_all_tenants()), administrator)},
        {"clusters_none", "clusters/index", in_clusters(to_json(ClustersPage{.now = now}))},
        {"clusters_of_entry", "clusters/index",
         in_clusters(
             to_json(ClustersPage{.cluster_template = "shop", .provider = "sim", .now = now}))},
        {"clusters_found", "clusters/index", in_clusters(to_json(found_clusters_page()))},
        {"clusters_terminated", "clusters/index", in_clusters(to_json(terminated_clusters_page()))},
        {"clusters_found_terminated", "clusters/index",
         in_clusters(to_json(clusters_found_among_terminated()))},
        {"clusters_searched", "clusters/index", in_clusters(to_json(searched_clusters_page()))},
        {"clusters_not_found", "clusters/index",
         in_clusters(to_json(ClustersPage{.text = "shpo", .show_owner = true, .now = now}))},
        {"cluster_new", "clusters/new", in_clusters(to_json(new_cluster_page()))},
        {"cluster_new_draft", "clusters/new", in_clusters(to_json(new_cluster_of_draft()))},
        {"cluster_new_elsewhere", "clusters/new",
         in_clusters(to_json(new_cluster_elsewhere(true)))},
        {"cluster_new_elsewhere_for_user", "clusters/new",
         in_clusters(to_json(new_cluster_elsewhere(false)))},
        {"cluster_new_doubts", "clusters/new", in_clusters(to_json(new_cluster_in_doubt(true)))},
        {"cluster_new_impossible", "clusters/new",
         in_clusters(to_json(new_cluster_in_doubt(false)))},
        {"cluster_new_like", "clusters/new", in_clusters(to_json(new_cluster_like_another()))},
        {"cluster_new_problems", "clusters/new", in_clusters(to_json(new_cluster_with_problems()))},
        {"cluster_preview", "clusters/preview", in_clusters(to_json(preview_page(4)))},
        {"cluster_preview_explained", "clusters/preview",
         in_clusters(to_json(explained_preview_page()))},
        {"cluster_preview_large", "clusters/preview", in_clusters(to_json(preview_page(60)))},
        {"cluster_pending", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().in_the_middle()))},
        {"cluster_failed", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().failed()))},
        {"cluster_active", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().active()))},
        {"cluster_updated", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().updated()))},
        {"cluster_stopped", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().stopped()))},
        {"cluster_wrong_configuration", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().wrongly_configured()))},
        {"cluster_large", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().large()))},
        {"cluster_large_failed", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().large_and_failed()))},
        {"cluster_partly_retried", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().partly_retried()))},
        {"cluster_job_partly_retried", "clusters/tabs/job",
         in_clusters(job_of_cluster(ClusterBuilder().partly_retried()))},
        {"cluster_job_large_failed", "clusters/tabs/job",
         in_clusters(job_of_cluster(ClusterBuilder().large_and_failed()))},
        {"cluster_machines", "clusters/tabs/machines",
         in_clusters(machines_json(ClusterBuilder().in_the_middle(), {}))},
        {"cluster_machines_large", "clusters/tabs/machines",
         in_clusters(machines_json(ClusterBuilder().large(), {.state = "ready", .page = 2}))},
        {"cluster_machines_none", "clusters/tabs/machines",
         framed(machines_json(ClusterBuilder().active(),
                              {.text = "nothing", .services = "db,web", .part = "services"}),
                {.title = "Machines", .section = "clusters", .refresh = {.is_stopped = true}},
                visitor)},
        {"cluster_machines_left", "clusters/tabs/machines",
         in_clusters(machines_json(ClusterBuilder().after_aborted_growth(), {}))},
        {"cluster_machine_left", "clusters/tabs/machine",
         in_clusters(machine_json(ClusterBuilder().machine_after_aborted_growth()))},
        {"cluster_machine", "clusters/tabs/machine",
         in_clusters(machine_json(ClusterBuilder().failed_machine()))},
        {"cluster_machine_idle", "clusters/tabs/machine",
         in_clusters(machine_json(ClusterBuilder().idle_machine()))},
        {"cluster_jobs", "clusters/tabs/jobs", in_clusters(jobs_of_cluster())},
        {"cluster_jobs_none", "clusters/tabs/jobs",
         in_clusters(jobs_json(ClusterBuilder().active(), {}))},
        {"cluster_job", "clusters/tabs/job",
         in_clusters(job_of_cluster(ClusterBuilder().failed()))},
        {"cluster_job_retried", "clusters/tabs/job", in_clusters(retried_job())},
        {"cluster_job_running", "clusters/tabs/job",
         in_clusters(job_of_cluster(ClusterBuilder().in_the_middle()))},
        {"cluster_job_filtered", "clusters/tabs/job",
         in_clusters(job_of_cluster(
             ClusterBuilder().in_the_middle(),
             {.state = "cancelled", .action = "install", .service = "web", .machine = "1001"}))},
        {"cluster_job_large", "clusters/tabs/job",
         in_clusters(job_of_cluster(ClusterBuilder().large(), {.page = 2, .lanes = 2}))},
        {"cluster_job_timeline", "clusters/tabs/job_timeline",
         in_clusters(timeline_of_cluster(ClusterBuilder().failed()))},
        {"cluster_job_timeline_large", "clusters/tabs/job_timeline",
         in_clusters(timeline_of_cluster(ClusterBuilder().large(), {.lanes = 2}))},
        {"cluster_job_timeline_none", "clusters/tabs/job_timeline",
         in_clusters(
             timeline_json(ClusterBuilder().active(),
                           {.job = *ClusterBuilder().active().job, .query = {.machine = "none"}}))},
        {"cluster_job_graph", "clusters/tabs/job_graph",
         in_clusters(graph_of_job(ClusterBuilder().in_the_middle()))},
        {"cluster_job_graph_failed", "clusters/tabs/job_graph",
         in_clusters(graph_of_job(ClusterBuilder().failed()))},
        {"cluster_job_graph_large", "clusters/tabs/job_graph",
         in_clusters(graph_of_job(ClusterBuilder().large()))},
        {"cluster_job_graph_listed", "clusters/tabs/job_graph",
         in_clusters(graph_of_many_kinds(ClusterBuilder().large()))},
        {"cluster_job_graph_services", "clusters/tabs/job_graph",
         in_clusters(graph_of_many_services(ClusterBuilder().large()))},
        {"cluster_job_graph_none", "clusters/tabs/job_graph",
         in_clusters(job_graph_json(ClusterBuilder().active(), *ClusterBuilder().active().job,
                                    JobGraph{}))},
        {"cluster_job_large_done", "clusters/tabs/job",
         in_clusters(job_of_cluster(large_and_done()))},
        {"cluster_services", "clusters/tabs/services",
         in_clusters(services_json(ClusterBuilder().stopped()))},
        {"cluster_services_blocked", "clusters/tabs/services",
         in_clusters(services_json(ClusterBuilder().failed()))},
        {"cluster_services_needed", "clusters/tabs/services",
         in_clusters(services_json(ClusterBuilder().of_one_service_each()))},
        {"cluster_services_none", "clusters/tabs/services",
         in_clusters(services_json(ClusterBuilder().without_services()))},
        {"cluster_settings", "clusters/tabs/settings",
         in_clusters(done(settings_json(ClusterBuilder().active()), "Description changed."))},
        {"cluster_settings_outdated", "clusters/tabs/settings",
         in_clusters(settings_json(cluster_with_old_template()))},
        {"cluster_settings_plain", "clusters/tabs/settings",
         in_clusters(settings_json(cluster_with_long_description()))},
        {"cluster_task", "jobs/task", in_clusters(to_json(task_page()))},
        {"cluster_task_replaced", "jobs/task", in_clusters(to_json(replaced_task_page()))},
        {"cluster_task_log", "jobs/task", in_clusters(to_json(task_page_with_log({})))},
        {"cluster_task_failed", "jobs/task", in_clusters(to_json(failed_task_page()))},
        {"cluster_task_unwrapped", "jobs/task",
         in_clusters(to_json(task_page_ended(task_page_with_log({.find = "nowhere", .wrap = false}),
                                             TaskState::done, "")))},
        {"cluster_task_long", "jobs/task", in_clusters(to_json(task_page_long({})))},
        {"cluster_task_part", "jobs/task",
         in_clusters(to_json(task_page_long({.line = 1200, .find = "99"})))},
        {"cluster_expired", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().expired()))},
        {"cluster_without_layout", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().without_layout()))},
        {"cluster_give_up", "clusters/question", in_clusters(to_json(give_up))},
        {"cluster_paused", "clusters/tabs/overview",
         in_clusters(overview_json(ClusterBuilder().paused()))},
        {"cluster_delete", "clusters/question", in_clusters(to_json(deletion))},
        {"cluster_delete_large", "clusters/question", in_clusters(to_json(large_deletion))},
        {"cluster_stop", "clusters/question", in_clusters(to_json(stop))},
        {"cluster_restart_blocked", "clusters/question", in_clusters(to_json(blocked_restart))},
        {"cluster_start", "clusters/question", in_clusters(to_json(start))},
        {"cluster_description", "clusters/description",
         in_clusters(to_json(DescriptionPage{
             .cluster = deletion.cluster,
             .description = "The shop, for the demo on Friday",
             .problems = {{"description", "It must not be longer than 65,535 bytes."}}}))},
        {"cluster_configure", "clusters/configure", in_clusters(to_json(configure))},
        {"cluster_configure_blocked", "clusters/configure", in_clusters(to_json(blocked_config))},
        {"cluster_grow_blocked", "changes/change", in_clusters(to_json(blocked_growth))},
        {"cluster_configure_failed", "clusters/configure", in_clusters(to_json(failed_config))},
        {"cluster_configure_preview", "clusters/configure", in_clusters(to_json(previewed))},
        {"cluster_repair", "clusters/configure", in_clusters(to_json(repair))},
        {"cluster_repair_preview", "clusters/configure", in_clusters(to_json(repair_previewed))},
        {"cluster_repair_same", "clusters/configure", in_clusters(to_json(repair_same))},
        {"cluster_grow", "changes/change", in_clusters(to_json(growing_page(3)))},
        {"cluster_grow_large", "changes/change", in_clusters(to_json(growing_page(60)))},
        {"cluster_shrink", "changes/change", in_clusters(to_json(shrinking_page()))},
        {"cluster_shrink_many", "changes/change", in_clusters(to_json(picking_page()))},
        {"cluster_remove_services", "changes/change", in_clusters(to_json(removing_page()))},
        {"cluster_lease", "clusters/lease", in_clusters(to_json(lease))},
        {"catalogue", "catalogue/index",
         in_catalogue(CataloguePage{CatalogueKind::service, services()})},
        {"catalogue_none", "catalogue/index",
         in_catalogue(CataloguePage{CatalogueKind::image_type, {}})},
        {"catalogue_entry", "catalogue/show", entry_sample()},
        {"api", "docs/api", in_docs(visitor)},
        {"api_nobody", "docs/api", in_docs({})},
        {"kept_form", "kept/show",
         framed(to_json(KeptFormPage{.form = {.path = "/people",
                                              .body = "name=ann&role=user&kept-secret=api_token"}}),
                {.title = "Send your form now?", .section = "form"}, administrator)},
        {"kept_form_proven", "kept/show",
         framed(to_json(KeptFormPage{
                    .form = {.path = "/people", .body = "name=ann&role=user&kept-for-proof=yes"}}),
                {.title = "Send your form now?", .section = "form"}, administrator)},
        {"error", "errors/show",
         framed(error_page(), {.title = "Not found", .section = "error"}, visitor)},
        {"error_in_a_view", "errors/show",
         framed(to_json(
                    ErrorPage{.heading = "You are viewing acme",
                              .text = "While you view a tenant you can only read what it has.",
                              .ways = {{"/", "Home"}},
                              .form = ErrorPage::Form{.action = "/viewing/acme/leave",
                                                      .next = "/profile",
                                                      .button = "Stop viewing and open the page"}}),
                {.title = "You are viewing acme", .section = "error"}, administrator)},
        {"question_of_a_view", "errors/show",
         framed(to_json(ErrorPage{
                    .heading = "View acme?",
                    .text = "You are not viewing this tenant now. The page /clusters/00000042 "
                            "belongs to it: you would see it as its auditors do, and change "
                            "nothing. The audit logs of acme and of your own tenant record when "
                            "the view begins and ends.",
                    .ways = {{"/", "No, go to Home"}},
                    .form = ErrorPage::Form{.action = "/viewing/acme",
                                            .next = "/clusters/00000042",
                                            .button = "View acme",
                                            .back = "/clusters?tenants=all"}}),
                {.title = "View acme?", .section = "error"}, administrator)},
    };
}

}  // namespace

std::vector<Sample> all() {
    std::vector<Sample> samples;
    for (const auto& of_room : {of_clusters_and_others, of_sign_in, of_people, of_access,
                                of_machines, of_audit, of_overview, of_builder, of_catalogue}) {
        auto more = of_room();
        std::ranges::move(more, std::back_inserter(samples));
    }
    return samples;
}

}  // namespace samples
