#include <boost/test/unit_test.hpp>

#include "provisioner/queue/mysql_task_queue.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/jobs/job_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"
#include "tests/integration/provisioner/migrate/old_database.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using tests::OldDatabase;

// What installations have stored must survive every migration. The data set is of the first
// version; each case takes it to the version before the migration it is about, and then over it.
BOOST_AUTO_TEST_SUITE(data_of_older_versions, *boost::unit_test::precondition(tests::is_mariadb))

namespace {

constexpr auto all_counts =
    "SELECT (SELECT COUNT(*) FROM tenant), (SELECT COUNT(*) FROM user), (SELECT COUNT(*) FROM "
    "api_key), (SELECT COUNT(*) FROM catalogue_entry), (SELECT COUNT(*) FROM plugin_resource), "
    "(SELECT COUNT(*) FROM cluster), (SELECT COUNT(*) FROM node), (SELECT COUNT(*) FROM job), "
    "(SELECT COUNT(*) FROM task), (SELECT COUNT(*) FROM task_edge), (SELECT COUNT(*) FROM "
    "ready_task), (SELECT COUNT(*) FROM attempt), (SELECT COUNT(*) FROM transcript)";

}  // namespace

BOOST_AUTO_TEST_CASE(no_migration_loses_a_row) {
    OldDatabase old;
    const std::string before = old.rows(all_counts);
    BOOST_REQUIRE(before == "1 2 1 1 1 4 6 5 9 1 2 2 4");

    for (int version = 2; version <= old.newest(); ++version) {
        old.migrate_to(version);
        BOOST_TEST(old.rows(all_counts) == before, version);
    }
}

BOOST_AUTO_TEST_CASE(clusters_get_the_dns_suffix_of_their_first_node) {
    OldDatabase old;

    old.migrate_to(3);

    BOOST_TEST(old.rows("SELECT id, dns_suffix FROM cluster ORDER BY id") ==
               "1 example.com; 2 ; 3 ; 4 local");
}

BOOST_AUTO_TEST_CASE(what_waits_in_the_queue_learns_its_tenant) {
    OldDatabase old;
    old.migrate_to(3);

    old.migrate_to(4);

    BOOST_TEST(old.rows("SELECT task_id, tenant_id FROM ready_task ORDER BY task_id") ==
               "402 1; 403 1");
}

BOOST_AUTO_TEST_CASE(pieces_of_output_get_their_place_and_notes_do_not_count) {
    OldDatabase old;
    old.migrate_to(4);

    old.migrate_to(5);

    BOOST_TEST(old.rows("SELECT id, from_byte, size FROM transcript WHERE stream <> 'note' "
                        "ORDER BY id") == "2 0 5; 3 5 2; 4 7 6");
}

BOOST_AUTO_TEST_CASE(what_waits_in_the_queue_learns_which_plugins_it_needs) {
    OldDatabase old;
    old.migrate_to(13);

    old.migrate_to(14);

    BOOST_TEST(old.rows("SELECT task_id, needs FROM ready_task ORDER BY task_id") ==
               "402 [\"shell\"]; 403 [\"provider simulated\"]");
}

BOOST_AUTO_TEST_CASE(clusters_belong_to_the_user_of_that_name_unless_that_user_came_later) {
    OldDatabase old;
    old.migrate_to(14);

    old.migrate_to(15);

    BOOST_TEST(old.rows("SELECT id, owner, owner_id FROM cluster ORDER BY id") ==
               "1 ann 1; 2 ann 1; 3 bob -; 4 ann 1");
}

BOOST_AUTO_TEST_CASE(usage_is_taken_from_the_tasks_that_made_and_deleted_machines) {
    OldDatabase old;
    old.migrate_to(15);

    old.migrate_to(16);

    BOOST_TEST(old.rows("SELECT node_id, TIME_FORMAT(began_at, '%T'), TIME_FORMAT(ended_at, '%T'), "
                        "cluster_id, owner, "
                        "cluster_template FROM machine_span ORDER BY node_id") ==
               "11 10:01:00 - 1 ann pair; 12 10:02:00 - 1 ann pair; "
               "21 10:01:00 10:05:00 2 ann pair; 22 10:02:00 10:06:00 2 ann pair; "
               "41 10:01:00 - 4 ann pair");
    BOOST_TEST(
        old.rows(
            "SELECT id, TIME_FORMAT(ended_at, '%T'), unsatisfiable FROM cluster ORDER BY id") ==
        "1 - 0; 2 10:06:00 0; 3 10:00:00 1; 4 - 0");
}

BOOST_AUTO_TEST_CASE(attempts_that_a_person_forgave_stay_so) {
    OldDatabase old;
    old.migrate_to(18);
    old.run("UPDATE task SET forgiven = 1 WHERE id = 402");

    old.migrate_to(19);

    BOOST_TEST(old.rows("SELECT attempts_offset FROM task WHERE id = 402") == "1");
}

BOOST_AUTO_TEST_CASE(spans_that_nothing_could_close_end_with_their_cluster) {
    OldDatabase old;
    old.migrate_to(19);
    old.run("UPDATE machine_span SET ended_at = NULL WHERE node_id = 21");
    old.run(
        "INSERT INTO machine_span (node_id, began_at, tenant_id, cluster_id, owner, "
        "cluster_template) VALUES (99, '2025-05-01 10:00:00', 1, 77, 'ann', 'pair')");

    old.migrate_to(20);

    BOOST_TEST(old.rows("SELECT node_id, TIME_FORMAT(ended_at, '%T') FROM machine_span "
                        "WHERE node_id IN (11, 21, 99) ORDER BY node_id") ==
               "11 -; 21 10:06:00; 99 10:00:00");
}

BOOST_AUTO_TEST_CASE(machines_that_are_there_learn_of_what_kind_they_are) {
    OldDatabase old;
    old.migrate_to(21);
    old.run(
        "INSERT INTO machine_usage VALUES (1, 'ann', 'pair', 1, 7200, 120, 2, 0, "
        "'2025-01-01 10:00:00', '2025-01-01 12:00:00')");

    old.migrate_to(23);

    BOOST_TEST(old.rows("SELECT DISTINCT provider_type, provider, region, flavor FROM machine_span "
                        "WHERE node_id IN (11, 12)") == "simulated cloud  f");
    BOOST_TEST(old.rows("SELECT owner, currency, micros, unpriced_seconds FROM machine_cost") ==
               "ann  0 7200");
}

BOOST_AUTO_TEST_CASE(todays_code_reads_and_goes_on_with_what_the_first_version_stored) {
    OldDatabase old;
    old.migrate_to(old.newest());
    store::Database database(old.config());
    model::Caller caller;
    const auto read = [&](auto what) { return database.read(what); };
    caller.tenant = *read([](auto& connection) { return store::find_tenant(connection, "acme"); });
    caller.user.role = model::Role::admin;

    const auto clusters =
        read([&](auto& connection) { return store::list_clusters(connection, caller, {}); });
    const auto live = read([&](auto& connection) {
        return store::find_cluster(connection, caller, model::ClusterId{1});
    });
    const auto printed = read([&](auto& connection) {
        return store::transcript_after(connection, model::TaskId{402}, 0, 10);
    });
    queue::MysqlTaskQueue queue(old.config());
    const auto claims = queue.claim("host/1", 10, 60s);

    BOOST_TEST(clusters.size() == 4U);
    BOOST_REQUIRE(live.has_value());
    BOOST_TEST(live->snapshot.provider.provider_type == "simulated");
    BOOST_TEST(read([&](auto& connection) {
                   return store::nodes_of(connection, model::ClusterId{1});
               }).size() == 2U);
    BOOST_REQUIRE(printed.size() == 4U);
    BOOST_TEST(printed.back().body == " again");
    BOOST_REQUIRE(claims.size() == 2U);
    BOOST_TEST(claims.front().tries() + claims.back().tries() == 3);
}

BOOST_AUTO_TEST_SUITE_END()
