#include "provisioner/operations/clusters/touched_services.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

using namespace provisioner;
using model::Operation;

BOOST_AUTO_TEST_SUITE(touched_services)

namespace {

model::Service a_service(const std::string& name, const std::vector<std::string>& uses = {}) {
    model::Service service;
    service.header.name = name;
    service.dependencies.runtime.required = uses;
    service.actions[model::Action::start].type = "shell";
    return service;
}

/// "balancer" uses "app", which uses "db"; "tools" are only installed and use "db"; "mail" is
/// alone.
model::Cluster shop() {
    model::Cluster cluster;
    auto tools = a_service("tools", {"db"});
    tools.actions.clear();
    tools.actions[model::Action::install].type = "shell";
    cluster.snapshot.services = {
        a_service("db"), a_service("app", {"db"}), a_service("balancer", {"app"}),
        tools,           a_service("mail"),        a_service("elsewhere", {"db"})};
    cluster.services = {"db", "app", "balancer", "tools", "mail"};
    return cluster;
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : " ") + name;
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_stop_touches_what_uses_a_service_and_a_start_what_it_needs) {
    const model::Cluster cluster = shop();
    const operations::TouchedServices touched(cluster);

    BOOST_TEST(listed(touched.by(Operation::stop_services, {"db"})) == "app balancer db");
    BOOST_TEST(listed(touched.by(Operation::restart_services, {"app"})) == "app balancer");
    BOOST_TEST(listed(touched.by(Operation::start_services, {"balancer"})) == "app balancer db");
    BOOST_TEST(listed(touched.by(Operation::start_services, {"db"})) == "db");
    BOOST_TEST(listed(touched.by(Operation::stop_services, {"mail", "app"})) ==
               "app balancer mail");
}

BOOST_AUTO_TEST_CASE(without_names_all_that_run_are_touched) {
    const model::Cluster cluster = shop();
    const operations::TouchedServices touched(cluster);

    BOOST_TEST(listed(touched.by(Operation::stop_services, {})) == "app balancer db mail");
    BOOST_TEST(listed(touched.left_by_start({})) == "");
}

BOOST_AUTO_TEST_CASE(names_that_are_not_on_the_cluster_touch_nothing) {
    const model::Cluster cluster = shop();
    const operations::TouchedServices touched(cluster);

    BOOST_TEST(listed(touched.by(Operation::stop_services, {"elsewhere", "'; --", "mail"})) ==
               "mail");
    BOOST_TEST(listed(touched.by(Operation::stop_services, {"nothing"})) == "");
}

BOOST_AUTO_TEST_CASE(a_start_leaves_what_a_stop_has_stopped_with_it) {
    const model::Cluster cluster = shop();
    const operations::TouchedServices touched(cluster);

    BOOST_TEST(listed(touched.left_by_start({"db"})) == "app balancer");
    BOOST_TEST(listed(touched.left_by_start({"app"})) == "balancer");
    BOOST_TEST(listed(touched.left_by_start({"balancer"})) == "");
    BOOST_TEST(listed(touched.left_by_start({"db", "app", "balancer"})) == "");
}

BOOST_AUTO_TEST_SUITE_END()
