#include "provisioner/operations/jobs/ends.hpp"

#include <boost/test/unit_test.hpp>

#include <future>

#include "provisioner/operations/jobs/control.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(ends_of_jobs)

namespace {

struct Site : tests::ClusterSite {
    int record() {
        return operations::record_ends(fresh.database, [] { return false; });
    }

    /// Events of ends, newest first.
    std::vector<model::audit::Event> ends() {
        return fresh.database.read([&](store::Connection& connection) {
            auto events = store::list_events(
                connection, {.chain = caller.tenant.id, .object_kind = "cluster"}, 0, 100, true);
            std::erase_if(events, [](const auto& one) { return !one.action.ends_with(".end"); });
            return events;
        });
    }

    /// Machines are made, and what follows fails for good.
    void fail() {
        for (const auto& claim : claim(100)) finish(claim, queue::Succeeded{});
        for (auto claims = claim(100); !claims.empty(); claims = claim(100)) {
            for (const auto& one : claims) finish(one, tests::a_failure({}));
        }
        BOOST_REQUIRE((summary().latest_job->status == model::JobStatus::failed));
    }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(an_end_is_recorded_once_and_a_job_under_way_is_not, Site) {
    BOOST_TEST(record() == 0);
    succeed_all();

    BOOST_TEST(record() == 1);
    BOOST_TEST(record() == 0);

    const auto recorded = ends();
    BOOST_REQUIRE(recorded.size() == 1U);
    const auto& end = recorded.front();
    BOOST_TEST(end.action == "cluster.create.end");
    BOOST_TEST((end.outcome == model::audit::Outcome::done));
    BOOST_TEST(end.object.id == model::wire_id(cluster));
    BOOST_TEST(end.actor.name == "provisioner");
}

BOOST_FIXTURE_TEST_CASE(a_job_that_is_retried_ends_again, Site) {
    fail();
    BOOST_TEST(record() == 1);
    BOOST_TEST((ends().front().outcome == model::audit::Outcome::failed));
    BOOST_TEST(!ends().front().reason.empty());
    BOOST_REQUIRE(operations::retry_job(fresh.database, caller, cluster).has_value());
    BOOST_TEST(record() == 0);
    succeed_all();
    BOOST_TEST(record() == 1);
    BOOST_TEST(ends().size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(two_daemons_record_each_end_once, Site) {
    succeed_all();
    auto other = std::async(std::launch::async, [&] { return record(); });
    const int here = record();
    BOOST_TEST(here + other.get() == 1);
    BOOST_TEST(ends().size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
