#include "provisioner/operations/changes/change.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/model/jobs/job_end.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/changes/finish.hpp"
#include "provisioner/operations/changes/go_on.hpp"
#include "provisioner/operations/changes/unfinished.hpp"
#include "provisioner/operations/clusters/configure.hpp"
#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/clusters/delete.hpp"
#include "provisioner/operations/clusters/service_actions.hpp"
#include "provisioner/operations/jobs/control.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/clusters/machine_list.hpp"
#include "provisioner/store/clusters/service_states.hpp"
#include "provisioner/store/clusters/work_store.hpp"
#include "provisioner/store/database/statement.hpp"
#include "provisioner/store/jobs/job_end_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "tests/integration/provisioner/tiered_site.hpp"

using namespace provisioner;
using model::CatalogueKind;
using model::ClusterStatus;
using model::JobStatus;
using model::Operation;
using operations::AddServices;
using operations::GrowCluster;
using operations::Refusal;
using operations::RemoveServices;
using operations::ReplaceNodes;
using operations::ShrinkCluster;

using tests::ActiveTiers;
using tests::is;
using tests::TieredSite;
using tests::why;

BOOST_AUTO_TEST_SUITE(growing)

BOOST_AUTO_TEST_CASE(makes_machines_that_are_set_up_once_a_job_has_done_all_there) {
    TieredSite site;
    const auto set_up = [&] {
        std::set<int> numbers;
        for (const model::Node& node : site.nodes()) {
            if (node.was_set_up) numbers.insert(node.nodenum);
        }
        for (const auto& [number, machine] : site.listed()) {
            BOOST_TEST(machine.was_set_up == numbers.contains(number));
        }
        return numbers;
    };
    BOOST_TEST(set_up().empty());
    // The last task of all: the other machines are finished.
    site.fail_at(model::Action::start, "front");
    BOOST_TEST((set_up() == std::set<int>{1000, 1001, 1003}));
    BOOST_REQUIRE(site.retry().has_value());
    site.succeed_all();
    BOOST_TEST((set_up() == std::set<int>{1000, 1001, 1002, 1003}));

    BOOST_REQUIRE(site.change(GrowCluster{.machines = 1}).has_value());
    site.fail_at(model::Action::create);
    BOOST_REQUIRE(site.change(ReplaceNodes{{"1001"}}).has_value());
    BOOST_REQUIRE(
        operations::abort_job(site.fresh.database, site.caller, site.cluster).has_value());

    // What was set up stays so, and what another job was to finish is not.
    BOOST_TEST((set_up() == std::set<int>{1000, 1001, 1002, 1003}));
    BOOST_REQUIRE(site.retry().has_value());
    site.succeed_all();
    BOOST_TEST((set_up() == std::set<int>{1000, 1002, 1003, 1004, 1005}));
}

BOOST_AUTO_TEST_CASE(makes_nodes_with_new_numbers_and_tells_who_needs_them) {
    ActiveTiers site;

    BOOST_REQUIRE(site.change(GrowCluster{.machines = 1}).has_value());

    BOOST_TEST(site.status() == "pending");
    BOOST_TEST(site.operation() == "cluster_grow");
    BOOST_TEST(site.summary().node_count == 5);
    BOOST_TEST(site.work() ==
               "bootstrap 1004, configure app 1000, configure app 1001, configure app 1004, "
               "configure front 1002, confirm 1004, create 1004, start app 1004, "
               "start front 1002, start store 1003, stop front 1002");
    BOOST_TEST(site.succeed_all() == 11);
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store, 1004 app");
}

BOOST_AUTO_TEST_CASE(names_and_equips_the_new_nodes_as_a_create_does) {
    ActiveTiers site;

    BOOST_REQUIRE(site.change(GrowCluster{.machines = 1}).has_value());

    const auto old = site.nodes().front();
    const auto made = site.nodes().back();
    BOOST_TEST(made.hostname == "shop" + std::to_string(site.cluster.value) + "-1004.example.test");
    BOOST_TEST(made.flavor == old.flavor);
    BOOST_TEST(made.image == old.image);
    BOOST_CHECK(made.settings == old.settings);
    BOOST_TEST(made.automators == old.automators, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(without_a_restart_only_configures) {
    ActiveTiers site;

    BOOST_REQUIRE(site.change(GrowCluster{.machines = 1}, false).has_value());

    BOOST_TEST(site.work().find("stop") == std::string::npos);
    BOOST_TEST(site.work().find("configure front 1002") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(never_uses_a_number_twice) {
    ActiveTiers site;
    BOOST_REQUIRE(site.change(GrowCluster{.machines = 1}).has_value());
    site.succeed_all();
    BOOST_REQUIRE(site.change(ShrinkCluster{.machines = 1}).has_value());
    site.succeed_all();
    BOOST_REQUIRE(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");

    BOOST_REQUIRE(site.change(GrowCluster{.machines = 1}).has_value());

    BOOST_TEST(site.nodes().back().nodenum == 1005);
}

BOOST_AUTO_TEST_CASE(is_refused_in_words) {
    ActiveTiers site;

    BOOST_TEST(why(site.change(GrowCluster{.machines = 0})) ==
               "At least 1 machine has to be added.");
    BOOST_TEST(why(site.change(GrowCluster{.machines = 3})) ==
               "Size must be at least 3 but not greater than 6. Now it's 7");
    BOOST_TEST(why(site.change(GrowCluster{.machines = 9997})) ==
               "numMachines above max cluster size 10000");
    const auto unknown = site.change(GrowCluster{.machines = 1, .hardware_type = "huge"});
    BOOST_TEST(is(unknown, Refusal::Kind::unsatisfiable));
    BOOST_TEST(unknown.error().problems.front().field == "hardwaretype");
    site.caller.tenant.max_nodes = 7;
    tests::save_quotas(site.fresh.database, site.caller.tenant);
    const auto full = site.change(GrowCluster{.machines = 1});
    BOOST_TEST(why(full) == "Growing the cluster would cause node quotas to be violated.");
    BOOST_TEST(is(full, Refusal::Kind::conflict));
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
    BOOST_TEST(site.status() == "active");
}

BOOST_AUTO_TEST_CASE(is_refused_while_a_job_runs_and_for_clusters_that_are_not_there) {
    TieredSite site;

    BOOST_TEST(why(site.change(GrowCluster{.machines = 1})) ==
               "Cluster is not in a state where machines can be added.");
    site.cluster = model::ClusterId{999};
    const auto nowhere = site.change(GrowCluster{.machines = 1});
    BOOST_TEST(why(nowhere) == "cluster 00000999 does not exist");
    BOOST_TEST(is(nowhere, Refusal::Kind::not_found));
}

BOOST_AUTO_TEST_CASE(that_failed_can_be_run_again) {
    ActiveTiers site;
    BOOST_REQUIRE(site.change(GrowCluster{.machines = 1}).has_value());
    site.fail_at(model::Action::confirm);
    BOOST_TEST(site.status() == "incomplete");

    BOOST_REQUIRE(site.retry().has_value());
    site.succeed_all();

    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.summary().node_count == 5);
}

BOOST_AUTO_TEST_CASE(that_failed_can_be_taken_back_and_only_who_needs_it_is_told) {
    ActiveTiers site;
    BOOST_REQUIRE(site.change(GrowCluster{.machines = 2}).has_value());
    site.fail_at(model::Action::bootstrap);
    BOOST_REQUIRE(site.status() == "incomplete");

    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1004", "1005"}}).has_value());
    BOOST_TEST(site.work() ==
               "configure app 1000, configure app 1001, configure front 1002, delete 1004, "
               "delete 1005, start front 1002, stop front 1002");
    site.succeed_all();

    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
    BOOST_TEST(site.summary().node_count == 4);
}

BOOST_AUTO_TEST_CASE(that_failed_on_a_machine_that_served_before_says_so) {
    ActiveTiers site;
    const auto serving = [&] {
        const model::JobId job = site.summary().latest_job->id;
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::failed_serving_machines_of(connection, job);
        });
    };
    BOOST_REQUIRE(site.change(GrowCluster{.machines = 1}).has_value());
    site.fail_at(model::Action::bootstrap);
    BOOST_TEST(serving() == 0);

    BOOST_REQUIRE(site.retry().has_value());
    site.fail_at(model::Action::configure, "front");
    BOOST_TEST(serving() == 1);
}

BOOST_AUTO_TEST_CASE(that_failed_on_one_machine_goes_on_without_it) {
    ActiveTiers site;
    BOOST_REQUIRE(site.change(GrowCluster{.machines = 2}).has_value());
    site.fail_at(model::Action::bootstrap);
    BOOST_REQUIRE(site.status() == "incomplete");
    const int failed = site.failed_machine();

    // The failed one is chosen, although the other one may be newer.
    BOOST_REQUIRE(site.change(ShrinkCluster{.machines = 1}).has_value());

    const std::string other = failed == 1004 ? "1005" : "1004";
    BOOST_TEST(site.work().find("delete " + std::to_string(failed)) != std::string::npos);
    BOOST_TEST(site.work().find("start app " + other) != std::string::npos);
    BOOST_TEST(site.work().find("create") == std::string::npos);
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store, " + other + " app");
}

BOOST_AUTO_TEST_CASE(with_a_wrong_value_is_finished_with_another_configuration) {
    ActiveTiers site;
    BOOST_REQUIRE(site.change(GrowCluster{.machines = 1}).has_value());
    site.fail_at(model::Action::configure, "app", model::exit_of_wrong_configuration);
    BOOST_REQUIRE(site.status() == "incomplete");

    BOOST_TEST(why(site.change(ShrinkCluster{.machines = 1})) ==
               "A value of the configuration is wrong: change the configuration before machines "
               "are taken away.");
    const base::Json config{{"port", 80}};
    BOOST_REQUIRE(operations::finish_with_config(site.fresh.database, site.caller, site.cluster,
                                                 {.config = config}, site.now));

    BOOST_TEST(site.operation() == "cluster_grow");
    BOOST_TEST(site.stored_config() == config);
    BOOST_TEST(site.work() ==
               "configure app 1000, configure app 1001, configure app 1004, configure front 1002, "
               "configure store 1003, start app 1000, start app 1001, start app 1004, "
               "start front 1002, start store 1003, stop app 1000, stop app 1001, "
               "stop front 1002, stop store 1003");
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store, 1004 app");
    BOOST_TEST(why(operations::finish_with_config(site.fresh.database, site.caller, site.cluster,
                                                  {.config = config}, site.now)) ==
               "Cluster is not in a configurable state.");
}

BOOST_AUTO_TEST_CASE(that_failed_leaves_a_cluster_that_can_be_deleted) {
    ActiveTiers site;
    BOOST_REQUIRE(site.change(GrowCluster{.machines = 1}).has_value());
    site.fail_at(model::Action::create);

    BOOST_REQUIRE(operations::delete_cluster(site.fresh.database, site.caller, site.cluster,
                                             site.now, base::Json::object()));

    BOOST_TEST(site.succeed_all() == 5);
    BOOST_TEST(site.status() == "terminated");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(shrinking)

BOOST_AUTO_TEST_CASE(tells_who_needs_a_node_before_it_goes) {
    ActiveTiers site;

    BOOST_REQUIRE(site.change(ShrinkCluster{.machines = 1}).has_value());

    BOOST_TEST(site.operation() == "cluster_shrink");
    BOOST_TEST(site.layout() == "1000 app, 1001 app leaving, 1002 front, 1003 store");
    BOOST_TEST(site.summary().node_count == 4);
    BOOST_TEST(!site.summary().latest_job->is_finishing);
    BOOST_TEST(site.work() ==
               "configure app 1000, configure front 1002, delete 1001, start front 1002, "
               "stop app 1001, stop front 1002");
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1002 front, 1003 store");
    BOOST_TEST(site.summary().node_count == 3);
}

BOOST_AUTO_TEST_CASE(goes_on_with_a_creation_without_machines_that_could_not_be_made) {
    TieredSite site;
    site.fail_at(model::Action::create);
    BOOST_REQUIRE(site.status() == "incomplete");
    BOOST_REQUIRE(site.failed_machine() == 1000);

    BOOST_REQUIRE(site.change(ShrinkCluster{.machines = 1}).has_value());

    BOOST_TEST(site.operation() == "cluster_shrink");
    BOOST_TEST(site.summary().latest_job->is_finishing);
    BOOST_TEST(site.layout() == "1000 app leaving, 1001 app, 1002 front, 1003 store");
    BOOST_TEST(site.work() ==
               "bootstrap 1001, bootstrap 1002, bootstrap 1003, configure app 1001, "
               "configure front 1002, configure store 1003, confirm 1001, confirm 1002, "
               "confirm 1003, create 1001, create 1002, create 1003, delete 1000, "
               "start app 1001, start front 1002, start store 1003");
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1001 app, 1002 front, 1003 store");
    BOOST_TEST(site.summary().node_count == 3);
}

BOOST_AUTO_TEST_CASE(finishes_what_a_shrink_after_a_failed_creation_has_left) {
    TieredSite site;
    site.fail_at(model::Action::confirm);
    BOOST_REQUIRE(site.status() == "incomplete");
    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1000"}}).has_value());
    // What was made is made for good.
    site.fail_at(model::Action::start, "store");
    BOOST_REQUIRE(site.status() == "incomplete");
    BOOST_TEST(why(site.change(ShrinkCluster{.nodes = {"1001"}})) != "accepted");

    BOOST_REQUIRE(site.change(ReplaceNodes{{"1003"}}).has_value());

    BOOST_TEST(site.work().find("create 1001") == std::string::npos);
    BOOST_TEST(site.work().find("bootstrap 1001") == std::string::npos);
    BOOST_TEST(site.work().find("create 1004") != std::string::npos);
    BOOST_TEST(site.work().find("delete 1003") != std::string::npos);
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1001 app, 1002 front, 1004 store");
    BOOST_TEST(site.summary().node_count == 3);
}

BOOST_AUTO_TEST_CASE(after_a_failed_addition_does_only_what_that_has_left) {
    ActiveTiers site;
    BOOST_REQUIRE(site.change(AddServices{{"cache"}}).has_value());
    site.fail_at(model::Action::install, "cache");
    BOOST_REQUIRE(site.status() == "inconsistent");

    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1001"}}).has_value());

    const std::string work = site.work();
    BOOST_TEST(work.find("stop store 1003") == std::string::npos, work);
    BOOST_TEST(work.find("stop app 1000") == std::string::npos, work);
    BOOST_TEST(work.find("delete 1001") != std::string::npos, work);
    BOOST_TEST(work.find("stop front 1002") != std::string::npos, work);
    // After an abort of it, too, the cluster can go on without what it was adding for the other.
    const auto installed = site.fresh.database.read([&](store::Connection& connection) {
        return store::services_installed_by(connection, site.summary().latest_job->id);
    });
    BOOST_TEST((installed == std::vector<std::string>{"cache"}));
}

BOOST_AUTO_TEST_CASE(does_not_stop_services_on_a_machine_that_failed) {
    ActiveTiers site;
    BOOST_REQUIRE(operations::act_on_services(site.fresh.database, site.caller, site.cluster,
                                              {.operation = Operation::restart_services}, site.now)
                      .has_value());
    site.fail_at(model::Action::stop, "app");
    BOOST_REQUIRE(site.status() == "inconsistent");
    BOOST_TEST(site.failed_that_count() == 1);
    const std::string failed = std::to_string(site.failed_machine());

    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {failed}}).has_value());

    BOOST_TEST(site.work().find("delete " + failed) != std::string::npos, site.work());
    BOOST_TEST(site.work().find("stop app " + failed) == std::string::npos, site.work());
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
}

BOOST_AUTO_TEST_CASE(is_possible_where_some_machine_is_not_needed) {
    ActiveTiers site;
    const auto can_spare_any = [&] {
        return site.fresh.database.read([&](store::Connection& connection) {
            return operations::can_spare_any(site.details(),
                                             store::machine_groups(connection, site.cluster));
        });
    };
    BOOST_TEST(can_spare_any());
    BOOST_REQUIRE(site.change(ShrinkCluster{.machines = 1}).has_value());
    // The one that leaves counts no more.
    BOOST_TEST(!can_spare_any());
}

BOOST_AUTO_TEST_CASE(takes_named_nodes_by_number_and_by_id) {
    ActiveTiers site;
    const std::string id = site.nodes().front().uuid;

    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {id}}).has_value());
    site.succeed_all();

    BOOST_TEST(site.layout() == "1001 app, 1002 front, 1003 store");
}

BOOST_AUTO_TEST_CASE(by_force_does_nothing_on_the_node_that_goes) {
    ActiveTiers site;

    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1001"}, .force = true}).has_value());

    BOOST_TEST(site.work() ==
               "configure app 1000, configure front 1002, delete 1001, start front 1002, "
               "stop front 1002");
}

BOOST_AUTO_TEST_CASE(removes_the_newest_of_those_with_the_services_that_were_asked_for) {
    ActiveTiers site;

    const auto none = site.change(ShrinkCluster{.machines = 1, .services = {{"front"}}});
    BOOST_TEST(is(none, Refusal::Kind::unsatisfiable));
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
    BOOST_REQUIRE(site.change(ShrinkCluster{.machines = 1, .services = {{"app"}}}).has_value());
    site.succeed_all();

    BOOST_TEST(site.layout() == "1000 app, 1002 front, 1003 store");
}

BOOST_AUTO_TEST_CASE(hides_the_nodes_that_go_from_those_who_stay) {
    ActiveTiers site;
    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1001"}}).has_value());

    const auto work = site.fresh.database.read(
        [&](store::Connection& connection) { return *store::find_work(connection, site.cluster); });

    BOOST_REQUIRE(work.nodes.size() == 3U);
    BOOST_REQUIRE(work.leaving.size() == 1U);
    BOOST_TEST(work.nodes[1].nodenum == 1002);
    BOOST_TEST(work.leaving.front().nodenum == 1001);
}

BOOST_AUTO_TEST_CASE(is_refused_in_words) {
    ActiveTiers site;

    BOOST_TEST(why(site.change(ShrinkCluster{})) ==
               "Give the number of machines to remove, or name them in nodes, not both.");
    BOOST_TEST(why(site.change(ShrinkCluster{.machines = 1, .nodes = {"1000"}})) ==
               "Give the number of machines to remove, or name them in nodes, not both.");
    BOOST_TEST(why(site.change(ShrinkCluster{.machines = -1})) ==
               "At least 1 machine has to be removed.");
    const auto unknown = site.change(ShrinkCluster{.nodes = {"1009"}});
    BOOST_TEST(is(unknown, Refusal::Kind::not_found));
    BOOST_TEST(why(unknown) ==
               "node 1009 does not exist on cluster " + model::wire_id(site.cluster));
    const auto small = site.change(ShrinkCluster{.machines = 2});
    BOOST_TEST(is(small, Refusal::Kind::unsatisfiable));
    BOOST_TEST(small.error().problems.front().field == "numMachines");
    BOOST_TEST(why(small) == "The cluster has 4 machines and needs at least 3.");
    const auto needed = site.change(ShrinkCluster{.nodes = {"1003"}});
    BOOST_TEST(is(needed, Refusal::Kind::unsatisfiable));
    BOOST_TEST(needed.error().problems.front().field == "nodes");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
}

BOOST_AUTO_TEST_CASE(is_refused_while_a_value_of_the_configuration_is_wrong) {
    ActiveTiers site;
    BOOST_REQUIRE(operations::configure_cluster(site.fresh.database, site.caller, site.cluster,
                                                {.config = {{"port", "abc"}}, .restart = false},
                                                site.now)
                      .has_value());
    for (auto claims = site.claim(); !claims.empty(); claims = site.claim()) {
        for (const auto& claim : claims) {
            site.finish(claim, tests::a_failure(std::nullopt, model::exit_of_wrong_configuration));
        }
    }
    BOOST_REQUIRE(site.status() == "inconsistent");

    BOOST_TEST(why(site.change(ShrinkCluster{.machines = 1})) ==
               "A value of the configuration is wrong: change the configuration before machines "
               "are taken away.");
    BOOST_TEST(site.status() == "inconsistent");
    site.fresh.database.write([&](store::Connection& connection) {
        connection.sql("UPDATE job SET aborted = 1 ORDER BY id DESC LIMIT 1") << store::exec;
    });
    BOOST_TEST(why(site.change(ShrinkCluster{.machines = 1}))
                   .starts_with("A value of the configuration is wrong"));
}

BOOST_AUTO_TEST_CASE(is_refused_while_a_job_runs_and_after_a_failed_deletion) {
    TieredSite site;
    BOOST_TEST(why(site.change(ShrinkCluster{.machines = 1})) ==
               "Cluster is not in a state where machines can be taken away.");
    site.succeed_all();
    BOOST_REQUIRE(operations::delete_cluster(site.fresh.database, site.caller, site.cluster,
                                             site.now, base::Json::object()));
    site.fail_at(model::Action::delete_machine);
    BOOST_REQUIRE(site.status() == "incomplete");

    BOOST_TEST(why(site.change(ShrinkCluster{.machines = 1})) ==
               "Cluster is not in a state where machines can be taken away.");
}

BOOST_AUTO_TEST_CASE(that_failed_keeps_its_nodes_until_it_is_run_again) {
    ActiveTiers site;
    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1001"}}).has_value());
    site.fail_at(model::Action::delete_machine);
    BOOST_TEST(site.status() == "incomplete");
    BOOST_TEST(site.layout() == "1000 app, 1001 app leaving, 1002 front, 1003 store");

    BOOST_REQUIRE(site.retry().has_value());
    site.succeed_all();

    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1002 front, 1003 store");
    BOOST_TEST(site.summary().node_count == 3);
}

BOOST_AUTO_TEST_CASE(that_failed_on_one_machine_is_done_with_the_one_that_it_deleted) {
    ActiveTiers site;
    BOOST_REQUIRE(site.change(GrowCluster{.machines = 1}).has_value());
    site.succeed_all();
    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1001", "1004"}}).has_value());
    for (auto claims = site.claim(1); !claims.empty(); claims = site.claim(1)) {
        site.finish(claims.front(), queue::Succeeded{});
        if (claims.front().action == model::Action::delete_machine) break;
    }
    auto listed = site.listed();
    BOOST_TEST(listed.size() == 5U);
    BOOST_TEST(listed.at(1001).leaves);
    BOOST_TEST(!listed.at(1000).leaves);
    BOOST_TEST(listed.at(1001).is_deleted + listed.at(1004).is_deleted == 1);
    const int gone = listed.at(1001).is_deleted ? 1001 : 1004;

    site.fail_at(model::Action::delete_machine);

    BOOST_TEST(site.status() == "incomplete");
    listed = site.listed();
    BOOST_TEST(listed.size() == 4U);
    BOOST_TEST(!listed.contains(gone));
    BOOST_TEST(site.nodes().size() == 4U);
    BOOST_TEST(site.summary().node_count == 4);
    BOOST_TEST(site.summary().services_stopped == 1);

    BOOST_REQUIRE(site.retry().has_value());
    site.succeed_all();

    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1002 front, 1003 store");
    BOOST_TEST(site.summary().node_count == 3);
    BOOST_TEST(site.summary().services_stopped == 0);
}

BOOST_AUTO_TEST_CASE(that_failed_after_its_machine_was_deleted_is_not_done_again) {
    ActiveTiers site;
    BOOST_REQUIRE(site.change(AddServices{{"cache"}}).has_value());
    site.succeed_all();
    BOOST_REQUIRE(site.change(RemoveServices{{"cache"}}).has_value());
    site.fail_at(model::Action::stop, "cache");
    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1001"}}).has_value());
    for (auto claims = site.claim(1); !claims.empty(); claims = site.claim(1)) {
        const bool is_last = claims.front().service == "cache";
        if (is_last && site.listed().at(1001).is_deleted) {
            site.finish(claims.front(), tests::a_failure(std::nullopt));
        } else if (is_last) {
            site.finish(claims.front(), tests::a_failure(std::chrono::seconds(0)));
        } else {
            site.finish(claims.front(), queue::Succeeded{});
        }
    }
    BOOST_TEST(site.layout() == "1000 app, 1002 front, 1003 store");
    BOOST_TEST(site.summary().services_stopped == 0);

    BOOST_REQUIRE(site.change(RemoveServices{.services = {"cache"}, .force = true}));

    BOOST_TEST(site.work() == "");
    BOOST_TEST(site.status() == "active");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(adding_services)

BOOST_AUTO_TEST_CASE(puts_them_on_nodes_and_into_the_snapshot) {
    ActiveTiers site;

    BOOST_REQUIRE(site.change(AddServices{{"cache"}}).has_value());

    BOOST_TEST(site.work() == "bootstrap 1000, install cache 1000, start cache 1000");
    BOOST_TEST(site.layout() == "1000 app cache, 1001 app, 1002 front, 1003 store");
    const auto cluster = site.details();
    BOOST_TEST(cluster.services.back() == "cache");
    BOOST_TEST(cluster.snapshot.services.back().header.name == "cache");
    BOOST_TEST(cluster.snapshot.services.back().actions.size() == 4U);
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
}

BOOST_AUTO_TEST_CASE(makes_two_jobs_of_that_name) {
    ActiveTiers site;

    BOOST_REQUIRE(site.change(AddServices{{"cache"}}).has_value());

    const auto jobs = site.fresh.database.read(
        [&](store::Connection& connection) { return store::jobs_of(connection, site.cluster); });
    BOOST_CHECK(jobs[0].operation == Operation::add_services);
    BOOST_CHECK(jobs[0].status == JobStatus::running);
    BOOST_CHECK(jobs[1].operation == Operation::add_services);
    BOOST_CHECK(jobs[1].status == JobStatus::complete);
    BOOST_TEST(jobs[1].tasks_total == 0);
    BOOST_CHECK(site.summary().latest_job->id == jobs[0].id);
}

BOOST_AUTO_TEST_CASE(that_are_there_installs_them_again) {
    ActiveTiers site;
    BOOST_REQUIRE(site.change(AddServices{{"cache"}}).has_value());
    site.succeed_all();

    BOOST_REQUIRE(site.change(AddServices{{"cache"}}).has_value());

    BOOST_TEST(site.work() == "bootstrap 1000, install cache 1000, start cache 1000");
    BOOST_TEST(site.layout() == "1000 app cache, 1001 app, 1002 front, 1003 store");
}

BOOST_AUTO_TEST_CASE(starts_what_they_need_as_the_wire_contract_has_it) {
    ActiveTiers site;

    BOOST_REQUIRE(site.change(AddServices{{"front"}}).has_value());

    BOOST_TEST(site.work() ==
               "bootstrap 1002, configure front 1002, start app 1000, start app 1001, "
               "start front 1002");
}

BOOST_AUTO_TEST_CASE(is_refused_with_the_texts_of_the_wire_contract) {
    ActiveTiers site;

    const auto check = [&](const std::string& service, const std::string& text) {
        const auto refused = site.change(AddServices{{service}});
        BOOST_TEST(is(refused, Refusal::Kind::invalid));
        BOOST_TEST(refused.error().wire_message == text);
    };
    check("mail", "service mail does not exist");
    check("ghost", "service ghost does not exist");
    check("picky",
          "picky requires mail, which is not on the cluster or in the list of services to add.");
    BOOST_TEST(why(site.change(AddServices{})) == "Name at least 1 service to add.");
    BOOST_TEST(site.status() == "active");
}

BOOST_AUTO_TEST_CASE(without_a_place_is_stored_as_a_failed_job_of_an_active_cluster) {
    ActiveTiers site;
    const auto refused = site.change(AddServices{{"log"}});
    BOOST_REQUIRE(is(refused, Refusal::Kind::unsatisfiable));
    BOOST_TEST(refused.error().wire_message.starts_with(
        "Layout solving failed: log cannot be added to this cluster."));

    operations::record_failed_addition(site.fresh.database, site.caller, site.cluster,
                                       refused.error().wire_message, site.now);

    BOOST_TEST(site.status() == "active");
    BOOST_CHECK(site.summary().latest_job->status == JobStatus::failed);
    BOOST_TEST(site.summary().message == refused.error().wire_message);
    BOOST_TEST(why(site.retry()) == "There is no failed job to run again on this cluster.");
    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1001"}}).has_value());
    BOOST_TEST(!site.summary().latest_job->is_finishing);
    site.succeed_all();
    BOOST_TEST(site.change(AddServices{{"cache"}}).has_value());
}

BOOST_AUTO_TEST_CASE(is_refused_while_a_job_runs) {
    TieredSite site;

    const auto refused = site.change(AddServices{{"cache"}});
    BOOST_TEST(why(refused) == "Cluster is not in a state where service actions can be performed.");
    BOOST_TEST(is(refused, Refusal::Kind::conflict));
}

BOOST_AUTO_TEST_CASE(that_failed_can_be_run_again) {
    ActiveTiers site;
    BOOST_REQUIRE(site.change(AddServices{{"cache"}}).has_value());
    site.fail_at(model::Action::install);
    BOOST_TEST(site.status() == "inconsistent");

    BOOST_REQUIRE(site.retry().has_value());
    site.succeed_all();

    BOOST_TEST(site.status() == "active");
}

BOOST_AUTO_TEST_CASE(that_failed_is_taken_back_as_far_as_it_came) {
    ActiveTiers site;
    BOOST_REQUIRE(site.change(AddServices{{"cache"}}).has_value());
    site.fail_at(model::Action::start, "cache");
    BOOST_REQUIRE(site.status() == "inconsistent");

    BOOST_REQUIRE(site.change(RemoveServices{{"cache"}}, false).has_value());

    BOOST_TEST((site.summary().latest_job->without == std::vector<std::string>{"cache"}));
    // It was installed, and may run.
    BOOST_TEST(site.work() ==
               "configure app 1000, configure app 1001, configure front 1002, remove cache 1000, "
               "stop cache 1000");
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
    BOOST_TEST(site.details().services.size() == 3U);

    BOOST_REQUIRE(site.change(AddServices{{"cache"}}).has_value());
    site.fail_at(model::Action::install, "cache");
    BOOST_REQUIRE(site.change(RemoveServices{{"cache"}}, false).has_value());
    // Nothing of it is there.
    BOOST_TEST(site.work() == "configure app 1000, configure app 1001, configure front 1002");
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
}

BOOST_AUTO_TEST_CASE(that_failed_again_while_they_were_finished_do_not_hide_what_served_before) {
    ActiveTiers site;
    site.save_service("ghost", R"("requires":["app"])", {"install", "start", "stop", "remove"});
    BOOST_REQUIRE(site.change(AddServices{{"ghost"}}).has_value());
    site.fail_at(model::Action::install, "ghost");
    BOOST_REQUIRE(operations::finish_with_config(site.fresh.database, site.caller, site.cluster,
                                                 {.config = {{"port", 80}}}, site.now));
    site.fail_at(model::Action::configure, "app");
    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1001"}}).has_value());
    // Nothing says here that app has run before: the job before has stopped it.
    BOOST_TEST(site.work().find("start app 1000") != std::string::npos);
    BOOST_TEST(site.work().find("stop app 1000") == std::string::npos);
    site.fail_at(model::Action::configure, "app");

    const auto unfinished = site.fresh.database.read([&](store::Connection& connection) {
        const auto stored = store::find_cluster(connection, site.caller, site.cluster);
        return operations::unfinished_work(connection, *stored, site.nodes());
    });
    BOOST_REQUIRE(unfinished.half_made.contains(1000));
    BOOST_TEST(!unfinished.half_made.at(1000).settled.contains("app"));
    BOOST_TEST((unfinished.served.at(1000) == std::set<std::string>{"app"}));

    const auto preview =
        operations::preview_change(site.fresh.database, site.caller, site.cluster,
                                   {.change = RemoveServices{{"ghost"}}}, site.now);
    BOOST_REQUIRE(preview.has_value());
    BOOST_TEST(preview->nodes.front().arriving.empty());
    BOOST_TEST((preview->nodes.front().leaving == std::vector<std::string>{"ghost"}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(removing_services)

/// With a cache on node 1000.
struct CachedTiers : ActiveTiers {
    CachedTiers() {
        BOOST_REQUIRE(change(AddServices{{"cache"}}).has_value());
        succeed_all();
    }
};

BOOST_AUTO_TEST_CASE(tells_who_uses_them_then_removes_them) {
    CachedTiers site;

    BOOST_REQUIRE(site.change(RemoveServices{{"cache"}}).has_value());

    BOOST_TEST(site.operation() == "remove_services");
    BOOST_TEST(site.summary().latest_job->without.empty());
    BOOST_TEST(site.work() ==
               "configure app 1000, configure app 1001, configure front 1002, "
               "remove cache 1000, start app 1000, start app 1001, start front 1002, "
               "stop app 1000, stop app 1001, stop cache 1000, stop front 1002");
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
    BOOST_TEST(site.details().services.size() == 3U);
}

BOOST_AUTO_TEST_CASE(that_cannot_be_removed_are_forgotten_by_force) {
    CachedTiers site;

    BOOST_REQUIRE(site.change(RemoveServices{.services = {"cache"}, .force = true}, false));

    BOOST_TEST(!site.summary().latest_job->leaves_as_is);
    BOOST_TEST(site.work() == "configure app 1000, configure app 1001, configure front 1002");
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
}

BOOST_AUTO_TEST_CASE(is_a_way_without_a_service_that_no_job_could_start) {
    ActiveTiers site;
    const auto never_started = [&] {
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::services_never_started_by(connection, site.summary().latest_job->id);
        });
    };
    BOOST_REQUIRE(site.change(AddServices{{"cache"}}).has_value());
    site.fail_at(model::Action::start, "cache");
    BOOST_TEST((never_started() == std::vector<std::string>{"cache"}));

    // The next job stops it first.
    BOOST_REQUIRE(operations::finish_with_config(site.fresh.database, site.caller, site.cluster,
                                                 {.config = {{"web", {{"port", "81"}}}}}, site.now)
                      .has_value());
    site.fail_at(model::Action::stop, "cache");
    BOOST_TEST((never_started() == std::vector<std::string>{"cache"}));
    const auto failures = site.fresh.database.read([&](store::Connection& connection) {
        return store::services_failed_in(connection, site.summary().latest_job->id);
    });
    BOOST_REQUIRE(failures.size() == 1U);
    BOOST_TEST(failures.front().name == "cache");
    BOOST_TEST(failures.front().only_leaving);

    // This one does not come to it.
    BOOST_REQUIRE(operations::finish_with_config(site.fresh.database, site.caller, site.cluster,
                                                 {.config = {{"web", {{"port", "82"}}}}}, site.now)
                      .has_value());
    site.fail_at(model::Action::stop, "front");
    BOOST_TEST((never_started() == std::vector<std::string>{"cache"}));

    // Nor does one that is aborted.
    BOOST_REQUIRE(operations::finish_with_config(site.fresh.database, site.caller, site.cluster,
                                                 {.config = {{"web", {{"port", "83"}}}}}, site.now)
                      .has_value());
    BOOST_REQUIRE(
        operations::abort_job(site.fresh.database, site.caller, site.cluster).has_value());
    BOOST_TEST((never_started() == std::vector<std::string>{"cache"}));

    ActiveTiers running;
    BOOST_REQUIRE(
        operations::act_on_services(running.fresh.database, running.caller, running.cluster,
                                    {.operation = Operation::restart_services}, running.now)
            .has_value());
    running.fail_at(model::Action::stop, "app");
    BOOST_TEST(running.fresh.database
                   .read([&](store::Connection& connection) {
                       return store::services_never_started_by(connection,
                                                               running.summary().latest_job->id);
                   })
                   .empty());
}

BOOST_AUTO_TEST_CASE(
    a_service_that_was_stopped_and_could_not_be_started_does_not_count_as_stopped) {
    ActiveTiers site;
    BOOST_REQUIRE(site.change(AddServices{{"cache"}}).has_value());
    site.fail_at(model::Action::start, "cache");
    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1001"}}).has_value());
    BOOST_REQUIRE(site.work().find("stop cache 1000") != std::string::npos);
    site.fail_at(model::Action::start, "cache");
    const auto stopped = [&] {
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::stopped_places(connection, site.cluster);
        });
    };
    // To start the services of the cluster starts it, too.
    BOOST_TEST(!stopped().empty());
    std::set<std::string> others;
    for (const auto& [node, service] : stopped()) others.insert(service);
    others.erase("cache");
    BOOST_TEST(site.summary().services_stopped == std::ssize(others));

    BOOST_REQUIRE(site.change(RemoveServices{{"cache"}}).has_value());
    site.succeed_all();
    BOOST_TEST(site.summary().services_stopped == 0);
}

BOOST_AUTO_TEST_CASE(after_a_failed_configuration_does_not_forget_the_one_that_worked) {
    CachedTiers site;
    const auto working = [&] {
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::working_config(connection, site.cluster);
        });
    };
    const base::Json before = site.stored_config();
    const auto configured = [&](const char* value) {
        return operations::configure_cluster(
            site.fresh.database, site.caller, site.cluster,
            {.config = {{"web", {{"port", value}}}}, .restart = true}, site.now);
    };
    BOOST_REQUIRE(configured("80").has_value());
    site.fail_at(model::Action::configure);
    BOOST_REQUIRE(site.change(RemoveServices{{"cache"}}).has_value());
    site.fail_at(model::Action::configure);
    BOOST_TEST((working() == before));

    // Nor does another one that is tried meanwhile.
    BOOST_REQUIRE(operations::finish_with_config(site.fresh.database, site.caller, site.cluster,
                                                 {.config = {{"web", {{"port", "81"}}}}}, site.now)
                      .has_value());
    site.fail_at(model::Action::configure);
    BOOST_TEST((working() == before));

    BOOST_REQUIRE(operations::finish_with_config(site.fresh.database, site.caller, site.cluster,
                                                 {.config = before}, site.now)
                      .has_value());
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST((site.stored_config() == before));
    BOOST_TEST(!working().has_value());
}

BOOST_AUTO_TEST_CASE(that_fails_is_no_failure_of_a_machine) {
    CachedTiers site;
    BOOST_REQUIRE(site.change(RemoveServices{{"cache"}}).has_value());
    site.fail_at(model::Action::stop, "cache");
    BOOST_REQUIRE(site.status() == "inconsistent");

    BOOST_TEST(site.failed_that_count() == 0);
}

BOOST_AUTO_TEST_CASE(that_fails_with_the_growth_before_goes_on_without_the_new_machines) {
    CachedTiers site;
    BOOST_REQUIRE(site.change(GrowCluster{.machines = 1}).has_value());
    site.fail_at(model::Action::create);
    BOOST_TEST(site.failed_that_count() == 1);
    BOOST_REQUIRE(site.change(RemoveServices{{"cache"}}).has_value());
    site.fail_at(model::Action::create);
    BOOST_REQUIRE(site.status() == "inconsistent");
    BOOST_TEST(site.failed_that_count() == 1);
    BOOST_TEST(site.failed_machine() == 1004);

    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1004"}}).has_value());
    site.succeed_all();

    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
}

BOOST_AUTO_TEST_CASE(that_is_aborted_leaves_the_machines_unfinished_that_it_creates) {
    CachedTiers site;
    BOOST_REQUIRE(site.change(GrowCluster{.machines = 1}).has_value());
    site.fail_at(model::Action::create);
    BOOST_REQUIRE(site.change(RemoveServices{{"cache"}}).has_value());
    BOOST_REQUIRE(
        operations::abort_job(site.fresh.database, site.caller, site.cluster).has_value());
    BOOST_REQUIRE(site.status() == "inconsistent");

    BOOST_TEST(site.failed_that_count() == 1);
}

BOOST_AUTO_TEST_CASE(that_failed_is_finished_by_a_shrink_and_restarts_no_others) {
    CachedTiers site;
    BOOST_REQUIRE(site.change(RemoveServices{{"cache"}}).has_value());
    site.fail_at(model::Action::stop, "cache");
    BOOST_REQUIRE(site.status() == "inconsistent");
    const auto behind = site.fresh.database.read([&](store::Connection& connection) {
        return store::services_left_behind_by(connection, site.summary().latest_job->id);
    });
    BOOST_REQUIRE(behind.size() == 1U);
    BOOST_TEST((behind.front() == std::pair<std::string, int>("cache", 1)));
    const auto listed = site.listed();
    BOOST_TEST((listed.at(1000).left_behind == std::vector<std::string>{"cache"}));
    BOOST_TEST(listed.at(1000).failed == 1);
    BOOST_TEST(listed.at(1000).failed_removals == 1);
    BOOST_TEST(listed.at(1001).left_behind.empty());

    BOOST_REQUIRE(site.change(ShrinkCluster{.nodes = {"1001"}}).has_value());

    BOOST_TEST(site.work() ==
               "configure app 1000, configure front 1002, delete 1001, remove cache 1000, "
               "start front 1002, stop app 1001, stop cache 1000, stop front 1002");
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
}

BOOST_AUTO_TEST_CASE(that_could_not_be_stopped_are_left_as_they_are) {
    CachedTiers site;
    BOOST_REQUIRE(site.change(RemoveServices{{"cache"}}).has_value());
    site.fail_at(model::Action::stop, "cache");

    BOOST_REQUIRE(site.change(RemoveServices{.services = {"cache"}, .force = true}));

    BOOST_TEST(site.work() == "");
    BOOST_TEST(site.summary().latest_job->leaves_as_is);
    BOOST_TEST(site.fresh.database.read([&](store::Connection& connection) {
        return store::find_job(connection, site.summary().latest_job->id)->leaves_as_is;
    }));
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
}

BOOST_AUTO_TEST_CASE(are_left_as_they_are_after_an_abort_of_their_removal) {
    CachedTiers site;
    BOOST_REQUIRE(site.change(RemoveServices{{"cache"}}).has_value());
    BOOST_REQUIRE(
        operations::abort_job(site.fresh.database, site.caller, site.cluster).has_value());
    const auto left = site.fresh.database.read([&](store::Connection& connection) {
        return store::services_left_behind_by(connection, site.summary().latest_job->id);
    });
    BOOST_REQUIRE(left.size() == 1U);
    BOOST_TEST(left.front().first == "cache");

    BOOST_REQUIRE(site.change(RemoveServices{.services = {"cache"}, .force = true}));

    BOOST_TEST(site.summary().latest_job->leaves_as_is);
    BOOST_TEST(site.work().find("cache") == std::string::npos, site.work());
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
}

BOOST_AUTO_TEST_CASE(that_come_back_are_as_the_catalogue_has_them_then) {
    CachedTiers site;
    BOOST_REQUIRE(site.change(RemoveServices{{"cache"}}).has_value());
    site.succeed_all();
    const auto json = *base::parse_json(
        R"({"name":"cache","provisioner":{"actions":{"start":{"type":"shell","fields":{"script":"y"}}}}})");
    BOOST_REQUIRE(operations::replace_entry(site.fresh.database, site.caller,
                                            CatalogueKind::service, "cache", json, site.now));

    BOOST_REQUIRE(site.change(AddServices{{"cache"}}).has_value());

    BOOST_TEST(site.work() == "bootstrap 1000, start cache 1000");
}

BOOST_AUTO_TEST_CASE(is_refused_in_words) {
    CachedTiers site;
    const std::string id = model::wire_id(site.cluster);

    const auto unknown = site.change(RemoveServices{{"mail"}});
    BOOST_TEST(why(unknown) == "service mail does not exist on cluster " + id);
    BOOST_TEST(is(unknown, Refusal::Kind::not_found));
    const auto needed = site.change(RemoveServices{{"store"}});
    BOOST_TEST(is(needed, Refusal::Kind::unsatisfiable));
    BOOST_TEST(why(needed) == "app requires store, which would not be on the cluster.");
    const auto last = site.change(RemoveServices{{"front"}});
    BOOST_TEST(is(last, Refusal::Kind::unsatisfiable));
    BOOST_TEST(why(last) ==
               "Machine 1002 would be left without a service; take the machine away instead.");
    BOOST_TEST(why(site.change(RemoveServices{})) == "Name at least 1 service to remove.");
    BOOST_TEST(site.status() == "active");
}

BOOST_AUTO_TEST_CASE(is_refused_while_a_job_runs) {
    TieredSite site;

    BOOST_TEST(why(site.change(RemoveServices{{"app"}})) ==
               "Cluster is not in a state where service actions can be performed.");
}

BOOST_AUTO_TEST_CASE(that_failed_can_be_run_again) {
    CachedTiers site;
    BOOST_REQUIRE(site.change(RemoveServices{{"cache"}}).has_value());
    site.fail_at(model::Action::remove);
    BOOST_TEST(site.status() == "inconsistent");

    BOOST_REQUIRE(site.retry().has_value());
    site.succeed_all();

    BOOST_TEST(site.status() == "active");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(replacing)

BOOST_AUTO_TEST_CASE(makes_the_same_again_and_deletes_the_dead_machine_last) {
    ActiveTiers site;

    BOOST_REQUIRE(site.change(ReplaceNodes{{"1003"}}).has_value());

    BOOST_TEST(site.operation() == "replace_node");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store leaving, 1004 store");
    BOOST_TEST(site.work() ==
               "bootstrap 1004, configure app 1000, configure app 1001, configure front 1002, "
               "configure store 1004, confirm 1004, create 1004, delete 1003, start app 1000, "
               "start app 1001, start front 1002, start store 1004, stop app 1000, "
               "stop app 1001, stop front 1002");
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1004 store");
    BOOST_TEST(site.summary().node_count == 4);
}

BOOST_AUTO_TEST_CASE(replaces_all_dead_machines_in_one_job_and_works_on_none_of_them) {
    ActiveTiers site;

    BOOST_REQUIRE(site.change(ReplaceNodes{{"1003", "1001", "1003"}}).has_value());

    BOOST_TEST(site.layout() ==
               "1000 app, 1001 app leaving, 1002 front, 1003 store leaving, 1004 app, 1005 store");
    BOOST_TEST(site.work().find("app 1001") == std::string::npos);
    BOOST_TEST(site.work().find("store 1003") == std::string::npos);
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1002 front, 1004 app, 1005 store");
}

BOOST_AUTO_TEST_CASE(is_done_by_the_id_of_the_node_too) {
    ActiveTiers site;

    BOOST_REQUIRE(site.change(ReplaceNodes{{site.nodes().front().uuid}}).has_value());
    site.succeed_all();

    BOOST_TEST(site.layout() == "1001 app, 1002 front, 1003 store, 1004 app");
}

BOOST_AUTO_TEST_CASE(heals_a_cluster_whose_node_died_under_an_operation) {
    ActiveTiers site;
    BOOST_REQUIRE(operations::act_on_services(site.fresh.database, site.caller, site.cluster,
                                              {.operation = Operation::restart_services}, site.now)
                      .has_value());
    site.fail_at(model::Action::stop);
    BOOST_REQUIRE(site.status() == "inconsistent");

    BOOST_REQUIRE(site.change(ReplaceNodes{{"1001"}}).has_value());
    // Nobody knows who was stopped: everybody who stays is started again.
    BOOST_TEST(site.work().find("start store 1003") != std::string::npos);
    BOOST_TEST(site.work().find("start app 1000") != std::string::npos);
    site.succeed_all();

    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1002 front, 1003 store, 1004 app");
}

BOOST_AUTO_TEST_CASE(a_machine_that_cannot_be_deleted_holds_nothing_else_up) {
    ActiveTiers site;
    BOOST_REQUIRE(site.change(ReplaceNodes{{"1001"}}).has_value());
    site.fail_at(model::Action::delete_machine);

    BOOST_TEST(site.status() == "incomplete");
    int undone = 0;
    for (const model::Task& task : site.tasks()) undone += task.state != model::TaskState::done;
    BOOST_TEST(undone == 1);
    BOOST_TEST(why(site.change(ReplaceNodes{{"1001"}})) ==
               "Node 1001 is being taken away: run that work again.");
    BOOST_REQUIRE(site.retry().has_value());
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
}

BOOST_AUTO_TEST_CASE(goes_on_with_a_create_that_failed_on_one_machine_alone) {
    TieredSite site;
    // The last task of all: the other machines are finished.
    site.fail_at(model::Action::start, "front");
    BOOST_REQUIRE(site.status() == "incomplete");

    BOOST_REQUIRE(site.change(ReplaceNodes{{"1002"}}).has_value());
    BOOST_TEST(site.work().find("start front 1004") != std::string::npos);
    BOOST_TEST(site.work().find("delete 1002") != std::string::npos);
    // The new machine is broken, too.
    site.fail_at(model::Action::bootstrap);
    BOOST_REQUIRE(site.status() == "incomplete");
    BOOST_REQUIRE(site.change(ReplaceNodes{{"1004"}}).has_value());
    site.succeed_all();

    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1003 store, 1005 front");
    BOOST_TEST(site.summary().node_count == 4);
}

BOOST_AUTO_TEST_CASE(finishes_other_machines_that_are_half_made) {
    TieredSite site;
    site.fail_at(model::Action::bootstrap);
    BOOST_REQUIRE(site.status() == "incomplete");

    BOOST_REQUIRE(site.change(ReplaceNodes{{"1001"}}).has_value());

    BOOST_TEST(site.work().find("create 1004") != std::string::npos);
    BOOST_TEST(site.work().find("create 1000") == std::string::npos);
    site.succeed_all();
    BOOST_TEST(site.status() == "active");
    BOOST_TEST(site.layout() == "1000 app, 1002 front, 1003 store, 1004 app");
}

BOOST_AUTO_TEST_CASE(is_refused_when_the_cluster_is_half_gone) {
    ActiveTiers going;
    BOOST_REQUIRE(operations::delete_cluster(going.fresh.database, going.caller, going.cluster,
                                             going.now, base::Json::object()));
    going.fail_at(model::Action::delete_machine);

    BOOST_TEST(why(going.change(ReplaceNodes{{"1000"}})) ==
               "Cluster is not in a state where machines can be replaced.");
}

BOOST_AUTO_TEST_CASE(is_refused_in_words) {
    ActiveTiers site;

    const auto unknown = site.change(ReplaceNodes{{"1009"}});
    BOOST_TEST(is(unknown, Refusal::Kind::not_found));
    BOOST_TEST(why(unknown) ==
               "node 1009 does not exist on cluster " + model::wire_id(site.cluster));
    operations::delete_entry(site.fresh.database, site.caller, CatalogueKind::hardware_type,
                             "small", std::nullopt);
    const auto gone = site.change(ReplaceNodes{{"1001"}});
    BOOST_TEST(is(gone, Refusal::Kind::unsatisfiable));
    BOOST_TEST(gone.error().problems.front().field == "node");
    BOOST_TEST(site.status() == "active");
}

BOOST_AUTO_TEST_CASE(is_refused_while_a_job_runs) {
    TieredSite site;

    BOOST_TEST(why(site.change(ReplaceNodes{{"1001"}})) ==
               "Cluster is not in a state where machines can be replaced.");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_preview_says_the_same_and_changes_nothing) {
    ActiveTiers site;

    const auto preview =
        operations::preview_change(site.fresh.database, site.caller, site.cluster,
                                   {.change = GrowCluster{.machines = 1}}, site.now);

    BOOST_REQUIRE(preview.has_value());
    BOOST_TEST(preview->graph.tasks().size() == 11U);
    BOOST_CHECK(preview->nodes.back().membership == planner::Membership::joins);
    BOOST_TEST(preview->nodes.back().node.nodenum == 1004);
    BOOST_TEST(site.layout() == "1000 app, 1001 app, 1002 front, 1003 store");
    BOOST_TEST(site.status() == "active");
}

BOOST_AUTO_TEST_CASE(provider_fields_that_come_with_a_change_are_taken_over_or_missed) {
    ActiveTiers site;
    site.fresh.database.write([&](store::Connection& connection) {
        model::PluginType type;
        type.header.name = "simulated";
        type.kind = model::PluginKind::provider;
        model::PluginField region;
        region.name = "region";
        region.label = "Region";
        region.kind = "text";
        type.user.fields.push_back(region);
        type.user.required = {{"region"}};
        store::save_plugin_type(connection, type, site.now);
    });
    const auto grow_with = [&](const base::Json& fields) {
        return operations::change_cluster(
            site.fresh.database, site.caller, site.cluster,
            {.change = GrowCluster{.machines = 1}, .provider_fields = fields}, site.now);
    };

    BOOST_TEST(is(grow_with({{"other", "x"}}), Refusal::Kind::missing_fields));
    BOOST_TEST(site.status() == "active");
    BOOST_REQUIRE(grow_with({{"region", "north"}}).has_value());
    BOOST_TEST(site.details().snapshot.provider.fields.at("region") == "north");
}
