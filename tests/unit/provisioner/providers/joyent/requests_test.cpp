#include "provisioner/providers/joyent/requests.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/cloud/fields.hpp"
#include "tests/unit/provisioner/providers/joyent/keys.hpp"

using namespace provisioner;
using namespace provisioner::providers::joyent;
using providers::Account;
using providers::MachineSpec;
using providers::cloud::Order;

BOOST_AUTO_TEST_SUITE(joyent_requests)

/// Sun, 22 Nov 2026 18:52:35 GMT.
const base::Timestamp now{std::chrono::seconds{1795373555}};

Account an_account() {
    Account account;
    account.installation = "0123456789abcdef0123456789abcdef";
    account.fields = {{"api_user", "joe"},
                      {"ssh_keypair", "laptop"},
                      {"ssh_key_resource", "key"},
                      {"joyent_api_url", "https://cloud.example.org/"}};
    account.files["ssh_key_resource"] = joyent_keys::rsa_pem;
    return account;
}

std::string header(const http_client::Request& request, const std::string& name) {
    for (const auto& [key, value] : request.headers) {
        if (key == name) return value;
    }
    return "";
}

BOOST_AUTO_TEST_CASE(a_request_is_signed_for_its_target_and_its_date) {
    const auto request = call(an_account(), "GET", "/machines", base::Json(), now);

    BOOST_TEST(request.url == "https://cloud.example.org/joe/machines");
    BOOST_TEST(header(request, "Accept-Version") == "~7.0");
    BOOST_TEST(header(request, "Date") == "Sun, 22 Nov 2026 18:52:35 GMT");
    BOOST_TEST(header(request, "Authorization") ==
               std::string("Signature keyId=\"/joe/keys/laptop\",algorithm=\"rsa-sha256\",headers="
                           "\"(request-target) date\",signature=\"") +
                   joyent_keys::rsa_signature + "\"");
}

BOOST_AUTO_TEST_CASE(a_sub_user_is_named_with_the_key) {
    Account account = an_account();
    account.fields["joyent_subuser"] = "robot";

    const auto request = call(account, "GET", "/machines", base::Json(), now);

    BOOST_TEST(header(request, "Authorization")
                   .starts_with("Signature keyId=\"/joe/users/robot/keys/laptop\""));
}

BOOST_AUTO_TEST_CASE(a_password_is_sent_only_without_a_key) {
    Account account = an_account();
    account.fields["api_password"] = "secret";
    BOOST_TEST(header(call(account, "GET", "", base::Json(), now), "Authorization")
                   .starts_with("Signature"));
    account.fields.erase("ssh_key_resource");

    BOOST_TEST(header(call(account, "GET", "", base::Json(), now), "Authorization") ==
               "Basic am9lOnNlY3JldA==");
}

BOOST_AUTO_TEST_CASE(an_endpoint_of_ones_own_wins_over_the_region) {
    Account account = an_account();
    account.fields["api_endpoint"] = "http://127.0.0.1:8080";

    BOOST_TEST(endpoint_of(account) == "http://127.0.0.1:8080");
}

BOOST_AUTO_TEST_CASE(a_creation_has_prefixes_for_tags_and_metadata) {
    const Account account = an_account();
    MachineSpec spec;
    spec.name = "00000001-1001";
    spec.cluster = "00000001";
    spec.task = 10;
    Order order{.account = account, .spec = spec};
    order.placement.flavor = "g4";
    order.mark = providers::cloud::mark_of(account, spec);
    order.user_data = "#cloud-config\n";

    const base::Json body = creation(order, "image-id", {"network-id"});

    BOOST_TEST(base::to_text(body) ==
               R"({"name":"cooperage-01234567-00000001-1001","package":"g4","image":"image-id",)"
               R"("networks":["network-id"],"tag.cooperage-cluster":"00000001",)"
               R"("tag.cooperage-installation":"0123456789abcdef0123456789abcdef",)"
               R"("tag.cooperage-machine":"00000001-1001","tag.cooperage-task":"10-1",)"
               R"("tag.cooperage-firewall":"cooperage-01234567-00000001",)"
               R"("firewall_enabled":true,"metadata.cloud-init:user-data":"#cloud-config\n"})");
}

BOOST_AUTO_TEST_CASE(a_script_takes_keys_and_names_as_they_are) {
    MachineSpec spec;
    spec.ssh_user = "admin";
    spec.authorized_key = "ssh-ed25519 AAAA it's'; reboot";
    spec.hostname = "web1.example.org";

    const std::string script = user_script(spec);

    BOOST_TEST(script.find("key='ssh-ed25519 AAAA it'\\''s'\\''; reboot'\n") != std::string::npos);
    BOOST_TEST(script.find("name='web1'\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(ids_are_told_from_names) {
    BOOST_TEST(providers::cloud::is_uuid("1d05f2f4-4b1c-4c47-9d0f-5f2a0a6f4a01"));
    BOOST_TEST(!providers::cloud::is_uuid("1d05f2f4-4b1c-4c47-9d0f-5f2a0a6f4a0"));
    BOOST_TEST(!providers::cloud::is_uuid("1d05f2f404b1c-4c47-9d0f-5f2a0a6f4a01"));
    BOOST_TEST(!providers::cloud::is_uuid("debian-12"));
}

BOOST_AUTO_TEST_CASE(a_page_asks_for_the_machines_of_the_installation) {
    BOOST_TEST(page_path(an_account(), 1000, 1000) ==
               "/machines?tag.cooperage-installation=0123456789abcdef0123456789abcdef&offset=1000&"
               "limit=1000");
}

BOOST_AUTO_TEST_SUITE_END()
