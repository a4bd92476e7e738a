#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

#include <future>
#include <thread>

#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/clusters/delete.hpp"
#include "provisioner/operations/clusters/lease.hpp"
#include "provisioner/operations/clusters/service_actions.hpp"
#include "provisioner/operations/jobs/control.hpp"
#include "provisioner/operations/tenants/users.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/clusters/cluster_states.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/tenants/profile_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(owners)

namespace {

/// A tenant with an admin "ann" and a user "bob", who has an active cluster.
struct Site : tests::ClusterSite {
    Site() {
        bob = new_user("bob");
        operations::CreateCluster wanted;
        wanted.name = "of-bob";
        wanted.cluster_template = "pair";
        wanted.machines = 2;
        const auto made = operations::create_cluster(fresh.database, bob, wanted, now);
        BOOST_REQUIRE(made.has_value());
        cluster = *made;
        succeed_all();
    }

    model::Caller new_user(const std::string& name) {
        BOOST_REQUIRE(operations::create_user(fresh.database, caller, "acme",
                                              {.name = name, .password = {}}, now)
                          .has_value());
        model::Caller made = caller;
        made.user = *fresh.database.read([&](store::Connection& connection) {
            return store::find_user(connection, caller.tenant.id, name);
        });
        return made;
    }

    void delete_user(const std::string& name) {
        BOOST_REQUIRE(operations::delete_user(fresh.database, caller, "acme", name).has_value());
    }

    bool is_seen_by(const model::Caller& who) {
        const bool found = fresh.database.read([&](store::Connection& connection) {
            const bool in_list = !store::list_clusters(connection, who).empty();
            const bool itself = store::find_cluster(connection, who, cluster).has_value();
            BOOST_TEST(in_list == itself);
            return itself;
        });
        store::ClusterStates states(fresh.database);
        BOOST_TEST(states.find(who, cluster).has_value() == found);
        const bool may_delete = operations::resume_job(fresh.database, who, cluster).has_value();
        BOOST_TEST(may_delete == found);
        return found;
    }

    std::vector<model::Job> jobs() {
        return fresh.database.read(
            [&](store::Connection& connection) { return store::jobs_of(connection, cluster); });
    }

    model::Caller bob;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_user_made_anew_with_an_old_name_inherits_nothing) {
    Site site;
    BOOST_TEST(site.is_seen_by(site.bob));
    site.fresh.database.write([&](store::Connection& connection) {
        store::save_profile(connection, site.bob.user.id, {{"mail", "b@x"}});
    });

    site.delete_user("bob");
    const model::Caller second = site.new_user("bob");

    BOOST_TEST(!site.is_seen_by(second));
    BOOST_TEST(!site.is_seen_by(site.bob));
    BOOST_TEST(site.is_seen_by(site.caller));
    site.fresh.database.read([&](store::Connection& connection) {
        BOOST_TEST(!store::find_profile(connection, second.user.id).has_value());
        BOOST_TEST(store::list_api_keys(connection, second.user.id).size() == 1);
    });
}

BOOST_AUTO_TEST_CASE(only_who_administers_a_user_deletes_them) {
    Site site;
    site.new_user("eve");
    model::Caller stranger = site.caller;
    stranger.tenant.id = model::TenantId{site.caller.tenant.id.value + 1};

    for (const model::Caller& who : {site.bob, stranger}) {
        const auto deleted = operations::delete_user(site.fresh.database, who, "acme", "eve");
        BOOST_REQUIRE(!deleted.has_value());
        BOOST_TEST((deleted.error().kind == operations::Refusal::Kind::not_found));
    }
    site.delete_user("eve");
}

BOOST_AUTO_TEST_CASE(the_clusters_of_a_deleted_user_keep_the_name_and_are_the_admins) {
    Site site;
    site.delete_user("bob");

    BOOST_TEST(site.details().owner == "bob");
    BOOST_TEST(site.details().owner_id.value == 0);
    BOOST_TEST(site.summary().owner == "bob");
    BOOST_REQUIRE(operations::change_expiry(site.fresh.database, site.caller, site.cluster,
                                            base::to_millis(site.now + 1h), site.now)
                      .has_value());
    BOOST_TEST(operations::expire_clusters(site.fresh.database, site.now + 2h).deleted.size() == 1);
    site.succeed_all();
    BOOST_TEST((site.summary().status == model::ClusterStatus::terminated));
}

BOOST_AUTO_TEST_CASE(a_request_of_a_user_who_was_deleted_meanwhile_makes_a_cluster_of_nobody) {
    Site site;
    site.delete_user("bob");
    operations::CreateCluster wanted;
    wanted.name = "late";
    wanted.cluster_template = "pair";
    wanted.machines = 2;
    wanted.idempotency_key = {.name = "once", .fingerprint = std::string(64, 'f')};

    const auto made = operations::create_cluster(site.fresh.database, site.bob, wanted, site.now);

    BOOST_REQUIRE(made.has_value());
    site.cluster = *made;
    BOOST_TEST(site.details().owner_id.value == 0);
}

BOOST_AUTO_TEST_CASE(a_user_who_is_deleted_while_a_cluster_is_made_leaves_it_to_the_admins) {
    Site site;
    for (int i = 0; i < 20; ++i) {
        const model::Caller eve = site.new_user("eve");
        operations::CreateCluster wanted;
        wanted.name = "race";
        wanted.cluster_template = "pair";
        wanted.machines = 2;
        wanted.idempotency_key = {.name = "once", .fingerprint = std::string(64, 'f')};
        auto making = std::async(std::launch::async, [&] {
            return operations::create_cluster(site.fresh.database, eve, wanted, site.now);
        });

        // A little later each time, so that every moment of making it has its turn.
        std::this_thread::sleep_for(i * 500us);
        site.delete_user("eve");

        const auto made = making.get();
        BOOST_REQUIRE(made.has_value());
        site.cluster = *made;
        BOOST_TEST(site.details().owner_id.value == 0);
    }
}

BOOST_AUTO_TEST_CASE(a_job_knows_who_asked_for_it_as_they_were_called_then) {
    Site site;
    BOOST_REQUIRE(operations::act_on_services(site.fresh.database, site.caller, site.cluster,
                                              {.operation = model::Operation::stop_services},
                                              site.now)
                      .has_value());
    site.succeed_all();
    BOOST_REQUIRE(operations::change_expiry(site.fresh.database, site.bob, site.cluster,
                                            base::to_millis(site.now + 1h), site.now)
                      .has_value());
    operations::expire_clusters(site.fresh.database, site.now + 2h);
    const model::UserId bob = site.bob.user.id;
    site.delete_user("bob");

    const auto jobs = site.jobs();

    BOOST_REQUIRE(jobs.size() == 4);
    BOOST_TEST((jobs[0].asked_by == model::Asker{{}, "lease"}));
    BOOST_TEST((jobs[1].asked_by == model::Asker{site.caller.user.id, "ann"}));
    BOOST_TEST((jobs[2].asked_by == model::Asker{bob, "bob"}));
    BOOST_TEST((jobs[3].asked_by == model::Asker{bob, "bob"}));
    BOOST_TEST((site.summary().latest_job->asked_by == model::Asker{{}, "lease"}));
}

BOOST_AUTO_TEST_CASE(clusters_from_before_belong_to_the_user_of_the_name_who_was_there_then,
                     *boost::unit_test::precondition(tests::is_mariadb)) {
    const auto files = migrate::read_schema("sql");
    const base::Config config = tests::server().config("owners_before");
    auto before = files.migrations;
    std::erase_if(before, [](const auto& migration) { return migration.version >= 15; });
    migrate::migrate(config, {.migrations = before, .whole = ""});
    const auto link = queue::connect(config);
    const std::unique_ptr<sql::Statement> statement(link->createStatement());
    statement->execute(
        "INSERT INTO tenant VALUES (1, 'u', 'acme', '', 0, 1, 1, 0, '2026-01-01'), "
        "(2, 'v', 'other', '', 0, 1, 1, 0, '2026-01-01')");
    statement->execute(
        "INSERT INTO user VALUES (1, 1, 'ann', 'user', '', '2026-01-01'), "
        "(2, 1, 'bob', 'user', '', '2026-01-03'), (3, 2, 'ann', 'user', '', '2026-01-01')");
    for (const char* owner : {"ann", "bob", "eve"}) {
        statement->execute(
            "INSERT INTO cluster (tenant_id, owner, name, description, status, message, "
            "created_at, services, config, snapshot, headers, node_count) VALUES (1, '" +
            std::string(owner) +
            "', 'c', '', 'active', '', '2026-01-02', '[]', '{}', '{}', '{}', 0)");
    }

    migrate::migrate(config, {.migrations = files.migrations, .whole = ""});

    const std::unique_ptr<sql::ResultSet> rows(statement->executeQuery(
        "SELECT GROUP_CONCAT(CONCAT(owner, ' ', COALESCE(owner_id, 0)) ORDER BY id) FROM cluster"));
    rows->next();
    BOOST_TEST(std::string(rows->getString(1)) == "ann 1,bob 0,eve 0");
}

BOOST_AUTO_TEST_SUITE_END()
