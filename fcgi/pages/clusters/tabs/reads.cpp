#include "fcgi/pages/clusters/tabs/reads.hpp"
#include "fcgi/pages/clusters/jobs/retries.hpp"

#include <algorithm>
#include <functional>

#include "fcgi/pages/clusters/jobs/job_reads.hpp"
#include "fcgi/pages/clusters/page_reads.hpp"
#include "fcgi/pages/clusters/tabs/about.hpp"
#include "fcgi/pages/clusters/tabs/failure_groups.hpp"
#include "fcgi/pages/clusters/tabs/jobs.hpp"
#include "fcgi/pages/clusters/tabs/machines.hpp"
#include "fcgi/pages/clusters/tabs/overview.hpp"
#include "fcgi/pages/clusters/tabs/services.hpp"
#include "fcgi/pages/elsewhere.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/ids_in_paths.hpp"
#include "fcgi/pages/progress.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/changes/sync_template.hpp"
#include "provisioner/operations/clusters/resolve_template.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/clusters/deletion_store.hpp"
#include "provisioner/store/jobs/callback_store.hpp"
#include "provisioner/store/jobs/job_end_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/machines/sighting_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
using namespace provisioner::model;
using namespace provisioner::store;

void read_latest_job_of(Connection& connection, ClusterPage& page) {
    page.job = find_job(connection, page.cluster.latest_job);
    page.end = read_end(connection, page.cluster, page.job);
}

namespace {

/// Whose tasks the states of machines and services come from. Of an active cluster none are needed:
/// all are done.
JobId job_that_tells(const ClusterPage& page) {
    return page.cluster.status == ClusterStatus::active ? JobId{} : page.cluster.latest_job;
}

void take_machines(Connection& connection, ClusterPage& page, ListedMachines listed) {
    page.machines = std::move(listed.machines);
    page.work = std::move(listed.of_services);
    const int most = page.cluster.node_count;
    for (const auto& lost : list_lost_machines(connection, {}, page.cluster.id, most)) {
        page.lost[lost.node] = lost.missing_since;
    }
}

}  // namespace

void read_machines_of(Connection& connection, ClusterPage& page) {
    take_machines(connection, page,
                  list_machines(connection, page.cluster.id, job_that_tells(page)));
}

void read_services_of(Connection& connection, ClusterPage& page) {
    const ServicePlaces places = pages::services_that_run(page);
    page.services = page.cluster.status == ClusterStatus::active
                        ? states_of_active(connection, {page.cluster.id}, places)
                        : service_states(connection, page.cluster.id, places);
}

namespace {

constexpr int callbacks_shown = 6;
constexpr std::size_t most_failures = 5;
constexpr std::size_t outputs_shown = 24;
constexpr std::size_t most_jobs = 200;
/// Failed jobs of a list whose tasks are counted; the newest one is, whatever its size.
constexpr std::size_t most_counted_jobs = 20;
constexpr int most_counted_tasks = 20'000;
constexpr int earlier_jobs_shown = 21;
constexpr std::chrono::seconds reload_while_busy{5};

/// Adds what a tab needs to a page that has cluster and job; false: there is no such thing.
using More = std::function<bool(Connection&, ClusterPage&)>;
using Draw = std::function<Json(const ClusterPage&)>;

struct Tab {
    /// A page of Renderer.
    const char* view;
    /// Before the cluster's name in the title; empty for the overview.
    std::string title;
    /// What is missing when `more` says false.
    std::string thing = "cluster";
    /// Frame::notes
    std::vector<std::string> notes = {};
};

std::string title_of_tab(const Tab& tab, const ClusterPage& page) {
    const std::string part = tab.title.empty() ? "" : tab.title + ", ";
    const auto status = shown_status(page.cluster.status, page.job, page.cluster.services_stopped);
    return part + page.cluster.name + ": " + status.words;
}

/// What a form has just done, by `?done=`; empty for anything else.
std::string words_of_done_form(const std::string& what, const ClusterPage& page) {
    if (what == "description") return translated("Description changed.");
    if (what == "lease-unchanged")
        return translated("Nothing changed: the lease already ends at this time.");
    if (what == "lease") {
        const auto& end = page.cluster.expires_at;
        return end ? translated("Lease changed: the cluster is deleted at {0}.",
                                moment(*end, page.now).at("absolute").get<std::string>())
                   : translated("Lease changed: the cluster has no expiry.");
    }
    if (what == "replace") return translated("The machine is being replaced.");
    return "";
}

Response drawn_tab(const Request& request, const auth::Visitor& visitor, App& app, const Tab& tab,
                   const More& more, const Draw& draw) {
    const auto id = id_in(request);
    bool is_cluster = true;
    const auto page = app.database.read([&](Connection& c) -> std::optional<ClusterPage> {
        auto cluster = find_cluster(c, visitor.who(), id);
        is_cluster = cluster.has_value();
        if (!cluster) return std::nullopt;
        ClusterPage read{.cluster = std::move(*cluster), .now = app.clock.now()};
        read.labels = labels_of(c, read.cluster);
        read_latest_job_of(c, read);
        read.for_admin = visitor.who().is_admin();
        read.may_operate = visitor.who().may(Right::use_clusters);
        if (!more(c, read)) return std::nullopt;
        return read;
    });
    if (!page && is_cluster) return nothing_there(tab.thing);
    if (!page) return no_such_cluster(request, visitor, app, id, translated("cluster"));
    Json json = draw(*page);
    json["done"] = words_of_done_form(request.query_value("done").value_or(""), *page);
    const auto refresh = page->changes() ? reload_while_busy : std::chrono::seconds{0};
    return drawn(app, visitor, 200, tab.view,
                 {.title = title_of_tab(tab, *page),
                  .section = "clusters",
                  .script = "live.js",
                  .refresh = reload_every(refresh, request),
                  .notes = tab.notes},
                 std::move(json));
}

void read_output(Connection& connection, ClusterPage& page, const Task& task) {
    page.outputs[task.id] = end_of_output(connection, task);
}

/// Tasks of the latest job, as ClusterPage::tasks says.
void read_tasks_of_latest(Connection& connection, ClusterPage& page) {
    if (!page.job || page.job->status == JobStatus::complete) return;
    const bool is_large = page.machines.size() > machines_with_all_tasks;
    page.tasks = is_large ? failed_tasks_of(connection, page.job->id)
                          : shown_tasks_of(connection, page.job->id);
}

bool read_overview(Connection& connection, ClusterPage& page) {
    read_machines_of(connection, page);
    if (may_have_links(page.cluster)) page.nodes = nodes_of(connection, page.cluster.id);
    const auto& ends = page.cluster.expires_at;
    if (ends && *ends <= page.now) {
        page.failed_deletions = failed_deletions(connection, page.cluster.id);
    }
    read_tasks_of_latest(connection, page);
    read_services_of(connection, page);
    if (!page.job) return true;
    page.breaks = breaks_of(connection, {*page.job}, page.now);
    if (page.changes()) {
        page.retried = retried_tasks_of(connection, page.job->id);
        page.forecast = forecast_of_latest(connection, page);
    }
    const auto groups = failure_groups(page.tasks);
    if (!groups.empty() || !page.retried.empty()) {
        page.kinds = kinds_of_job(connection, page.job->id);
    }
    for (const FailureGroup& group : groups) {
        if (page.outputs.size() == most_failures) break;
        read_output(connection, page, *group.tasks.front());
    }
    return true;
}

/// What the page of a job needs of the tasks that failed; machines only if any did.
void read_failures(Connection& connection, ClusterPage& page, const JobPage& job) {
    page.breaks = job.breaks;
    page.kinds = job.kinds;
    page.retries = read_retries(connection, page.cluster);
    const bool has_failed = std::ranges::any_of(
        job.kinds, [](const KindCount& kind) { return kind.state == TaskState::failed; });
    if (!has_failed) return;
    page.machines = list_machines(connection, page.cluster.id, page.cluster.latest_job).machines;
    page.tasks = failed_tasks_of(connection, job.job.id);
}

/// The tasks of the newest jobs that failed by themselves.
void count_failures(Connection& connection, ClusterPage& page, const std::vector<Job>& jobs) {
    int tasks = 0;
    for (const Job& job : jobs) {
        if (job.status != JobStatus::failed || job.aborted || job.tasks_total == 0) continue;
        tasks += job.tasks_total;
        const bool is_enough =
            tasks > most_counted_tasks || page.kinds_of_jobs.size() == most_counted_jobs;
        if (is_enough && !page.kinds_of_jobs.empty()) break;
        page.kinds_of_jobs.emplace(job.id, kinds_of_job(connection, job.id));
    }
}

bool read_one_machine(Connection& connection, ClusterPage& page, std::int64_t nodenum) {
    take_machines(connection, page,
                  list_machine(connection, page.cluster.id, nodenum, page.cluster.latest_job));
    if (page.machines.empty()) return false;
    read_services_of(connection, page);
    page.nodes = nodes_of(connection, page.cluster.id);
    std::erase_if(page.nodes, [&](const Node& node) { return node.nodenum != nodenum; });
    if (page.nodes.empty()) return false;
    page.earlier_jobs = jobs_on(connection, page.nodes.front().id, earlier_jobs_shown);
    if (!page.job) return true;
    std::erase_if(page.earlier_jobs, [&](const Job& job) { return job.id == page.job->id; });
    page.tasks = tasks_on(connection, page.job->id, page.nodes.front().id);
    for (const Task& task : page.tasks) {
        if (is_news(task) && page.outputs.size() < outputs_shown) {
            read_output(connection, page, task);
        }
    }
    return true;
}

std::int64_t number_in(const Request& request, const std::string& name) {
    return provisioner::base::parse_number(request.path_value(name)).value_or(-1);
}

/// The version of the cluster's template that would change it; 0 if none would.
int newer_template(Connection& connection, const Cluster& cluster) {
    const auto& present = cluster.snapshot.cluster_template;
    const auto newest =
        provisioner::operations::find_resolved(connection, cluster.tenant, present.header.name);
    const bool is_other = newest && provisioner::operations::says_other_things(present, *newest);
    return is_other ? newest->header.version : 0;
}

/// The version in the address; nothing if there is none, or none that a template can have.
std::optional<int> updated_from(const Request& request) {
    const auto version =
        provisioner::base::parse_number(request.query_value("updated_from").value_or(""));
    const bool is_version = version && *version >= 1 && *version <= no_maximum;
    return is_version ? std::optional(static_cast<int>(*version)) : std::nullopt;
}

}  // namespace

Response show_cluster(const Request& request, const auth::Visitor& visitor, App& app) {
    return drawn_tab(
        request, visitor, app, {.view = "clusters/tabs/overview", .title = ""},
        [&](Connection& connection, ClusterPage& page) {
            page.updated_from = updated_from(request);
            return read_overview(connection, page);
        },
        overview_json);
}

Response show_machines(const Request& request, const auth::Visitor& visitor, App& app) {
    std::vector<std::string> notes;
    const MachineQuery query = machine_query_in(request, notes);
    return drawn_tab(
        request, visitor, app,
        {.view = "clusters/tabs/machines",
         .title = translated("Machines"),
         .notes = std::move(notes)},
        [](Connection& connection, ClusterPage& page) {
            read_machines_of(connection, page);
            read_services_of(connection, page);
            return true;
        },
        [&](const ClusterPage& page) { return machines_json(page, query); });
}

Response show_machine(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto nodenum = number_in(request, "node");
    return drawn_tab(
        request, visitor, app,
        {.view = "clusters/tabs/machine",
         .title = translated("Machine {0}", nodenum),
         .thing = "machine"},
        [&](Connection& connection, ClusterPage& page) {
            return read_one_machine(connection, page, nodenum);
        },
        machine_json);
}

Response show_jobs(const Request& request, const auth::Visitor& visitor, App& app) {
    std::vector<Job> jobs;
    return drawn_tab(
        request, visitor, app, {.view = "clusters/tabs/jobs", .title = translated("Jobs")},
        [&](Connection& connection, ClusterPage& page) {
            jobs = jobs_of(connection, page.cluster.id);
            if (jobs.size() > most_jobs) jobs.resize(most_jobs);
            page.breaks = breaks_of(connection, jobs, page.now);
            count_failures(connection, page, jobs);
            page.retries = read_retries(connection, page.cluster);
            return true;
        },
        [&](const ClusterPage& page) { return jobs_json(page, jobs); });
}

namespace {

using DrawJob = Json (*)(const ClusterPage&, const JobPage&);

/// A page of one job, as the address asks for it.
Response drawn_job(const Request& request, const auth::Visitor& visitor, App& app, Tab tab,
                   bool has_failures, DrawJob draw) {
    std::optional<JobPage> job;
    const JobQuery query = job_query_in(request, tab.notes);
    const auto id = id_in<JobId>(request, "job");
    tab.thing = "job";
    return drawn_tab(
        request, visitor, app, tab,
        [&](Connection& connection, ClusterPage& page) {
            job = read_job_page(connection, page, id, query);
            if (job && has_failures) read_failures(connection, page, *job);
            return job.has_value();
        },
        [&](const ClusterPage& page) { return draw(page, *job); });
}

}  // namespace

Response show_job(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto id = id_in<JobId>(request, "job");
    return drawn_job(request, visitor, app,
                     {.view = "clusters/tabs/job", .title = translated("Job {0}", id.value)}, true,
                     job_json);
}

Response show_job_timeline(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto id = id_in<JobId>(request, "job");
    return drawn_job(request, visitor, app,
                     {.view = "clusters/tabs/job_timeline",
                      .title = translated("Timeline of job {0}", id.value)},
                     false, timeline_json);
}

Response show_job_graph(const Request& request, const auth::Visitor& visitor, App& app) {
    std::optional<JobGraph> graph;
    Job job;
    const auto id = id_in<JobId>(request, "job");
    return drawn_tab(
        request, visitor, app,
        {.view = "clusters/tabs/job_graph",
         .title = translated("Graph of job {0}", id.value),
         .thing = "job"},
        [&](Connection& connection, ClusterPage& page) {
            graph = read_job_graph(connection, page, id, job);
            if (graph) page.breaks = breaks_of(connection, {job}, page.now);
            return graph.has_value();
        },
        [&](const ClusterPage& page) { return job_graph_json(page, job, *graph); });
}

Response show_services(const Request& request, const auth::Visitor& visitor, App& app) {
    return drawn_tab(
        request, visitor, app, {.view = "clusters/tabs/services", .title = translated("Services")},
        [](Connection& connection, ClusterPage& page) {
            read_machines_of(connection, page);
            read_tasks_of_latest(connection, page);
            read_services_of(connection, page);
            return true;
        },
        services_json);
}

Response show_settings(const Request& request, const auth::Visitor& visitor, App& app) {
    return drawn_tab(
        request, visitor, app, {.view = "clusters/tabs/settings", .title = translated("Settings")},
        [](Connection& connection, ClusterPage& page) {
            page.nodes = nodes_of(connection, page.cluster.id);
            page.cost = provisioner::operations::cluster_cost(connection, page.cluster, page.nodes,
                                                              page.now);
            page.callbacks = callbacks_of(connection, page.cluster.id, callbacks_shown);
            page.newest_template = newer_template(connection, page.cluster);
            const auto& own_template = page.cluster.snapshot.cluster_template;
            page.is_of_earlier_template =
                page.newest_template != 0 &&
                provisioner::operations::PresentEntry(connection, page.cluster.tenant,
                                                      own_template.header.name)
                    .is_newer_than(own_template);
            return true;
        },
        settings_json);
}

}  // namespace fcgi::pages
