#include "provisioner/migrate/progress.hpp"

#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "tests/integration/provisioner/fixture.hpp"
#include "tests/integration/provisioner/migrate/old_database.hpp"

using namespace provisioner;
using migrate::Moment;

// `up` may be killed anywhere and run again.
BOOST_AUTO_TEST_SUITE(progress_of_migrations)

namespace {

using Place = std::tuple<std::string, std::size_t, migrate::Step>;

Place place_of(const Moment& moment) {
    return {moment.file, moment.statement, moment.step};
}

/// Migrates in a process that kills itself (SIGKILL) at the first place that is not in `passed`.
/// Whether it came to the end.
bool reaches_the_end(const base::Config& config, const migrate::SchemaFiles& files,
                     const std::set<Place>& passed, Place& died_at) {
    int ends[2];
    BOOST_REQUIRE(::pipe(ends) == 0);
    const int child = ::fork();
    if (child == 0) {
        try {
            migrate::migrate(config, files, [&](const Moment& moment) {
                if (passed.contains(place_of(moment))) return;
                const std::string text = moment.file + " " + std::to_string(moment.statement) +
                                         " " + std::to_string(static_cast<int>(moment.step));
                if (::write(ends[1], text.data(), text.size()) < 0) ::_exit(3);
                ::raise(SIGKILL);
            });
            ::_exit(0);
        } catch (const std::exception& error) {
            std::cerr << error.what() << std::endl;
            ::_exit(2);
        }
    }
    ::close(ends[1]);
    char text[300] = {};
    const auto size = ::read(ends[0], text, sizeof text - 1);
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status)) {
        BOOST_REQUIRE_MESSAGE(WEXITSTATUS(status) == 0, "the migration could not go on");
        return true;
    }
    BOOST_REQUIRE(size > 0);
    std::istringstream words{std::string(text)};
    int step = 0;
    words >> std::get<0>(died_at) >> std::get<1>(died_at) >> step;
    std::get<2>(died_at) = static_cast<migrate::Step>(step);
    return false;
}

/// Migrates with a kill at every place there is; returns their number.
std::size_t kill_everywhere(const base::Config& config, const migrate::SchemaFiles& files) {
    std::set<Place> passed;
    Place died_at;
    while (!reaches_the_end(config, files, passed, died_at)) {
        BOOST_REQUIRE(passed.insert(died_at).second);
    }
    return passed.size();
}

/// Numbers that an undone INSERT took are not given again, so ids of `content` may differ. They
/// become those of an order that both databases share.
void renumber_contents(tests::OldDatabase& database) {
    database.run("SET foreign_key_checks = 0");
    database.run(
        "CREATE TEMPORARY TABLE numbered SELECT id, 1000 + ROW_NUMBER() OVER "
        "(ORDER BY name) AS number FROM content");
    for (const char* column :
         {"content.id", "content_piece.content_id", "plugin_resource.content_id"}) {
        const std::string name = column;
        database.run("UPDATE " + name.substr(0, name.find('.')) +
                     " JOIN numbered ON numbered.id = " + name + " SET " + name +
                     " = numbered.number");
    }
}

/// The same of the lines of the catalogue's history.
void renumber_versions(tests::OldDatabase& database) {
    database.run(
        "CREATE TEMPORARY TABLE numbered_versions SELECT id, 1000 + ROW_NUMBER() OVER "
        "(ORDER BY tenant_id, kind, name, version, id) AS number FROM catalogue_version");
    database.run(
        "UPDATE catalogue_version JOIN numbered_versions ON numbered_versions.id = "
        "catalogue_version.id SET catalogue_version.id = numbered_versions.number");
}

std::size_t statements_of(const migrate::SchemaFiles& files) {
    std::size_t statements = 0;
    for (const auto& one : files.migrations) {
        statements += migrate::split_statements(one.text).size();
    }
    return statements;
}

/// Ends a run after the statement of that number was executed, or before it was.
migrate::Watch interrupting(std::size_t statement, migrate::Step step) {
    return [=](const Moment& moment) {
        if (moment.statement == statement && moment.step == step) throw std::logic_error("stop");
    };
}

migrate::SchemaFiles one_file(const std::string& text, int version = 1,
                              const std::string& name = "0001_a.sql") {
    return {.migrations = {{.version = version, .name = name, .text = text}}, .whole = ""};
}

}  // namespace

BOOST_AUTO_TEST_CASE(
    killed_at_every_statement_of_every_migration_it_ends_at_the_same_tables_and_rows,
    *boost::unit_test::precondition(tests::is_mariadb)) {
    tests::OldDatabase killed;
    tests::OldDatabase whole;
    const auto first = migrate::split_statements(killed.files().migrations.front().text).size();

    const std::size_t kills = kill_everywhere(killed.config(), killed.files());
    whole.migrate_to(whole.newest());

    BOOST_TEST(kills >= 2 * (statements_of(killed.files()) - first));
    BOOST_TEST(killed.rows("SELECT COUNT(*) FROM schema_progress") == "0");
    renumber_contents(killed);
    renumber_versions(killed);
    renumber_contents(whole);
    renumber_versions(whole);
    BOOST_TEST(tests::definition_of(killed.config()) == tests::definition_of(whole.config()));
    BOOST_TEST(tests::rows_of(killed.config()) == tests::rows_of(whole.config()));
}

BOOST_AUTO_TEST_CASE(killed_at_every_statement_of_the_whole_schema_it_ends_at_the_same_tables) {
    const auto files = migrate::read_schema("sql");
    const base::Config killed = tests::server().config("whole_killed");
    const base::Config whole = tests::server().config("whole_at_once");

    const std::size_t kills = kill_everywhere(killed, files);
    migrate::migrate(whole, files);

    BOOST_TEST(kills >= 2 * migrate::split_statements(files.whole).size());
    BOOST_TEST(tests::definition_of(killed) == tests::definition_of(whole));
    BOOST_TEST(migrate::migrate(killed, files).empty());
}

BOOST_AUTO_TEST_CASE(rows_of_an_interrupted_statement_are_changed_once) {
    const base::Config config = tests::server().config("changed_once");
    const auto files =
        one_file("CREATE TABLE a (n INT); INSERT INTO a VALUES (1); UPDATE a SET n = n + 1;");

    for (const auto step : {migrate::Step::executed, migrate::Step::noted}) {
        BOOST_CHECK_THROW(migrate::migrate(config, files, interrupting(3, step)), std::logic_error);
    }
    BOOST_CHECK_THROW(migrate::migrate(config, files, interrupting(3, migrate::Step::committed)),
                      std::logic_error);
    migrate::migrate(config, files);

    const auto connection = queue::connect(config);
    const auto row = queue::select(*connection, "SELECT n FROM a");
    BOOST_REQUIRE(row->next());
    BOOST_TEST(row->getInt(1) == 2);
}

BOOST_AUTO_TEST_CASE(a_file_that_changed_since_it_was_interrupted_is_refused) {
    const base::Config config = tests::server().config("changed_file");
    const std::string begun = "CREATE TABLE a (n INT); CREATE TABLE b (n INT);";
    BOOST_CHECK_THROW(
        migrate::migrate(config, one_file(begun), interrupting(1, migrate::Step::executed)),
        std::logic_error);

    const auto says = [](const std::string& part) {
        return [part](const std::runtime_error& error) {
            return std::string(error.what()).find(part) != std::string::npos;
        };
    };
    BOOST_CHECK_EXCEPTION(migrate::migrate(config, one_file(begun + "CREATE TABLE c (n INT)")),
                          std::runtime_error, says("0001_a.sql was interrupted and has changed"));
    BOOST_CHECK_EXCEPTION(migrate::migrate(config, one_file(begun, 1, "0001_b.sql")),
                          std::runtime_error,
                          says("0001_a.sql was interrupted and is not the next"));
    BOOST_TEST(migrate::migrate(config, one_file(begun)).size() == 1U);
}

// A statement of the database server's own crash recovery: the server dies, not the program.
BOOST_AUTO_TEST_CASE(a_server_killed_among_the_statements_is_gone_on_with,
                     *boost::unit_test::precondition(tests::is_mariadb)) {
    tests::DatabaseServer server;
    const base::Config config = server.config("killed_server");
    auto files = migrate::read_schema("sql");
    files.whole = "";
    std::size_t seen = 0;

    // Places far apart, so that each run has something new to break off at.
    for (const std::size_t breaks_at : {5U, 60U, 45U, 9U, 30U, 17U}) {
        seen = 0;
        BOOST_CHECK_THROW(migrate::migrate(config, files,
                                           [&](const Moment&) {
                                               if (++seen == breaks_at) server.kill();
                                           }),
                          std::runtime_error);
        server.start_again();
    }
    migrate::migrate(config, files);

    const base::Config at_once = server.config("not_killed");
    migrate::migrate(at_once, migrate::read_schema("sql"));
    BOOST_TEST(tests::definition_of(config) == tests::definition_of(at_once));
}

BOOST_AUTO_TEST_SUITE_END()
