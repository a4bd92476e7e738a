#include "fcgi/pages/daemons/queues.hpp"

#include <algorithm>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/elsewhere.hpp"
#include "fcgi/pages/filter_links.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/monitoring/monitoring_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::to_word;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

/// What a task waits for. The limit leads to where it is set, which is `href`.
Json wait_json(const TaskWait& wait, const std::string& href) {
    Json json;
    json["wait"] = wait.words;
    json["limit_href"] = wait.is_limit ? href + "#quota-title" : std::string();
    return json;
}

std::string queue_href(const std::string& tenant) {
    return "/tenants/" + http::percent_encode(tenant);
}

Json queue_json(const store::TenantQueue& queue, int due, const Workforce& workforce) {
    Json json;
    json["tenant_name"] = queue.tenant;
    json["href"] = queue_href(queue.tenant);
    json["due"] = grouped(queue.due);
    json["later"] = grouped(queue.later);
    json["running"] = queue.workers == 0 ? grouped(queue.running)
                                         : translated("{0} of {1}", grouped(queue.running),
                                                      grouped(queue.workers));
    json["oldest"] =
        queue.due == 0 ? std::string() : spoken(std::chrono::seconds{queue.oldest_seconds});
    json["stuck"] = queue.due > 0 && queue.oldest_seconds >= stuck_after_seconds;
    json["waits"] = queue.due == 0 ? Json()
                                   : wait_json(wait_of(queue.oldest_needs, queue, due, workforce),
                                               queue_href(queue.tenant));
    return json;
}

Json waiting_json(const store::WaitingTask& task, const QueuesPage& page, int due) {
    const std::string path = "/clusters/" + model::wire_id(task.cluster);
    const std::string cluster = task.tenant == page.tenant ? path : in_view(task.tenant, path);
    const auto queue = std::ranges::find(page.queues, task.tenant, &store::TenantQueue::tenant);
    const auto wait =
        wait_of(task.needs, queue == page.queues.end() ? store::TenantQueue{} : *queue, due,
                page.workforce);
    Json json;
    json["id"] = model::wire_id(task.cluster, task.job, task.task);
    json["task_href"] = cluster + "/tasks/" + std::to_string(task.task.value);
    json["what"] = to_word(task.action) + (task.service.empty() ? "" : " " + task.service);
    json["host"] = task.hostname;
    json["host_href"] = cluster + "/machines/" + std::to_string(task.nodenum);
    json["cluster"] = task.cluster_name;
    json["cluster_href"] = cluster;
    json["tenant_name"] = task.tenant;
    json["href"] = queue_href(task.tenant);
    json["waits"] = wait_json(wait, queue_href(task.tenant));
    json["waited"] = spoken(std::chrono::seconds{task.seconds});
    return json;
}

Portion waiting_portion(int due, std::size_t page) {
    return portion_of(static_cast<std::size_t>(std::max(due, 0)), waiting_shown, page);
}

}  // namespace

Json to_json(const QueuesPage& page) {
    const int due = due_of_all(page.queues);
    int running = 0;
    Json queues = Json::array();
    for (const auto& queue : page.queues) {
        running += queue.running;
        queues.push_back(queue_json(queue, due, page.workforce));
    }
    Json waiting = Json::array();
    for (const auto& task : page.waiting) waiting.push_back(waiting_json(task, page, due));
    Json json;
    json["summary"] = translated("{0} running, {1} waiting.",
                                 translated_count(running, "{0} task", "{0} tasks"), grouped(due));
    json["none_runs"] = page.workforce.alive == 0;
    json["all_drain"] = page.workforce.alive > 0 && page.workforce.at_work == 0;
    json["has_queues"] = !queues.empty();
    json["queues"] = std::move(queues);
    json["has_waiting"] = !waiting.empty();
    json["waiting"] = std::move(waiting);
    json["pager"] =
        pager_json(waiting_portion(due, page.page), "/queues", {}, "page", "#waiting-title");
    json["mails"] = page.mails;
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
        page.page = waiting_portion(due_of_all(page.queues), page.page).page;
        page.waiting = store::list_waiting_tasks(connection, waiting_shown,
                                                 static_cast<int>(page.page - 1) * waiting_shown);
        auto numbers = store::watched_numbers(connection);
        page.unknown_machines = numbers.unknown_machines;
        page.lost_machines = numbers.lost_machines;
        page.mails = mail_warning(numbers);
        count_claims(numbers.daemons, store::work_in_flight(connection));
        page.workforce = workforce_of(numbers.daemons);
    });
    return drawn(app, visitor, 200, "daemons/queues",
                 {.title = translated("Queues"),
                  .section = "queues",
                  .script = "live.js",
                  .refresh = reload_every(std::chrono::seconds{5}, request)},
                 to_json(page));
}

}  // namespace fcgi::pages
