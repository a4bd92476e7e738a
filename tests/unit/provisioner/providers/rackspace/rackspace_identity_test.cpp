#include "provisioner/providers/rackspace/rackspace_identity.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/cloud/failures.hpp"

BOOST_AUTO_TEST_SUITE(rackspace_identity)

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::rackspace;

Account account(const char* region, base::Json more = base::Json::object()) {
    Account account;
    account.fields = {{"api_user", "joe"}, {"api_password", "12345"}, {"rackspace_region", region}};
    account.fields.update(more);
    return account;
}

// As Rackspace answers; libcloud keeps the same among its recorded answers.
http_client::Reply login_reply() {
    http_client::Reply reply;
    reply.status = 200;
    reply.body = R"({"access": {"token": {"id": "aaaa", "expires": "2026-11-23T19:05:43.999-05:00",
        "tenant": {"id": "613469", "name": "613469"}}, "serviceCatalog": [
        {"name": "cloudServers", "type": "compute", "endpoints": [{"tenantId": "613469",
            "publicURL": "https://servers.api.rackspacecloud.com/v1.0/613469"}]},
        {"name": "cloudServersOpenStack", "type": "compute", "endpoints": [
            {"region": "DFW", "tenantId": "613469",
             "publicURL": "https://dfw.servers.api.rackspacecloud.com/v2/613469"},
            {"region": "ORD", "tenantId": "613469",
             "publicURL": "https://ord.servers.api.rackspacecloud.com/v2/613469"}]}]}})";
    return reply;
}

BOOST_AUTO_TEST_CASE(a_login_is_by_api_key_and_london_has_an_identity_service_of_its_own) {
    const RackspaceIdentity identity;

    const auto request = identity.login(account("dfw"));

    BOOST_TEST(request.url == "https://identity.api.rackspacecloud.com/v2.0/tokens");
    BOOST_TEST(request.body ==
               R"({"auth":{"RAX-KSKEY:apiKeyCredentials":{"username":"joe","apiKey":"12345"}}})");
    BOOST_TEST(identity.login(account("lon")).url ==
               "https://lon.identity.api.rackspacecloud.com/v2.0/tokens");
}

BOOST_AUTO_TEST_CASE(another_identity_service_may_be_given_in_old_forms) {
    for (const char* text : {"id.example.org", "https://id.example.org/v2.0",
                             "https://id.example.org/v1.0", "https://id.example.org/v2.0/tokens"}) {
        BOOST_TEST(auth_url(account("dfw", {{"rackspace_auth_url", text}})) ==
                   "https://id.example.org");
    }
}

BOOST_AUTO_TEST_CASE(a_token_ends_by_its_offset_and_its_region_leads_to_the_second_generation) {
    const RackspaceIdentity identity;

    const auto token = identity.token_in(account("ord"), login_reply(), base::Timestamp());

    BOOST_TEST(token.text.reveal() == "aaaa");
    BOOST_TEST((token.expires_at == base::from_sql("2026-11-24 00:05:43")));
    BOOST_TEST(identity.base_url(account("ord"), token.details, "compute") ==
               "https://ord.servers.api.rackspacecloud.com/v2/613469");
    BOOST_CHECK_EXCEPTION(identity.base_url(account("syd"), token.details, "compute"),
                          cloud::Refusal, [](const cloud::Refusal& refusal) {
                              return std::string(refusal.what()).find("near: ord") !=
                                     std::string::npos;
                          });
}

BOOST_AUTO_TEST_CASE(the_account_is_named_by_user_and_region) {
    BOOST_TEST(RackspaceIdentity().account_name(account("ord")) ==
               "joe at identity.api.rackspacecloud.com, ORD");
}

BOOST_AUTO_TEST_SUITE_END()
