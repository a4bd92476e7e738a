#include "provisioner/operations/identity_providers/findings.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(findings_of_servers)

namespace {

using provisioner::operations::IdentityFindings;
using provisioner::operations::ServerFindings;

const ServerFindings dead{.server = "ldap://a",
                          .is_passed_over = true,
                          .found = {.problems = {"ldap://a: it does not answer"}}};
const ServerFindings fine{.server = "ldap://b", .found = {.notes = {{"groupBase", "A note."}}}};
const ServerFindings wrong{.server = "ldap://c", .found = {.problems = {"ldap://c: refused"}}};
const ServerFindings empty{.server = "ldap://d",
                           .found = {.warnings = {{"userFilter", "ldap://d: nobody fits."}}}};

std::string drawn(std::vector<ServerFindings> servers) {
    const IdentityFindings all = provisioner::operations::findings_of_servers(std::move(servers));
    std::string text;
    for (const auto& problem : all.problems) text += "problem " + problem + "\n";
    for (const auto& warning : all.warnings) text += "warning " + warning.message + "\n";
    for (const auto& note : all.notes) text += "note " + note.field + ": " + note.message + "\n";
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_dead_server_is_a_note_where_logins_use_the_next) {
    const std::string note = "note servers: ldap://a: it does not answer. Logins use ldap://b.\n";
    BOOST_TEST(drawn({dead, fine}) == "note groupBase: A note.\n" + note);
    BOOST_TEST(drawn({fine, dead}) == "note groupBase: A note.\n" + note);
}

BOOST_AUTO_TEST_CASE(without_a_server_that_answers_the_directory_fails) {
    BOOST_TEST(drawn({dead}) == "problem ldap://a: it does not answer\n");
    BOOST_TEST(drawn({dead, dead}).find("note") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_server_that_answers_and_refuses_keeps_logins_from_the_next) {
    const std::string why =
        "problem ldap://b works, but logins do not go on to it: ldap://c answers and says no.\n";
    BOOST_TEST(drawn({wrong, fine}) == "problem ldap://c: refused\n" + why);
    BOOST_TEST(drawn({dead, wrong, fine}) ==
               "problem ldap://a: it does not answer\nproblem ldap://c: refused\n" + why);
    BOOST_TEST(drawn({wrong, dead}) ==
               "problem ldap://c: refused\nproblem ldap://a: it does not answer\n");
    BOOST_TEST(drawn({fine, wrong}) ==
               "note groupBase: A note.\nnote servers: ldap://c: refused. Logins use ldap://b.\n");
}

BOOST_AUTO_TEST_CASE(nobody_can_log_in_is_said_only_of_the_server_that_logins_use) {
    BOOST_TEST(drawn({empty, fine}) == "warning ldap://d: nobody fits.\n");
    BOOST_TEST(drawn({fine, empty}) ==
               "note groupBase: A note.\n"
               "note servers: ldap://d: nobody fits. Logins use ldap://b.\n");
}

BOOST_AUTO_TEST_CASE(a_certificate_that_an_authority_would_mend_is_noted_at_the_authorities) {
    const ServerFindings strange{.server = "ldap://e",
                                 .is_passed_over = true,
                                 .found = {.problems = {"It is self-signed."},
                                           .notes = {{"authorities", "It is self-signed."}}}};
    BOOST_TEST(drawn({strange}) ==
               "problem It is self-signed.\nnote authorities: It is self-signed.\n");
    BOOST_TEST(drawn({strange, fine}) ==
               "note groupBase: A note.\n"
               "note authorities: It is self-signed. Logins use ldap://b.\n");
}

namespace {

/// What is told of a directory with rules for these groups whose test noted this.
std::string told_of_rules(const std::vector<std::string>& groups,
                          provisioner::base::Problems notes) {
    provisioner::model::IdentityProvider provider;
    provider.kind = provisioner::model::IdentityKind::ldap;
    for (const auto& group : groups) provider.rules.push_back({.value = group, .tenant = "demo"});
    IdentityFindings found{.notes = std::move(notes)};
    provisioner::operations::warn_if_no_rule_fits(provider, found);
    std::string text;
    for (const auto& warning : found.warnings) text += "warning " + warning.field + "\n";
    for (const auto& note : found.notes) text += "note " + note.field + "\n";
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(where_no_rule_fits_anybody_the_notes_about_groups_are_warnings) {
    const provisioner::base::Problems nobody{{"servers", "x"}, {"groupAttribute", "x"}};
    const provisioner::base::Problems of_one{{"rule:cn=a,dc=x", "x"}};

    BOOST_TEST(told_of_rules({"cn=a,dc=x"}, nobody) == "warning groupAttribute\nnote servers\n");
    BOOST_TEST(told_of_rules({"cn=a,dc=x"}, of_one) == "warning rule:cn=a,dc=x\n");
    BOOST_TEST(told_of_rules({"staff"}, {}) == "warning rules\n");
    for (const std::string other : {"*", "cn=b,dc=x"}) {
        BOOST_TEST(told_of_rules({"cn=a,dc=x", other}, of_one) == "note rule:cn=a,dc=x\n", other);
    }
    BOOST_TEST(told_of_rules({"cn=a,dc=x", "*"}, nobody) == "note servers\nnote groupAttribute\n");
    BOOST_TEST(told_of_rules({"cn=a,dc=x"}, {{"groupAttribute.first", "x"}}) ==
                   "note groupAttribute.first\n",
               "others may have groups");
    const provisioner::base::Problems nested{{"rule:cn=a,dc=x", "x"}, {"nestedGroups", "x"}};
    BOOST_TEST(told_of_rules({"cn=a,dc=x"}, nested) ==
               "warning rule:cn=a,dc=x\nwarning nestedGroups\n");
    BOOST_TEST(told_of_rules({"cn=a,dc=x", "*"}, nested) ==
               "note rule:cn=a,dc=x\nnote nestedGroups\n");
    const provisioner::base::Problems not_counted{{"nestedGroups.unknown", "x"}};
    BOOST_TEST(told_of_rules({"cn=a,dc=x"}, not_counted) == "warning nestedGroups.unknown\n");
    BOOST_TEST(told_of_rules({"cn=a,dc=x", "*"}, not_counted) == "note nestedGroups.unknown\n");
    BOOST_TEST(told_of_rules({}, nobody) == "note servers\nnote groupAttribute\n");
}

namespace {

/// What a test tells of a provider whose document has this as `member`.
std::string told_of(provisioner::model::IdentityProvider provider, const std::string& member,
                    const provisioner::base::Json& stated) {
    using provisioner::http_client::Request;
    provisioner::federation::OidcClient client([&](const Request& request) {
        const std::string issuer = "https://id.example";
        provisioner::base::Json says{{"issuer", issuer},
                                     {"authorization_endpoint", issuer + "/auth"},
                                     {"token_endpoint", issuer + "/token"},
                                     {"jwks_uri", issuer + "/jwks"}};
        if (!stated.is_null()) says[member] = stated;
        provisioner::http_client::Reply reply;
        reply.status = 200;
        reply.body = request.url.ends_with("/jwks")
                         ? R"({"keys": [{"kty": "EC", "crv": "P-256", "kid": "a", )"
                           R"("x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", )"
                           R"("y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]})"
                         : says.dump();
        return reply;
    });
    provider.issuer = "https://id.example";
    provider.rules = {{.value = "*", .tenant = "demo"}};
    const ServerFindings told{.server = "",
                              .found = provisioner::operations::findings_of_oidc(client, provider)};
    return drawn({told});
}

/// What a test with this client authentication tells of a provider whose document states this.
std::string told_of_client_auth(const std::string& chosen, const provisioner::base::Json& stated) {
    provisioner::model::IdentityProvider provider;
    provider.client_auth = chosen;
    return told_of(provider, "token_endpoint_auth_methods_supported", stated);
}

/// The same with these values of acr.
std::string told_of_acr(const std::string& values, const provisioner::base::Json& stated) {
    provisioner::model::IdentityProvider provider;
    provider.acr_values = values;
    return told_of(provider, "acr_values_supported", stated);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_client_authentication_that_the_provider_does_not_state_is_noted) {
    using provisioner::base::Json;
    const Json post = Json::array({"client_secret_post"});
    const Json both = Json::array({"client_secret_post", "client_secret_basic"});
    const Json other = Json::array({"private_key_jwt", "tls_client_auth"});
    const auto note = [](const std::string& stated, const std::string& chosen) {
        return "note clientAuth: The discovery document states " + stated + ", not " + chosen +
               ": the provider may refuse all logins.\n";
    };
    const std::string absent = "no method, which means client_secret_basic";

    BOOST_TEST(told_of_client_auth("basic", both) == "");
    BOOST_TEST(told_of_client_auth("post", post) == "");
    BOOST_TEST(told_of_client_auth("none", Json::array({"none"})) == "");
    BOOST_TEST(told_of_client_auth("basic", nullptr) == "");
    BOOST_TEST(told_of_client_auth("basic", post) ==
               note("client_secret_post", "client_secret_basic"));
    BOOST_TEST(told_of_client_auth("post", other) ==
               note("private_key_jwt, tls_client_auth", "client_secret_post"));
    BOOST_TEST(told_of_client_auth("none", both) == "");
    BOOST_TEST(told_of_client_auth("post", nullptr) == note(absent, "client_secret_post"));
    BOOST_TEST(told_of_client_auth("none", Json::array()) == "");
}

BOOST_AUTO_TEST_CASE(values_of_acr_that_the_provider_does_not_state_are_noted) {
    using provisioner::base::Json;
    const Json stated = Json::array({"silver", "gold"});
    BOOST_TEST(told_of_acr("gold platinum", stated) == "");
    BOOST_TEST(told_of_acr("", stated) == "");
    BOOST_TEST(told_of_acr("gold", nullptr) == "");
    BOOST_TEST(told_of_acr("gold", Json::array()) == "");
    BOOST_TEST(told_of_acr("Gold platinum", stated) ==
               "note acrValues: The discovery document states other values of acr (silver, gold): "
               "acr may never show two factors.\n");
}

BOOST_AUTO_TEST_SUITE_END()
