#include "provisioner/daemon/tasks/performer.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/daemon/tasks/performer_fixture.hpp"

using namespace provisioner;
using namespace tests;

BOOST_AUTO_TEST_CASE(a_step_that_runs_is_stopped_over_a_second_session_and_fails_for_good) {
    UnderWay under_way;
    BOOST_REQUIRE((under_way.node.begun == std::vector<std::string>{"17-1-0"}));

    under_way.stop(under_way.work.claim);

    BOOST_TEST((under_way.node.stopped == std::vector<std::string>{"17-1-0 4"}));
    BOOST_TEST(under_way.node.sessions == 2);
    BOOST_REQUIRE(under_way.has_ended());
    const queue::Outcome outcome = under_way.outcome.get();
    const auto& failure = std::get<queue::Failed>(outcome);
    BOOST_TEST(failure.message == "stopped because the job was aborted");
    BOOST_TEST(failure.status_code == 143);
    BOOST_TEST(!failure.retry_in.has_value());
    BOOST_TEST(under_way.node.begun.size() == 1U);
}

BOOST_AUTO_TEST_CASE(
    an_attempt_whose_steps_are_others_than_when_it_began_makes_place_for_a_new_one) {
    UnderWay changed([](UnderWay& about) { about.node.has_others = true; });

    BOOST_REQUIRE(changed.has_ended());
    const auto failure = std::get<queue::Failed>(changed.outcome.get());
    BOOST_TEST(failure.message.starts_with(
        "start web: the steps of this attempt are not those it began with"));
    BOOST_TEST(failure.retry_in.has_value());
}

BOOST_AUTO_TEST_CASE(runs_are_numbered_among_themselves_and_say_what_they_are) {
    UnderWay under_way([](UnderWay& about) { about.bootstrap(); });

    BOOST_REQUIRE(under_way.has_ended());
    const Node& node = under_way.node;
    BOOST_TEST(node.uploads > 0);
    BOOST_REQUIRE(!node.asked.empty());
    for (std::size_t i = 0; i < node.asked.size(); ++i) {
        BOOST_TEST(node.asked[i] == "17-1-" + std::to_string(i));
        BOOST_TEST(node.kinds[i].size() == 16U);
    }
}

BOOST_AUTO_TEST_CASE(the_limit_of_an_action_goes_to_its_node_in_whole_seconds) {
    const auto limits_of = [](daemon::Work work) {
        const UnderWay ended([&](UnderWay& about) {
            about.work = std::move(work);
            about.node.steps_end = true;
        });
        return ended.node.limits;
    };

    BOOST_TEST((limits_of(start_of_web(std::chrono::milliseconds(90'500))) ==
                std::vector{std::chrono::seconds(91)}));
    BOOST_TEST((limits_of(start_of_web()) == std::vector{remote::Run{}.limit}));
}

BOOST_AUTO_TEST_CASE(a_turn_at_an_aborted_job_takes_any_step_for_the_one_to_end) {
    UnderWay aborted([](UnderWay& about) { about.work.claim.aborted = true; });

    BOOST_TEST((aborted.node.kinds == std::vector<std::string>{""}));
}

BOOST_AUTO_TEST_CASE(a_turn_at_an_aborted_job_ends_what_began_and_begins_nothing) {
    UnderWay aborted([](UnderWay& about) { about.work.claim.aborted = true; });

    BOOST_REQUIRE(aborted.has_ended());
    BOOST_TEST((aborted.node.stopped == std::vector<std::string>{"17-1-0 4"}));
    BOOST_TEST(aborted.node.begun.empty());
    BOOST_TEST(aborted.node.uploads == 0);
    const auto failure = std::get<queue::Failed>(aborted.outcome.get());
    BOOST_TEST(failure.message == "stopped because the job was aborted");
    BOOST_TEST(!failure.retry_in.has_value());
}

BOOST_AUTO_TEST_CASE(a_stop_is_for_its_claim_alone) {
    UnderWay under_way;
    queue::Claim older = under_way.work.claim;
    older.fence = 3;
    queue::Claim another = under_way.work.claim;
    another.task = model::TaskId{18};

    under_way.stop(older);
    under_way.stop(another);

    BOOST_TEST(under_way.node.stopped.empty());
    BOOST_TEST(!under_way.has_ended());
    under_way.stop(under_way.work.claim);
    BOOST_TEST(under_way.has_ended());
}

BOOST_AUTO_TEST_CASE(a_node_that_could_not_be_told_is_told_the_next_time) {
    UnderWay under_way;
    under_way.node.lost_stops = 1;

    under_way.stop(under_way.work.claim);
    BOOST_TEST(!under_way.has_ended());
    BOOST_TEST(under_way.printed == "the step could not be stopped: the connection broke\n");
    under_way.stop(under_way.work.claim);

    BOOST_TEST(under_way.has_ended());
    BOOST_TEST(under_way.node.stopped.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_stop_after_the_end_does_nothing) {
    UnderWay under_way;
    under_way.stop(under_way.work.claim);

    under_way.stop(under_way.work.claim);

    BOOST_TEST(under_way.node.stopped.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_node_gets_the_files_it_lacks_and_no_others) {
    UnderWay bootstrap([](UnderWay& about) {
        about.bootstrap();
        about.node.contents["sum-one"] = "there already";
    });

    BOOST_REQUIRE(bootstrap.has_ended());
    BOOST_TEST(std::holds_alternative<queue::Succeeded>(bootstrap.outcome.get()));
    BOOST_TEST((bootstrap.supply.opened == std::vector<std::string>{"two"}));
    BOOST_TEST(bootstrap.node.contents.at("sum-one") == "there already");
    BOOST_TEST(bootstrap.node.contents.at("sum-two") == "two1two2two3");
    BOOST_TEST(bootstrap.printed == "sent 1 of 2 files, 0 bytes\n");
}

BOOST_AUTO_TEST_CASE(what_speaks_of_all_nodes_is_made_once_for_all_tasks_and_brought_once_to_each) {
    const daemon::Work of_one = start_of_web();
    model::Cluster cluster = *of_one.cluster->cluster;
    cluster.config = {{"web", {{"hosts", "%join(host.service.web,' ')%"}, {"me", "%host.self%"}}}};
    store::ClusterView view{.cluster = std::make_shared<const model::Cluster>(cluster),
                            .nodes = {}};
    for (int i = 0; i < 1000; ++i) {
        model::Node node = *of_one.node;
        node.nodenum = 1000 + i;
        node.uuid = "uuid-" + std::to_string(i);
        node.hostname = "web-" + std::to_string(i) + ".local";
        view.nodes.push_back(std::make_shared<const model::Node>(node));
    }
    const auto whole = std::make_shared<const store::ClusterView>(std::move(view));
    Node nodes[2];
    for (int i = 0; i < 2; ++i) {
        UnderWay task([&](UnderWay& about) {
            about.work.cluster = whole;
            about.work.node = whole->nodes.at(static_cast<std::size_t>(i));
            about.node.steps_end = true;
        });
        BOOST_REQUIRE(task.has_ended());
        BOOST_TEST(std::holds_alternative<queue::Succeeded>(task.outcome.get()));
        BOOST_TEST(task.printed.starts_with("sent 4 of 4 files, "));
        nodes[i] = task.node;
    }

    // All nodes and the names of all hosts, each as JSON and as a table of values.
    BOOST_REQUIRE(nodes[0].contents.size() == 4U);
    BOOST_TEST((nodes[0].contents == nodes[1].contents));
    for (int i = 0; i < 2; ++i) {
        const std::string me = "\"me\":\"web-" + std::to_string(i) + ".local\"";
        BOOST_REQUIRE(nodes[i].scripts.size() == 1U);
        BOOST_TEST(nodes[i].scripts.front().find(me) != std::string::npos);
        BOOST_TEST(nodes[i].scripts.front().size() < 10'000U);
    }
}

BOOST_AUTO_TEST_CASE(an_abort_does_not_wait_for_the_rest_of_a_file) {
    UnderWay bootstrap([](UnderWay& about) {
        about.bootstrap();
        about.supply.in_the_middle = [&about] { about.stop_soon(about.work.claim); };
    });

    BOOST_REQUIRE(bootstrap.has_ended());
    // The next turn finds the job aborted.
    BOOST_TEST(std::get<queue::Waiting>(bootstrap.outcome.get()).reason == "the job was aborted");
    BOOST_TEST(bootstrap.node.contents.empty());
    BOOST_TEST(bootstrap.supply.opened.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_node_that_cannot_keep_a_file_is_a_failure_and_no_outage) {
    UnderWay bootstrap([](UnderWay& about) {
        about.bootstrap();
        about.node.refusal = Refusal::full;
    });

    BOOST_REQUIRE(bootstrap.has_ended());
    const auto failure = std::get<queue::Failed>(bootstrap.outcome.get());
    BOOST_TEST(failure.message.starts_with("No space left on device"));
    BOOST_TEST(bootstrap.supply.forgotten.empty());
}

BOOST_AUTO_TEST_CASE(what_arrived_otherwise_than_it_was_kept_is_fetched_anew_the_next_time) {
    UnderWay bootstrap([](UnderWay& about) {
        about.bootstrap();
        about.node.refusal = Refusal::wrong;
    });

    BOOST_REQUIRE(bootstrap.has_ended());
    BOOST_TEST(std::holds_alternative<queue::Failed>(bootstrap.outcome.get()));
    BOOST_TEST((bootstrap.supply.forgotten == std::vector<std::string>{"one"}));
}

BOOST_AUTO_TEST_CASE(a_connection_that_breaks_in_an_old_attempt_is_waited_for) {
    UnderWay lost([](UnderWay& about) {
        about.node.breaks = true;
        about.work.claim.attempt_age = std::chrono::hours(3);
    });

    BOOST_REQUIRE(lost.has_ended());
    const auto waiting = std::get<queue::Waiting>(lost.outcome.get());
    BOOST_TEST(waiting.reason == "the connection broke");
    BOOST_TEST((waiting.outage == queue::Outage::goes_on));
    BOOST_TEST(waiting.output_starts_over);
}

BOOST_AUTO_TEST_CASE(a_node_that_was_away_for_more_than_five_minutes_ends_the_attempt) {
    UnderWay lost([](UnderWay& about) {
        about.node.breaks = true;
        about.work.claim.outage = {.age = std::chrono::minutes(6), .turns = 12};
    });

    BOOST_REQUIRE(lost.has_ended());
    const auto failure = std::get<queue::Failed>(lost.outcome.get());
    BOOST_TEST(failure.message.starts_with("the connection broke"));
    BOOST_TEST(failure.retry_in.has_value());
}

BOOST_AUTO_TEST_CASE(a_node_that_answered_for_a_while_begins_another_outage) {
    UnderWay lost([](UnderWay& about) {
        about.node.breaks = true;
        about.node.heard_later = std::chrono::seconds(11);
        about.work.claim.outage = {.age = std::chrono::minutes(6), .turns = 12};
    });

    BOOST_REQUIRE(lost.has_ended());
    const auto waiting = std::get<queue::Waiting>(lost.outcome.get());
    BOOST_TEST((waiting.outage == queue::Outage::begins));
}

BOOST_AUTO_TEST_CASE(what_this_daemon_cannot_do_is_left_to_one_that_can) {
    UnderWay strange([](UnderWay& about) {
        model::Cluster cluster = *about.work.cluster->cluster;
        cluster.snapshot.services[0].actions[model::Action::start].type = "of-next-year";
        about.work.cluster = std::make_shared<const store::ClusterView>(
            store::ClusterView{.cluster = std::make_shared<const model::Cluster>(cluster),
                               .nodes = {about.work.node}});
    });

    BOOST_REQUIRE(strange.has_ended());
    const auto waiting = std::get<queue::Waiting>(strange.outcome.get());
    BOOST_TEST(waiting.reason ==
               "this daemon has no automator of type of-next-year; waiting for one that has");
    BOOST_TEST((waiting.outage == queue::Outage::none));
}
