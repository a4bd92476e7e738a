#include <boost/test/unit_test.hpp>

#include "provisioner/providers/cloud/cloud_provider.hpp"
#include "provisioner/providers/cloudstack/cloudstack_cloud.hpp"

using namespace provisioner;
using providers::cloudstack::CloudStackCloud;

BOOST_AUTO_TEST_SUITE(cloudstack_type)

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

BOOST_AUTO_TEST_CASE(the_type_is_one_that_the_catalogue_accepts_and_its_secret_is_one) {
    Tools tools;
    const auto provider =
        providers::cloud::provider_of(std::make_unique<CloudStackCloud>(tools.tools()));
    const model::PluginType type = provider->type();

    const auto read = model::plugin_type_from_json(model::PluginKind::provider, to_json(type));

    BOOST_REQUIRE(read);
    BOOST_TEST(read->header.name == "cloudstack");
    int endpoints = 0;
    for (const model::PluginField& field : type.admin.fields) {
        BOOST_TEST(field.is_secret() == (field.name == "api_secret"), field.name);
        endpoints += field.name == "api_endpoint" ? 1 : 0;
    }
    BOOST_TEST(endpoints == 1);
}

BOOST_AUTO_TEST_CASE(an_account_is_named_without_its_secret) {
    Tools tools;
    providers::Account account;
    account.fields = {{"api_endpoint", "https://cloud.example.org/client/api"},
                      {"api_key", "key"},
                      {"api_secret", "secret"}};

    BOOST_TEST(CloudStackCloud(tools.tools()).account_name(account) ==
               "key at https://cloud.example.org/client/api");
}

BOOST_AUTO_TEST_SUITE_END()
