#include "provisioner/operations/identity_providers/findings.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(findings_of_servers)

namespace {

using provisioner::operations::IdentityFindings;
using provisioner::operations::ServerFindings;

const ServerFindings dead{.server = "ldap://a",
                          .is_passed_over = true,
                          .found = {.problems = {"ldap://a: Can't contact LDAP server"}}};
const ServerFindings fine{.server = "ldap://b", .found = {.notes = {{"groupBase", "A note."}}}};
const ServerFindings wrong{.server = "ldap://c", .found = {.problems = {"ldap://c: refused"}}};
const ServerFindings empty{.server = "ldap://d", .found = {.warnings = {"ldap://d: nobody fits."}}};

std::string drawn(std::vector<ServerFindings> servers) {
    const IdentityFindings all = provisioner::operations::findings_of_servers(std::move(servers));
    std::string text;
    for (const auto& problem : all.problems) text += "problem " + problem + "\n";
    for (const auto& warning : all.warnings) text += "warning " + warning + "\n";
    for (const auto& note : all.notes) text += "note " + note.field + ": " + note.message + "\n";
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_dead_server_is_a_note_where_logins_use_the_next) {
    const std::string note =
        "note servers: ldap://a: Can't contact LDAP server. Logins use ldap://b.\n";
    BOOST_TEST(drawn({dead, fine}) == "note groupBase: A note.\n" + note);
    BOOST_TEST(drawn({fine, dead}) == "note groupBase: A note.\n" + note);
}

BOOST_AUTO_TEST_CASE(without_a_server_that_answers_the_directory_fails) {
    BOOST_TEST(drawn({dead}) == "problem ldap://a: Can't contact LDAP server\n");
    BOOST_TEST(drawn({dead, dead}).find("note") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_server_that_answers_and_refuses_keeps_logins_from_the_next) {
    BOOST_TEST(drawn({wrong, fine}) == "problem ldap://c: refused\n");
    BOOST_TEST(drawn({dead, wrong, fine}) ==
               "problem ldap://a: Can't contact LDAP server\nproblem ldap://c: refused\n");
    BOOST_TEST(drawn({fine, wrong}) ==
               "note groupBase: A note.\nnote servers: ldap://c: refused. Logins use ldap://b.\n");
}

BOOST_AUTO_TEST_CASE(nobody_can_log_in_is_said_only_of_the_server_that_logins_use) {
    BOOST_TEST(drawn({empty, fine}) == "warning ldap://d: nobody fits.\n");
    BOOST_TEST(drawn({fine, empty}) ==
               "note groupBase: A note.\n"
               "note servers: ldap://d: nobody fits. Logins use ldap://b.\n");
}

BOOST_AUTO_TEST_SUITE_END()
