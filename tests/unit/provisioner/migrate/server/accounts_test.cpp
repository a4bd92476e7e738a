#include "provisioner/migrate/server/accounts.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>

#include "provisioner/identity/codes/database_password.hpp"
#include "provisioner/migrate/server/rotate_password.hpp"

using namespace provisioner;
using namespace provisioner::migrate;

namespace {

ConfigOf reader_of(const std::string& lines) {
    return [=](const std::string& program) { return base::Config::parse(lines, program); };
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_program_has_an_account_of_its_own) {
    const auto accounts = accounts_of(reader_of("database.socket = /run/s\n"), "localhost");

    BOOST_REQUIRE(accounts.size() == 3U);
    BOOST_TEST(accounts[0].user == "cooperage-web");
    BOOST_TEST(accounts[1].user == "cooperage-provisioner");
    BOOST_TEST(accounts[2].user == "cooperage-migrate");
    BOOST_TEST(accounts[2].system_user == "root");
    BOOST_TEST(accounts[0].role == "cooperage-web-tables");
    BOOST_TEST(accounts[0].rights.empty());
    BOOST_TEST(accounts[1].role == "");
}

BOOST_AUTO_TEST_CASE(a_shared_account_has_the_rights_of_all_who_share_it) {
    const auto accounts = accounts_of(
        reader_of("database.user = one\ndatabase.password = x\nweb.database.user = two\n"), "%");

    BOOST_REQUIRE(accounts.size() == 2U);
    BOOST_TEST(accounts[0].user == "two");
    BOOST_TEST((accounts[1].rights == rights_of("migrate")));

    const auto pair = accounts_of(
        reader_of("database.user = one\ndatabase.password = x\nmigrate.database.user = two\n"),
        "%");
    BOOST_TEST((pair[0].rights == rights_of("provisioner")));
    BOOST_TEST(pair[0].role == "");
}

BOOST_AUTO_TEST_CASE(a_web_whose_name_leaves_no_room_for_its_role_is_refused) {
    const auto with = [](std::size_t length) {
        return accounts_of(reader_of("database.socket = /run/s\nweb.database.user = " +
                                     std::string(length, 'w') + "\n"),
                           "localhost");
    };

    BOOST_TEST(with(25)[0].role.size() == 32U);
    BOOST_CHECK_THROW(with(26), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(an_account_by_tcp_needs_a_password) {
    BOOST_CHECK_EXCEPTION(
        accounts_of(reader_of("database.host = db\n"), "%"), std::runtime_error,
        [](const std::runtime_error& error) {
            return std::string(error.what()).find("web.database.password_file is not set") == 0;
        });
}

BOOST_AUTO_TEST_CASE(statements_make_accounts_with_these_rights_and_no_others) {
    const std::vector<Account> accounts{{.user = "w",
                                         .from = "localhost",
                                         .password = base::Secret("it's \\"),
                                         .system_user = "w",
                                         .rights = {"SELECT"}},
                                        {.user = "m",
                                         .from = "localhost",
                                         .password = {},
                                         .system_user = "root",
                                         .rights = {"ALTER"}}};

    const auto mariadb = account_statements(ServerKind::mariadb, "c_1", accounts, {});
    const auto mysql = account_statements(ServerKind::mysql, "c_1", accounts, {}, true);

    BOOST_REQUIRE(mariadb.size() == 9U);
    BOOST_TEST(mariadb[0] ==
               "CREATE DATABASE IF NOT EXISTS `c_1` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");
    // MariaDB's binlog has statements as they came.
    BOOST_TEST(mariadb[2] ==
               "ALTER USER 'w'@'localhost' IDENTIFIED VIA mysql_native_password USING "
               "'" +
                   identity::native_password_hash(base::Secret("it's \\")) + "'");
    BOOST_TEST(mysql[3] == "ALTER USER 'w'@'localhost' IDENTIFIED BY 'it''s \\\\'");
    BOOST_TEST(mariadb[3] == "REVOKE ALL PRIVILEGES, GRANT OPTION FROM 'w'@'localhost'");
    BOOST_TEST(mariadb[4] == "GRANT SELECT ON `c\\_1`.* TO 'w'@'localhost'");
    BOOST_TEST(mariadb[5] ==
               "CREATE USER IF NOT EXISTS 'm'@'localhost' IDENTIFIED VIA unix_socket");
    BOOST_REQUIRE(mysql.size() == 10U);
    BOOST_TEST(mysql[1] == "INSTALL PLUGIN auth_socket SONAME 'auth_socket.so'");
    BOOST_TEST(mysql[6] ==
               "CREATE USER IF NOT EXISTS 'm'@'localhost' IDENTIFIED WITH auth_socket AS 'root'");
}

BOOST_AUTO_TEST_CASE(a_role_has_its_rights_before_the_account_loses_others) {
    const std::vector<Account> accounts{{.user = "w",
                                         .from = "%",
                                         .password = {},
                                         .system_user = "w",
                                         .rights = {},
                                         .role = "w-tables"},
                                        {.user = "m",
                                         .from = "%",
                                         .password = {},
                                         .system_user = "root",
                                         .rights = {"ALTER", "GRANT OPTION"}}};
    const std::vector<std::string> tables{"audit_event", "job"};

    const auto mariadb = account_statements(ServerKind::mariadb, "c_1", accounts, tables);
    const auto mysql = account_statements(ServerKind::mysql, "c_1", accounts, tables);

    BOOST_REQUIRE(mariadb.size() == 13U);
    BOOST_TEST(mariadb[1] == "CREATE ROLE IF NOT EXISTS 'w-tables'");
    BOOST_TEST(mariadb[2] == "GRANT INSERT, SELECT ON `c_1`.`audit_event` TO 'w-tables'");
    BOOST_TEST(mariadb[3] == "GRANT DELETE, INSERT, SELECT, UPDATE ON `c_1`.`job` TO 'w-tables'");
    BOOST_TEST(mariadb[6] == "REVOKE ALL PRIVILEGES, GRANT OPTION FROM 'w'@'%'");
    BOOST_TEST(mariadb[7] == "GRANT 'w-tables' TO 'w'@'%'");
    BOOST_TEST(mariadb[8] == "SET DEFAULT ROLE 'w-tables' FOR 'w'@'%'");
    BOOST_TEST(mysql[8] == "ALTER USER 'w'@'%' DEFAULT ROLE 'w-tables'");
    BOOST_TEST(mariadb[12] == "GRANT ALTER ON `c\\_1`.* TO 'm'@'%' WITH GRANT OPTION");
}

BOOST_AUTO_TEST_CASE(a_password_is_changed_by_a_time_in_which_both_let_in) {
    const base::Secret before("password");
    const base::Secret after("coop_after");

    const auto mariadb = password_change(ServerKind::mariadb, "'w'@'localhost'", before, after);
    const auto mysql = password_change(ServerKind::mysql, "'w'@'localhost'", before, after);

    const std::string native = "mysql_native_password USING ";
    const std::string known = "'*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19'";
    const std::string fresh = "'" + identity::native_password_hash(after) + "'";
    BOOST_TEST(mariadb.begin == "ALTER USER 'w'@'localhost' IDENTIFIED VIA " + native + fresh +
                                    " OR " + native + known);
    BOOST_TEST(mariadb.end == "ALTER USER 'w'@'localhost' IDENTIFIED VIA " + native + fresh);
    BOOST_TEST(mysql.begin ==
               "ALTER USER 'w'@'localhost' IDENTIFIED BY 'coop_after' RETAIN CURRENT PASSWORD");
    BOOST_TEST(mysql.end == "ALTER USER 'w'@'localhost' DISCARD OLD PASSWORD");
}
