#include "provisioner/operations/daemons/daemons.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace std::chrono_literals;
using Counts = std::vector<std::pair<std::string, int>>;

namespace {

const base::Timestamp now = base::from_millis(1'800'000'000'000);

store::DaemonRow a_daemon(const std::string& instance, int capacity,
                          std::chrono::seconds silent_for = 0s) {
    store::DaemonRow daemon;
    daemon.instance = instance;
    daemon.capacity = capacity;
    daemon.heartbeat_at = now - silent_for;
    return daemon;
}

model::Tenant a_tenant(const std::string& name, int workers) {
    model::Tenant tenant;
    tenant.name = name;
    tenant.workers = workers;
    return tenant;
}

}  // namespace

BOOST_AUTO_TEST_CASE(workers_are_promised_tenant_by_tenant_to_daemons_that_have_some_left) {
    const auto views = operations::provisioner_views(
        {.daemons = {a_daemon("b:/lock", 10), a_daemon("a:/lock", 4)},
         .tenants = {a_tenant("x", 3), a_tenant("y", 0), a_tenant("z", 5), a_tenant("much", 100)},
         .in_flight = {}},
        now);

    BOOST_REQUIRE(views.size() == 2U);
    BOOST_TEST(views[0].host == "a");
    BOOST_TEST((views[0].assignments == Counts{{"x", 3}, {"z", 1}}));
    BOOST_TEST(views[0].capacity_free == 0);
    BOOST_TEST((views[1].assignments == Counts{{"z", 4}, {"much", 6}}));
    BOOST_TEST(views[1].capacity_free == 0);
}

BOOST_AUTO_TEST_CASE(an_id_can_stand_in_a_path_as_it_is_and_tells_daemons_of_a_host_apart) {
    const auto views = operations::provisioner_views(
        {.daemons = {a_daemon("a:/run/one.lock", 1), a_daemon("a:/run/two.lock", 1)},
         .tenants = {},
         .in_flight = {}},
        now);

    BOOST_REQUIRE(views.size() == 2U);
    BOOST_TEST(views[0].id != views[1].id);
    for (const auto& view : views) {
        BOOST_TEST(view.id.starts_with("a-"));
        BOOST_TEST(view.id.size() == 10U);
        BOOST_TEST(view.id.find_first_not_of("abcdef0123456789-") == std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(a_daemon_that_is_silent_does_not_count) {
    const auto views = operations::provisioner_views(
        {.daemons = {a_daemon("a:/lock", 4, 16s), a_daemon("b:/lock", 4, 14s)},
         .tenants = {},
         .in_flight = {}},
        now);

    BOOST_REQUIRE(views.size() == 1U);
    BOOST_TEST(views[0].host == "b");
    BOOST_TEST(views[0].capacity_free == 4);
}

BOOST_AUTO_TEST_CASE(work_in_hand_is_counted_for_each_tenant_whichever_incarnation_has_it) {
    const auto views = operations::provisioner_views({.daemons = {a_daemon("a:/lock", 4)},
                                                      .tenants = {},
                                                      .in_flight = {{"a:/lock/1-ab", "x", 2},
                                                                    {"a:/lock/2-cd", "x", 1},
                                                                    {"b:/lock/1-ab", "x", 9}}},
                                                     now);

    BOOST_TEST((views[0].usage == Counts{{"x", 3}}));
}
