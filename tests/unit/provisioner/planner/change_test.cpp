#include "provisioner/planner/change.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "tests/support/builders.hpp"
#include "tests/support/drawing.hpp"
#include "tests/unit/provisioner/planner/cases.hpp"

using namespace provisioner::model;
using namespace provisioner::planner;
using namespace tests;

BOOST_AUTO_TEST_SUITE(changes)

namespace {

const std::vector<Action> everything{Action::install, Action::configure, Action::initialize,
                                     Action::start,   Action::stop,      Action::remove};
const std::vector<Action> runnable{Action::configure, Action::start, Action::stop};

/// A balancer that needs web, which needs db.
std::vector<Service> three_tiers() {
    return {a_service("db", runnable), needing(a_service("web", runnable), {"db"}),
            needing(a_service("lb", runnable), {"web"})};
}

ChangedNode node(const std::string& name, Membership membership,
                 const std::vector<std::string>& services,
                 const std::vector<std::string>& leaving = {}) {
    ChangedNode node{.name = name, .membership = membership, .services = services};
    for (const auto& service : leaving) node.leaving[service] = {Action::stop, Action::remove};
    return node;
}

ChangeRequest request(const std::vector<ChangedNode>& nodes, const std::vector<Service>& services) {
    return {.nodes = nodes, .services = services};
}

std::string drawn(const ChangeRequest& request) {
    const auto graph = plan_change_dependencies(request);
    BOOST_REQUIRE(graph);
    return draw(*graph);
}

std::string staged(const ChangeRequest& request) {
    const auto graph = plan_change(request);
    BOOST_REQUIRE(graph);
    return draw_stages(*graph);
}

/// One balancer, one db, a web node, and another that comes.
ChangeRequest one_more_web() {
    return request({node("n1", Membership::stays, {"lb"}), node("n2", Membership::stays, {"db"}),
                    node("n3", Membership::stays, {"web"}), node("n4", Membership::joins, {"web"})},
                   three_tiers());
}

}  // namespace

BOOST_AUTO_TEST_CASE(growing_makes_the_new_node_then_tells_who_needs_it) {
    BOOST_TEST(
        drawn(one_more_web()) ==
        orders({"create n4 -> confirm n4 -> bootstrap n4 -> configure web@n4 -> start web@n4",
                // What the new service needs is started, as in a create limited to a node.
                "confirm n4 -> start db@n2 -> start web@n4", "confirm n4 -> configure web@n4",
                // The balancer is restarted when the new one is ready.
                "start web@n4 -> stop lb@n1 -> configure lb@n1 -> start lb@n1",
                // Others of the same kind learn of it.
                "confirm n4 -> configure web@n3"}));
}

BOOST_AUTO_TEST_CASE(without_a_restart_they_are_only_configured) {
    auto wanted = one_more_web();
    wanted.restart = false;

    BOOST_TEST(staged(wanted) ==
               "[CREATE n4] [CONFIRM n4] [START db@n2, CONFIGURE web@n3, BOOTSTRAP n4] "
               "[CONFIGURE web@n4] [START web@n4] [CONFIGURE lb@n1]");
}

BOOST_AUTO_TEST_CASE(services_that_need_nothing_new_are_left_alone) {
    const auto wanted =
        request({node("n1", Membership::stays, {"db"}), node("n2", Membership::stays, {"web"}),
                 node("n3", Membership::joins, {"mail"})},
                {a_service("db", runnable), needing(a_service("web", runnable), {"db"}),
                 a_service("mail", {Action::install})});

    BOOST_TEST(staged(wanted) == "[CREATE n3] [CONFIRM n3] [BOOTSTRAP n3] [INSTALL mail@n3]");
}

BOOST_AUTO_TEST_CASE(restarts_go_down_and_up_through_those_who_need_each_other) {
    const auto wanted =
        request({node("n1", Membership::stays, {"lb"}), node("n2", Membership::stays, {"web"}),
                 node("n3", Membership::stays, {"db"}), node("n4", Membership::joins, {"db"})},
                three_tiers());

    BOOST_TEST(drawn(wanted) ==
               orders({"create n4 -> confirm n4 -> bootstrap n4 -> configure db@n4 -> start db@n4",
                       "confirm n4 -> configure db@n3", "confirm n4 -> configure db@n4",
                       "start db@n4 -> stop lb@n1 -> stop web@n2 -> configure web@n2",
                       "start db@n4 -> stop web@n2", "stop lb@n1 -> configure lb@n1 -> start lb@n1",
                       "configure web@n2 -> start web@n2 -> start lb@n1"}));
}

BOOST_AUTO_TEST_CASE(shrinking_tells_who_needs_the_node_before_it_is_stopped_and_deleted) {
    const auto wanted =
        request({node("n1", Membership::stays, {"lb"}), node("n2", Membership::stays, {"db"}),
                 node("n3", Membership::stays, {"web"}), node("n4", Membership::leaves, {"web"})},
                three_tiers());

    BOOST_TEST(drawn(wanted) ==
               orders({"stop lb@n1 -> configure lb@n1 -> start lb@n1 -> stop web@n4 -> delete n4",
                       "configure web@n3 -> stop web@n4"}));
}

BOOST_AUTO_TEST_CASE(services_of_nodes_that_go_are_stopped_in_order) {
    const auto wanted = request(
        {node("n1", Membership::stays, {"db"}), node("n2", Membership::leaves, {"db", "web"}),
         node("n3", Membership::leaves, {"lb"})},
        three_tiers());

    BOOST_TEST(drawn(wanted) == orders({"configure db@n1 -> stop db@n2 -> delete n2",
                                        "stop lb@n3 -> stop web@n2 -> stop db@n2",
                                        "stop web@n2 -> delete n2", "stop lb@n3 -> delete n3"}));
}

BOOST_AUTO_TEST_CASE(nothing_is_done_on_a_lost_node_but_delete_its_machine) {
    const auto wanted =
        request({node("n1", Membership::stays, {"lb"}), node("n2", Membership::stays, {"web"}),
                 node("n3", Membership::dropped, {"web"}), node("n4", Membership::dropped, {})},
                three_tiers());

    BOOST_TEST(drawn(wanted) == orders({"stop lb@n1 -> configure lb@n1 -> start lb@n1 -> delete n3",
                                        "configure web@n2 -> delete n3", "delete n4"}));
}

BOOST_AUTO_TEST_CASE(removing_a_service_tells_who_uses_it_then_stops_and_removes_it) {
    auto cache_user = a_service("web", runnable);
    cache_user.dependencies.runtime.used = {"cache"};
    const auto wanted =
        request({node("n1", Membership::stays, {"web"}, {"cache"}),
                 node("n2", Membership::stays, {"mail"}, {"cache"})},
                {cache_user, a_service("cache", everything), a_service("mail", runnable)});

    BOOST_TEST(drawn(wanted) ==
               orders({"stop web@n1 -> configure web@n1 -> start web@n1",
                       "start web@n1 -> stop cache@n1, stop cache@n2",
                       "stop cache@n1 -> remove cache@n1", "stop cache@n2 -> remove cache@n2"}));
}

BOOST_AUTO_TEST_CASE(removed_services_that_need_each_other_stop_in_order) {
    const auto wanted =
        request({node("n1", Membership::stays, {"db"}, {"lb", "web"})}, three_tiers());

    BOOST_TEST(drawn(wanted) == orders({"stop lb@n1 -> stop web@n1"}));
}

BOOST_AUTO_TEST_CASE(a_service_without_actions_is_removed_without_a_task) {
    const auto wanted = request({node("n1", Membership::stays, {"db"}, {"note"})},
                                {a_service("db", runnable), a_service("note", {})});

    BOOST_TEST(plan_change(wanted)->tasks().empty());
}

BOOST_AUTO_TEST_CASE(a_replaced_node_is_deleted_when_the_new_one_is_ready_and_known) {
    const auto wanted =
        request({node("n1", Membership::stays, {"lb"}), node("n2", Membership::dropped, {"web"}),
                 node("n3", Membership::joins, {"web"})},
                {needing(a_service("web", {Action::install, Action::start}), {}),
                 needing(a_service("lb", runnable), {"web"})});

    BOOST_TEST(staged(wanted) ==
               "[CREATE n3] [CONFIRM n3] [BOOTSTRAP n3] [INSTALL web@n3] [START web@n3] "
               "[STOP lb@n1] [CONFIGURE lb@n1] [START lb@n1] [DELETE n2]");
}

BOOST_AUTO_TEST_CASE(everybody_is_told_when_nobody_knows_what_they_know) {
    auto wanted = request(
        {node("n1", Membership::stays, {"lb"}), node("n2", Membership::stays, {"db", "web"}),
         node("n3", Membership::dropped, {"web"})},
        three_tiers());
    wanted.reconfigure_all = true;

    BOOST_TEST(staged(wanted) ==
               "[STOP lb@n1] [CONFIGURE lb@n1, STOP web@n2] [STOP db@n2] [CONFIGURE web@n2] "
               "[CONFIGURE db@n2] [START db@n2] [START web@n2] [START lb@n1] [DELETE n3]");
}

BOOST_AUTO_TEST_CASE(what_a_failed_job_was_doing_with_services_is_done_again_and_no_more) {
    auto wanted = request(
        {node("n1", Membership::stays, {"lb"}), node("n2", Membership::stays, {"db", "web"}),
         node("n3", Membership::stays, {"log"})},
        three_tiers());
    wanted.services.push_back(a_service("log", runnable));
    wanted.also_restarted = {"lb"};
    wanted.also_configured = {"log"};

    BOOST_TEST(staged(wanted) == "[STOP lb@n1, CONFIGURE log@n3] [CONFIGURE lb@n1] [START lb@n1]");
}

BOOST_AUTO_TEST_CASE(a_restart_below_what_comes_does_not_close_a_circle) {
    auto wanted =
        request({node("n1", Membership::stays, {"lb"}), node("n2", Membership::stays, {"db"}),
                 node("n3", Membership::joins, {"web"})},
                three_tiers());
    wanted.reconfigure_all = true;

    BOOST_TEST(staged(wanted) ==
               "[CREATE n3] [CONFIRM n3] [STOP db@n2, BOOTSTRAP n3] "
               "[CONFIGURE db@n2, CONFIGURE web@n3] [STOP lb@n1, START db@n2] [START web@n3] "
               "[CONFIGURE lb@n1] [START lb@n1]");
}

BOOST_AUTO_TEST_CASE(several_new_nodes_wait_for_each_others_addresses) {
    const auto wanted =
        request({node("n1", Membership::joins, {"web"}), node("n2", Membership::joins, {"web"})},
                {a_service("web", {Action::configure})});

    BOOST_TEST(drawn(wanted) ==
               orders({"create n1 -> confirm n1 -> bootstrap n1 -> configure web@n1",
                       "create n2 -> confirm n2 -> bootstrap n2 -> configure web@n2",
                       "confirm n1, confirm n2 -> configure web@n1",
                       "confirm n1, confirm n2 -> configure web@n2"}));
}

BOOST_AUTO_TEST_CASE(installs_of_new_nodes_do_not_wait_for_nodes_that_have_them) {
    const auto wanted =
        request({node("n1", Membership::stays, {"java"}), node("n2", Membership::joins, {"app"})},
                {a_service("java", {Action::install}),
                 needing_to_install(a_service("app", {Action::install}), {"java"})});

    BOOST_TEST(staged(wanted).find("java") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_service_nobody_defined_is_a_problem) {
    const auto graph =
        plan_change(request({node("n1", Membership::stays, {"db", "ghost"})}, three_tiers()));

    BOOST_REQUIRE(!graph);
    BOOST_TEST(graph.error().front().message == "service ghost of node n1 is not defined");
}

BOOST_AUTO_TEST_CASE(a_large_growth_is_planned_with_few_orders) {
    std::vector<ChangedNode> nodes;
    for (int i = 0; i < 2000; ++i) {
        nodes.push_back(node("n" + std::to_string(i),
                             i < 1000 ? Membership::stays : Membership::joins,
                             {"db", "web", "lb"}));
    }

    const auto graph = plan_change(request(nodes, three_tiers()));

    BOOST_REQUIRE(graph);
    std::size_t orders = 0;
    for (std::size_t task = 0; task < graph->tasks().size(); ++task) {
        orders += graph->followers(task).size();
    }
    BOOST_TEST(graph->tasks().size() == 17000U);
    BOOST_TEST(orders < 100000U);
}

BOOST_AUTO_TEST_CASE(of_a_machine_that_a_failed_job_left_unfinished_only_the_rest_is_planned) {
    auto wanted =
        request({node("n1", Membership::resumes, {"db"}), node("n2", Membership::resumes, {"web"}),
                 node("n3", Membership::dropped, {"web"})},
                {a_service("db", everything), needing(a_service("web", everything), {"db"})});
    wanted.nodes[0].rest.begun = {"db"};
    wanted.nodes[1].rest.steps = {
        {Action::bootstrap, ""}, {Action::install, "web"}, {Action::initialize, "web"}};

    BOOST_TEST(staged(wanted) ==
               "[STOP db@n1, BOOTSTRAP n2] [CONFIGURE db@n1, INSTALL web@n2] "
               "[START db@n1, CONFIGURE web@n2] [INITIALIZE web@n2] [START web@n2] [DELETE n3]");
}

BOOST_AUTO_TEST_CASE(services_of_an_unfinished_machine_that_have_nothing_left_keep_running) {
    auto wanted =
        request({node("n1", Membership::resumes, {"db", "log"}),
                 node("n2", Membership::stays, {"web"}), node("n3", Membership::stays, {"lb"})},
                three_tiers());
    wanted.services.push_back(needing(a_service("log", everything), {"db"}));
    wanted.nodes[0].rest.settled = {"db"};
    wanted.nodes[0].rest.steps = {{Action::install, "log"}, {Action::initialize, "log"}};

    BOOST_TEST(staged(wanted) ==
               "[INSTALL log@n1] [CONFIGURE log@n1] [INITIALIZE log@n1] [START log@n1]");

    // What changes for it is told to it all the same.
    wanted.nodes.push_back(node("n4", Membership::joins, {"db"}));
    BOOST_TEST(staged(wanted).find("CONFIGURE db@n1") != std::string::npos);
    BOOST_TEST(staged(wanted).find("STOP db@n1") == std::string::npos);
    BOOST_TEST(staged(wanted).find("STOP web@n2") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_service_is_stopped_and_removed_as_far_as_is_wanted) {
    auto cache_user = a_service("web", runnable);
    cache_user.dependencies.runtime.used = {"cache"};
    auto wanted = request({node("n1", Membership::resumes, {"web"}, {"cache"}),
                           node("n2", Membership::stays, {}, {"cache"}),
                           node("n3", Membership::stays, {}, {"cache"})},
                          {cache_user, a_service("cache", everything)});
    wanted.nodes[0].rest.settled = {"web"};
    wanted.nodes[0].leaving["cache"] = {};
    wanted.nodes[1].leaving["cache"] = {Action::remove};

    // Who uses it is told even where it is only forgotten.
    BOOST_TEST(staged(wanted) ==
               "[STOP web@n1] [CONFIGURE web@n1] [START web@n1] [REMOVE cache@n2, STOP cache@n3] "
               "[REMOVE cache@n3]");
}

BOOST_AUTO_TEST_CASE(of_a_service_that_a_failed_job_was_removing_nobody_is_told_again) {
    auto cache_user = a_service("web", runnable);
    cache_user.dependencies.runtime.used = {"cache"};
    auto wanted =
        request({node("n1", Membership::stays, {"web"}), node("n2", Membership::stays, {"web"})},
                {cache_user, a_service("cache", everything)});
    wanted.nodes[0].left_behind["cache"] = {Action::stop, Action::remove};
    wanted.nodes[1].left_behind["cache"] = {Action::remove};

    BOOST_TEST(staged(wanted) == "[STOP cache@n1, REMOVE cache@n2] [REMOVE cache@n1]");
    wanted.also_configured = {"web"};
    BOOST_TEST(staged(wanted) ==
               "[CONFIGURE web@n1, CONFIGURE web@n2] [STOP cache@n1, REMOVE cache@n2] "
               "[REMOVE cache@n1]");
}

BOOST_AUTO_TEST_CASE(a_running_service_is_not_started_for_another_one_that_has_nothing_left) {
    auto wanted = request(
        {node("n1", Membership::resumes, {"web"}, {"log"}), node("n2", Membership::stays, {"db"})},
        three_tiers());
    wanted.services.push_back(a_service("log", everything));
    wanted.nodes[0].rest.settled = {"web"};

    BOOST_TEST(staged(wanted) == "[STOP log@n1] [REMOVE log@n1]");
}

BOOST_AUTO_TEST_CASE(tasks_are_numbered_in_an_order_in_which_they_can_be_done) {
    auto wanted =
        request({node("n1", Membership::resumes, {"web"}), node("n2", Membership::stays, {"db"}),
                 node("n3", Membership::stays, {"lb"})},
                three_tiers());
    wanted.reconfigure_all = true;

    const auto graph = plan_change(wanted);

    BOOST_REQUIRE(graph);
    for (std::size_t task = 0; task < graph->tasks().size(); ++task) {
        for (const std::size_t follower : graph->followers(task)) BOOST_TEST(task < follower);
    }
    BOOST_TEST(*graph->find({1, Action::stop, "db"}) < *graph->find({1, Action::start, "db"}));
}

BOOST_AUTO_TEST_CASE(without_restarts_only_what_a_failed_job_may_have_left_stopped_is_restarted) {
    auto wanted = one_more_web();
    wanted.services.push_back(a_service("log", runnable));
    wanted.nodes[0].services.push_back("log");
    wanted.restart = false;
    wanted.also_restarted = {"log"};

    const auto stages = staged(wanted);
    BOOST_TEST(stages.find("STOP log@n1") != std::string::npos, stages);
    BOOST_TEST(stages.find("START log@n1") != std::string::npos, stages);
    BOOST_TEST(stages.find("STOP lb@n1") == std::string::npos, stages);
    BOOST_TEST(stages.find("CONFIGURE lb@n1") != std::string::npos, stages);
}

BOOST_AUTO_TEST_CASE(what_waited_for_a_step_that_is_done_waits_for_what_that_step_waited_for) {
    // The first start of web waits for its initialize, and that for the start of db.
    auto wanted =
        request({node("n1", Membership::resumes, {"db"}), node("n2", Membership::resumes, {"web"})},
                {a_service("db", everything), needing(a_service("web", everything), {"db"})});

    const auto graph = plan_change_dependencies(wanted);

    BOOST_REQUIRE(graph);
    BOOST_TEST(!graph->find({1, Action::initialize, "web"}));
    const auto start = graph->find({0, Action::start, "db"});
    const auto last = graph->find({1, Action::start, "web"});
    BOOST_REQUIRE((start && last));
    BOOST_TEST(std::ranges::count(graph->followers(*start), *last) == 1);
}

BOOST_AUTO_TEST_CASE(a_large_cluster_is_resumed_with_few_orders) {
    auto wanted =
        request({}, {a_service("db", everything), needing(a_service("web", everything), {"db"})});
    constexpr std::size_t of_each = 400;
    for (std::size_t at = 0; at < 2 * of_each; ++at) {
        wanted.nodes.push_back(
            node("n" + std::to_string(at), Membership::resumes, {at < of_each ? "db" : "web"}));
    }

    const auto graph = plan_change(wanted);

    BOOST_REQUIRE(graph);
    std::size_t orders = 0;
    for (std::size_t task = 0; task < graph->tasks().size(); ++task) {
        orders += graph->followers(task).size();
    }
    BOOST_TEST(graph->tasks().size() == 4 * of_each);
    BOOST_TEST(orders < 10 * 2 * of_each);
}

BOOST_AUTO_TEST_SUITE_END()
