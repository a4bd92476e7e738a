#include "provisioner/queue/mysql_task_queue.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <mutex>
#include <thread>

#include "provisioner/store/job_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using queue::Claim;
using tests::a_failure;
using Site = tests::ClusterSite;

namespace {

/// Claims and finishes until the job has ended; notes the order in which tasks were finished.
void work_until_the_end(Site& site, const std::string& name, std::mutex& mutex,
                        std::vector<long long>& order) {
    queue::MysqlTaskQueue queue(site.fresh.config);
    while (site.summary().status == model::ClusterStatus::pending) {
        queue.rescue(name, name + "/1");
        const auto claims = queue.claim(name + "/1", 3, 10s);
        std::vector<queue::Finished> finished;
        for (const Claim& claim : claims) finished.push_back({claim, queue::Succeeded{}});
        // Noted before it is committed: a follower cannot be claimed earlier than that.
        const std::lock_guard lock(mutex);
        for (const Claim& claim : claims) order.push_back(claim.task.value);
        queue.finish(finished, {});
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(several_workers_do_every_task_once_and_in_order) {
    Site site(12);
    // A worker that took tasks and died: what it held must be done by the others.
    const auto lost = site.queue.claim("dead/1", 4, 1s);
    BOOST_REQUIRE(lost.size() == 4);
    std::mutex mutex;
    std::vector<long long> order;

    std::vector<std::thread> workers;
    for (const char* name : {"a", "b", "c", "d"}) {
        workers.emplace_back([&, name] { work_until_the_end(site, name, mutex, order); });
    }
    for (std::thread& worker : workers) worker.join();

    BOOST_TEST((site.summary().status == model::ClusterStatus::active));
    const auto tasks = site.tasks();
    BOOST_TEST(order.size() == tasks.size());
    std::map<long long, std::size_t> place;
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    BOOST_TEST(place.size() == tasks.size());
    const auto job = site.summary().latest_job->id;
    const auto edges = site.fresh.database.read(
        [&](store::Connection& connection) { return store::edges_of(connection, job); });
    BOOST_REQUIRE(!edges.empty());
    for (const auto& [before, after] : edges) {
        BOOST_TEST(place.at(before.value) < place.at(after.value));
    }
}

BOOST_AUTO_TEST_CASE(a_worker_that_lost_its_claim_cannot_finish_the_task) {
    Site site;
    const auto first = site.queue.claim("slow/1", 1, 0s);
    BOOST_REQUIRE(first.size() == 1);
    std::this_thread::sleep_for(20ms);
    BOOST_REQUIRE(site.queue.rescue("other", "other/1") == 1);
    const auto again = site.queue.claim("other/1", 10, 60s);

    const int released = site.queue.finish({{first.front(), queue::Succeeded{}}}, {});

    BOOST_TEST(released == 0);
    const auto tasks = site.tasks();
    const auto task = std::find_if(tasks.begin(), tasks.end(),
                                   [&](const auto& one) { return one.id == first.front().task; });
    BOOST_TEST((task->state == model::TaskState::claimed));
    const auto taken = std::find_if(again.begin(), again.end(), [&](const Claim& claim) {
        return claim.task == first.front().task;
    });
    BOOST_REQUIRE((taken != again.end()));
    BOOST_TEST(taken->fence > first.front().fence);
    BOOST_TEST(taken->attempt == first.front().attempt);
}

BOOST_AUTO_TEST_CASE(claims_of_an_earlier_life_of_the_same_daemon_are_freed_at_once) {
    Site site;
    BOOST_REQUIRE(site.queue.claim("host:lock/1", 2, 3600s).size() == 2);

    BOOST_TEST(site.queue.rescue("host:lock", "host:lock/2") == 2);
    BOOST_TEST(site.queue.rescue("host:other", "host:other/1") == 0);
}

BOOST_AUTO_TEST_CASE(waiting_uses_up_no_attempt) {
    Site site;
    const auto claims = site.queue.claim("w/1", 1, 60s);

    site.queue.finish({{claims.front(), queue::Waiting{.poll_in = 0ms, .reason = "booting"}}}, {});
    const auto again = site.queue.claim("w/1", 10, 60s);

    const auto same = std::find_if(again.begin(), again.end(), [&](const Claim& claim) {
        return claim.task == claims.front().task;
    });
    BOOST_REQUIRE((same != again.end()));
    BOOST_TEST(same->attempt == 1);
}

BOOST_AUTO_TEST_CASE(a_failure_worth_another_try_is_tried_again_as_a_new_attempt) {
    Site site;
    const auto claims = site.queue.claim("w/1", 1, 60s);

    site.queue.finish({{claims.front(), a_failure(0ms)}}, {});
    const auto again = site.queue.claim("w/1", 10, 60s);

    const auto same = std::find_if(again.begin(), again.end(), [&](const Claim& claim) {
        return claim.task == claims.front().task;
    });
    BOOST_REQUIRE((same != again.end()));
    BOOST_TEST(same->attempt == 2);
}

BOOST_AUTO_TEST_CASE(a_final_failure_cancels_what_has_not_begun_and_ends_the_job) {
    Site site;
    const auto claims = site.queue.claim("w/1", 2, 60s);
    BOOST_REQUIRE(claims.size() == 2);

    site.queue.finish({{claims[0], a_failure(std::nullopt)}}, {});
    BOOST_TEST((site.summary().status == model::ClusterStatus::pending));
    site.queue.finish({{claims[1], queue::Succeeded{}}}, {});

    const auto summary = site.summary();
    BOOST_TEST((summary.status == model::ClusterStatus::incomplete));
    BOOST_TEST(summary.message.find("it broke") != std::string::npos);
    BOOST_TEST((summary.latest_job->status == model::JobStatus::failed));
    BOOST_TEST(site.queue.claim("w/1", 10, 60s).empty());
}

BOOST_AUTO_TEST_CASE(creates_that_made_nothing_leave_the_cluster_terminated) {
    Site site;
    const auto claims = site.queue.claim("w/1", 10, 60s);

    std::vector<queue::Finished> finished;
    for (const Claim& claim : claims) finished.push_back({claim, a_failure(std::nullopt, 201)});
    site.queue.finish(finished, {});

    const auto summary = site.summary();
    BOOST_TEST((summary.status == model::ClusterStatus::terminated));
    BOOST_TEST(summary.message == "Unable to create nodes, please check your provider settings");
}

BOOST_AUTO_TEST_CASE(facts_of_a_task_reach_its_node) {
    Site site;
    const auto claims = site.queue.claim("w/1", 1, 60s);
    queue::Succeeded succeeded;
    succeeded.facts = {{"providerid", "vm-1"}};
    succeeded.addresses = {{"access_v4", "10.0.0.7"}};

    site.queue.finish({{claims.front(), succeeded}}, {});

    const auto nodes = site.fresh.database.read(
        [&](store::Connection& connection) { return store::nodes_of(connection, site.cluster); });
    const auto node = std::find_if(nodes.begin(), nodes.end(),
                                   [&](const auto& one) { return one.id == claims.front().node; });
    BOOST_REQUIRE((node != nodes.end()));
    BOOST_TEST(node->results.at("providerid") == "vm-1");
    BOOST_TEST(node->addresses.at("access_v4") == "10.0.0.7");
}

BOOST_AUTO_TEST_CASE(output_can_be_read_as_it_comes_and_not_from_a_lost_claim) {
    Site site;
    const auto claims = site.queue.claim("w/1", 1, 60s);
    Claim lost = claims.front();
    --lost.fence;

    site.queue.finish({},
                      {{claims.front(), "out", std::string("a\0b\xFF", 4)}, {lost, "out", "no"}});

    const auto pieces = site.fresh.database.read([&](store::Connection& connection) {
        return store::transcript_after(connection, claims.front().task, 0);
    });
    BOOST_REQUIRE(pieces.size() == 1);
    BOOST_TEST(pieces.front().body == std::string("a\0b\xFF", 4));
}
