#include "fcgi/pages/daemons/daemons.hpp"

#include <algorithm>
#include <map>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/elsewhere.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/daemons/daemons.hpp"
#include "provisioner/operations/daemons/drain.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::Timestamp;
using provisioner::base::to_word;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using provisioner::store::DaemonRow;
using provisioner::store::RunningTask;
namespace model = provisioner::model;

namespace {

constexpr std::size_t tasks_shown = 10;
/// On the page of "?tasks=all".
constexpr std::size_t most_tasks_shown = 500;

std::string spoken_since(Timestamp since, Timestamp now) {
    const auto age = std::chrono::duration_cast<std::chrono::milliseconds>(now - since);
    return spoken(std::max(age, std::chrono::milliseconds{0}));
}

Json task_json(const RunningTask& task, const DaemonsPage& page) {
    Json json;
    const std::string path = "/clusters/" + model::wire_id(task.cluster);
    const std::string cluster = task.tenant == page.tenant ? path : in_view(task.tenant, path);
    json["id"] = model::wire_id(task.cluster, task.job, task.task);
    json["task_href"] = cluster + "/tasks/" + std::to_string(task.task.value);
    json["what"] = to_word(task.action) + (task.service.empty() ? "" : " " + task.service);
    json["host"] = task.hostname;
    json["host_href"] = cluster + "/machines/" + std::to_string(task.nodenum);
    json["cluster"] = task.cluster_name;
    json["cluster_href"] = cluster;
    json["tenant"] = task.tenant;
    json["tenant_href"] = "/tenants/" + http::percent_encode(task.tenant);
    json["attempt"] = task.attempt;
    json["took"] = spoken_since(task.since, page.now);
    return json;
}

std::string drain_href(const std::string& instance) {
    return "/daemons/drain?instance=" + http::percent_encode(instance);
}

Json daemon_json(const DaemonRow& daemon, std::size_t most, const DaemonsPage& page) {
    const Timestamp now = page.now;
    const std::size_t running = daemon.running.size();
    Json tasks = Json::array();
    for (std::size_t at = 0; at < std::min(running, most); ++at) {
        tasks.push_back(task_json(daemon.running[at], page));
    }
    const bool alive = daemon.is_alive(now);
    Json json;
    json["instance"] = daemon.instance;
    json["id"] = provisioner::operations::provisioner_id(daemon.instance);
    json["process"] = daemon.version.empty()
                          ? translated("Process {0}, version unknown", daemon.pid)
                          : translated("Process {0}, version {1}", daemon.pid, daemon.version);
    const bool drains = alive && daemon.drains;
    json["state"] = !alive ? "failed" : drains ? "paused" : "active";
    json["state_words"] = !alive   ? translated("no heartbeat")
                          : drains ? translated("draining")
                                   : translated("running");
    json["drains"] = daemon.drains;
    json["drain_href"] = alive && !daemon.drains ? drain_href(daemon.instance) : std::string();
    json["running"] = grouped(running);
    json["capacity"] = grouped(daemon.capacity);
    json["started"] = moment(daemon.started_at, now);
    json["heartbeat"] = moment(daemon.heartbeat_at, now);
    json["heartbeat_age"] = spoken_since(daemon.heartbeat_at, now);
    json["has_tasks"] = !tasks.empty();
    json["tasks"] = std::move(tasks);
    json["more"] = running > most ? Json(grouped(running - most)) : Json();
    json["more_href"] = most < most_tasks_shown ? "/daemons?tasks=all" : "";
    return json;
}

/// Of those that are alive, how many are of which version; empty if all are of one.
std::string versions_of(const DaemonsPage& page) {
    std::map<std::string, std::size_t> counts;
    for (const DaemonRow& daemon : page.daemons) {
        if (daemon.is_alive(page.now)) ++counts[daemon.version];
    }
    if (counts.size() < 2) return "";
    std::vector<std::string> names;
    for (const auto& [version, count] : counts) {
        names.push_back(
            version.empty()
                ? translated_count(count, "{0} of an unknown version", "{0} of an unknown version")
                : translated_count(count, "{0} of version {1}", "{0} of version {1}", version));
    }
    return translated("Provisioners of several versions are running: {0}.", listed(names));
}

std::string summary_of(const DaemonsPage& page) {
    std::size_t running = 0;
    for (const DaemonRow& daemon : page.daemons) running += daemon.running.size();
    const auto count_alive = [&](bool drains) {
        return std::ranges::count_if(page.daemons, [&](const DaemonRow& daemon) {
            return daemon.is_alive(page.now) && daemon.drains == drains;
        });
    };
    const std::string all =
        translated_count(page.daemons.size(), "{0} provisioner", "{0} provisioners");
    const std::string tasks = translated_count(running, "{0} task", "{0} tasks");
    const auto draining = count_alive(true);
    return draining == 0
               ? translated("{0}, {1} running, {2} in progress.", all, count_alive(false), tasks)
               : translated("{0}, {1} running, {2} draining, {3} in progress.", all,
                            count_alive(false), draining, tasks);
}

}  // namespace

Json to_json(const DaemonsPage& page) {
    Json list = Json::array();
    // Those that need somebody come before the tasks of the others.
    for (const bool is_alive : {false, true}) {
        for (const DaemonRow& daemon : page.daemons) {
            if (daemon.is_alive(page.now) == is_alive) {
                list.push_back(
                    daemon_json(daemon, page.shows_all ? most_tasks_shown : tasks_shown, page));
            }
        }
    }
    Json json;
    json["summary"] = summary_of(page);
    json["versions"] = versions_of(page);
    const bool any_alive = std::ranges::any_of(
        page.daemons, [&](const DaemonRow& daemon) { return daemon.is_alive(page.now); });
    json["all_drain"] =
        any_alive && std::ranges::none_of(page.daemons, [&](const DaemonRow& daemon) {
            return daemon.is_alive(page.now) && !daemon.drains;
        });
    json["has_daemons"] = !page.daemons.empty();
    json["daemons"] = std::move(list);
    return json;
}

Json to_json(const DrainPage& page) {
    Json json;
    json["instance"] = page.instance;
    json["tasks"] = page.running == 0
                        ? translated("It has no running tasks.")
                        : translated_count(page.running, "Its {0} running task goes on to its end.",
                                           "Its {0} running tasks go on to their end.");
    json["is_last"] = page.is_last;
    json["look"] = page.is_last ? "danger" : "primary";
    return json;
}

http::Response ask_to_drain(const http::Request& request, const auth::Visitor& visitor, App& app) {
    const auto daemons = app.database.read([](provisioner::store::Connection& connection) {
        return provisioner::store::list_daemons(connection);
    });
    const auto now = app.clock.now();
    const std::string instance = request.query_value("instance").value_or("");
    const auto found = std::ranges::find(daemons, instance, &DaemonRow::instance);
    if (found == daemons.end()) return nothing_there(translated("provisioner"));
    if (found->drains) return http::see_other("/daemons");
    const bool is_last = std::ranges::none_of(daemons, [&](const DaemonRow& daemon) {
        return daemon.instance != instance && daemon.is_alive(now) && !daemon.drains;
    });
    const DrainPage page{
        .instance = instance, .running = found->running.size(), .is_last = is_last};
    return drawn(app, visitor, 200, "daemons/drain",
                 {.title = translated("Drain {0}", instance), .section = "daemons"}, to_json(page));
}

http::Response drain_provisioner(const http::Request& request, const auth::Visitor& visitor,
                                 App& app) {
    namespace operations = provisioner::operations;
    const auto sent = http::parse_form(request.body);
    const auto drains = yes_or_no(sent, "drains");
    if (!drains) return incomplete_form(app, visitor);
    const operations::DrainSpec wanted{.instance = sent.trimmed("instance"),
                                       .drains = *drains,
                                       .may_be_last = sent.trimmed("last") == "yes"};
    const auto done =
        operations::drain_daemon(app.database, visitor.who(), wanted, app.clock.now());
    if (done) return http::see_other("/daemons");
    if (done.error().kind == operations::Refusal::Kind::not_found) {
        return nothing_there(translated("provisioner"));
    }
    return http::see_other(drain_href(wanted.instance));
}

http::Response list_daemons(const http::Request& request, const auth::Visitor& visitor, App& app) {
    namespace store = provisioner::store;
    DaemonsPage page{.shows_all = request.query_value("tasks") == "all",
                     .tenant = visitor.who().tenant.name,
                     .now = app.clock.now()};
    page.daemons = app.database.read(
        [](store::Connection& connection) { return store::list_daemons(connection); });
    return drawn(app, visitor, 200, "daemons/index",
                 {.title = translated("Provisioners"),
                  .section = "daemons",
                  .script = "live.js",
                  .refresh = reload_every(std::chrono::seconds{5}, request)},
                 to_json(page));
}

}  // namespace fcgi::pages
