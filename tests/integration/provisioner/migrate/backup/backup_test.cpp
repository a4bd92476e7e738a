#include "provisioner/migrate/backup/backup.hpp"

#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <cppconn/resultset.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/queue/mysql_task_queue.hpp"
#include "tests/integration/provisioner/fixture.hpp"
#include "tests/integration/provisioner/migrate/old_database.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(backups, *boost::unit_test::precondition(tests::is_mariadb))

namespace {

std::string path_of(const std::string& name) {
    return tests::server().folder() + "/" + name;
}

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string one_value(const base::Config& config, const std::string& query) {
    const auto connection = queue::connect(config);
    const auto row = queue::select(*connection, query);
    BOOST_REQUIRE(row->next());
    return std::string(row->getString(1));
}

long long number(const base::Config& config, const std::string& query) {
    return std::stoll(one_value(config, query));
}

void change(const base::Config& config, const std::string& statement) {
    queue::execute(*queue::connect(config), statement);
}

auto saying(const std::string& part) {
    return [part](const std::runtime_error& error) {
        BOOST_TEST_MESSAGE(error.what());
        return std::string(error.what()).find(part) != std::string::npos;
    };
}

/// A database with jobs of the first version under way, taken to today's schema.
struct RunningJobs {
    RunningJobs() { old.migrate_to(old.newest()); }

    tests::OldDatabase old;
    base::Config config = old.config();
    migrate::SchemaFiles files = migrate::read_schema("sql");
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_backup_among_running_jobs_is_restored_elsewhere_row_by_row) {
    RunningJobs site;
    queue::MysqlTaskQueue queue(site.config);
    BOOST_REQUIRE(queue.claim("host/1", 1, 60s).size() == 1U);
    change(site.config,
           "INSERT INTO session (token_hash, user_id, stage, address, agent, created_at, "
           "last_used_at, proven_at, expires_at) VALUES (REPEAT('a', 64), 1, 'open', '', '', "
           "NOW(6), NOW(6), NOW(6), NOW(6))");
    const std::string path = path_of("running");
    const base::Config copy = tests::server().config("restored_copy");

    migrate::back_up(site.config, path, tests::some_time());
    const auto applied = migrate::restore(copy, site.files, {.path = path});

    struct stat status {};
    BOOST_REQUIRE(::stat(path.c_str(), &status) == 0);
    BOOST_TEST((status.st_mode & 0777) == 0600U);
    BOOST_TEST(applied.empty());
    BOOST_TEST(number(copy, "SELECT COUNT(*) FROM session") == 0);
    BOOST_TEST(number(copy, "SELECT COUNT(*) FROM schema_progress") == 0);
    // But for fences, claims and sessions everything is as it was.
    change(copy,
           "UPDATE task SET fence = 0, claimed_until = IF(claimed_until IS NULL, NULL, "
           "'2030-01-01')");
    change(site.config,
           "UPDATE task SET fence = 0, claimed_until = IF(claimed_until IS NULL, "
           "NULL, '2030-01-01')");
    change(site.config, "DELETE FROM session");
    BOOST_TEST(tests::definition_of(copy) == tests::definition_of(site.config));
    BOOST_TEST(tests::rows_of(copy) == tests::rows_of(site.config));
}

BOOST_AUTO_TEST_CASE(restored_tasks_are_claimed_above_every_fence_that_a_node_has_seen) {
    RunningJobs site;
    queue::MysqlTaskQueue before(site.config);
    const auto held = before.claim("host/1", 1, 60s);
    BOOST_REQUIRE(held.size() == 1U);
    const std::string path = path_of("fences");
    migrate::back_up(site.config, path, tests::some_time());
    // What goes on after the backup: nodes see higher fences, ids are given out.
    change(site.config, "UPDATE task SET fence = fence + 1000000");
    const long long seen = number(site.config, "SELECT MAX(fence) FROM task");
    const long long last_task = number(site.config, "SELECT MAX(id) FROM task");

    migrate::restore(site.config, site.files, {.path = path, .may_replace = true});

    // The daemon from before the restore has lost its claim.
    BOOST_TEST(before.renew(held, 60s).empty());
    queue::MysqlTaskQueue after(site.config);
    after.rescue({.instance = "other", .worker = "other/2"});
    const auto claims = after.claim("other/2", 10, 60s);
    BOOST_REQUIRE(claims.size() == 2U);
    for (const auto& claim : claims) BOOST_TEST(claim.fence > seen);
    change(site.config,
           "INSERT INTO task (job_id, node_id, action, service, state, waits_for, attempt, fence, "
           "message) SELECT job_id, node_id, action, service, 'done', 0, 1, 0, '' FROM task LIMIT "
           "1");
    BOOST_TEST(number(site.config, "SELECT MAX(id) FROM task") > last_task + 1000000);
}

BOOST_AUTO_TEST_CASE(a_second_restore_goes_further_than_the_first) {
    RunningJobs site;
    const std::string path = path_of("twice");
    migrate::back_up(site.config, path, tests::some_time());
    migrate::restore(site.config, site.files, {.path = path, .may_replace = true});
    const long long first = number(site.config, "SELECT MIN(fence) FROM task");
    std::this_thread::sleep_for(1100ms);

    migrate::restore(site.config, site.files, {.path = path, .may_replace = true});

    BOOST_TEST(number(site.config, "SELECT MIN(fence) FROM task") > first + 500);
}

BOOST_AUTO_TEST_CASE(an_older_schema_is_migrated_and_a_newer_one_refused) {
    tests::OldDatabase old;
    old.migrate_to(14);
    const std::string path = path_of("older");
    migrate::SchemaFiles files = migrate::read_schema("sql");
    migrate::back_up(old.config(), path, tests::some_time());
    const base::Config copy = tests::server().config("restored_older");

    const auto applied = migrate::restore(copy, files, {.path = path});

    BOOST_TEST(applied.front() == "0015_owners_and_askers.sql");
    BOOST_TEST(number(copy, "SELECT COUNT(*) FROM machine_span") == 5);
    std::erase_if(files.migrations, [](const auto& one) { return one.version > 13; });
    BOOST_CHECK_EXCEPTION(migrate::restore(tests::server().config("newer"), files, {.path = path}),
                          std::runtime_error, saying("newer than this program"));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_cut_off_or_changed_is_refused_before_anything_changes) {
    RunningJobs site;
    const std::string path = path_of("whole");
    migrate::back_up(site.config, path, tests::some_time());
    const std::string whole = text_of(path);
    const std::string before = tests::rows_of(site.config);

    for (const std::size_t size :
         {std::size_t{0}, std::size_t{10}, std::size_t{60}, whole.size() / 2, whole.size() - 1}) {
        std::ofstream(path_of("cut"), std::ios::binary) << whole.substr(0, size);
        BOOST_CHECK_THROW(migrate::restore(site.config, site.files,
                                           {.path = path_of("cut"), .may_replace = true}),
                          std::runtime_error);
    }
    std::string changed = whole;
    changed[whole.size() / 2] = static_cast<char>(changed[whole.size() / 2] ^ 1);
    std::ofstream(path_of("cut"), std::ios::binary) << changed;
    BOOST_CHECK_EXCEPTION(
        migrate::restore(site.config, site.files, {.path = path_of("cut"), .may_replace = true}),
        std::runtime_error, saying("its checksum is wrong"));

    BOOST_TEST(tests::rows_of(site.config) == before);
}

BOOST_AUTO_TEST_CASE(tables_are_replaced_only_when_asked_and_without_a_daemon) {
    RunningJobs site;
    const std::string path = path_of("replace");
    migrate::back_up(site.config, path, tests::some_time());

    BOOST_CHECK_EXCEPTION(migrate::restore(site.config, site.files, {.path = path}),
                          std::runtime_error, saying("use --replace"));
    change(site.config,
           "INSERT INTO daemon VALUES ('d', 1, 1, 0, 0, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), '[]', "
           "'')");
    BOOST_CHECK_EXCEPTION(
        migrate::restore(site.config, site.files, {.path = path, .may_replace = true}),
        std::runtime_error, saying("cooperage-provisioner is at work"));
    BOOST_TEST(number(site.config, "SELECT COUNT(*) FROM cluster") == 4);
}

BOOST_AUTO_TEST_CASE(an_interrupted_restore_is_no_database_and_is_run_again) {
    RunningJobs site;
    const std::string path = path_of("interrupted");
    migrate::back_up(site.config, path, tests::some_time());
    change(site.config, "INSERT INTO schema_progress VALUES ('restore', '', 0, '')");
    change(site.config, "DROP TABLE transcript");

    BOOST_CHECK_EXCEPTION(migrate::migrate(site.config, site.files), std::runtime_error,
                          saying("a restore was interrupted"));
    BOOST_CHECK_EXCEPTION(migrate::back_up(site.config, path_of("half"), tests::some_time()),
                          std::runtime_error, saying("was interrupted"));
    BOOST_TEST(!std::filesystem::exists(path_of("half")));

    migrate::restore(site.config, site.files, {.path = path});

    BOOST_TEST(number(site.config, "SELECT COUNT(*) FROM transcript") == 4);
}

BOOST_AUTO_TEST_CASE(a_backup_that_fails_leaves_no_file_and_none_is_written_over) {
    RunningJobs site;
    const std::string path = path_of("once");
    migrate::back_up(site.config, path, tests::some_time());
    const std::string first = text_of(path);

    BOOST_CHECK_EXCEPTION(migrate::back_up(site.config, path, tests::some_time()),
                          std::runtime_error, saying("exists already"));
    BOOST_TEST((text_of(path) == first));
    BOOST_CHECK_THROW(
        migrate::back_up(tests::server().config("old_1"), "/nowhere/backup", tests::some_time()),
        std::runtime_error);
}

BOOST_AUTO_TEST_CASE(keys_are_kept_apart_and_come_back_where_the_settings_say) {
    const std::string folder = path_of("keys");
    std::filesystem::create_directory(folder);
    const base::Config config = tests::server().config(
        "keys", "secrets.keys = " + folder + "/secrets\nsecrets.daemon_keys = " + folder +
                    "/daemon\nsecrets.daemon_public_key = " + folder +
                    "/public\nssh.private_key = " + folder + "/ssh\naudit.key = " + folder +
                    "/audit\n");
    std::ofstream(folder + "/secrets") << "1 abc\n";
    std::ofstream(folder + "/daemon") << "1 def\n";
    std::ofstream(folder + "/public") << "1 012\n";
    std::ofstream(folder + "/ssh") << "private\n";
    std::ofstream(folder + "/ssh.pub") << "public\n";
    std::ofstream(folder + "/audit") << "seed\n";
    // The daemon's group may read it; who restores it is another.
    constexpr gid_t group_of_daemon = 1;
    BOOST_REQUIRE(::chown((folder + "/ssh").c_str(), ::getuid(), group_of_daemon) == 0);
    BOOST_REQUIRE(::chmod((folder + "/ssh").c_str(), 0640) == 0);
    migrate::back_up_keys(config, folder + "/saved", tests::some_time());

    std::ofstream(folder + "/secrets") << "2 other\n";
    std::filesystem::remove(folder + "/ssh");
    std::filesystem::remove(folder + "/audit");
    std::filesystem::remove(folder + "/daemon");
    std::filesystem::remove(folder + "/public");
    BOOST_CHECK_EXCEPTION(migrate::restore_keys(config, {.path = folder + "/saved"}),
                          std::runtime_error, saying("another content"));
    BOOST_TEST(!std::filesystem::exists(folder + "/ssh"));
    migrate::restore_keys(config, {.path = folder + "/saved", .may_replace = true});

    BOOST_TEST(text_of(folder + "/secrets") == "1 abc\n");
    BOOST_TEST(text_of(folder + "/daemon") == "1 def\n");
    BOOST_TEST(text_of(folder + "/public") == "1 012\n");
    BOOST_TEST(text_of(folder + "/ssh") == "private\n");
    BOOST_TEST(text_of(folder + "/audit") == "seed\n");
    struct stat restored {};
    BOOST_REQUIRE(::stat((folder + "/ssh").c_str(), &restored) == 0);
    BOOST_TEST(restored.st_gid == group_of_daemon);
    BOOST_TEST((restored.st_mode & 0777) == 0640U);
    BOOST_CHECK_EXCEPTION(
        migrate::restore(config, migrate::read_schema("sql"), {.path = folder + "/saved"}),
        std::runtime_error, saying("not of data"));
}

BOOST_AUTO_TEST_SUITE_END()
