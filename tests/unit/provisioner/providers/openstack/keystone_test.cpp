#include "provisioner/providers/openstack/keystone.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/cloud/failures.hpp"

BOOST_AUTO_TEST_SUITE(openstack_keystone)

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::openstack;

Account account(base::Json more = base::Json::object()) {
    Account account;
    account.fields = {{"openstack_auth_url", "https://cloud.example.org:5000/v3"},
                      {"api_user", "joe"},
                      {"api_password", "secret"},
                      {"openstack_tenant", "web"}};
    account.fields.update(more);
    return account;
}

std::string refusal_of(const http_client::Reply& reply) {
    try {
        Keystone().token_in(account(), reply, base::Timestamp());
    } catch (const cloud::Refusal& refusal) {
        return refusal.what();
    }
    return "";
}

/// A catalogue as devstack has it, with two regions.
base::Json endpoints() {
    const auto endpoint = [](const char* type, const char* region, const char* interface,
                             const char* url) {
        return Endpoint{
            .type = type, .name = "x", .region = region, .interface = interface, .url = url};
    };
    return to_json({endpoint("compute", "one", "public", "http://c/v2.1/"),
                    endpoint("compute", "two", "public", "http://c2/v2/0123"),
                    endpoint("compute", "two", "internal", "http://c2i/v2"),
                    endpoint("network", "one", "public", "http://n:9696/"),
                    endpoint("image", "one", "public", "http://i/v2"),
                    endpoint("block-storage", "one", "public", "http://v/v3/0123")});
}

std::string url(const base::Json& fields, const char* service) {
    try {
        return Keystone().base_url(account(fields), endpoints(), service);
    } catch (const cloud::Refusal& refusal) {
        return refusal.what();
    }
}

BOOST_AUTO_TEST_CASE(every_form_of_the_address_leads_to_version_3) {
    for (const char* text :
         {"https://c:5000", "https://c:5000/", "https://c:5000/v3", "https://c:5000/v3/auth/tokens",
          "https://c:5000/v2.0/tokens", "https://c:5000/v2.0/", " https://c:5000/v2.0/tokens "}) {
        const auto request = Keystone().login(account({{"openstack_auth_url", text}}));
        BOOST_TEST(request.url == "https://c:5000/v3/auth/tokens");
    }
    BOOST_TEST(Keystone().login(account({{"openstack_auth_url", "http://c/identity/v3"}})).url ==
               "http://c/identity/v3/auth/tokens");
}

BOOST_AUTO_TEST_CASE(a_password_is_scoped_to_the_project_in_its_domain) {
    const auto plain = Keystone().login(account());
    const auto domains = Keystone().login(
        account({{"openstack_user_domain", "people"}, {"openstack_project_domain", "projects"}}));

    BOOST_TEST(
        plain.body ==
        R"({"auth":{"identity":{"methods":["password"],"password":{"user":{"name":"joe",)"
        R"("domain":{"id":"default"},"password":"secret"}}},"scope":{"project":{"name":"web",)"
        R"("domain":{"id":"default"}}}}})");
    BOOST_TEST(domains.body.find(R"("domain":{"name":"people"})") != std::string::npos);
    BOOST_TEST(domains.body.find(R"("domain":{"name":"projects"})") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_project_may_be_given_by_id) {
    const auto request =
        Keystone().login(account({{"openstack_tenant", "0123456789abcdef0123456789abcdef"}}));

    BOOST_TEST(
        request.body.find(R"("scope":{"project":{"id":"0123456789abcdef0123456789abcdef"}})") !=
        std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_application_credential_asks_for_no_scope) {
    const auto request =
        Keystone().login(account({{"openstack_application_credential_id", "ac"},
                                  {"openstack_application_credential_secret", "deep"}}));

    BOOST_TEST(request.body == R"({"auth":{"identity":{"methods":["application_credential"],)"
                               R"("application_credential":{"id":"ac","secret":"deep"}}}})");
}

BOOST_AUTO_TEST_CASE(the_account_is_named_without_secrets) {
    BOOST_TEST(Keystone().account_name(account({{"openstack_region", "one"}})) ==
               "project web of Default at cloud.example.org:5000, one");
    BOOST_TEST(Keystone().account_name(account({{"openstack_application_credential_id", "ac"}})) ==
               "application credential ac at cloud.example.org:5000");
}

BOOST_AUTO_TEST_CASE(a_token_comes_with_its_end_and_its_catalogue) {
    http_client::Reply reply;
    reply.status = 201;
    reply.headers = {{"x-subject-token", "gAAAA"}};
    reply.body = R"({"token": {"expires_at": "2026-11-23T12:00:00.000000Z", "catalog": [{"type":
        "compute", "name": "nova", "endpoints": [{"region_id": "one", "interface": "public",
        "url": "http://c/v2.1"}]}]}})";

    const auto token = Keystone().token_in(account(), reply, base::Timestamp());

    BOOST_TEST(token.text.reveal() == "gAAAA");
    BOOST_TEST((token.expires_at == base::from_sql("2026-11-23 12:00:00")));
    BOOST_TEST(Keystone().base_url(account(), token.details, "compute") == "http://c/v2.1");
}

BOOST_AUTO_TEST_CASE(refused_logins_are_told_apart) {
    http_client::Reply reply;
    reply.status = 401;
    reply.body = R"({"error": {"message": "The request you have made requires authentication.",
        "code": 401, "title": "Unauthorized"}})";
    BOOST_TEST(refusal_of(reply) ==
               "Provider credentials invalid/unauthorized: The request you have made requires "
               "authentication.");
    reply.status = 404;
    BOOST_TEST(refusal_of(reply).starts_with(
        "openstack_auth_url: there is no Keystone v3 at cloud.example.org:5000 (status 404)"));
    reply.status = 503;
    BOOST_CHECK_THROW(Keystone().token_in(account(), reply, base::Timestamp()), cloud::Lost);
}

BOOST_AUTO_TEST_CASE(services_are_found_by_region_and_interface_and_get_their_version) {
    const base::Json one = {{"openstack_region", "one"}};

    BOOST_TEST(url(one, "compute") == "http://c/v2.1");
    BOOST_TEST(url({{"openstack_region", "two"}}, "compute") == "http://c2/v2.1/0123");
    BOOST_TEST(url({{"openstack_region", "two"}, {"openstack_interface", "internal"}}, "compute") ==
               "http://c2i/v2.1");
    BOOST_TEST(url(one, "network") == "http://n:9696/v2.0");
    BOOST_TEST(url(one, "image") == "http://i/v2");
    BOOST_TEST(url(one, "volume") == "http://v/v3/0123");
}

BOOST_AUTO_TEST_CASE(regions_and_interfaces_that_are_not_there_are_named) {
    BOOST_TEST(url({{"openstack_region", "tow"}}, "compute").find("near: two") !=
               std::string::npos);
    BOOST_TEST(url(base::Json::object(), "compute").find("name one: one and two") !=
               std::string::npos);
    BOOST_TEST(url(base::Json::object(), "network") == "http://n:9696/v2.0");
    BOOST_TEST(url({{"openstack_region", "one"}, {"openstack_interface", "admin"}}, "image") ==
               "openstack_interface: the image service of one has no admin endpoint");
}

BOOST_AUTO_TEST_CASE(what_a_login_lacks_is_said_at_once) {
    Account empty;
    const auto problems = check_login(empty);

    BOOST_REQUIRE(problems.size() == 4U);
    BOOST_TEST(problems[0].field == "openstack_auth_url");
    BOOST_TEST(problems[1].field == "api_user");
}

BOOST_AUTO_TEST_SUITE_END()
