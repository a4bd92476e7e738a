#include "fcgi/api/daemons/daemons.hpp"

#include "fcgi/api/paging.hpp"
#include "fcgi/api/wire.hpp"

namespace fcgi::api {

http::Response server_status(const http::Request&, const auth::Visitor&, App&) {
    return http::text(200, "OK\n");
}

using provisioner::base::Json;
using provisioner::base::to_millis;
using provisioner::base::to_word;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

Json running_json(const store::RunningTask& task) {
    return {{"id", model::wire_id(task.cluster, task.job, task.task)},
            {"tenant", task.tenant},
            {"node", task.node},
            {"hostname", task.hostname},
            {"action", to_word(task.action)},
            {"service", task.service},
            {"attempt", task.attempt},
            {"startTime", to_millis(task.since)}};
}

}  // namespace

Json daemons_json(const std::vector<store::DaemonRow>& daemons, provisioner::base::Timestamp now) {
    Json list = Json::array();
    for (const store::DaemonRow& daemon : daemons) {
        Json tasks = Json::array();
        for (const store::RunningTask& task : daemon.running) tasks.push_back(running_json(task));
        list.push_back({{"instance", daemon.instance},
                        {"pid", daemon.pid},
                        {"version", daemon.version},
                        {"capacity", daemon.capacity},
                        {"running", daemon.running.size()},
                        {"startTime", to_millis(daemon.started_at)},
                        {"heartbeatTime", to_millis(daemon.heartbeat_at)},
                        {"heartbeatAge", to_millis(now) - to_millis(daemon.heartbeat_at)},
                        {"alive", daemon.is_alive(now)},
                        {"tasks", std::move(tasks)}});
    }
    return list;
}

http::Response list_daemons(const http::Request& request, const auth::Visitor&, App& app) {
    const auto daemons = app.database.read(
        [](store::Connection& connection) { return store::list_daemons(connection); });
    return listed(request, daemons_json(daemons, app.clock.now()), "instance");
}

}  // namespace fcgi::api
