#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>
#include <cppconn/exception.h>
#include <cppconn/resultset.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "provisioner/migrate/mysql_migrator.hpp"
#include "provisioner/migrate/server/accounts.hpp"
#include "provisioner/migrate/server/checks.hpp"
#include "provisioner/migrate/server/rotate_password.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/database/database.hpp"
#include "tests/integration/provisioner/fixture.hpp"

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(setup_of_the_server, *boost::unit_test::precondition(tests::is_mariadb))

namespace {

/// An installation with accounts of its own on the server that all cases share.
struct Site {
    explicit Site(const std::string& name)
        : folder(tests::server().folder() + "/" + name),
          lines("database.socket = " + tests::server().config().get("database.socket") +
                "\ndatabase.name = " + name + "\n") {
        std::filesystem::create_directory(folder);
        for (const std::string& program : migrate::programs()) {
            lines += program + ".database.user = " + name + "_" + program + "\n" + program +
                     ".database.password_file = " + folder + "/" + program + "\n";
        }
    }

    base::Config config(const std::string& program) const {
        return base::Config::parse(lines, program);
    }
    migrate::ConfigOf reader() const {
        return [this](const std::string& program) { return config(program); };
    }
    migrate::Findings findings(const std::string& program) const {
        return migrate::check(
            migrate::read_server_facts(config(program), base::SystemClock().now()),
            config(program).get("database.name"), program);
    }

    std::string folder;
    std::string lines;
};

int error_of(const base::Config& config, const std::string& statement) {
    try {
        queue::execute(*queue::connect(config), statement);
        return 0;
    } catch (const sql::SQLException& error) {
        return error.getErrorCode();
    }
}

int mode_of(const std::string& path) {
    struct stat status {};
    BOOST_REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 0777;
}

constexpr int denied_command = 1142;
constexpr int denied_access = 1045;
const std::string mention_of_rights = "the account";

bool mentions_rights(const std::vector<std::string>& findings) {
    return std::ranges::any_of(findings, [](const std::string& finding) {
        return finding.starts_with(mention_of_rights);
    });
}

}  // namespace

BOOST_AUTO_TEST_CASE(accounts_can_do_their_work_and_no_more) {
    const Site site("set_up");

    migrate::set_up(site.reader(), "root");
    migrate::migrate(site.config("migrate"), migrate::read_schema("sql"));

    BOOST_TEST(mode_of(site.folder + "/web") == 0640);
    BOOST_TEST(mode_of(site.folder + "/migrate") == 0600);
    for (const char* program : {"web", "provisioner"}) {
        const base::Config config = site.config(program);
        BOOST_TEST(error_of(config, "UPDATE tenant SET description = ''") == 0);
        BOOST_TEST(error_of(config, "DROP TABLE session") == denied_command);
        BOOST_TEST(error_of(config, "CREATE TABLE other (id INT)") == denied_command);
    }
    for (const std::string& program : migrate::programs()) {
        const auto findings = site.findings(program);
        BOOST_TEST(findings.refusals.empty(), migrate::to_text(findings));
        BOOST_TEST(!mentions_rights(findings.warnings), migrate::to_text(findings));
    }
}

BOOST_AUTO_TEST_CASE(setting_up_again_keeps_passwords_and_takes_back_wider_rights) {
    const Site site("set_up_again");
    migrate::set_up(site.reader(), "root");
    const auto root = queue::connect_to_server(tests::server().config());
    queue::execute(*root, "GRANT ALL PRIVILEGES ON *.* TO set_up_again_web@localhost");
    BOOST_TEST(mentions_rights(site.findings("web").warnings));
    const auto text = [&] {
        std::ifstream file(site.folder + "/web");
        return std::string{std::istreambuf_iterator<char>(file), {}};
    };
    const std::string before = text();

    migrate::set_up(site.reader(), "root");

    BOOST_TEST(text() == before);
    BOOST_TEST(!mentions_rights(site.findings("web").warnings));
    BOOST_TEST(error_of(site.config("web"), "CREATE TABLE other (id INT)") == denied_command);
}

BOOST_AUTO_TEST_CASE(a_password_is_changed_while_programs_connect_and_none_is_refused) {
    const Site site("rotated");
    migrate::set_up(site.reader(), "root");
    migrate::migrate(site.config("migrate"), migrate::read_schema("sql"));
    const auto file_text = [&] {
        std::ifstream file(site.folder + "/web");
        return std::string{std::istreambuf_iterator<char>(file), {}};
    };
    const std::string before = file_text();
    store::Database database(base::Config::parse(site.lines + "database.pool = 1\n", "web"));
    std::atomic<bool> is_over = false;
    std::atomic<int> answered = 0;
    std::atomic<int> refused = 0;
    std::vector<std::jthread> clients;
    for (int i = 0; i < 6; ++i) {
        clients.emplace_back([&] {
            // More threads than pooled connections: most statements open one.
            while (!is_over) {
                try {
                    database.ping();
                    ++answered;
                } catch (const std::exception& error) {
                    ++refused;
                }
            }
        });
    }
    while (answered < 50) std::this_thread::yield();

    migrate::rotate_password(site.reader(), "web", "root", std::chrono::seconds{1});
    const int answered_before_the_second = answered;
    migrate::rotate_password(site.reader(), "web", "root", std::chrono::seconds{1});
    const int answered_then = answered;
    while (answered < answered_then + 50) std::this_thread::yield();
    is_over = true;
    clients.clear();

    BOOST_TEST(refused == 0);
    BOOST_TEST(answered_then > answered_before_the_second);
    BOOST_TEST(database.counters().unavailable.value() == 0U);
    BOOST_TEST(file_text() != before);
    BOOST_TEST(mode_of(site.folder + "/web") == 0640);
    BOOST_TEST(!std::filesystem::exists(site.folder + "/web.next"));
    std::ofstream(site.folder + "/before") << before;
    const auto old =
        base::Config::parse("database.socket = " + site.config("web").get("database.socket") +
                            "\ndatabase.name = rotated\ndatabase.user = rotated_web\n"
                            "database.password_file = " +
                            site.folder + "/before\n");
    BOOST_CHECK_EXCEPTION(
        queue::connect(old), sql::SQLException,
        [](const sql::SQLException& error) { return error.getErrorCode() == denied_access; });
}

BOOST_AUTO_TEST_CASE(a_program_waits_for_the_moment_between_the_server_and_the_file) {
    const Site site("waited");
    migrate::set_up(site.reader(), "root");
    migrate::migrate(site.config("migrate"), migrate::read_schema("sql"));
    store::Database database(site.config("web"));
    const auto root = queue::connect_to_server(tests::server().config());
    queue::execute(*root,
                   "ALTER USER waited_web@localhost IDENTIFIED VIA mysql_native_password "
                   "USING PASSWORD('another')");
    std::jthread late([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds{700});
        std::ofstream(site.folder + "/web.new") << "another\n";
        std::filesystem::rename(site.folder + "/web.new", site.folder + "/web");
    });

    BOOST_CHECK_NO_THROW(database.ping());
}

BOOST_AUTO_TEST_CASE(an_account_with_too_few_rights_is_told_which) {
    const Site site("too_few");
    migrate::set_up(site.reader(), "root");
    const auto root = queue::connect_to_server(tests::server().config());
    queue::execute(*root, "REVOKE ALTER, INDEX ON `too\\_few`.* FROM too_few_migrate@localhost");

    const auto findings = site.findings("migrate");

    BOOST_REQUIRE(findings.refusals.size() == 1U);
    BOOST_TEST(
        findings.refusals[0].find("lacks ALTER, INDEX at `too\\_few`.*") != std::string::npos,
        findings.refusals[0]);
}

BOOST_AUTO_TEST_CASE(other_databases_with_a_similar_name_stay_closed) {
    const Site site("a_b");
    migrate::set_up(site.reader(), "root");
    const auto root = queue::connect_to_server(tests::server().config());
    queue::execute(*root, "CREATE DATABASE axb");

    const base::Config similar =
        base::Config::parse(site.lines + "database.name = axb\n", "migrate");

    BOOST_TEST(error_of(similar, "CREATE TABLE t (id INT)") == 1044);
}

BOOST_AUTO_TEST_CASE(a_wrong_password_is_refused) {
    const Site site("wrong_password");
    migrate::set_up(site.reader(), "root");
    std::ofstream(site.folder + "/web") << "another\n";

    BOOST_TEST(error_of(site.config("web"), "SELECT 1") == denied_access);
}

BOOST_AUTO_TEST_SUITE_END()
