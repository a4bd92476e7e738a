#include "provisioner/operations/changes/kept_machines.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/operations/changes/finish.hpp"
#include "provisioner/operations/clusters/service_actions.hpp"
#include "provisioner/operations/jobs/control.hpp"
#include "provisioner/store/database/statement.hpp"
#include "tests/integration/provisioner/tiered_site.hpp"

using namespace provisioner;
using model::Action;
using operations::ReplaceNodes;
using operations::ShrinkCluster;
using tests::ActiveTiers;
using tests::why;

namespace {

struct Site : ActiveTiers {
    /// Numbers of the machines that can stay.
    std::vector<int> keepable() {
        return fresh.database.read([&](store::Connection& connection) {
            const auto stored = store::find_cluster(connection, caller, cluster);
            std::vector<int> numbers;
            for (const auto& found : operations::keepable_machines(connection, *stored)) {
                numbers.push_back(found.machine.nodenum);
            }
            return numbers;
        });
    }

    std::optional<operations::WayToKeep> way() {
        return fresh.database.read([&](store::Connection& connection) {
            const auto stored = store::find_cluster(connection, caller, cluster);
            return operations::way_to_keep(connection, *stored, *summary().latest_job);
        });
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(machines_that_were_to_leave)

BOOST_AUTO_TEST_CASE(stay_after_a_replacement_that_made_no_machine) {
    Site site;
    BOOST_REQUIRE(site.change(ReplaceNodes{{"1001"}}).has_value());
    site.fail_at(Action::create);
    BOOST_REQUIRE(site.layout() == "1000 app, 1001 app leaving, 1002 front, 1003 store, 1004 app");
    const auto way = site.way();
    BOOST_REQUIRE(way.has_value());
    BOOST_TEST((way->without == std::set<int>{1004}));
    BOOST_REQUIRE(way->kept.size() == 1U);
    BOOST_TEST(way->kept.front().nodenum == 1001);
    BOOST_TEST((way->kept.front().services == std::vector<std::string>{"app"}));

    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1004"}, .keep = true}).has_value());

    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store, 1004 app leaving");
    BOOST_TEST(!site.summary().latest_job->only_keeps);
    // Nobody knew of the new machine.
    BOOST_TEST(site.work() == "delete 1004");
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
    BOOST_TEST(site.summary().node_count == 4);
}

BOOST_AUTO_TEST_CASE(stay_with_another_configuration) {
    Site site;
    BOOST_REQUIRE(site.change(ReplaceNodes{{"1001"}}).has_value());
    // So that a wrong value is the reason of the failure.
    site.fail_at(Action::configure, "", model::exit_of_wrong_configuration);
    const auto way = site.way();
    BOOST_REQUIRE(way.has_value());
    BOOST_TEST((way->without == std::set<int>{1004}));
    const base::Json config = {{"web", {{"port", 81}}}};

    BOOST_REQUIRE(operations::finish_with_config(site.fresh.database, site.caller, site.cluster,
                                                 {.config = config, .keep = true}, site.now)
                      .has_value());

    BOOST_TEST(site.operation() == "cluster_shrink");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store, 1004 app leaving");
    // Also the machines of which nothing was left to do.
    const std::string work = site.work();
    BOOST_TEST(work.find("configure app 1001") != std::string::npos, work);
    BOOST_TEST(work.find("configure store 1003") != std::string::npos, work);
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
    BOOST_TEST((site.stored_config() == config));
}

BOOST_AUTO_TEST_CASE(lose_services_that_were_being_removed_before_they_were_to_leave) {
    Site site;
    const auto abort = [&] {
        return operations::abort_job(site.fresh.database, site.caller, site.cluster).has_value();
    };
    BOOST_REQUIRE(site.change(operations::AddServices{{"cache"}}).has_value());
    site.succeed_all();
    BOOST_REQUIRE(site.layout() == "1000 app cache, 1001 app, 1002 front, 1003 store");
    BOOST_REQUIRE(site.change(operations::RemoveServices{{"cache"}}).has_value());
    BOOST_REQUIRE(abort());
    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1000"}}).has_value());
    BOOST_REQUIRE(abort());

    BOOST_REQUIRE(site.change(ShrinkCluster{.keep = true}).has_value());

    const std::string work = site.work();
    BOOST_TEST(work.find("stop cache 1000") != std::string::npos, work);
    BOOST_TEST(work.find("remove cache 1000") != std::string::npos, work);
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
}

BOOST_AUTO_TEST_CASE(leave_if_nobody_asks_to_keep_them) {
    Site site;
    BOOST_REQUIRE(site.change(ReplaceNodes{{"1001"}}).has_value());
    site.fail_at(Action::create);

    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1004"}}).has_value());
    site.succeed_all();

    BOOST_TEST(site.layout() == "1000 app, 1002 front, 1003 store");
}

BOOST_AUTO_TEST_CASE(stay_after_a_shrink_that_was_aborted_before_it_began) {
    Site site;
    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1001"}}).has_value());
    BOOST_REQUIRE(
        operations::abort_job(site.fresh.database, site.caller, site.cluster).has_value());
    const auto way = site.way();
    BOOST_REQUIRE(way.has_value());
    BOOST_TEST(way->without.empty());

    BOOST_REQUIRE(site.change(ShrinkCluster{.keep = true}).has_value());

    BOOST_TEST(site.summary().latest_job->only_keeps);
    site.succeed_all();
    BOOST_TEST(site.tasks().empty());
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
}

BOOST_AUTO_TEST_CASE(can_stay_after_other_jobs_too_and_beside_machines_that_cannot) {
    Site site;
    BOOST_REQUIRE(site.change(ReplaceNodes{{"1001"}}).has_value());
    site.fail_at(Action::create);
    // The new machine, which is not set up, is to go as well.
    BOOST_REQUIRE(site.change(ReplaceNodes{{"1004"}}).has_value());
    BOOST_REQUIRE(
        operations::abort_job(site.fresh.database, site.caller, site.cluster).has_value());
    BOOST_REQUIRE(site.layout() ==
                  "1000 app, 1001 app leaving, 1002 front, 1003 store, 1004 app leaving, 1005 app");

    const auto way = site.way();

    BOOST_REQUIRE(way.has_value());
    BOOST_TEST((way->without == std::set<int>{1005}));
    BOOST_REQUIRE(way->kept.size() == 1U);
    BOOST_TEST(way->kept.front().nodenum == 1001);
    BOOST_TEST(way->others_leaving == 1);
    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1005"}, .keep = true}).has_value());
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
}

BOOST_AUTO_TEST_CASE(stay_beside_what_an_earlier_job_has_left) {
    Site site;
    BOOST_REQUIRE(operations::act_on_services(site.fresh.database, site.caller, site.cluster,
                                              {.operation = model::Operation::restart_services},
                                              site.now)
                      .has_value());
    site.fail_at(Action::stop);
    BOOST_REQUIRE(site.change(ReplaceNodes{{"1001"}}).has_value());
    site.fail_at(Action::create);

    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1004"}, .keep = true}).has_value());

    const std::string work = site.work();
    BOOST_TEST(work.find("delete 1004") != std::string::npos, work);
    BOOST_TEST(work.find("delete 1001") == std::string::npos, work);
    BOOST_TEST(work.find("start store 1003") != std::string::npos, work);
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
}

BOOST_AUTO_TEST_CASE(serve_on_and_are_told_of_again_if_others_know_that_they_go) {
    Site site;
    BOOST_REQUIRE(site.change(ReplaceNodes{{"1001"}}).has_value());
    // The new machine serves by then, and whoever needs it is told.
    site.fail_at(Action::stop, "front");
    BOOST_TEST((site.keepable() == std::vector<int>{1001}));
    const auto way = site.way();
    BOOST_REQUIRE(way.has_value());
    // The new machine is set up.
    BOOST_TEST(way->without.empty());

    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1004"}, .keep = true}).has_value());

    const std::string work = site.work();
    for (const char* task : {"configure app 1001", "configure front 1002", "start front 1002"}) {
        BOOST_TEST(work.find(task) != std::string::npos, work);
    }
    for (const char* task : {"stop app 1001", "bootstrap 1001", "confirm 1001"}) {
        BOOST_TEST(work.find(task) == std::string::npos, work);
    }
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
}

BOOST_AUTO_TEST_CASE(are_started_again_where_a_service_was_stopped) {
    Site site;
    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1001"}}).has_value());
    site.fail_at(Action::stop, "app");
    BOOST_TEST((site.keepable() == std::vector<int>{1001}));

    BOOST_REQUIRE(site.change(ShrinkCluster{.keep = true}).has_value());

    const std::string work = site.work();
    for (const char* task : {"stop app 1001", "configure app 1001", "start app 1001"}) {
        BOOST_TEST(work.find(task) != std::string::npos, work);
    }
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
}

BOOST_AUTO_TEST_CASE(cannot_stay_once_their_deletion_has_begun) {
    Site site;
    BOOST_REQUIRE(site.change(ReplaceNodes{{"1001"}}).has_value());
    site.fail_at(Action::delete_machine);
    BOOST_TEST(site.keepable().empty());
    BOOST_TEST(!site.way().has_value());
    BOOST_TEST(
        why(site.change(ShrinkCluster{.machines = 1, .keep = true})) ==
        "There is no machine to keep: none is to be taken away that was not removed before.");
    BOOST_TEST(why(operations::finish_with_config(site.fresh.database, site.caller, site.cluster,
                                                  {.keep = true}, site.now)) ==
               "There is no machine to keep.");
}

BOOST_AUTO_TEST_CASE(cannot_stay_if_their_provider_does_not_list_them_any_more) {
    Site site;
    BOOST_REQUIRE(site.change(ReplaceNodes{{"1001"}}).has_value());
    site.fail_at(Action::create);
    BOOST_REQUIRE((site.keepable() == std::vector<int>{1001}));

    site.fresh.database.write([&](store::Connection& connection) {
        connection.sql(
            "INSERT INTO provider_account (tenant_id, provider_type, name, provider, known_at, "
            "next_look_at, failures, error) VALUES (0, 'aws', 'b', '', UTC_TIMESTAMP(6), "
            "UTC_TIMESTAMP(6), 0, '')")
            << store::exec;
        connection.sql(
            "INSERT INTO machine_sighting (node_id, account_id, machine_id, misses, missing_since) "
            "SELECT node.id, provider_account.id, 'i-2', 2, UTC_TIMESTAMP(6) FROM node "
            "JOIN provider_account WHERE node.cluster_id = ? AND node.nodenum = 1001")
            << site.cluster.value << store::exec;
    });

    BOOST_TEST(site.keepable().empty());
    BOOST_TEST(!site.way().has_value());
}

BOOST_AUTO_TEST_CASE(are_nobody_in_a_cluster_that_has_not_failed) {
    Site site;
    BOOST_TEST(site.keepable().empty());
    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1001"}}).has_value());
    BOOST_TEST(site.keepable().empty());
}

BOOST_AUTO_TEST_SUITE_END()
