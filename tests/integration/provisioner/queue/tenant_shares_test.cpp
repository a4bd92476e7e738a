#include "provisioner/queue/tenant_shares.hpp"

#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <cppconn/resultset.h>

#include <atomic>
#include <map>
#include <thread>

#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/queue/mysql_task_queue.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(tenant_shares)

namespace {

/// Tenants with clusters whose first tasks, a create for each machine, are in the queue.
struct Site {
    model::Caller tenant(const std::string& name, int workers = 0) {
        const model::Caller caller = tests::a_caller(fresh.database, name);
        tests::save_small_catalogue(fresh.database, caller);
        limit(caller, workers);
        return caller;
    }

    void limit(const model::Caller& caller, int workers) {
        queue::execute(*connection, "UPDATE tenant SET workers = " + std::to_string(workers) +
                                        " WHERE id = " + std::to_string(caller.tenant.id.value));
    }

    void add_cluster(const model::Caller& caller, int machines) {
        operations::CreateCluster wanted;
        wanted.name = "c1";
        wanted.cluster_template = "pair";
        wanted.machines = machines;
        now += 1s;
        BOOST_REQUIRE(operations::create_cluster(fresh.database, caller, wanted, now));
    }

    std::map<model::TenantId, int> claim(int limit) {
        std::map<model::TenantId, int> counts;
        for (const queue::Claim& claim : queue.claim("w/1", limit, 60s)) {
            ++counts[claim.tenant];
            claims.push_back(claim);
        }
        return counts;
    }

    void finish(const queue::Outcome& outcome) {
        std::vector<queue::Finished> finished;
        for (const queue::Claim& claim : claims) finished.push_back({claim, outcome});
        queue.finish(finished);
        claims.clear();
    }

    tests::FreshDatabase fresh;
    std::unique_ptr<sql::Connection> connection = queue::connect(fresh.config);
    queue::MysqlTaskQueue queue{fresh.config};
    base::Timestamp now = tests::some_time();
    std::vector<queue::Claim> claims;
};

using Counts = std::map<model::TenantId, int>;

}  // namespace

BOOST_AUTO_TEST_CASE(a_tenant_with_few_tasks_does_not_wait_for_one_with_many) {
    Site site;
    const auto large = site.tenant("large");
    const auto small = site.tenant("small");
    for (int i = 0; i < 5; ++i) site.add_cluster(large, 20);
    site.add_cluster(small, 3);

    BOOST_TEST((site.claim(10) == Counts{{large.tenant.id, 7}, {small.tenant.id, 3}}));
    BOOST_TEST((site.claim(200) == Counts{{large.tenant.id, 93}}));
}

BOOST_AUTO_TEST_CASE(tenants_take_turns_when_there_is_room_for_one_task_at_a_time) {
    Site site;
    Counts wanted;
    for (const char* name : {"a", "b", "c"}) {
        const auto caller = site.tenant(name);
        site.add_cluster(caller, 10);
        wanted[caller.tenant.id] = 3;
    }

    Counts claimed;
    for (int i = 0; i < 9; ++i) {
        for (const auto& [tenant, count] : site.claim(1)) claimed[tenant] += count;
    }

    BOOST_TEST((claimed == wanted));
}

BOOST_AUTO_TEST_CASE(a_tenant_at_its_limit_gets_a_task_when_one_of_its_own_has_ended) {
    Site site;
    const auto limited = site.tenant("limited", 4);
    const auto other = site.tenant("other");
    site.add_cluster(limited, 10);
    site.add_cluster(other, 2);

    BOOST_TEST((site.claim(100) == Counts{{limited.tenant.id, 4}, {other.tenant.id, 2}}));
    BOOST_TEST(site.claim(100).empty());
    // Nothing to look for again and again.
    BOOST_TEST(!site.queue.next_due().has_value());

    site.finish(queue::Waiting{.poll_in = 0ms, .reason = "booting"});
    BOOST_TEST((site.claim(100) == Counts{{limited.tenant.id, 4}, {other.tenant.id, 2}}));

    site.finish(tests::a_failure(std::nullopt));
    BOOST_TEST(site.claim(100).empty());
}

BOOST_AUTO_TEST_CASE(every_way_a_task_leaves_a_worker_makes_room) {
    Site site;
    const auto limited = site.tenant("limited", 2);
    site.add_cluster(limited, 4);
    int done = 0;
    for (int round = 0; round < 100; ++round) {
        const auto claimed = site.claim(100);
        if (claimed.empty()) break;
        BOOST_REQUIRE((claimed == Counts{{limited.tenant.id, 2}}) || done >= 14);
        if (round % 4 == 1) {
            // The worker is gone: another takes its tasks over.
            site.queue.rescue({"w", "w/2"});
            site.claims.clear();
            continue;
        }
        if (round % 4 == 3) {
            site.finish(queue::Waiting{.poll_in = 0ms, .reason = "booting"});
            continue;
        }
        done += static_cast<int>(site.claims.size());
        site.finish(queue::Succeeded{});
    }

    BOOST_TEST(done >= 16);
    const auto rows =
        queue::select(*site.connection,
                      "SELECT COUNT(*) FROM task WHERE state <> 'done' OR held_for IS NOT NULL");
    BOOST_REQUIRE(rows->next());
    BOOST_TEST(rows->getInt(1) == 0);
}

BOOST_AUTO_TEST_CASE(a_limit_holds_under_many_claimers) {
    Site site;
    const auto limited = site.tenant("limited", 5);
    for (int i = 0; i < 3; ++i) site.add_cluster(limited, 20);
    std::atomic<int> at_work{0};
    std::atomic<int> most{0};
    std::atomic<int> done{0};

    std::vector<std::thread> claimers;
    for (const char* name : {"a", "b", "c", "d"}) {
        claimers.emplace_back([&, name] {
            queue::MysqlTaskQueue queue(site.fresh.config);
            for (int round = 0; round < 40; ++round) {
                const auto claims = queue.claim(std::string(name) + "/1", 3, 60s);
                const int now = at_work += static_cast<int>(claims.size());
                for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
                }
                std::vector<queue::Finished> finished;
                for (const auto& claim : claims) finished.push_back({claim, queue::Succeeded{}});
                // Before it is committed: nobody can have claimed the room of these yet.
                at_work -= static_cast<int>(claims.size());
                queue.finish(finished);
                done += static_cast<int>(claims.size());
            }
        });
    }
    for (std::thread& claimer : claimers) claimer.join();

    BOOST_TEST(most <= 5);
    BOOST_TEST(most >= 3);
    BOOST_TEST(done > 60);
}

BOOST_AUTO_TEST_CASE(who_has_nothing_can_be_claimed_for_alone) {
    Site site;
    const auto busy = site.tenant("busy");
    const auto idle = site.tenant("idle");
    site.add_cluster(busy, 20);
    site.add_cluster(idle, 3);

    const auto claims = site.queue.claim_except({busy.tenant.id}, "w/1", 100, 60s);

    BOOST_TEST(claims.size() == 3U);
    for (const auto& claim : claims) BOOST_TEST((claim.tenant == idle.tenant.id));
}

BOOST_AUTO_TEST_SUITE_END()
