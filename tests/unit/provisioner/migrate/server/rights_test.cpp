#include "provisioner/migrate/server/rights.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace provisioner::migrate;

BOOST_AUTO_TEST_CASE(programs_that_serve_change_rows_and_nothing_else) {
    BOOST_TEST(joined(rights_of("provisioner")) == "DELETE, INSERT, SELECT, UPDATE");
    BOOST_TEST(rights_of("web").empty());
    BOOST_TEST((web_rights_at("job") == rights_of("provisioner")));
    BOOST_TEST(rights_of("migrate").contains("ALTER"));
    BOOST_CHECK_THROW(rights_of("other"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(the_web_may_append_to_the_audit_log_only) {
    BOOST_TEST(joined(web_rights_at("audit_event")) == "INSERT, SELECT");
    BOOST_TEST(joined(web_rights_at("audit_chain")) == "INSERT, SELECT, UPDATE");
    for (const char* table : {"audit_seal", "audit_export", "audit_target", "schema_migration"}) {
        BOOST_TEST(joined(web_rights_at(table)) == "SELECT", table);
    }
}

BOOST_AUTO_TEST_CASE(rights_at_a_table_are_its_own_and_those_at_the_database) {
    const std::vector<std::string> grants{"GRANT `w-tables` TO `w`@`h`",
                                          "GRANT SELECT ON `c\\_1`.* TO `w`@`h`",
                                          "GRANT INSERT, UPDATE ON `c_1`.`job` TO `w-tables`",
                                          "GRANT DELETE ON `cx1`.`job` TO `w-tables`"};

    BOOST_TEST(joined(rights_at_table("c_1", "job", grants)) == "INSERT, SELECT, UPDATE");
    BOOST_TEST(joined(rights_at_table("c_1", "task", grants)) == "SELECT");
    BOOST_TEST(joined(rights_at_table("cx1", "job", grants)) == "DELETE");
}

BOOST_AUTO_TEST_CASE(rights_count_at_the_database_at_patterns_and_at_all) {
    const auto at = [](const std::string& database, const std::string& grant) {
        return joined(rights_at(database, {"GRANT USAGE ON *.* TO `u`@`h`", grant}));
    };

    BOOST_TEST(at("c", "GRANT SELECT, INSERT ON `c`.* TO `u`@`h`") == "INSERT, SELECT, USAGE");
    BOOST_TEST(at("c", "GRANT SELECT ON *.* TO `u`@`h` WITH GRANT OPTION") ==
               "GRANT OPTION, SELECT, USAGE");
    BOOST_TEST(at("c", "GRANT SELECT ON `d`.* TO `u`@`h`") == "USAGE");
    BOOST_TEST(at("c_1", "GRANT SELECT ON `c\\_1`.* TO `u`@`h`") == "SELECT, USAGE");
    BOOST_TEST(at("cx1", "GRANT SELECT ON `c\\_1`.* TO `u`@`h`") == "USAGE");
    BOOST_TEST(at("cx1", "GRANT SELECT ON `c_1`.* TO `u`@`h`") == "SELECT, USAGE");
    BOOST_TEST(at("coop", "GRANT SELECT ON `c%`.* TO `u`@`h`") == "SELECT, USAGE");
    BOOST_TEST(at("c", "GRANT SELECT ON `c`.`t` TO `u`@`h`") == "USAGE");
}

BOOST_AUTO_TEST_CASE(grants_elsewhere_are_beyond_the_database) {
    const auto beyond = grants_beyond(
        "c_1", "u-tables",
        {"GRANT USAGE ON *.* TO `u`@`h` IDENTIFIED BY PASSWORD '*1'",
         "GRANT SELECT ON `c\\_1`.* TO `u`@`h`", "GRANT `u-tables` TO `u`@`h`",
         "GRANT `u-tables`@`%` TO `u`@`h`", "GRANT SELECT ON `c_1`.`job` TO `u-tables`",
         "SET DEFAULT ROLE `u-tables` FOR `u`@`h`", "GRANT `other` TO `u`@`h`",
         "GRANT PROCESS ON *.* TO `u`@`h` IDENTIFIED "
         "BY PASSWORD '*1'"});

    BOOST_REQUIRE(beyond.size() == 2U);
    BOOST_TEST(beyond[0] == "GRANT `other` TO `u`@`h`");
    BOOST_TEST(beyond[1] == "GRANT PROCESS ON *.* TO `u`@`h`");
}

BOOST_AUTO_TEST_CASE(names_of_databases_are_no_patterns) {
    BOOST_TEST(pattern_of("a_b%") == "`a\\_b\\%`");
}
