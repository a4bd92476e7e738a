#include "provisioner/providers/cloudstack/requests.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/cloud/fields.hpp"

using namespace provisioner;
using namespace provisioner::providers::cloudstack;
using providers::Account;
using providers::MachineSpec;
using providers::cloud::Mark;
using providers::cloud::Order;

BOOST_AUTO_TEST_SUITE(cloudstack_requests)

/// Sun, 22 Nov 2026 18:52:35 GMT.
const base::Timestamp now{std::chrono::seconds{1795373555}};

Account an_account() {
    Account account;
    account.installation = "0123456789abcdef0123456789abcdef";
    account.fields = {{"api_endpoint", "https://cloud.example.org/client/api"},
                      {"api_key", "the key"},
                      {"api_secret", "the secret"}};
    return account;
}

Mark a_mark() {
    Mark mark;
    mark.installation = "0123456789abcdef0123456789abcdef";
    mark.cluster = "00000001";
    mark.name = "00000001-1001";
    mark.task = 10;
    mark.attempt = 2;
    return mark;
}

BOOST_AUTO_TEST_CASE(a_call_is_a_form_that_expires) {
    const auto request = call(an_account(), "listZones", {{"name", "eu one"}}, now);

    BOOST_TEST(request.method == "POST");
    BOOST_TEST(request.url == "https://cloud.example.org/client/api");
    BOOST_TEST(request.body.starts_with(
        "apiKey=the%20key&command=listZones&expires=2026-11-22T19%3A07%3A35%2B0000&name=eu%20one&"
        "response=json&signatureVersion=3&signature="));
    BOOST_TEST(request.body.find("the secret") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_display_name_is_read_back_and_others_are_not) {
    const Mark mark = a_mark();

    BOOST_TEST(display_name(mark) ==
               "cooperage 0123456789abcdef0123456789abcdef 00000001 00000001-1001 10-2");
    BOOST_TEST((*mark_in_display_name(display_name(mark)) == mark));
    for (const char* other :
         {"", "web1", "cooperage a b c", "cooperage a b c 1-2 d", "cooperage a b c 1",
          "cooperage a b c x-2", "cooperage a b c 1-9999999999", "another a b c 1-2"}) {
        BOOST_TEST(!mark_in_display_name(other), other);
    }
}

BOOST_AUTO_TEST_CASE(a_name_is_unique_for_each_attempt_and_legal) {
    Mark next = a_mark();
    next.attempt = 3;

    BOOST_TEST(machine_name(an_account(), a_mark()) == "cooperage-01234567-00000001-1001-10-2");
    BOOST_TEST(machine_name(an_account(), next) == "cooperage-01234567-00000001-1001-10-3");
    BOOST_TEST(name_prefix(an_account()) == "cooperage-01234567-");
}

BOOST_AUTO_TEST_CASE(a_deployment_has_what_is_known_and_nothing_empty) {
    const Account account = an_account();
    MachineSpec spec;
    spec.hardware["root_disk_gb"] = "20";
    Order order{.account = account, .spec = spec};
    order.mark = a_mark();

    const Params bare = deployment(order, {.zone = "z", .offering = "o", .template_id = "t"});
    order.user_data = "#cloud-config\n";
    const Params full = deployment(order, {.zone = "z",
                                           .offering = "o",
                                           .template_id = "t",
                                           .networks = {"n1", "n2"},
                                           .groups = {"g"}});

    BOOST_TEST(bare.size() == 6u);
    BOOST_TEST(bare.at("rootdisksize") == "20");
    BOOST_TEST(bare.count("userdata") == 0u);
    BOOST_TEST(full.at("networkids") == "n1,n2");
    BOOST_TEST(full.at("securitygroupids") == "g");
    BOOST_TEST(full.at("userdata") == "I2Nsb3VkLWNvbmZpZwo=");
    BOOST_TEST(full.count("customid") == 0u);
}

BOOST_AUTO_TEST_CASE(tags_are_numbered) {
    const Params params = tagging("UserVm", "id", {{"a", "1"}, {"b", "2"}});

    BOOST_TEST(params.at("resourceids") == "id");
    BOOST_TEST(params.at("tags[0].key") == "a");
    BOOST_TEST(params.at("tags[1].value") == "2");
}

BOOST_AUTO_TEST_CASE(ids_are_told_from_names) {
    BOOST_TEST(providers::cloud::is_uuid("1128bd56-b4d9-4ac6-a7b9-c715b187ce11"));
    BOOST_TEST(!providers::cloud::is_uuid("Small Instance"));
    BOOST_TEST(!providers::cloud::is_uuid("1128bd56-b4d9-4ac6-a7b9-c715b187ceXX"));
}

BOOST_AUTO_TEST_SUITE_END()
