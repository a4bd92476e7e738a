#include "provisioner/migrate/server/checks.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::migrate;

namespace {

ServerFacts a_good_server() {
    return {.version = "10.11.6-MariaDB-0+deb12u1",
            .variables = {{"max_allowed_packet", "536870912"},
                          {"log_bin", "ON"},
                          {"binlog_format", "ROW"},
                          {"read_only", "OFF"},
                          {"autocommit", "ON"},
                          {"enforce_storage_engine", ""},
                          {"innodb_page_size", "16384"}},
            .client_characters = "utf8mb4",
            .grants = {"GRANT USAGE ON *.* TO `u`@`h`",
                       "GRANT SELECT, INSERT, UPDATE, DELETE ON `c`.* TO `u`@`h`"},
            .account = "u@h",
            .tables = {},
            .cipher = "TLS_AES",
            .host = "db"};
}

std::string findings_of(const ServerFacts& facts, const char* program = "provisioner") {
    return to_text(check(facts, "c", program));
}

std::string with(const char* variable, const char* value) {
    ServerFacts facts = a_good_server();
    facts.variables[variable] = value;
    return findings_of(facts);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_good_server_has_no_findings) {
    BOOST_TEST(findings_of(a_good_server()) == "");
}

BOOST_AUTO_TEST_CASE(every_wrong_variable_is_named_with_its_value_and_what_it_should_be) {
    ServerFacts facts = a_good_server();
    facts.variables["read_only"] = "ON";
    facts.variables["binlog_format"] = "STATEMENT";
    facts.variables["max_allowed_packet"] = "1048576";

    const std::string text = findings_of(facts);

    BOOST_TEST(text.find("error: read_only is ON and should be OFF") != std::string::npos, text);
    BOOST_TEST(
        text.find("error: binlog_format is STATEMENT and should be ROW") != std::string::npos,
        text);
    BOOST_TEST(text.find("error: max_allowed_packet is 1048576 and should be at least 4M") !=
                   std::string::npos,
               text);
    BOOST_TEST(text.find("warning: max_allowed_packet") == std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(a_packet_that_only_large_requests_exceed_is_a_warning) {
    BOOST_TEST(with("max_allowed_packet", "16777216").starts_with("warning: max_allowed_packet"));
}

BOOST_AUTO_TEST_CASE(the_format_of_no_binary_log_does_not_matter) {
    ServerFacts facts = a_good_server();
    facts.variables["log_bin"] = "OFF";
    facts.variables["binlog_format"] = "STATEMENT";

    BOOST_TEST(findings_of(facts) == "");
    BOOST_TEST(with("binlog_format", "MIXED") == "");
}

BOOST_AUTO_TEST_CASE(an_engine_that_is_enforced_must_be_innodb) {
    BOOST_TEST(with("enforce_storage_engine", "MyISAM").starts_with("error: enforce_storage"));
    BOOST_TEST(with("enforce_storage_engine", "InnoDB") == "");
}

BOOST_AUTO_TEST_CASE(old_servers_are_refused) {
    const auto of = [](const char* version) {
        ServerFacts facts = a_good_server();
        facts.version = version;
        return findings_of(facts);
    };

    BOOST_TEST(of("10.6.12-MariaDB").starts_with("error: version is 10.6.12-MariaDB"));
    BOOST_TEST(of("8.0.33").starts_with("error: version is 8.0.33 and must be MySQL 8.0.34"));
    for (const char* version : {"10.11.2-MariaDB", "11.4.1-MariaDB", "8.0.34", "8.4.0", "9.7.0"}) {
        BOOST_TEST(of(version) == "", version);
    }
}

BOOST_AUTO_TEST_CASE(rights_that_are_missing_are_an_error_and_others_a_warning) {
    BOOST_TEST(findings_of(a_good_server(), "migrate") ==
               "error: the account u@h lacks ALTER, CREATE, DROP, GRANT OPTION, INDEX, REFERENCES "
               "at `c`.*: run `cooperage-migrate setup`, or what `cooperage-migrate grants` "
               "prints, then `cooperage-migrate up`\n");
    ServerFacts facts = a_good_server();
    facts.grants.push_back("GRANT DROP ON `c`.* TO `u`@`h`");
    BOOST_TEST(findings_of(facts, "provisioner")
                   .starts_with("warning: the account u@h may do more than cooperage-provisioner "
                                "needs: DROP at `c`.*"));
    facts.grants = {"GRANT ALL PRIVILEGES ON *.* TO `u`@`h`"};
    BOOST_TEST(
        findings_of(facts, "provisioner").starts_with("warning: the account u@h may do more"));
}

BOOST_AUTO_TEST_CASE(a_migrator_that_may_give_no_rights_is_warned_only) {
    ServerFacts facts = a_good_server();
    facts.grants = {
        "GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES ON `c`.* TO "
        "`u`@`h`"};
    BOOST_TEST(findings_of(facts, "migrate")
                   .starts_with("warning: the account u@h lacks GRANT OPTION at `c`.*"));
    facts.grants[0] += " WITH GRANT OPTION";
    BOOST_TEST(findings_of(facts, "migrate") == "");
}

BOOST_AUTO_TEST_CASE(rights_of_the_web_are_looked_at_table_by_table) {
    ServerFacts facts = a_good_server();
    facts.tables = {"audit_event", "audit_seal", "job", "node"};
    BOOST_TEST(findings_of(facts, "web") ==
               "warning: the account u@h may do more than cooperage-web needs: DELETE, INSERT, "
               "UPDATE at `c`.`audit_seal`; DELETE, UPDATE at `c`.`audit_event`. "
               "`cooperage-migrate grants` prints what is needed\n");

    facts.grants = {"GRANT `u-tables` TO `u`@`h`",
                    "GRANT INSERT, SELECT ON `c`.`audit_event` TO `u-tables`",
                    "GRANT SELECT ON `c`.`audit_seal` TO `u-tables`",
                    "GRANT SELECT, INSERT, UPDATE, DELETE ON `c`.`job` TO `u-tables`",
                    "GRANT SELECT, INSERT, UPDATE, DELETE ON `c`.`node` TO `u-tables`"};
    BOOST_TEST(findings_of(facts, "web") == "");

    facts.grants.resize(3);
    BOOST_TEST(findings_of(facts, "web")
                   .starts_with("error: the account u@h lacks DELETE, INSERT, SELECT, UPDATE at "
                                "`c`.`job` and 1 more "
                                "table: run `cooperage-migrate setup`"));
    facts.tables.clear();
    BOOST_TEST(findings_of(facts, "web")
                   .starts_with("error: the account u@h lacks rights at all tables: run"));
}

BOOST_AUTO_TEST_CASE(plain_text_to_another_machine_is_a_warning) {
    ServerFacts facts = a_good_server();
    facts.cipher = "";

    BOOST_TEST(findings_of(facts).starts_with("warning: passwords and data go to db in plain"));
    facts.host = "127.0.0.1";
    BOOST_TEST(findings_of(facts) == "");
}

BOOST_AUTO_TEST_CASE(clocks_and_characters_are_looked_at) {
    ServerFacts facts = a_good_server();
    facts.clock_ahead = -90;
    facts.client_characters = "latin1";

    const std::string text = findings_of(facts);

    BOOST_TEST(text.starts_with("error: character_set_client is latin1"));
    BOOST_TEST(text.find("differs from this machine's by -90 s") != std::string::npos);
}
