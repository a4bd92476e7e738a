#include <boost/test/unit_test.hpp>

#include <atomic>
#include <map>
#include <thread>

#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/clusters/delete.hpp"
#include "provisioner/operations/tenants/users.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/daemons/retention_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using operations::Refusal;

BOOST_AUTO_TEST_SUITE(cluster)

namespace {

operations::CreateCluster a_request(int machines = 3) {
    operations::CreateCluster wanted;
    wanted.name = "c1";
    wanted.cluster_template = "pair";
    wanted.machines = machines;
    return wanted;
}

struct Site {
    Site() { tests::save_small_catalogue(fresh.database, caller); }

    tests::FreshDatabase fresh;
    model::Caller caller = tests::a_caller(fresh.database);
    base::Timestamp now = tests::some_time();
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_create_writes_nodes_jobs_tasks_and_edges_at_once) {
    Site site;

    const auto id =
        operations::create_cluster(site.fresh.database, site.caller, a_request(), site.now);

    BOOST_REQUIRE(id.has_value());
    site.fresh.database.read([&](store::Connection& connection) {
        const auto cluster = store::find_cluster(connection, site.caller, *id);
        BOOST_REQUIRE(cluster.has_value());
        BOOST_TEST((cluster->status == model::ClusterStatus::pending));
        const auto nodes = store::nodes_of(connection, *id);
        BOOST_REQUIRE(nodes.size() == 3);
        BOOST_TEST(nodes[0].hostname == "c1" + std::to_string(id->value) + "-1000.local");
        BOOST_TEST(nodes[0].settings.at("memory_mb") == "256");
        const auto jobs = store::jobs_of(connection, *id);
        BOOST_REQUIRE(jobs.size() == 2);
        BOOST_TEST((jobs[0].operation == model::Operation::cluster_create));
        BOOST_TEST((jobs[1].operation == model::Operation::solve_layout));
        const auto tasks = store::tasks_of(connection, jobs[0].id);
        BOOST_TEST(static_cast<int>(tasks.size()) == jobs[0].tasks_total);
        const auto ready = std::count_if(tasks.begin(), tasks.end(), [](const auto& task) {
            return task.state == model::TaskState::ready;
        });
        BOOST_TEST(ready == 3);
        BOOST_TEST(!store::edges_of(connection, jobs[0].id).empty());
    });
}

BOOST_AUTO_TEST_CASE(no_service_is_worked_on_before_the_last_machine_has_its_address) {
    tests::ClusterSite site;
    std::optional<queue::Claim> late;
    std::map<model::Action, int> done;
    for (auto claims = site.claim(); !claims.empty(); claims = site.claim()) {
        for (const queue::Claim& claim : claims) {
            if (claim.action == model::Action::confirm && !late) {
                late = claim;
                continue;
            }
            ++done[claim.action];
            site.finish(claim, queue::Succeeded{});
        }
    }

    BOOST_REQUIRE(late.has_value());
    BOOST_TEST((done == std::map<model::Action, int>{{model::Action::create, 3},
                                                     {model::Action::confirm, 2},
                                                     {model::Action::bootstrap, 2}}));

    site.finish(*late, queue::Succeeded{});
    site.succeed_all();
    BOOST_TEST((site.summary().status == model::ClusterStatus::active));
}

BOOST_AUTO_TEST_CASE(a_request_that_cannot_be_laid_out_is_refused_at_once_in_words) {
    Site site;

    const auto refused =
        operations::create_cluster(site.fresh.database, site.caller, a_request(1), site.now);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == Refusal::Kind::unsatisfiable));
    BOOST_TEST(refused.error().wire_message == "Layout solving failed");
    BOOST_TEST(refused.error().problems.front().message.find("db") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(problems_name_their_field_all_at_once) {
    Site site;
    operations::CreateCluster wanted;
    wanted.dns_suffix = "-bad-";

    const auto refused =
        operations::create_cluster(site.fresh.database, site.caller, wanted, site.now);

    BOOST_REQUIRE(!refused.has_value());
    std::set<std::string> fields;
    for (const auto& problem : refused.error().problems) fields.insert(problem.field);
    BOOST_TEST(
        (fields == std::set<std::string>{"name", "clusterTemplate", "numMachines", "dnsSuffix"}));

    // What the template does not allow is told together with what is wrong by itself.
    auto too_many = a_request(1000);
    too_many.name.clear();
    const auto both =
        operations::create_cluster(site.fresh.database, site.caller, too_many, site.now);
    BOOST_REQUIRE(!both.has_value());
    BOOST_REQUIRE(both.error().problems.size() == 2U);
    BOOST_TEST(both.error().problems[0].field == "name");
    BOOST_TEST(both.error().problems[1].field == "numMachines");
}

BOOST_AUTO_TEST_CASE(a_request_sent_again_under_its_key_makes_nothing_more) {
    Site site;
    auto wanted = a_request();
    wanted.idempotency_key = {.name = "deploy-7", .fingerprint = std::string(64, 'a')};
    std::array<model::ClusterId, 4> made;

    std::vector<std::thread> threads;
    for (auto& id : made) {
        threads.emplace_back([&] {
            id = *operations::create_cluster(site.fresh.database, site.caller, wanted, site.now);
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto id : made) BOOST_TEST(id.value == made[0].value);

    wanted.idempotency_key->fingerprint = std::string(64, 'b');
    const auto other =
        operations::create_cluster(site.fresh.database, site.caller, wanted, site.now);
    BOOST_REQUIRE(!other.has_value());
    BOOST_TEST((other.error().kind == Refusal::Kind::conflict));

    // A day later the key is forgotten.
    site.fresh.database.write([&](store::Connection& connection) {
        store::delete_answers(connection, site.now + std::chrono::seconds{1}, 100);
    });
    const auto later =
        operations::create_cluster(site.fresh.database, site.caller, wanted, site.now);
    BOOST_TEST(later->value != made[0].value);
}

BOOST_AUTO_TEST_CASE(a_refused_request_sent_again_under_its_key_leaves_one_record) {
    Site site;
    auto wanted = a_request(1);
    wanted.idempotency_key = {.name = "deploy-8", .fingerprint = std::string(64, 'a')};
    const auto record = [&] {
        return operations::record_unsatisfiable(site.fresh.database, site.caller, wanted,
                                                "Layout solving failed", site.now);
    };
    const auto first = record();
    BOOST_TEST(record()->value == first->value);
    BOOST_TEST(
        operations::create_cluster(site.fresh.database, site.caller, wanted, site.now)->value ==
        first->value);
}

BOOST_AUTO_TEST_CASE(a_user_leaves_only_so_many_records_of_what_cannot_be_satisfied) {
    Site site;
    const auto record = [&](base::Timestamp now) {
        return operations::record_unsatisfiable(site.fresh.database, site.caller, a_request(1),
                                                "Layout solving failed", now);
    };
    const base::Timestamp now = base::SystemClock().now();
    for (int i = 0; i < 100; ++i) BOOST_REQUIRE(record(now).has_value());

    const auto refused = record(now);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == Refusal::Kind::too_often));
    BOOST_TEST(refused.error().problems.front().message ==
               "Too many requests that cannot be satisfied: 100 in 10 minutes. Try again later, or "
               "ask for a preview.");
    BOOST_TEST(record(now + 11min).has_value());
}

BOOST_AUTO_TEST_CASE(a_user_and_a_tenant_leave_only_so_many_such_records_in_a_day) {
    Site site;
    const base::Timestamp now = base::SystemClock().now();
    const auto ask = [&](const model::Caller& who, base::Timestamp at) {
        return operations::record_unsatisfiable(site.fresh.database, who, a_request(1),
                                                "Layout solving failed", at);
    };
    const auto refused_with = [&](const model::Caller& who, base::Timestamp at) {
        const auto refused = ask(who, at);
        BOOST_REQUIRE(!refused.has_value());
        BOOST_TEST((refused.error().kind == Refusal::Kind::too_often));
        return refused.error().problems.front().message;
    };
    const auto new_user = [&](const std::string& name) {
        BOOST_REQUIRE(operations::create_user(site.fresh.database, site.caller, "acme",
                                              {.name = name, .password = {}}, now)
                          .has_value());
        model::Caller made = site.caller;
        made.user = *site.fresh.database.read([&](store::Connection& connection) {
            return store::find_user(connection, site.caller.tenant.id, name);
        });
        return made;
    };
    for (const char* name : {"u1", "u2", "u3", "u4"}) {
        const model::Caller user = new_user(name);
        for (int i = 0; i < 500; ++i) BOOST_REQUIRE(ask(user, now + i / 100 * 11min).has_value());
        if (name != std::string("u1")) continue;
        BOOST_TEST(
            refused_with(user, now + 60min) ==
            "Too many requests that cannot be satisfied: 500 in 24 hours. Try again later, or "
            "ask for a preview.");
    }

    BOOST_TEST(refused_with(site.caller, now + 60min) ==
               "Too many requests of your tenant that cannot be satisfied: 2000 in 24 hours. Try "
               "again later, or ask for a preview.");
    BOOST_TEST(ask(site.caller, now + 26h).has_value());
}

BOOST_AUTO_TEST_CASE(the_record_of_what_cannot_be_satisfied_keeps_only_the_beginning_of_a_message) {
    Site site;
    const auto id = operations::record_unsatisfiable(site.fresh.database, site.caller, a_request(1),
                                                     std::string(100'000, 'x'), site.now);

    BOOST_REQUIRE(id.has_value());
    const auto cluster = site.fresh.database.read([&](store::Connection& connection) {
        return store::find_cluster(connection, site.caller, *id);
    });
    BOOST_TEST(cluster->message.size() == 16 * 1024);
}

BOOST_AUTO_TEST_CASE(a_request_is_bounded_in_all_that_is_compared_and_kept) {
    Site site;
    const auto problem_of = [&](const operations::CreateCluster& wanted) {
        const auto refused =
            operations::create_cluster(site.fresh.database, site.caller, wanted, site.now);
        BOOST_REQUIRE(!refused.has_value());
        BOOST_TEST((refused.error().kind == Refusal::Kind::invalid));
        const auto& problem = refused.error().problems.front();
        return problem.field + ": " + problem.message;
    };
    auto many = a_request();
    for (int i = 0; i < 1001; ++i) many.services.push_back("s" + std::to_string(i));
    auto long_name = a_request();
    long_name.services = {std::string(256, 's')};
    auto fields = a_request();
    fields.provider_fields = {{"key", std::string(65536, 'k')}};

    BOOST_TEST(problem_of(many) == "services: more than 1000 services");
    BOOST_TEST(problem_of(long_name) == "services: names of services have at most 255 bytes");
    BOOST_TEST(problem_of(fields) == "providerFields: must not be longer than 65536 bytes in all");
}

BOOST_AUTO_TEST_CASE(a_list_comes_in_pages_newest_first) {
    Site site;
    std::vector<long long> made;
    for (int i = 0; i < 5; ++i) {
        made.push_back(
            operations::create_cluster(site.fresh.database, site.caller, a_request(), site.now)
                ->value);
    }
    const auto page = [&](int limit, long long before) {
        std::vector<long long> ids;
        site.fresh.database.read([&](store::Connection& connection) {
            const store::ClusterQuery query{
                .statuses = {model::ClusterStatus::active, model::ClusterStatus::pending},
                .limit = limit,
                .before = model::ClusterId{before}};
            for (const auto& cluster : store::list_clusters(connection, site.caller, query)) {
                ids.push_back(cluster.id.value);
            }
        });
        return ids;
    };
    BOOST_TEST((page(2, 0) == std::vector<long long>{made[4], made[3]}));
    BOOST_TEST((page(2, made[3]) == std::vector<long long>{made[2], made[1]}));
    BOOST_TEST((page(2, made[1]) == std::vector<long long>{made[0]}));
    BOOST_TEST(page(0, 0).size() == 5);
}

BOOST_AUTO_TEST_CASE(a_quota_holds_under_parallel_requests) {
    Site site;
    model::Tenant limited = site.caller.tenant;
    limited.max_clusters = 3;
    tests::save_quotas(site.fresh.database, limited);
    std::atomic<int> made{0};

    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] {
            // The caller was identified before the quota was changed: what counts is what is
            // stored.
            if (operations::create_cluster(site.fresh.database, site.caller, a_request(),
                                           site.now)) {
                ++made;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();

    BOOST_TEST(made == 3);
}

BOOST_AUTO_TEST_CASE(a_user_sees_own_clusters_and_nobody_those_of_another_tenant) {
    Site site;
    const auto id =
        operations::create_cluster(site.fresh.database, site.caller, a_request(), site.now);
    model::Caller colleague = site.caller;
    colleague.user.name = "bob";
    colleague.user.id.value += 1;
    colleague.user.role = model::Role::user;
    const model::Caller stranger = tests::a_caller(site.fresh.database, "other");

    site.fresh.database.read([&](store::Connection& connection) {
        BOOST_TEST(store::find_cluster(connection, site.caller, *id).has_value());
        BOOST_TEST(!store::find_cluster(connection, colleague, *id).has_value());
        BOOST_TEST(!store::find_cluster(connection, stranger, *id).has_value());
        BOOST_TEST(store::list_clusters(connection, colleague).empty());
        BOOST_TEST(store::list_clusters(connection, site.caller).size() == 1);
    });
}

BOOST_AUTO_TEST_CASE(a_cluster_with_a_job_under_way_cannot_be_deleted) {
    Site site;
    const auto id =
        operations::create_cluster(site.fresh.database, site.caller, a_request(), site.now);

    const auto refused =
        operations::delete_cluster(site.fresh.database, site.caller, *id, site.now);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == Refusal::Kind::conflict));
    BOOST_TEST(refused.error().problems.front().message.find("is still underway for cluster") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(
    a_key_that_came_with_another_request_is_a_conflict_for_one_that_cannot_be_met) {
    Site site;
    auto wanted = a_request();
    wanted.idempotency_key = {.name = "deploy-9", .fingerprint = std::string(64, 'a')};
    BOOST_REQUIRE(
        operations::create_cluster(site.fresh.database, site.caller, wanted, site.now).has_value());
    wanted.machines = 1;
    wanted.idempotency_key->fingerprint = std::string(64, 'b');

    const auto refused = operations::record_unsatisfiable(site.fresh.database, site.caller, wanted,
                                                          "Layout solving failed", site.now);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == Refusal::Kind::conflict));
}

BOOST_AUTO_TEST_CASE(a_template_that_is_gone_before_the_record_is_a_refusal) {
    Site site;
    operations::delete_entry(site.fresh.database, site.caller,
                             model::CatalogueKind::cluster_template, "pair", std::nullopt);

    const auto refused = operations::record_unsatisfiable(
        site.fresh.database, site.caller, a_request(1), "Layout solving failed", site.now);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == Refusal::Kind::not_found));
}

BOOST_AUTO_TEST_CASE(the_record_of_what_cannot_be_satisfied_has_its_dns_suffix) {
    Site site;
    auto wanted = a_request(1);
    wanted.dns_suffix = "example.com";

    const auto id = operations::record_unsatisfiable(site.fresh.database, site.caller, wanted,
                                                     "Layout solving failed", site.now);

    BOOST_REQUIRE(id.has_value());
    const auto cluster = site.fresh.database.read([&](store::Connection& connection) {
        return store::find_cluster(connection, site.caller, *id);
    });
    BOOST_TEST(cluster->dns_suffix == "example.com");
}

BOOST_AUTO_TEST_SUITE_END()
