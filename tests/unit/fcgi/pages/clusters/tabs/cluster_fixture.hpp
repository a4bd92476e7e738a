#pragma once

#include <algorithm>
#include <string>

#include "../listed.hpp"
#include "fcgi/pages/clusters/tabs/cluster_page.hpp"
#include "fcgi/pages/progress.hpp"

namespace tests {

using namespace std::chrono_literals;
using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::base::Json;

inline const auto now = provisioner::base::from_sql("2026-11-20 10:00:00");

inline Task task(int id, Action action, const std::string& service, TaskState state) {
    Task made;
    made.id = TaskId{id};
    made.node = NodeId{1};
    made.action = action;
    made.service = service;
    made.state = state;
    if (state != TaskState::blocked) made.started_at = now - 3s;
    return made;
}

/// The web server of the machine below as a service that is started.
inline Service web_that_runs() {
    Service web;
    web.header.name = "web";
    web.actions[Action::start].type = "shell";
    return web;
}

/// One machine with a cache and a web server, half done.
inline ClusterPage page() {
    Node node;
    node.id = NodeId{1};
    node.nodenum = 1000;
    node.hostname = "shop-7-1000.local";
    node.services = {"cache", "web"};
    node.addresses = {{"access_v4", "10.0.0.5"}};
    ClusterPage made{.nodes = {node}, .now = now};
    made.cluster.id = ClusterId{7};
    made.cluster.name = "shop";
    made.cluster.node_count = 2;
    made.job = Job();
    made.job->operation = Operation::cluster_create;
    made.job->created_at = now - 20s;
    made.job->tasks_total = 4;
    made.job->tasks_done = 2;
    made.tasks = {task(1, Action::create, "", TaskState::done),
                  task(2, Action::install, "cache", TaskState::done),
                  task(3, Action::start, "cache", TaskState::claimed),
                  task(4, Action::install, "web", TaskState::blocked)};
    made.machines = listed(made.nodes, made.tasks);
    made.work = of_services(made.tasks);
    return made;
}

/// The same with the machines as the tasks now have them.
inline ClusterPage counted_again(ClusterPage page) {
    page.machines = listed(page.nodes, page.tasks);
    page.work = of_services(page.tasks);
    return page;
}

/// "Pause! Abort ": what can be done at once has an exclamation mark, the rest leads to a page.
inline std::string buttons(const Json& page) {
    std::string text;
    for (const auto& button : page.at("buttons")) {
        text += button.at("label").get<std::string>();
        text += button.at("post").get<std::string>().empty() ? " " : "! ";
    }
    return text;
}

inline ClusterPage settled(ClusterStatus status, JobStatus job) {
    auto made = page();
    made.cluster.status = status;
    made.job->status = job;
    return made;
}

}  // namespace tests
