#include "provisioner/operations/changes/go_on.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using operations::can_spare_any;
using operations::can_spare_failed;
using operations::can_spare_services;
using operations::failed_machines_after;
using store::FailedMachines;

BOOST_AUTO_TEST_SUITE(going_on)

namespace {

/// A web that needs db.
model::Cluster cluster() {
    model::Cluster cluster;
    cluster.services = {"db", "log", "web"};
    model::Service web;
    web.header.name = "web";
    web.dependencies.runtime.required = {"db"};
    cluster.snapshot.services = {web};
    return cluster;
}

}  // namespace

BOOST_AUTO_TEST_CASE(asks_which_machines_have_failed_whatever_the_latest_job_did) {
    using model::Operation;
    auto shop = cluster();
    model::Job job;
    job.status = model::JobStatus::failed;
    const auto after = [&](Operation operation, bool aborted) {
        job.operation = operation;
        job.aborted = aborted;
        return failed_machines_after(shop, job);
    };
    const std::optional<FailedMachines> none;
    const std::optional by_task = FailedMachines::with_failed_task;
    const std::optional unfinished = FailedMachines::not_set_up;
    for (const auto status :
         {model::ClusterStatus::incomplete, model::ClusterStatus::inconsistent}) {
        shop.status = status;
        for (const Operation operation :
             {Operation::cluster_grow, Operation::cluster_shrink, Operation::replace_node,
              Operation::add_services, Operation::remove_services, Operation::cluster_configure,
              Operation::restart_services}) {
            BOOST_CHECK(after(operation, false) == by_task);
            BOOST_CHECK(after(operation, true) == unfinished);
        }
        BOOST_CHECK(after(Operation::cluster_create, false) == by_task);
        BOOST_CHECK(after(Operation::cluster_create, true) == unfinished);
        BOOST_CHECK(after(Operation::stop_services, false) == none);
        BOOST_CHECK(after(Operation::cluster_delete, false) == none);
        BOOST_CHECK(failed_machines_after(shop, std::nullopt) == none);
    }
    shop.status = model::ClusterStatus::pending;
    BOOST_CHECK(after(Operation::cluster_grow, false) == none);
    shop.status = model::ClusterStatus::active;
    BOOST_CHECK(after(Operation::add_services, false) == none);
}

BOOST_AUTO_TEST_CASE(without_failed_machines_keeps_the_rules_of_the_template) {
    auto shop = cluster();
    BOOST_TEST(can_spare_failed(shop, {{{"web"}, 3, 1}, {{"db"}, 1, 0}}));
    BOOST_TEST(!can_spare_failed(shop, {{{"web"}, 3, 0}, {{"db"}, 1, 0}}));
    BOOST_TEST(!can_spare_failed(shop, {{{"web"}, 3, 3}, {{"db"}, 1, 1}}));
    // No db, but webs that need it.
    BOOST_TEST(!can_spare_failed(shop, {{{"web"}, 3, 0}, {{"db"}, 1, 1}}));
    BOOST_TEST(can_spare_failed(shop, {{{"web"}, 3, 3}, {{"db"}, 1, 0}}));
    model::ServiceConstraint two;
    two.min = 2;
    shop.snapshot.cluster_template.constraints.services = {{"web", two}};
    BOOST_TEST(can_spare_failed(shop, {{{"web"}, 3, 1}, {{"db"}, 1, 0}}));
    BOOST_TEST(!can_spare_failed(shop, {{{"web"}, 3, 2}, {{"db"}, 1, 0}}));
    shop.snapshot.cluster_template.constraints.size_min = 4;
    BOOST_TEST(!can_spare_failed(shop, {{{"web"}, 3, 1}, {{"db"}, 1, 0}}));
}

BOOST_AUTO_TEST_CASE(without_services_leaves_what_others_need_and_one_on_each_machine) {
    const auto shop = cluster();
    BOOST_TEST(can_spare_services(shop, {{{"db", "log"}, 1, 0}, {{"web"}, 1, 0}}, {"log"}));
    BOOST_TEST(!can_spare_services(shop, {{{"db", "log"}, 1, 0}, {{"web"}, 1, 0}}, {"db"}));
    BOOST_TEST(!can_spare_services(shop, {{{"db"}, 1, 0}, {{"log"}, 1, 0}}, {"log"}));
    BOOST_TEST(!can_spare_services(shop, {{{"db", "log"}, 1, 0}}, {}));
}

BOOST_AUTO_TEST_CASE(without_any_machine_needs_one_that_no_rule_keeps) {
    auto shop = cluster();
    BOOST_TEST(can_spare_any(shop, {{{"web"}, 2, 0}, {{"db"}, 1, 0}}));
    BOOST_TEST(!can_spare_any(shop, {{{"web"}, 1, 0}}));
    model::ServiceConstraint two;
    two.min = 2;
    auto& rules = shop.snapshot.cluster_template.constraints;
    rules.services = {{"web", two}};
    BOOST_TEST(!can_spare_any(shop, {{{"db", "web"}, 2, 0}}));
    BOOST_TEST(can_spare_any(shop, {{{"db", "web"}, 2, 0}, {{"log"}, 1, 0}}));
    BOOST_TEST(can_spare_any(shop, {{{"db", "web"}, 3, 0}}));
    rules.size_min = 3;
    BOOST_TEST(!can_spare_any(shop, {{{"db", "web"}, 3, 0}}));
}

BOOST_AUTO_TEST_SUITE_END()
