#include "fcgi/api/daemons/daemons.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi;
using namespace provisioner::model;
using provisioner::base::from_millis;
using provisioner::store::DaemonRow;
using provisioner::store::RunningTask;

namespace {

DaemonRow a_daemon() {
    RunningTask task;
    task.cluster = ClusterId{1};
    task.job = JobId{2};
    task.task = TaskId{11};
    task.tenant = "demo";
    task.node = "u7";
    task.hostname = "c1-1000.local";
    task.action = Action::install;
    task.service = "web";
    task.attempt = 2;
    task.since = from_millis(7000);
    return {.instance = "host:/run/lock",
            .pid = 42,
            .capacity = 2000,
            .version = "0.2.0",
            .started_at = from_millis(1000),
            .heartbeat_at = from_millis(8000),
            .running = {task}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_daemon_says_what_it_is_at) {
    BOOST_TEST(
        api::daemons_json({a_daemon()}, from_millis(9500)).dump() ==
        R"([{"instance":"host:/run/lock","pid":42,"version":"0.2.0","capacity":2000,"running":1,"startTime":1000,)"
        R"("heartbeatTime":8000,"heartbeatAge":1500,"alive":true,"tasks":[)"
        R"({"id":"00000001-002-011","tenant":"demo","node":"u7","hostname":"c1-1000.local",)"
        R"("action":"install","service":"web","attempt":2,"startTime":7000}]}])");
}

BOOST_AUTO_TEST_CASE(who_was_silent_for_three_heartbeats_is_not_alive) {
    BOOST_TEST(api::daemons_json({a_daemon()}, from_millis(23'000))[0]["alive"] == true);
    BOOST_TEST(api::daemons_json({a_daemon()}, from_millis(23'001))[0]["alive"] == false);
}
