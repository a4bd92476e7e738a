#pragma once

#include <string>
#include <vector>

#include "fcgi/pages/clusters/create_page.hpp"
#include "fcgi/pages/clusters/tabs/cluster_page.hpp"
#include "fcgi/pages/costs.hpp"
#include "tests/unit/fcgi/pages/clusters/job_fixture.hpp"
#include "tests/unit/fcgi/pages/clusters/listed.hpp"
#include "tests/unit/fcgi/pages/sample_values.hpp"

namespace samples {

// Clusters, and what they are made of, for the samples of all rooms.

using namespace fcgi::pages;
using namespace provisioner::model;
using namespace std::chrono_literals;
using provisioner::base::Json;
using provisioner::base::Timestamp;

Job job(int total, int done, Timestamp created_at);
ClusterTemplate web_template();
ClusterTemplate big_template();
ClusterTemplate small_template();
Node node(int number, std::vector<std::string> services, bool confirmed);
Offer offer();
HourlyCost some_cost();

/// A cluster of four machines in the states that its pages are drawn in.
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
        page_.forecast = "About 4 minutes left: should end at 10:04 UTC (based on 12 earlier runs)";
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
        page.end.has_wrong_configuration = true;
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
        page.work = tests::of_services(page.tasks);
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
        for (Node& machine : page_.nodes) machine.was_set_up = true;
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
        page_.work = tests::of_services(page_.tasks);
        page_.kinds = tests::kinds_of(page_.tasks);
        return page_;
    }

    ClusterPage page_;
};

/// A large job that went well.
ClusterPage large_and_done();
ClusterPage cluster_with_old_template();
/// Its services are none, too.
ClusterPage cluster_with_long_description();
ClusterPage cluster_with_failed_configuration();

}  // namespace samples
