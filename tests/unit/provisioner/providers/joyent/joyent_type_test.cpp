#include <boost/test/unit_test.hpp>

#include "provisioner/providers/cloud/cloud_provider.hpp"
#include "provisioner/providers/joyent/joyent_cloud.hpp"
#include "tests/unit/provisioner/providers/cloud/fake_cloud.hpp"

using namespace provisioner;
using providers::joyent::JoyentCloud;

BOOST_AUTO_TEST_SUITE(joyent_type)

/// A client that no test may reach.
struct NoClient final : http_client::Client {
    boost::asio::awaitable<http_client::Reply> send(http_client::Request) override {
        throw std::logic_error("unit tests send nothing");
    }
};

struct Tools {
    NoClient client;
    base::SystemClock clock;
    providers::cloud::LocalRateLimits limits{clock};
    providers::cloud::Calls calls{client, limits, clock};
    providers::cloud::Tokens tokens;
    providers::cloud::Tools tools() { return {.calls = calls, .tokens = tokens}; }
};

BOOST_AUTO_TEST_CASE(the_fields_of_coopr_come_first_and_as_they_were) {
    Tools tools;
    const model::PluginType type = JoyentCloud(tools.tools()).type();

    std::string text;
    for (std::size_t i = 0; i < 6; ++i) {
        const model::PluginField& field = type.admin.fields.at(i);
        text += field.name + " | " + field.label + " | " + field.kind + " | " +
                (field.default_value.is_null() ? "" : field.default_value.get<std::string>()) +
                (field.overridable ? " | yes" : "") + "\n";
    }

    BOOST_TEST(text ==
               "api_user | CloudAPI Username | text | \n"
               "api_password | CloudAPI Password | password | \n"
               "ssh_keypair | Key Name | text | \n"
               "ssh_key_resource | SSH Key Resource Name | text | \n"
               "joyent_version | API version | text | ~7.0\n"
               "joyent_api_url | Region | select | https://us-east-1.api.joyentcloud.com | yes\n");
    BOOST_TEST(type.admin.fields.at(5).options.size() == 6u);
    BOOST_TEST(type.admin.fields.at(5).options.back() == "https://eu-ams-1.api.joyentcloud.com");
    BOOST_TEST(type.admin.required.size() == 2u);
    BOOST_TEST(type.resource_types.at(0).name == "ssh_keys");
    BOOST_TEST(*type.resource_types.at(0).permissions == "0400");
}

BOOST_AUTO_TEST_CASE(the_type_is_one_that_the_catalogue_accepts) {
    Tools tools;
    const auto provider =
        providers::cloud::provider_of(std::make_unique<JoyentCloud>(tools.tools()));

    const auto read =
        model::plugin_type_from_json(model::PluginKind::provider, to_json(provider->type()));

    BOOST_REQUIRE(read);
    BOOST_TEST(read->header.name == "joyent");
}

BOOST_AUTO_TEST_CASE(an_account_is_named_by_its_login_and_its_region) {
    Tools tools;
    providers::Account account;
    account.fields = {{"api_user", "joe"},
                      {"api_password", "secret"},
                      {"joyent_api_url", "https://us-sw-1.api.joyentcloud.com"}};

    BOOST_TEST(JoyentCloud(tools.tools()).account_name(account) ==
               "joe at https://us-sw-1.api.joyentcloud.com");
}

/// Each page is full, however far the offset is.
BOOST_AUTO_TEST_CASE(a_listing_without_an_end_is_given_up) {
    struct Endless final : http_client::Client {
        boost::asio::awaitable<http_client::Reply> send(http_client::Request) override {
            http_client::Reply reply;
            reply.status = 200;
            reply.headers = {{"x-query-limit", "1"}};
            reply.body = R"([{"id": "a"}])";
            co_return reply;
        }
    };
    Endless client;
    base::SystemClock clock;
    providers::cloud::LocalRateLimits limits{clock};
    providers::cloud::Calls calls{client, limits, clock};
    providers::cloud::Tokens tokens;
    JoyentCloud joyent({.calls = calls, .tokens = tokens});
    providers::Account account;
    account.fields = {{"api_user", "joe"},
                      {"api_password", "secret"},
                      {"api_endpoint", "https://cloud.example.org"},
                      {"calls_per_second", "10000"}};
    BOOST_CHECK_EXCEPTION(tests::run(joyent.list(account)), providers::cloud::Lost,
                          [](const providers::cloud::Lost& lost) {
                              return std::string(lost.what()).starts_with("the listing has no end");
                          });
}

BOOST_AUTO_TEST_SUITE_END()
