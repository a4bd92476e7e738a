#include <boost/test/unit_test.hpp>

#include "provisioner/http_client/client.hpp"
#include "provisioner/providers/cloud/cloud_provider.hpp"
#include "provisioner/providers/google/google_cloud.hpp"
#include "tests/unit/provisioner/providers/google/orders.hpp"

using namespace tests;
using namespace provisioner::providers;

BOOST_AUTO_TEST_SUITE(google_fields)

/// No request is sent in these cases.
struct NoClient final : http_client::Client {
    boost::asio::awaitable<http_client::Reply> send(http_client::Request) override {
        throw std::logic_error("a unit test sends nothing");
    }
};

struct Google {
    NoClient client;
    base::SystemClock clock;
    cloud::LocalRateLimits limits{clock};
    cloud::Calls calls{client, limits, clock};
    cloud::Tokens tokens;
    google::GoogleCloud cloud{cloud::Tools{.calls = calls, .tokens = tokens}};
};

BOOST_AUTO_TEST_CASE(the_fields_are_those_of_coopr_and_then_ours) {
    Google google;
    const auto type = google.cloud.type();
    std::string drawn;
    for (const auto& field : type.admin.fields) {
        drawn += field.name + "|" + field.label + "|" + field.kind + "|" +
                 (field.default_value.is_null() ? "" : field.default_value.get<std::string>()) +
                 "|" + (field.overridable ? "yes" : "") + "|" +
                 std::to_string(field.options.size()) + "\n";
    }
    BOOST_TEST(drawn ==
               "google_project|Project ID|text|||0\n"
               "google_client_email|Service account email address|text|||0\n"
               "api_key_resource|API Key Resource Name|text|||0\n"
               "ssh_key_resource|SSH Key Resource Name|text|||0\n"
               "ssh_user|SSH Username|text|||0\n"
               "google_data_disk_size_gb|Data disk size(s) in GB|text|200|yes|0\n"
               "google_data_disk_type|Data disk(s) type|select|standard|yes|2\n"
               "google_root_disk_size_gb|Root disk size in GB|text|10|yes|0\n"
               "google_root_disk_type|Root disk type|select|standard|yes|2\n"
               "zone_name|Zone|select|us-central1-a|yes|18\n"
               "bootstrap_interface|Bootstrap interface|select|access_v4|yes|2\n"
               "external_ip|Associate public IP|checkbox|true|yes|0\n"
               "auto_restart|Automatically restart instances on failure|checkbox||yes|0\n"
               "provider_hostname|Set hostname to provider-specific public DNS hostname (overrides "
               "DNS suffix)|checkbox||yes|0\n"
               "network|Network name|text|default|yes|0\n"
               "google_key_json|API key|password|||0\n"
               "google_subnetwork|Subnetwork|text||yes|0\n"
               "google_network_tags|More network tags|text||yes|0\n"
               "google_firewall|Make firewall rules for each cluster|checkbox|true|yes|0\n"
               "spot|Spot machines|checkbox||yes|0\n");
    const auto read = model::plugin_type_from_json(type.kind, to_json(type));
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST((*read == type));
}

BOOST_AUTO_TEST_CASE(a_login_needs_a_key_file_or_its_text) {
    Google google;
    const auto admin = google.cloud.type().admin;
    Json fields{{"google_project", "p"}, {"zone_name", "z"}};
    BOOST_TEST(!model::is_filled(admin, fields));
    Json with_text = fields;
    with_text["google_key_json"] = "{}";
    BOOST_TEST(model::is_filled(admin, with_text));
    for (const char* name : {"google_client_email", "api_key_resource", "ssh_key_resource"}) {
        fields[name] = "x";
    }
    BOOST_TEST(model::is_filled(admin, fields));
}

BOOST_AUTO_TEST_CASE(every_problem_of_a_machine_is_named_before_any_call) {
    Google google;
    const auto account = google_account({{"google_project", ""},
                                         {"zone_name", "../x"},
                                         {"network", "a b"},
                                         {"bootstrap_interface", "both"},
                                         {"google_root_disk_size_gb", "ten"}});
    auto spec = google_spec();
    spec.flavor = "";
    BOOST_TEST(base::to_text(google.cloud.check(account, spec)) ==
               "google_project: is missing; zone_name: \"../x\" has characters that such names "
               "cannot have; flavor: is missing; network: \"a b\" has characters that such names "
               "cannot have; bootstrap_interface: must be access_v4 or bind_v4; "
               "google_root_disk_size_gb: must be a whole number between 1 and 65536");
    BOOST_TEST(google.cloud.check(google_account(), google_spec()).empty());
}

BOOST_AUTO_TEST_CASE(zones_of_the_hardware_type_are_alternatives) {
    Google google;
    auto spec = google_spec();
    spec.hardware["availability_zones"] = "us-central1-b, us-central1-a";
    const auto placements = google.cloud.placements(google_account(), spec);
    BOOST_REQUIRE(placements.size() == 2U);
    BOOST_TEST(placements[0].zone == "us-central1-a");
    BOOST_TEST(placements[1].zone == "us-central1-b");
}

BOOST_AUTO_TEST_CASE(the_users_field_wins_over_the_image_types) {
    Google google;
    BOOST_TEST(google.cloud.login_user(google_account(), google_spec()) == "admin");
    const auto account = google_account({{"ssh_user", "deploy"}});
    BOOST_TEST(google.cloud.login_user(account, google_spec()) == "deploy");
}

BOOST_AUTO_TEST_CASE(an_account_is_its_project) {
    Google google;
    BOOST_TEST(google.cloud.account_name(google_account()) == "Google project acme-1");
}

BOOST_AUTO_TEST_SUITE_END()
