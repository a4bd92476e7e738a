#include <boost/test/unit_test.hpp>

#include <arpa/inet.h>
#include <cppconn/connection.h>
#include <cppconn/exception.h>
#include <cppconn/resultset.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "provisioner/migrate/mysql_migrator.hpp"
#include "provisioner/migrate/server/accounts.hpp"
#include "provisioner/migrate/server/checks.hpp"
#include "provisioner/migrate/server/password_file.hpp"
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

/// New passwords that do not count yet.
std::vector<std::string> next_files(const Site& site) {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(site.folder)) {
        const std::string name = entry.path().filename();
        if (name.find(".next") != std::string::npos) all.push_back(name);
    }
    return all;
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
    BOOST_TEST(next_files(site).empty());
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

/// A port of this machine that nothing listens on.
int free_port() {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(socket, reinterpret_cast<sockaddr*>(&address), size);
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(socket);
    return ntohs(address.sin_port);
}

/// A server that is reached by TCP, with one account.
struct FarServer {
    FarServer() {
        write("web", "first\n");
        const auto root = queue::connect_to_server(server.config());
        queue::execute(*root, "CREATE USER far@'%' IDENTIFIED BY 'first'");
    }
    base::Config config() const {
        return base::Config::parse(
            "database.host = 127.0.0.1\ndatabase.port = " + std::to_string(port) +
            "\ndatabase.user = far\ndatabase.name = none\n"
            "database.password_file = " +
            server.folder() + "/web\n");
    }
    void write(const std::string& file, const std::string& content) const {
        std::ofstream(server.folder() + "/" + file) << content;
    }
    std::string text() const {
        std::ifstream in(server.folder() + "/web");
        return std::string{std::istreambuf_iterator<char>(in), {}};
    }
    void rotate() const {
        migrate::rotate_password([this](const std::string&) { return config(); }, "web", "root",
                                 std::chrono::seconds{0});
    }
    bool lets_in() const {
        try {
            queue::connect_to_server(config());
            return true;
        } catch (const sql::SQLException&) {
            return false;
        }
    }
    std::vector<std::string> next_files() const {
        std::vector<std::string> all;
        for (const auto& entry : std::filesystem::directory_iterator(server.folder())) {
            const std::string name = entry.path().filename();
            if (name.find(".next") != std::string::npos) all.push_back(entry.path());
        }
        return all;
    }

    int port = free_port();
    tests::DatabaseServer server{
        {"--skip-networking=0", "--bind-address=127.0.0.1", "--port=" + std::to_string(port)}};
};

BOOST_AUTO_TEST_CASE(a_next_password_that_was_made_for_another_account_is_not_taken) {
    const Site site("bound");
    migrate::set_up(site.reader(), "root");
    migrate::migrate(site.config("migrate"), migrate::read_schema("sql"));
    std::ofstream(site.folder + "/web.next") << "of-an-earlier-version\n";
    std::ofstream(migrate::next_password_file(site.folder + "/web", "somebody else")) << "wrong\n";

    migrate::rotate_password(site.reader(), "web", "root", std::chrono::seconds{0});

    BOOST_TEST(error_of(site.config("web"), "DO 1") == 0);
    BOOST_TEST(next_files(site).size() == 2U);
    std::ostringstream complaints;
    BOOST_TEST(migrate::record_rotated_password(site.config("migrate"), site.config("web"), "web",
                                                complaints) == 0,
               complaints.str());
    const auto row = queue::select(*queue::connect(site.config("migrate")),
                                   "SELECT object_name, after_value FROM audit_event WHERE action "
                                   "= 'database-password.rotate'");
    BOOST_REQUIRE(row->next());
    BOOST_TEST(row->getString("object_name") == "bound_web");
    BOOST_TEST(row->getString("after_value") == R"({"program":"web"})");
}

BOOST_AUTO_TEST_CASE(a_file_is_replaced_only_by_a_password_that_has_let_in) {
    FarServer far;
    far.rotate();
    const std::string after = far.text();
    BOOST_TEST(after != "first\n");
    BOOST_TEST(far.lets_in());
    BOOST_TEST(far.next_files().empty());

    // Somebody else has changed the password at the server.
    const auto root = queue::connect_to_server(far.server.config());
    queue::execute(*root, "ALTER USER far@'%' IDENTIFIED BY 'another'");
    BOOST_CHECK_THROW(far.rotate(), std::runtime_error);
    BOOST_TEST(far.text() == after);
    // A next password that the server does not know either.
    const std::string next = migrate::next_password_file(
        far.server.folder() + "/web", "far\n" + far.config().get_or("database.socket", "") +
                                          "\n\n127.0.0.1\n" + std::to_string(far.port) + "\n");
    std::ofstream(next) << "wrong\n";
    BOOST_CHECK_THROW(far.rotate(), std::runtime_error);
    BOOST_TEST(far.text() == after);
    // One of another server, which this one would take.
    far.write("web.next", "another\n");
    far.write("web.next-0123456789abcdef", "another\n");
    BOOST_CHECK_THROW(far.rotate(), std::runtime_error);
    BOOST_TEST(far.text() == after);
    // An interrupted change: the server has the next one.
    std::ofstream(next) << "another\n";
    far.rotate();
    BOOST_TEST(far.text() == "another\n");
    BOOST_TEST(!std::filesystem::exists(next));
}

BOOST_AUTO_TEST_CASE(no_password_stands_in_a_statement) {
    FarServer far;
    const auto root = queue::connect_to_server(far.server.config());
    const std::string log = far.server.folder() + "/general";
    queue::execute(*root, "SET GLOBAL general_log_file = '" + log + "'");
    queue::execute(*root, "SET GLOBAL general_log = ON");

    far.rotate();

    queue::execute(*root, "SET GLOBAL general_log = OFF");
    std::ifstream in(log);
    const std::string logged{std::istreambuf_iterator<char>(in), {}};
    std::string password = far.text();
    password.pop_back();
    BOOST_TEST(logged.find("SET PASSWORD") != std::string::npos);
    BOOST_TEST(logged.find(password) == std::string::npos);
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
