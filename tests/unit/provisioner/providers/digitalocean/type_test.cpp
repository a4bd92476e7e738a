#include "provisioner/providers/digitalocean/type.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

#include "provisioner/base/json.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::digitalocean;

BOOST_AUTO_TEST_SUITE(digitalocean_type)

/// "name | label | type | default | override | options", as Coopr's description has them.
std::string line_of(const model::PluginField& field) {
    std::string options;
    for (const std::string& option : field.options)
        options += (options.empty() ? "" : " ") + option;
    const std::string fallback =
        field.default_value.is_null() ? "" : field.default_value.get<std::string>();
    return field.name + " | " + field.label + " | " + field.kind + " | " + fallback + " | " +
           (field.overridable ? "yes" : "") + " | " + options;
}

BOOST_AUTO_TEST_CASE(the_fields_of_coopr_come_first_and_word_for_word) {
    const auto type = provider_type();

    BOOST_TEST(type.header.name == "digitalocean");
    BOOST_TEST(line_of(type.admin.fields.at(0)) == "api_user | Client ID | text |  |  | ");
    BOOST_TEST(line_of(type.admin.fields.at(1)) == "api_password | API key | password |  |  | ");
    const std::string region = line_of(type.admin.fields.at(2));
    BOOST_TEST(
        region.starts_with("digitalocean_region | Region | select | nyc2 | yes | "
                           "sfo1 nyc2 ams2 sgp1 lon1 nyc3 ams3 nyc1 "));
    BOOST_TEST(line_of(type.admin.fields.at(3)) == "ssh_keypair | Key Name | text |  |  | ");
    BOOST_TEST(line_of(type.admin.fields.at(4)) ==
               "ssh_key_resource | SSH Key Resource Name | text |  |  | ");
    BOOST_REQUIRE(type.resource_types.size() == 1);
    BOOST_TEST(type.resource_types[0].name == "ssh_keys");
    BOOST_TEST(type.resource_types[0].permissions.value() == "0400");
}

BOOST_AUTO_TEST_CASE(the_token_and_the_region_are_enough) {
    const auto type = provider_type();
    BOOST_TEST(model::is_filled(type.admin, *base::parse_json(R"({"api_user": "u",
        "api_password": "p", "ssh_keypair": "k", "ssh_key_resource": "r",
        "digitalocean_region": "nyc2"})")));
    BOOST_TEST(model::is_filled(type.admin, *base::parse_json(
                                                R"({"api_password": "p",
                                                    "digitalocean_region": "nyc3"})")));
    BOOST_TEST(!model::is_filled(type.admin, *base::parse_json(R"({"api_password": "p"})")));
    BOOST_TEST(type.admin.required.at(0).size() == 5);
}

BOOST_AUTO_TEST_CASE(only_the_token_is_a_secret_and_the_description_reads_back) {
    const auto type = provider_type();
    for (const auto& field : type.admin.fields) {
        BOOST_TEST(field.is_secret() == (field.name == "api_password"), field.name);
        BOOST_TEST(!field.label.empty());
    }
    const auto read = model::plugin_type_from_json(model::PluginKind::provider, to_json(type));
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST((read->admin == type.admin));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_told_all_at_once_with_its_fields) {
    Account account;
    account.fields = *base::parse_json(R"({"api_password": "dop v1",
        "ssh_key_resource": "key", "digitalocean_vpc": "mine",
        "digitalocean_volume_size_gb": "many", "digitalocean_tags": "fine, not fine",
        "cloud_init": "false"})");

    const auto problems = problems_of(account, {});

    std::string fields;
    for (const auto& problem : problems) fields += problem.field + " ";
    BOOST_TEST(fields ==
               "api_password ssh_key_resource ssh_keypair digitalocean_region flavor "
               "image digitalocean_vpc digitalocean_volume_size_gb digitalocean_tags ");
}

BOOST_AUTO_TEST_CASE(tags_that_we_make_are_asked_for_by_nobody) {
    Account account;
    account.fields = *base::parse_json(R"({"api_password": "dop_v1", "digitalocean_region": "nyc3",
        "digitalocean_tags": "web, cooperage-cluster:7, cooperage-installation:0"})");
    MachineSpec spec;
    spec.flavor = "s-1vcpu-1gb";
    spec.image = "debian-12-x64";

    const auto problems = problems_of(account, spec);

    BOOST_REQUIRE(problems.size() == 2U);
    BOOST_TEST(problems[0].message.starts_with("\"cooperage-cluster:7\" belongs to Cooperage"),
               problems[0].message);
    BOOST_TEST(problems[1].field == "digitalocean_tags");
}

BOOST_AUTO_TEST_CASE(nothing_is_wrong_with_a_token_a_region_a_size_and_an_image) {
    Account account;
    account.fields = *base::parse_json(
        R"({"api_password": "dop_v1_x", "digitalocean_region": "nyc3", "ssh_key_resource": "k"})");
    account.files["ssh_key_resource"] = "-----BEGIN";
    MachineSpec spec;
    spec.flavor = "s-1vcpu-1gb";
    spec.image = "debian-12-x64";

    BOOST_TEST(base::to_text(problems_of(account, spec)) == "");
}

BOOST_AUTO_TEST_SUITE_END()
