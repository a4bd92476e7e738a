#include "provisioner/model/tenants/identity_provider.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::model;

BOOST_AUTO_TEST_SUITE(identity_providers)

namespace {

IdentityProvider provider() {
    IdentityProvider made;
    made.name = "corp";
    made.label = "Corp";
    made.issuer = "https://id.example";
    made.client_id = "cooperage";
    made.has_second_factor = true;
    made.acr_values = "urn:gold urn:platinum";
    made.callback = "shared";
    made.logout_type = "JWT";
    made.rules = {{.value = "admins", .tenant = "a", .role = Role::admin},
                  {.value = "staff", .tenant = "b", .groups = {"web", "db"}},
                  {.value = "*", .tenant = "c"}};
    return made;
}

IdentityProvider directory() {
    IdentityProvider made = provider();
    made.kind = IdentityKind::ldap;
    made.has_second_factor = false;
    made.servers = "ldaps://one.example ldap://two.example:1389";
    made.user_base = "ou=people,dc=x";
    made.nested_groups = true;
    made.enabled = false;
    made.rules = {{.value = "CN=Staff, OU=Groups , dc=x", .tenant = "a"}};
    return made;
}

std::string fitting(const IdentityProvider& one, const std::set<std::string>& values,
                    const std::optional<std::string>& tenant = std::nullopt) {
    const auto* rule = first_fitting(one, values, tenant);
    return rule == nullptr ? "nobody" : rule->tenant;
}

std::string fields_with_problems(const IdentityProvider& one) {
    std::string fields;
    for (const auto& problem : problems_with(one, false)) fields += problem.field + ' ';
    return fields;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_rule_that_fits_counts) {
    BOOST_TEST(fitting(provider(), {"staff", "admins"}) == "a");
    BOOST_TEST(fitting(provider(), {"staff"}) == "b");
    BOOST_TEST(fitting(provider(), {}) == "c");
    BOOST_TEST(fitting(provider(), {"admins"}, "b") == "nobody");
    BOOST_TEST(fitting(provider(), {"staff"}, "b") == "b");
    auto strict = provider();
    strict.rules.pop_back();
    BOOST_TEST(fitting(strict, {}) == "nobody");
    // A claim is compared to the letter.
    BOOST_TEST(fitting(strict, {"Admins", "admins ", "*"}) == "nobody");
}

BOOST_AUTO_TEST_CASE(names_of_a_directory_are_compared_as_a_directory_does) {
    BOOST_TEST(fitting(directory(), {"cn=staff,ou=groups,dc=x"}) == "a");
    BOOST_TEST(fitting(directory(), {"cn=staff,ou=other,dc=x"}) == "nobody");
    BOOST_TEST(fitting(directory(), {"cn=staff"}) == "nobody");
}

BOOST_AUTO_TEST_CASE(groups_of_a_directory_are_below_a_name_in_any_spelling) {
    BOOST_TEST(is_below("cn=staff, OU=Groups,dc=x", "ou=groups,dc=x"));
    BOOST_TEST(is_below("ou=groups,dc=x", "ou=groups, dc=x"));
    BOOST_TEST(!is_below("cn=staff,ou=moregroups,dc=x", "groups,dc=x"));
    BOOST_TEST(!is_below("cn=staff,ou=people,dc=x", "ou=groups,dc=x"));
    BOOST_TEST(comparable_group(IdentityKind::ldap, "CN=A, dc=x") == "cn=a,dc=x");
    BOOST_TEST(comparable_group(IdentityKind::oidc, "CN=A, dc=x") == "CN=A, dc=x");
}

BOOST_AUTO_TEST_CASE(a_document_comes_back_as_it_was) {
    for (const auto& one : {provider(), directory()}) {
        const auto read = identity_provider_from(to_json(one));
        BOOST_REQUIRE(read.has_value());
        BOOST_TEST(to_json(*read).dump() == to_json(one).dump());
        BOOST_TEST((read->rules == one.rules));
    }
    BOOST_TEST(to_json(provider()).dump().find("secret\"") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_wrong_setting_is_named) {
    BOOST_TEST(fields_with_problems(provider()) == "");
    BOOST_TEST(fields_with_problems(directory()) == "");
    auto wrong = provider();
    wrong.name = "-x";
    wrong.issuer = "http://id.example";
    wrong.client_auth = "jwt";
    wrong.callback = "theirs";
    wrong.logout_type = "at+jwt";
    wrong.client_id = "";
    wrong.label = "two\nlines";
    wrong.rules.push_back({});
    BOOST_TEST(fields_with_problems(wrong) ==
               "name label clientId clientAuth callback logoutType issuer rules.3 rules.3 ");
    auto ldap = directory();
    ldap.servers = "one.example";
    ldap.name_attribute = "uid)(x=*";
    ldap.user_filter = "objectClass=person";
    ldap.user_base = "";
    BOOST_TEST(fields_with_problems(ldap) == "userBase servers nameAttribute userFilter ");
    // It sees passwords only.
    auto trusted = directory();
    trusted.has_second_factor = true;
    BOOST_TEST(fields_with_problems(trusted) == "secondFactor ");
}

BOOST_AUTO_TEST_CASE(texts_have_a_length_and_no_hidden_characters) {
    auto wide = provider();
    wide.label.clear();
    for (int i = 0; i < 255; ++i) wide.label += "\xC3\xA4";
    wide.rules = {{.value = std::string(1024, 'x'), .tenant = "a"}};
    BOOST_TEST(fields_with_problems(wide) == "");
    wide.label += "x";
    wide.scopes = std::string(1025, 'x');
    wide.rules[0].value += "x";
    BOOST_TEST(fields_with_problems(wide) == "label scopes rules.0 ");
    for (const std::string hidden : {"\u202E", "\u2066", "\u2069", "\u200E", "\u200F"}) {
        auto turned = provider();
        turned.label = "Corp " + hidden + "x";
        BOOST_TEST(fields_with_problems(turned) == "label ", hidden);
    }
    for (const std::string control : {"\t", "\n", "\x7F", "\u0085"}) {
        auto odd = provider();
        odd.label = "Corp" + control + "x";
        odd.scopes = "openid" + control + "x";
        odd.rules = {{.value = "staff" + control + "x", .tenant = "a"}};
        BOOST_TEST(fields_with_problems(odd) == "label scopes rules.0 ");
    }
}

BOOST_AUTO_TEST_CASE(a_directory_has_few_servers_and_each_once) {
    auto wide = directory();
    wide.servers = "ldaps://x";
    for (int i = 1; i < 10; ++i) wide.servers += " ldaps://x" + std::to_string(i);
    BOOST_TEST(fields_with_problems(wide) == "");
    wide.servers += " ldaps://y";
    BOOST_TEST(fields_with_problems(wide) == "servers ");
    auto twice = directory();
    twice.servers = "ldaps://x ldaps://x";
    BOOST_TEST(fields_with_problems(twice) == "servers ");
}

BOOST_AUTO_TEST_CASE(of_too_many_rules_only_the_number_is_named) {
    auto many = provider();
    many.rules.assign(501, {});
    BOOST_TEST(fields_with_problems(many) == "rules ");
}

BOOST_AUTO_TEST_CASE(addresses_need_tls_but_for_loopback_where_that_is_allowed) {
    BOOST_TEST(is_secure_address("https://id.example/x", "http", false));
    for (const std::string plain :
         {"http://127.0.0.1:80/x", "http://localhost", "http://[::1]:8"}) {
        BOOST_TEST(!is_secure_address(plain, "http", false), plain);
        BOOST_TEST(is_secure_address(plain, "http", true), plain);
    }
    for (const std::string odd :
         {"", "https://", "https:///x", "https://a@b", "http://127.0.0.1@evil.example",
          "http://127.0.0.1.evil.example", "http://localhost.evil.example", "file:///etc/passwd",
          "https://a b", "ldaps://x"}) {
        BOOST_TEST(!is_secure_address(odd, "http", true), odd);
    }
    BOOST_TEST(is_secure_address("ldap://d.example", "ldap", false));
}

BOOST_AUTO_TEST_CASE(a_rule_with_too_many_groups_is_told_how_many_it_may_have) {
    auto many = provider();
    many.rules[1].groups.assign(most_rule_groups, "web");
    BOOST_TEST(fields_with_problems(many) == "");

    many.rules[1].groups.assign(most_rule_groups + 23, "-");

    const auto problems = problems_with(many, false);
    BOOST_REQUIRE(problems.size() == 1U);
    BOOST_TEST(problems[0].field == "rules.1");
    BOOST_TEST(problems[0].message == "A rule has at most 50 groups, not 73.");
}

BOOST_AUTO_TEST_CASE(a_distinguished_name_has_an_attribute_in_each_part) {
    for (const char* name : {"cn=a", "cn=a,dc=b", "CN=Staff\\, all, OU=x=y ,dc=b", "cn=a+sn=b"}) {
        BOOST_TEST(provisioner::model::is_distinguished_name(name), name);
    }
    for (const char* text : {"", "staff", "*", "=a", "cn=a,b", "cn=a,", " =a", "a\\=b"}) {
        BOOST_TEST(!provisioner::model::is_distinguished_name(text), text);
    }
}

BOOST_AUTO_TEST_CASE(scopes_are_separated_by_spaces_and_named_once) {
    const auto problem = [](const std::string& scopes) {
        auto one = provider();
        one.scopes = scopes;
        const auto problems = problems_with(one, false);
        return problems.empty() ? std::string() : problems.front().message;
    };
    for (const std::string fine : {"", "openid", "openid  profile", "api://x/read roles:all"}) {
        BOOST_TEST(problem(fine) == "", fine);
    }
    for (const std::string commas : {"openid,profile", "openid, profile", ","}) {
        BOOST_TEST(problem(commas) == "Scopes are separated by spaces, not by commas.", commas);
    }
    for (const std::string odd : {"\"openid\"", "a\\b", "\xC3\xA4"}) {
        BOOST_TEST(problem(odd).starts_with("A scope has no quotation marks"), odd);
    }
    BOOST_TEST(problem("OpenID profile") == "openid is written in small letters.");
    BOOST_TEST(problem("profile Profile") == "Each scope is named once.");
    BOOST_TEST(problem("profile profile") == "Each scope is named once.");
}

BOOST_AUTO_TEST_CASE(the_address_of_a_discovery_document_is_no_issuer) {
    auto copied = provider();
    copied.issuer = "https://host/realm/.well-known/openid-configuration";
    const auto problems = problems_with(copied, false);
    BOOST_REQUIRE(problems.size() == 1U);
    BOOST_TEST(problems[0].field == "issuer");
    BOOST_TEST(problems[0].message ==
               "Leave out /.well-known/openid-configuration: it is added to the issuer.");
}

BOOST_AUTO_TEST_CASE(an_issuer_with_a_user_name_is_told_so) {
    auto named = provider();
    for (const std::string issuer : {"https://u:p@host", "https://u@host/x"}) {
        named.issuer = issuer;
        const auto problems = problems_with(named, false);
        BOOST_REQUIRE(problems.size() == 1U);
        BOOST_TEST(problems[0].message ==
                   "The address has no user name or password: leave out what is before the @.");
    }
    named.issuer = "https://host/a@b";
    BOOST_TEST(problems_with(named, false).empty());
}

BOOST_AUTO_TEST_SUITE_END()
