#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using model::Action;
using model::ClusterStatus;
using queue::Claim;

BOOST_AUTO_TEST_SUITE(rebuild)

namespace {

/// A cluster of two nodes whose machines are made and are to be confirmed next.
struct Site : tests::ClusterSite {
    Site() : ClusterSite(2) {
        for (const Claim& claim : claim_all(Action::create)) finish(claim, queue::Succeeded{});
        total = summary().latest_job->tasks_total;
    }

    std::vector<Claim> claim_all(Action action) {
        auto claims = claim();
        for (const Claim& one : claims) BOOST_TEST((one.action == action));
        return claims;
    }

    /// "8 of 14".
    std::string steps() {
        const auto job = *summary().latest_job;
        return std::to_string(job.tasks_done) + " of " + std::to_string(job.tasks_total - total);
    }

    int total = 0;
};

/// The claim of that action on that node.
const Claim* find(const std::vector<Claim>& claims, Action action, model::NodeId node) {
    for (const Claim& claim : claims) {
        if (claim.action == action && claim.node == node) return &claim;
    }
    return nullptr;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_failed_confirm_deletes_and_recreates_its_machine_and_holds_up_no_other) {
    Site site;
    const auto confirms = site.claim_all(Action::confirm);
    BOOST_REQUIRE(confirms.size() == 2);
    const auto node = confirms[0].node;

    site.finish(confirms[0], tests::a_failure(0ms));
    site.finish(confirms[1], queue::Succeeded{});

    auto claims = site.claim();
    BOOST_REQUIRE(claims.size() == 2);
    BOOST_TEST((find(claims, Action::bootstrap, confirms[1].node) != nullptr));
    const Claim* deletion = find(claims, Action::delete_machine, node);
    BOOST_REQUIRE(deletion != nullptr);
    BOOST_TEST(site.steps() == "3 of 2");

    site.finish(*deletion, queue::Succeeded{});
    claims = site.claim();
    BOOST_REQUIRE(claims.size() == 1);
    BOOST_TEST((find(claims, Action::create, node) != nullptr));
    site.finish(claims[0], queue::Succeeded{});
    claims = site.claim();
    BOOST_REQUIRE(claims.size() == 1);
    BOOST_TEST((claims[0].task == confirms[0].task));
    BOOST_TEST(claims[0].attempt == 2);
    site.finish(claims[0], queue::Succeeded{});
    site.queue.rescue({"w", "w/2"});
    site.succeed_all();

    BOOST_TEST((site.summary().status == ClusterStatus::active));
    BOOST_TEST(site.summary().latest_job->tasks_done == site.total + 2);
}

BOOST_AUTO_TEST_CASE(
    a_confirm_that_always_fails_grows_the_job_by_two_each_time_and_ends_incomplete) {
    Site site;
    const auto confirms = site.claim_all(Action::confirm);
    site.queue.finish({{confirms[1], queue::Waiting{.poll_in = 1h, .reason = "booting"}}});
    const int done_before = 2;

    std::vector<std::string> steps;
    Claim confirm = confirms[0];
    for (int attempt = 1; attempt < 3; ++attempt) {
        site.finish(confirm, tests::a_failure(0ms));
        steps.push_back(site.steps());
        site.finish(site.claim_all(Action::delete_machine).at(0), queue::Succeeded{});
        site.finish(site.claim_all(Action::create).at(0), queue::Succeeded{});
        confirm = site.claim_all(Action::confirm).at(0);
    }
    site.finish(confirm, tests::a_failure(std::nullopt));
    steps.push_back(site.steps());

    // Per node 3, 5, 7 steps in all and 1, 3, 5 of them done, as the wire contract counts them.
    const std::vector<std::string> expected{std::to_string(done_before) + " of 2",
                                            std::to_string(done_before + 2) + " of 4",
                                            std::to_string(done_before + 4) + " of 4"};
    BOOST_TEST(steps == expected, boost::test_tools::per_element());
    BOOST_TEST((site.summary().status == ClusterStatus::incomplete));
    BOOST_TEST(site.claim().empty());
}

BOOST_AUTO_TEST_CASE(no_machine_is_made_again_in_a_job_that_has_failed) {
    Site site;
    const auto confirms = site.claim_all(Action::confirm);

    site.finish(confirms[0], tests::a_failure(std::nullopt));
    site.finish(confirms[1], tests::a_failure(0ms));

    BOOST_TEST((site.summary().status == ClusterStatus::incomplete));
    BOOST_TEST(site.summary().latest_job->tasks_total == site.total);
    BOOST_TEST(site.claim().empty());
}

BOOST_AUTO_TEST_SUITE_END()
