#include "provisioner/providers/cloud/fields.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/cloud/fake_cloud.hpp"

using namespace provisioner;
using namespace provisioner::providers::cloud;

BOOST_AUTO_TEST_CASE(the_hardware_type_overrides_the_provider) {
    auto account = tests::an_account();
    account.fields = {{"zone", " eu-1a "}, {"size", 10}, {"none", nullptr}};
    auto spec = tests::a_spec();
    BOOST_TEST(setting(account, spec, "zone") == "eu-1a");
    BOOST_TEST(setting(account, spec, "size") == "10");
    BOOST_TEST(setting(account, spec, "none").empty());
    spec.hardware["zone"] = "eu-1b";
    BOOST_TEST(setting(account, spec, "zone") == "eu-1b");
}

BOOST_AUTO_TEST_CASE(words_for_yes_are_read_whatever_their_case) {
    for (const char* yes : {"true", "TRUE", "1", "Yes", "on"}) BOOST_TEST(is_yes(yes, false));
    for (const char* no : {"false", "0", "no", "off", "x"}) BOOST_TEST(!is_yes(no, true));
    BOOST_TEST(is_yes("", true));
}

BOOST_AUTO_TEST_CASE(numbers_out_of_bounds_are_problems_of_their_field) {
    base::Problems problems;
    BOOST_TEST(number_in("", "size", 1, 10, 5, problems) == 5);
    BOOST_TEST(number_in("7", "size", 1, 10, 5, problems) == 7);
    BOOST_TEST(problems.empty());
    number_in("11", "size", 1, 10, 5, problems);
    number_in("-1", "size", 1, 10, 5, problems);
    number_in("ten", "size", 1, 10, 5, problems);
    BOOST_TEST(problems.size() == 3U);
    BOOST_TEST(base::to_text({problems[0]}) == "size: must be a whole number between 1 and 10");
}

BOOST_AUTO_TEST_CASE(every_cloud_has_the_common_fields_after_its_own_and_none_twice) {
    model::PluginType type;
    type.admin.fields = {field({.name = "api_endpoint", .label = "Own"})};
    add_common_fields(type);
    add_common_fields(type);
    BOOST_TEST(type.admin.fields.size() == 7U);
    BOOST_TEST(type.admin.fields[0].label == "Own");
}

BOOST_AUTO_TEST_CASE(requests_of_accounts_must_not_lead_to_this_host) {
    const auto request = request_to(tests::an_account(), "GET", "https://cloud.example.org");
    BOOST_TEST(request.forbids_own_network);
}

BOOST_AUTO_TEST_CASE(an_api_without_tls_needs_the_setting) {
    using http_client::OwnNetwork;
    model::PluginType type;
    type.admin.fields = {field({.name = "auth_url", .label = "Identity", .leads = true})};
    add_common_fields(type);
    auto account = tests::an_account();
    for (const char* endpoint : {"", "https://cloud.example.org"}) {
        account.fields["api_endpoint"] = endpoint;
        BOOST_TEST(check_common_fields(account, type, OwnNetwork::closed).empty());
    }
    account.fields["api_endpoint"] = "http://cloud.example.org";
    BOOST_TEST(base::to_text(check_common_fields(account, type, OwnNetwork::closed)) ==
               "api_endpoint: must begin with https://: without TLS it would need the setting "
               "http.own_network");
    BOOST_TEST(check_common_fields(account, type, OwnNetwork::open).empty());
    account.fields["api_endpoint"] = "gopher://cloud.example.org";
    BOOST_TEST(base::to_text(check_common_fields(account, type, OwnNetwork::open)) ==
               "api_endpoint: must begin with https://");
    account.fields = {{"auth_url", "http://keystone.example.org"}};
    BOOST_TEST(base::to_text(check_common_fields(account, type, OwnNetwork::closed)) ==
               "auth_url: must begin with https://: without TLS it would need the setting "
               "http.own_network");
    BOOST_TEST(check_common_fields(account, type, OwnNetwork::open).empty());
}

BOOST_AUTO_TEST_CASE(providers_that_lead_to_one_account_share_its_lanes) {
    auto one = tests::an_account();
    auto other = tests::an_account();
    other.fields = {{"flavor_of_tea", "green"}, {"creations_per_second", "0.5"}};
    const auto lane = lane_of(one, "here", {}, "create");
    const auto lane_of_other = lane_of(other, "here", {}, "create");
    BOOST_TEST(lane.account == lane_of_other.account);
    BOOST_TEST(lane.per_second == 2);
    BOOST_TEST(lane_of_other.per_second == 0.5);
    // So many in any second, after a pause, too.
    BOOST_TEST(lane_of_other.burst == 1);
    BOOST_TEST(account_key(one) != account_key(other));
}

BOOST_AUTO_TEST_CASE(a_tenant_that_names_the_account_of_another_does_not_slow_it_down) {
    auto one = tests::an_account();
    auto other = tests::an_account();
    other.tenant.value = one.tenant.value + 1;
    for (const char* kind : {"read", "create"}) {
        BOOST_TEST(lane_of(one, "here", {}, kind).account !=
                   lane_of(other, "here", {}, kind).account);
    }
}

BOOST_AUTO_TEST_CASE(rates_are_within_what_leaves_the_queue_moving) {
    auto account = tests::an_account();
    const auto problems = [&](const char* rate) {
        account.fields = {{"calls_per_second", rate}, {"creations_per_second", rate}};
        return check_common_fields(account, {}, http_client::OwnNetwork::closed).size();
    };
    BOOST_TEST(problems("0.1") == 0U);
    BOOST_TEST(problems("10000") == 0U);
    for (const char* rate : {"0.09", "0.01", "0", "-1", "nan", "10001", "1e-300", "many"}) {
        BOOST_TEST(problems(rate) == 2U, rate);
    }
}

BOOST_AUTO_TEST_CASE(files_that_fields_name_and_that_are_not_there_are_problems) {
    auto account = tests::an_account();
    account.fields = {{"ssh_key_resource", "laptop"},
                      {"api_key_resource", "key.json"},
                      {"user_data_resource", ""},
                      {"ssh_keypair", "laptop"}};
    account.files["api_key_resource"] = "{}";
    BOOST_TEST(base::to_text(check_files(account)) ==
               "ssh_key_resource: there is no file \"laptop\" among the provider type's resources, "
               "or it cannot be read");
}

BOOST_AUTO_TEST_CASE(a_request_of_json_has_its_token_and_a_type_if_it_has_a_body) {
    const auto account = tests::an_account();
    const auto get = json_request_to(account, "GET", "https://a/b", nullptr, "word");
    BOOST_TEST((get.headers == http_client::Headers{{"Authorization", "Bearer word"},
                                                    {"Accept", "application/json"}}));
    BOOST_TEST(get.body.empty());
    const auto post = json_request_to(account, "POST", "https://a/b", {{"name", "web"}});
    BOOST_TEST((post.headers == http_client::Headers{{"Accept", "application/json"},
                                                     {"Content-Type", "application/json"}}));
    BOOST_TEST(post.body == R"({"name":"web"})");
}

BOOST_AUTO_TEST_CASE(calls_go_to_the_usual_address_unless_a_field_names_another) {
    auto account = tests::an_account();
    BOOST_TEST(endpoint_of(account, "https://api.example.org/") == "https://api.example.org");
    account.fields["api_endpoint"] = "https://cloud.example.org:8443//";
    BOOST_TEST(endpoint_of(account, "https://api.example.org") == "https://cloud.example.org:8443");
    account.fields["api_endpoint"] = nullptr;
    BOOST_TEST(endpoint_of(account, "").empty());
}
