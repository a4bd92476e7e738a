#include "fcgi/pages/daemons/queues.hpp"

#include <algorithm>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/daemons/daemon_store.hpp"
#include "provisioner/store/monitoring/monitoring_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::to_word;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

std::string why_stuck(const store::TenantQueue& queue, int at_work) {
    if (queue.oldest_seconds < stuck_after_seconds || queue.due == 0) return "";
    if (at_work == 0) return translated("No provisioner is running.");
    if (queue.workers > 0 && queue.running >= queue.workers) {
        return translated("All of its {0} are busy.",
                          translated_count(queue.workers, "{0} worker", "{0} workers"));
    }
    return translated("No provisioner with a free worker has the plugins that its tasks need.");
}

Json queue_json(const store::TenantQueue& queue, int at_work) {
    const std::string why = why_stuck(queue, at_work);
    Json json;
    json["tenant_name"] = queue.tenant;
    json["href"] = "/tenants/" + http::percent_encode(queue.tenant);
    json["due"] = queue.due;
    json["later"] = queue.later;
    json["running"] = queue.workers == 0 ? std::to_string(queue.running)
                                         : translated("{0} of {1}", queue.running, queue.workers);
    json["oldest"] =
        queue.due == 0 ? std::string() : spoken(std::chrono::seconds{queue.oldest_seconds});
    json["stuck"] = !why.empty();
    json["why"] = why;
    return json;
}

Json waiting_json(const store::WaitingTask& task, const std::string& own) {
    Json json;
    json["elsewhere"] = task.tenant != own;
    json["id"] = model::wire_id(task.cluster, task.job, task.task);
    json["task_href"] =
        "/clusters/" + model::wire_id(task.cluster) + "/tasks/" + std::to_string(task.task.value);
    json["what"] = to_word(task.action) + (task.service.empty() ? "" : " " + task.service);
    json["host"] = task.hostname;
    json["cluster"] = task.cluster_name;
    json["cluster_href"] = "/clusters/" + model::wire_id(task.cluster);
    json["tenant_name"] = task.tenant;
    json["href"] = "/tenants/" + http::percent_encode(task.tenant);
    json["needs"] = listed(task.needs);
    json["waited"] = spoken(std::chrono::seconds{task.seconds});
    return json;
}

Portion waiting_portion(int due, std::size_t page) {
    return portion_of(static_cast<std::size_t>(std::max(due, 0)), waiting_shown, page);
}

}  // namespace

Json to_json(const QueuesPage& page) {
    int due = 0;
    int running = 0;
    Json queues = Json::array();
    for (const auto& queue : page.queues) {
        due += queue.due;
        running += queue.running;
        queues.push_back(queue_json(queue, page.at_work));
    }
    Json waiting = Json::array();
    for (const auto& task : page.waiting) waiting.push_back(waiting_json(task, page.tenant));
    Json json;
    json["summary"] = translated("{0} running, {1} waiting.",
                                 translated_count(running, "{0} task", "{0} tasks"), due);
    json["nobody_works"] = page.at_work == 0;
    json["has_queues"] = !queues.empty();
    json["queues"] = std::move(queues);
    json["has_waiting"] = !waiting.empty();
    json["waiting"] = std::move(waiting);
    json["pager"] =
        pager_json(waiting_portion(due, page.page), "/queues", {}, "page", "#waiting-title");
    json["unknown"] = page.unknown_machines <= 0
                          ? ""
                          : translated_count(page.unknown_machines, "{0} unknown machine",
                                             "{0} unknown machines");
    json["lost"] =
        page.lost_machines <= 0
            ? ""
            : translated_count(page.lost_machines, "{0} lost machine", "{0} lost machines");
    return json;
}

http::Response list_queues(const http::Request& request, const auth::Visitor& visitor, App& app) {
    QueuesPage page{
        .page = page_in(request), .tenant = visitor.who().tenant.name, .now = app.clock.now()};
    app.database.read([&](store::Connection& connection) {
        page.queues = store::list_tenant_queues(connection);
        int due = 0;
        for (const auto& queue : page.queues) due += queue.due;
        page.page = waiting_portion(due, page.page).page;
        page.waiting = store::list_waiting_tasks(connection, waiting_shown,
                                                 static_cast<int>(page.page - 1) * waiting_shown);
        const auto numbers = store::watched_numbers(connection);
        page.unknown_machines = numbers.unknown_machines;
        page.lost_machines = numbers.lost_machines;
        page.at_work = static_cast<int>(std::ranges::count_if(
            store::list_daemons(connection),
            [&](const auto& daemon) { return daemon.is_alive(page.now) && !daemon.drains; }));
    });
    return drawn(app, visitor, 200, "daemons/queues",
                 {.title = translated("Queues"),
                  .section = "queues",
                  .script = "live.js",
                  .refresh = reload_every(std::chrono::seconds{5}, request)},
                 to_json(page));
}

}  // namespace fcgi::pages
