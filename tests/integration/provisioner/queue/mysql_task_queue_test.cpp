#include "provisioner/queue/mysql_task_queue.hpp"
#include "provisioner/queue/output_rows.hpp"

#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>

#include <atomic>
#include <mutex>
#include <sstream>
#include <thread>

#include "provisioner/daemon/claims/reporter.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/queue/retry.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using queue::Claim;
using tests::a_failure;
using Site = tests::ClusterSite;

BOOST_AUTO_TEST_SUITE(mysql_task_queue)

namespace {

/// Claims and finishes until the job has ended; notes the order in which tasks were finished.
void work_until_the_end(Site& site, const std::string& name, std::mutex& mutex,
                        std::vector<long long>& order) {
    queue::MysqlTaskQueue queue(site.fresh.config);
    while (site.summary().status == model::ClusterStatus::pending) {
        queue.rescue({name, name + "/1"});
        const auto claims = queue.claim(name + "/1", 3, 10s);
        std::vector<queue::Finished> finished;
        for (const Claim& claim : claims) finished.push_back({claim, queue::Succeeded{}});
        // Noted before it is committed: a follower cannot be claimed earlier than that.
        const std::lock_guard lock(mutex);
        for (const Claim& claim : claims) order.push_back(claim.task.value);
        queue.finish(finished);
    }
}

/// Rows the server has read since it began.
long long rows_read(Site& site) {
    const auto connection = queue::connect(site.fresh.config);
    const auto rows = queue::select(*connection, "SHOW GLOBAL STATUS LIKE 'Handler_read%'");
    long long sum = 0;
    while (rows->next()) sum += rows->getInt64("Value");
    return sum;
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
    BOOST_REQUIRE(site.queue.rescue({"other", "other/1"}) == 1);
    const auto again = site.queue.claim("other/1", 10, 60s);

    const int released = site.queue.finish({{first.front(), queue::Succeeded{}}});

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

    BOOST_TEST(site.queue.rescue({"host:lock", "host:lock/2"}) == 2);
    BOOST_TEST(site.queue.rescue({"host:other", "host:other/1"}) == 0);
}

BOOST_AUTO_TEST_CASE(output_that_comes_after_a_rescue_is_dropped_because_it_will_be_read_again) {
    Site site;
    const auto claims = site.queue.claim("slow/1", 1, 0s);
    BOOST_REQUIRE(claims.size() == 1);
    const auto pieces = [&] {
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::transcript_after(connection, claims.front().task, 0, 10).size();
        });
    };
    const queue::Output output{.claim = claims.front(), .stream = "out", .body = "a line\n"};
    site.queue.store_output({output});
    BOOST_REQUIRE(pieces() == 1U);
    std::this_thread::sleep_for(20ms);
    BOOST_REQUIRE(site.queue.rescue({"other", "other/1"}) == 1);

    site.queue.store_output({output});

    BOOST_TEST(pieces() == 0U);
}

BOOST_AUTO_TEST_CASE(of_a_claim_that_cannot_be_read_nothing_is_committed_later,
                     *boost::unit_test::precondition(tests::is_mariadb)) {
    Site site;
    const auto direct = queue::connect(site.fresh.root);
    // A word that a newer version of the program has written.
    queue::execute(*direct, "ALTER TABLE task DROP CONSTRAINT task_action");
    queue::execute(*direct, "UPDATE task SET action = 'fly' WHERE state = 'ready'");

    BOOST_CHECK_THROW(site.queue.claim("w/1", 10, 60s), queue::QueueError);
    BOOST_TEST(site.queue.next_due().has_value());

    const auto claimed =
        queue::select(*direct, "SELECT COUNT(*) AS claimed FROM task WHERE state = 'claimed'");
    claimed->next();
    BOOST_TEST(claimed->getInt("claimed") == 0);
}

BOOST_AUTO_TEST_CASE(what_is_in_flight_is_not_rescued_by_its_own_daemon) {
    Site site;
    const auto claims = site.queue.claim("w/1", 2, 0s);
    BOOST_REQUIRE(claims.size() == 2);
    std::this_thread::sleep_for(20ms);

    // The answer to the claim of the second one was lost: the daemon does not know of it.
    BOOST_TEST(site.queue.rescue({.instance = "w", .worker = "w/1", .in_flight = claims}) == 0);
    BOOST_TEST(site.queue.rescue({.instance = "w",
                                  .worker = "w/1",
                                  .in_flight = {claims.front()},
                                  .of_others = false}) == 1);
    BOOST_TEST(site.queue.renew(claims, 60s).size() == 1U);
}

BOOST_AUTO_TEST_CASE(while_the_database_was_away_claims_of_others_are_left_alone) {
    Site site;
    BOOST_REQUIRE(site.queue.claim("other/1", 1, 0s).size() == 1);
    std::this_thread::sleep_for(20ms);

    BOOST_TEST(site.queue.rescue({.instance = "w", .worker = "w/1", .of_others = false}) == 0);
    BOOST_TEST(site.queue.rescue({.instance = "w", .worker = "w/1"}) == 1);
}

BOOST_AUTO_TEST_CASE(an_outage_lasts_over_turns_until_the_other_side_answers) {
    using queue::Outage;
    Site site;
    const auto turn = [&](Outage outage) {
        const auto claims = site.claim();
        BOOST_REQUIRE(!claims.empty());
        for (const Claim& claim : claims) {
            site.finish(claim, queue::Waiting{.poll_in = 0ms, .reason = "", .outage = outage});
        }
        return claims.front().outage;
    };

    BOOST_TEST((turn(Outage::goes_on) == queue::OutageSoFar{}));
    std::this_thread::sleep_for(30ms);
    const auto second = turn(Outage::goes_on);
    BOOST_TEST(second.turns == 1);
    BOOST_TEST((second.age >= 30ms));
    const auto third = turn(Outage::begins);
    BOOST_TEST(third.turns == 2);
    BOOST_TEST((third.age > second.age));
    const auto fourth = turn(Outage::none);
    BOOST_TEST(fourth.turns == 1);
    BOOST_TEST((fourth.age < third.age));
    BOOST_TEST((turn(Outage::none) == queue::OutageSoFar{}));
}

BOOST_AUTO_TEST_CASE(a_daemon_claims_only_what_it_has_the_plugins_for) {
    Site site;
    queue::MysqlTaskQueue older(site.fresh.config, {"shell", "provider of-last-year"});
    queue::MysqlTaskQueue newer(site.fresh.config,
                                {"shell", "simulated", "provider local", "provider simulated"});

    BOOST_TEST(older.claim("older/1", 100, 60s).empty());
    BOOST_TEST(!older.next_due().has_value());
    const auto creates = newer.claim("newer/1", 100, 60s);
    BOOST_REQUIRE(!creates.empty());
    std::vector<queue::Finished> done;
    for (const Claim& claim : creates) done.push_back({claim, queue::Succeeded{}});
    newer.finish(done);
    // What was put there by a task's end says what it needs as well.
    BOOST_TEST(older.claim("older/1", 100, 60s).empty());
    BOOST_TEST(!newer.claim("newer/1", 100, 60s).empty());
}

BOOST_AUTO_TEST_CASE(waiting_uses_up_no_attempt) {
    Site site;
    const auto claims = site.queue.claim("w/1", 1, 60s);

    site.queue.finish({{claims.front(), queue::Waiting{.poll_in = 0ms, .reason = "booting"}}});
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

    site.queue.finish({{claims.front(), a_failure(0ms)}});
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

    site.queue.finish({{claims[0], a_failure(std::nullopt)}});
    BOOST_TEST((site.summary().status == model::ClusterStatus::pending));
    site.queue.finish({{claims[1], queue::Succeeded{}}});

    const auto summary = site.summary();
    BOOST_TEST((summary.status == model::ClusterStatus::incomplete));
    BOOST_TEST(summary.message.find("it broke") != std::string::npos);
    BOOST_TEST((summary.latest_job->status == model::JobStatus::failed));
    BOOST_TEST(site.queue.claim("w/1", 10, 60s).empty());
}

BOOST_AUTO_TEST_CASE(a_task_that_is_cancelled_before_its_next_try_promises_none) {
    Site site;
    const auto claims = site.queue.claim("w/1", 2, 60s);
    BOOST_REQUIRE(claims.size() == 2U);
    queue::Failed again = a_failure(60s);
    again.message =
        "apt is locked (try me)" + queue::about_next_try(queue::Cause::apt_locked, 1, 60s);

    site.queue.finish({{claims[0], again}});
    site.queue.finish({{claims[1], a_failure(std::nullopt)}});

    const auto tasks = site.tasks();
    const auto task = std::ranges::find(tasks, claims[0].task, &model::Task::id);
    BOOST_REQUIRE((task != tasks.end()));
    BOOST_TEST((task->state == model::TaskState::cancelled));
    BOOST_TEST(task->message == "apt is locked (try me)");
}

BOOST_AUTO_TEST_CASE(a_failing_job_is_read_once_and_not_with_every_end_of_a_task) {
    Site site(20);
    const auto claims = site.claim(10);
    BOOST_REQUIRE(claims.size() == 10U);
    const auto tasks = static_cast<long long>(site.tasks().size());
    BOOST_REQUIRE(tasks > 60);
    site.finish(claims[0], a_failure(std::nullopt));

    const auto rows_read_by = [&](std::size_t claim, const queue::Outcome& outcome) {
        const long long before = rows_read(site);
        site.finish(claims[claim], outcome);
        return rows_read(site) - before;
    };

    BOOST_TEST(rows_read_by(1, queue::Succeeded{}) < tasks);
    BOOST_TEST(rows_read_by(2, a_failure(1s)) < tasks);
    BOOST_TEST(rows_read_by(3, queue::Waiting{.poll_in = 1s, .reason = "not yet"}) < tasks);
    for (std::size_t i = 4; i < claims.size(); ++i) site.finish(claims[i], queue::Succeeded{});
    BOOST_TEST((site.summary().status == model::ClusterStatus::incomplete));
    for (const model::Task& task : site.tasks()) {
        const bool is_over = task.state == model::TaskState::done ||
                             task.state == model::TaskState::failed ||
                             task.state == model::TaskState::cancelled;
        BOOST_TEST(is_over, "task " << task.id.value << " is " << base::to_word(task.state));
    }
}

BOOST_AUTO_TEST_CASE(creates_that_made_nothing_leave_the_cluster_terminated) {
    Site site;
    const auto claims = site.queue.claim("w/1", 10, 60s);

    std::vector<queue::Finished> finished;
    for (const Claim& claim : claims) finished.push_back({claim, a_failure(std::nullopt, 201)});
    site.queue.finish(finished);

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

    site.queue.finish({{claims.front(), succeeded}});

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

    site.queue.store_output(
        {{claims.front(), "out", std::string("a\0b\xFF", 4)}, {lost, "out", "no"}});

    const auto pieces = site.fresh.database.read([&](store::Connection& connection) {
        return store::transcript_after(connection, claims.front().task, 0);
    });
    BOOST_REQUIRE(pieces.size() == 1);
    BOOST_TEST(pieces.front().body == std::string("a\0b\xFF", 4));
}

BOOST_AUTO_TEST_CASE(facts_of_many_nodes_are_stored_as_they_were_said) {
    Site site(20);
    const auto claims = site.claim();
    BOOST_REQUIRE(claims.size() == 20);
    const std::string odd = "it's \"quoted\" \\ \n\t\x01 \xF0\x9F\x9A\x80 ?";
    std::vector<queue::Finished> finished;
    for (const Claim& claim : claims) {
        queue::Succeeded done;
        done.facts = {{"providerid", std::to_string(claim.node.value)}, {"deep", {{"odd", odd}}}};
        if (claim.node == claims[3].node) {
            done.addresses = {{"access_v4", "203.0.113.3"}};
            done.hostname = "told.example.com";
        }
        finished.push_back({claim, done});
    }

    site.queue.finish(finished);

    const auto nodes = site.fresh.database.read(
        [&](store::Connection& connection) { return store::nodes_of(connection, site.cluster); });
    for (const model::Node& node : nodes) {
        BOOST_TEST(node.results.at("providerid") == std::to_string(node.id.value));
        BOOST_TEST(node.results.at("deep").at("odd") == odd);
        const bool told = node.id == claims[3].node;
        BOOST_TEST((node.hostname == "told.example.com") == told);
        BOOST_TEST(node.addresses.size() == (told ? 1U : 0U));
    }
}

BOOST_AUTO_TEST_CASE(outcomes_of_all_kinds_may_end_in_one_batch) {
    Site site(12);
    const auto claims = site.claim();
    BOOST_REQUIRE(claims.size() == 12);
    std::vector<queue::Finished> finished;
    for (std::size_t i = 0; i < claims.size(); ++i) {
        queue::Outcome outcome = queue::Succeeded{};
        if (i % 4 == 1) outcome = queue::Waiting{.poll_in = 0ms, .reason = "it's booting"};
        if (i % 4 == 2) outcome = queue::Waiting{.poll_in = 1h, .reason = "out of \"cores\""};
        if (i % 4 == 3) outcome = a_failure(0ms);
        finished.push_back({claims[i], std::move(outcome)});
    }

    site.queue.finish(finished);
    const auto again = site.claim();

    std::map<model::TaskId, int> attempts;
    for (const Claim& claim : again) attempts[claim.task] = claim.attempt;
    for (std::size_t i = 0; i < claims.size(); ++i) {
        const auto found = attempts.find(claims[i].task);
        const int attempt = found == attempts.end() ? 0 : found->second;
        BOOST_TEST(attempt == (i % 4 == 1 ? 1 : i % 4 == 3 ? 2 : 0));
    }
    // Beside the six that were put back: what waited for those that succeeded.
    BOOST_TEST(again.size() == 9U);
    const auto tasks = site.tasks();
    for (const auto& task : tasks) {
        if (task.id == claims[2].task) BOOST_TEST(task.message == "out of \"cores\"");
    }
}

// A DELETE that finds nothing may have been killed before it looked: statements/sent_twice.hpp.
BOOST_AUTO_TEST_CASE(a_deletion_that_finds_nothing_is_sent_again) {
    tests::FreshDatabase fresh;
    const auto connection = queue::connect(fresh.root);
    queue::execute(*connection, "CREATE TABLE pair (id INT PRIMARY KEY)");
    queue::execute(*connection, "INSERT INTO pair VALUES (1), (2)");
    const std::unique_ptr<sql::PreparedStatement> deletion(
        connection->prepareStatement("DELETE FROM pair WHERE id > ?"));
    deletion->setInt(1, 0);
    const auto sent = [&] {
        const auto rows = queue::select(*connection, "SHOW SESSION STATUS LIKE 'Com_delete'");
        rows->next();
        return rows->getInt64("Value");
    };
    const auto before = sent();

    BOOST_TEST(queue::execute_deletion(*deletion) == 2);
    BOOST_TEST(sent() - before == 1);
    BOOST_TEST(queue::execute_deletion(*deletion) == 0);
    BOOST_TEST(sent() - before == 3);
}

// Of a transcript, too: otherwise it could become longer than it may be.
BOOST_AUTO_TEST_CASE(the_middle_of_a_transcript_is_looked_for_twice_when_none_is_found) {
    Site site;
    const auto claims = site.claim();
    BOOST_REQUIRE(!claims.empty());
    const auto deletions = [&] {
        const auto connection = queue::connect(site.fresh.config);
        const auto rows = queue::select(*connection, "SHOW GLOBAL STATUS LIKE 'Com_delete'");
        rows->next();
        return rows->getInt64("Value");
    };
    const auto store = [&](std::int64_t from_byte) {
        const auto before = deletions();
        site.queue.store_output({{claims[0], "out", std::string(100, 'x'), from_byte}});
        return deletions() - before;
    };

    BOOST_TEST(store(500'000) == 0);
    BOOST_TEST(store(9'000'000) == 1);
    BOOST_TEST(store(9'000'100) == 2);
}

BOOST_AUTO_TEST_CASE(of_a_tenant_that_has_printed_enough_today_only_notes_are_stored) {
    Site site;
    const auto claims = site.claim();
    BOOST_REQUIRE(!claims.empty());
    const auto connection = queue::connect(site.fresh.config);
    const auto store = [&](const std::string& stream, std::int64_t from_byte, std::int64_t daily) {
        const std::vector<queue::Output> output{{claims[0], stream, "a line\n", from_byte}};
        queue::store_output(*connection, output, daily);
    };
    const auto stored = [&] {
        std::string pieces;
        const auto rows = queue::select(
            *connection, "SELECT stream, from_byte, size FROM transcript ORDER BY id");
        while (rows->next()) {
            pieces += std::string(rows->getString("stream")) + "@" +
                      std::to_string(rows->getInt64("from_byte")) +
                      (rows->getInt64("size") > 7 ? "+ " : " ");
        }
        return pieces;
    };

    store("out", 0, 5);
    store("out", 7, 5);
    store("note", 14, 5);
    store("err", 14, 5);
    BOOST_TEST(stored() == "out@0 note@7+ note@14 ");
    store("out", 21, 0);
    BOOST_TEST(stored() == "out@0 note@7+ note@14 out@21 ");
    // Many rows of others go on after the note, in statements that the server takes.
    std::vector<queue::Output> many(1500, {claims[0], "note", "x", 28});
    many.insert(many.begin() + 499, {claims[0], "out", "y", 28});
    queue::store_output(*connection, many, 5);
}

BOOST_AUTO_TEST_CASE(output_is_kept_byte_by_byte_and_only_from_who_holds_the_task) {
    Site site;
    const auto claims = site.claim();
    BOOST_REQUIRE(claims.size() == 3);
    Claim lost = claims[1];
    lost.fence -= 1;
    const std::string bytes("a\0b\xFF\xFE'\\", 7);
    std::vector<queue::Output> output{{claims[0], "out", bytes},
                                      {claims[0], "err", std::string(900'000, 'x')},
                                      {lost, "out", "nobody asked"},
                                      {claims[2], "note", std::string(900'000, 'y')}};

    site.queue.store_output(output);

    const auto transcript = [&](const Claim& claim) {
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::transcript_after(connection, claim.task, 0, 100);
        });
    };
    const auto first = transcript(claims[0]);
    BOOST_REQUIRE(first.size() == 2U);
    BOOST_TEST((first[0].body == bytes));
    BOOST_TEST(first[1].stream == "err");
    BOOST_TEST(transcript(claims[1]).empty());
    BOOST_TEST(transcript(claims[2]).size() == 1U);
}

BOOST_AUTO_TEST_CASE(sizes_of_the_newest_pieces_are_read_without_the_pieces) {
    Site site;
    const auto claim = site.claim().front();
    site.queue.store_output(std::vector<queue::Output>{
        {claim, "out", "12345", 0}, {claim, "err", "123", 5}, {claim, "out", "1", 8}});
    const auto sizes = [&](int most) {
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::transcript_sizes(connection, claim.task, most);
        });
    };

    const auto two = sizes(2);

    BOOST_TEST(two.bytes == 9U);
    BOOST_TEST_REQUIRE(two.newest.size() == 2U);
    BOOST_TEST(two.newest[0].bytes == 3U);
    BOOST_TEST(two.newest[1].bytes == 1U);
    BOOST_TEST(two.newest[0].id < two.newest[1].id);
    BOOST_TEST(sizes(10).newest.size() == 3U);
}

BOOST_AUTO_TEST_CASE(
    of_fifty_megabytes_the_beginning_and_the_end_are_kept_and_can_be_read_meanwhile) {
    Site site;
    const auto claim = site.claim().front();
    std::ostringstream log_text;
    const base::SystemClock clock;
    const base::Log log(log_text, clock);
    daemon::InFlightClaims in_flight;
    const auto transcript = [&](std::int64_t after = 0) {
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::transcript_after(connection, claim.task, after, 500);
        });
    };
    std::string all;
    bool was_read_meanwhile = false;
    {
        daemon::Reporter reporter(std::make_unique<queue::MysqlTaskQueue>(site.fresh.config),
                                  in_flight, log, [] {});
        for (int line = 0; all.size() < 50'000'000; ++line) {
            std::string text;
            while (text.size() < 64'000) text += "line " + std::to_string(line) + " of many\n";
            reporter.output(claim, line % 3 == 0 ? "err" : "out", text);
            all += text;
            if (line % 200 != 199) continue;
            reporter.flush(5s);
            const auto pieces = transcript();
            was_read_meanwhile = !pieces.empty() && all.ends_with(pieces.back().body);
            BOOST_TEST(was_read_meanwhile);
        }
        reporter.flush(5s);
    }

    BOOST_TEST(was_read_meanwhile);
    const auto pieces = transcript();
    std::string kept;
    std::vector<std::int64_t> missing;
    std::size_t read = 0;
    for (const auto& piece : pieces) {
        if (piece.missing > 0) missing.push_back(piece.missing);
        read += static_cast<std::size_t>(piece.missing);
        BOOST_REQUIRE((piece.body == all.substr(read, piece.body.size())));
        read += piece.body.size();
        kept += piece.body;
    }
    BOOST_TEST(read == all.size());
    BOOST_REQUIRE(missing.size() == 1U);
    BOOST_TEST(missing.front() == std::ssize(all) - std::ssize(kept));
    BOOST_TEST(std::ssize(kept) >= transcript::kept_first + transcript::kept_last);
    BOOST_TEST(std::ssize(kept) <= transcript::kept_first + transcript::kept_last + 70'000);
    // Who reads on from a piece that is there is told the same.
    BOOST_TEST(transcript(pieces.front().id).size() == pieces.size() - 1);
    BOOST_TEST(transcript(pieces.back().id).empty());
    const auto connection = queue::connect(site.fresh.config);
    const auto row = queue::select(*connection, "SELECT SUM(LENGTH(body)) FROM transcript");
    BOOST_REQUIRE(row->next());
    BOOST_TEST(row->getInt64(1) < std::ssize(kept) / 5);
}

BOOST_AUTO_TEST_CASE(waiting_from_the_beginning_forgets_what_was_printed_but_not_our_own_words) {
    Site site;
    const auto claims = site.claim();
    BOOST_REQUIRE(claims.size() == 3);
    std::vector<queue::Output> output;
    for (const Claim& claim : claims) {
        output.push_back({claim, "out", "hello\n"});
        output.push_back({claim, "note", "logged in\n"});
    }
    const queue::Waiting over{.poll_in = 0ms, .reason = "reset", .output_starts_over = true};
    const queue::Waiting on{.poll_in = 0ms, .reason = "it boots"};

    site.queue.store_output(output);
    site.queue.finish({{claims[0], over}, {claims[1], on}, {claims[2], over}});

    const auto pieces = [&](const Claim& claim) {
        return site.fresh.database
            .read([&](store::Connection& connection) {
                return store::transcript_after(connection, claim.task, 0, 100);
            })
            .size();
    };
    BOOST_TEST(pieces(claims[0]) == 1U);
    BOOST_TEST(pieces(claims[1]) == 2U);
    BOOST_TEST(pieces(claims[2]) == 1U);
}

BOOST_AUTO_TEST_CASE(renewing_extends_the_claims_that_are_still_ours_and_no_others) {
    Site site(20);
    auto claims = site.queue.claim("w/1", 100, 0s);
    BOOST_REQUIRE(claims.size() == 20);
    claims[7].fence -= 1;

    const auto renewed = site.queue.renew(claims, 60s);

    BOOST_TEST(renewed.size() == 19U);
    for (const Claim& claim : renewed) BOOST_TEST(claim.task.value != claims[7].task.value);
    std::this_thread::sleep_for(20ms);
    BOOST_TEST(site.queue.rescue({"other", "other/1"}) == 1);
}

BOOST_AUTO_TEST_CASE(
    a_lost_claim_of_a_failing_job_goes_on_as_the_same_attempt_and_is_not_tried_again) {
    Site site;
    const auto claims = site.claim(2);
    BOOST_REQUIRE(claims.size() == 2);
    site.finish(claims[0], a_failure(std::nullopt));

    // What it began may be at work on a machine, so its end is waited for.
    BOOST_REQUIRE(site.queue.rescue({"w", "w/2"}) == 1);
    const auto again = site.claim();
    BOOST_REQUIRE(again.size() == 1);
    BOOST_TEST((again[0].task == claims[1].task));
    BOOST_TEST(again[0].attempt == claims[1].attempt);
    BOOST_TEST((site.summary().status == model::ClusterStatus::pending));
    site.finish(again[0], a_failure(0ms));

    BOOST_TEST(site.claim().empty());
    BOOST_TEST((site.summary().status == model::ClusterStatus::incomplete));
}

BOOST_AUTO_TEST_SUITE_END()
