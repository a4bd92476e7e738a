#include <boost/test/unit_test.hpp>

#include "provisioner/providers/openstack/openstack_cloud.hpp"

BOOST_AUTO_TEST_SUITE(openstack_type)

using namespace provisioner;
using namespace provisioner::providers;

BOOST_AUTO_TEST_CASE(the_fields_of_coopr_are_kept_in_their_order) {
    const auto type = openstack::openstack_type();
    std::string text;
    for (std::size_t i = 0; i < 11; ++i) {
        const auto& field = type.admin.fields.at(i);
        text += field.name + "|" + field.label + "|" + field.kind + "|" +
                base::text_at({{"x", field.default_value}}, "x") +
                (field.overridable ? "|yes\n" : "|\n");
    }

    BOOST_TEST(text ==
               "api_user|Username|text||\n"
               "api_password|Password|password||\n"
               "availability_zone|Availability Zone|text||yes\n"
               "openstack_tenant|Tenant|text||\n"
               "openstack_auth_url|Auth URL|text|http://EXAMPLE.DOMAIN.COM:5000/v2.0/tokens|\n"
               "ssh_keypair|Key name|text||\n"
               "ssh_key_resource|SSH Key Resource Name|text||\n"
               "floating_ip|Floating IP|checkbox||yes\n"
               "network_ids|Network IDs|text||yes\n"
               "openstack_ssl_verify_peer|Verify SSL peers|checkbox||\n"
               "security_groups|Security Group|text|default|yes\n");
    BOOST_TEST(type.user.fields.at(0).name == "user_data_resource");
    BOOST_TEST(type.resource_types.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_login_needs_a_password_or_an_application_credential) {
    const auto type = openstack::openstack_type();
    const base::Json with_password = {{"api_user", "u"},
                                      {"api_password", "p"},
                                      {"openstack_tenant", "t"},
                                      {"openstack_auth_url", "http://c"}};
    const base::Json with_credential = {{"openstack_application_credential_id", "i"},
                                        {"openstack_application_credential_secret", "s"},
                                        {"openstack_auth_url", "http://c"}};

    BOOST_TEST(model::is_filled(type.admin, with_password));
    BOOST_TEST(model::is_filled(type.admin, with_credential));
    BOOST_TEST(!model::is_filled(type.admin, base::Json{{"api_user", "u"}}));
}

BOOST_AUTO_TEST_CASE(the_catalogue_accepts_the_type_and_its_secrets_are_secret) {
    const auto type = openstack::openstack_type();
    std::string secret;
    for (const auto& field : type.admin.fields) {
        if (field.is_secret()) secret += field.name + " ";
    }

    const auto read =
        model::plugin_type_from_json(model::PluginKind::provider, model::to_json(type));

    BOOST_REQUIRE(read.has_value());
    BOOST_TEST((*read == type));
    BOOST_TEST(secret == "api_password openstack_application_credential_secret ");
}

BOOST_AUTO_TEST_SUITE_END()
