#include "provisioner/model/plugins/sealed.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::model;
using provisioner::base::Json;

BOOST_AUTO_TEST_SUITE(sealed)

BOOST_AUTO_TEST_CASE(only_an_object_with_nothing_but_a_sealed_text_is_sealed) {
    BOOST_TEST(is_sealed(sealed_value("1.AA")));
    BOOST_TEST(sealed_text(sealed_value("1.AA")) == "1.AA");
    BOOST_TEST(!is_sealed(Json{{"sealed", 1}}));
    BOOST_TEST(!is_sealed(Json{{"sealed", "1.AA"}, {"more", 1}}));
    BOOST_TEST(!is_sealed(Json("sealed")));
    BOOST_TEST(!is_sealed(Json()));
    BOOST_TEST(!is_sealed(Json::array({"sealed"})));
}

BOOST_AUTO_TEST_CASE(what_is_shown_has_a_mask_in_place_of_each_secret) {
    const Json entry{{"name", "cloud"},
                     {"providertype", "aws"},
                     {"provisioner", {{"user", "u"}, {"key", sealed_value("1.AA")}}}};

    BOOST_TEST(shown_entry(entry)["provisioner"].dump() == R"({"user":"u","key":"********"})");
    BOOST_TEST(without_sealed(entry["provisioner"]).dump() == R"({"user":"u"})");
    const Json service{{"name", "provisioner"}, {"provisioner", sealed_value("x")}};
    BOOST_TEST(shown_entry(service) == service);
}

BOOST_AUTO_TEST_CASE(whoever_only_reads_gets_the_mask_for_what_sounds_secret) {
    const Json document{{"config", {{"db_password", "s3cret"}, {"tokens", {1, "two"}}}},
                        {"port", 80}};
    Caller caller;
    caller.user.role = Role::user;
    BOOST_TEST(readable_by(caller, document) == document);

    caller.user.role = Role::auditor;

    BOOST_TEST(
        readable_by(caller, document).dump() ==
        R"({"config":{"db_password":"********","tokens":["********","********"]},"port":80})");
}

BOOST_AUTO_TEST_CASE(names_of_services_are_not_taken_for_names_of_secrets) {
    Json document{
        {"constraints", {{"services", {{"token-server", {{"quantities", {{"min", 1}}}}}}}}}};
    const Json before = document;

    hide_what_sounds_secret(document, secret_mask);

    BOOST_TEST(document == before);
    document["constraints"]["services"]["token-server"]["password"] = "x";
    hide_what_sounds_secret(document, "-");
    BOOST_TEST(document["constraints"]["services"]["token-server"]["password"] == "-");
}

BOOST_AUTO_TEST_CASE(within_a_configuration_every_name_is_judged) {
    Json document{{"defaults",
                   {{"config",
                     {{"services", {{"db_password", {{"value", "s3cret"}}}}},
                      {"actions", {{"api_token", "s3cret"}}}}}}},
                  {"services", {{"api_token", "s3cret"}}}};

    hide_what_sounds_secret(document, secret_mask);

    BOOST_TEST(document.dump().find("s3cret") == std::string::npos);
    const Json stored{{"services", {{"db_password", {{"value", "s3cret"}}}}},
                      {"actions", {{"api_token", "s3cret"}}}};
    Json alone = stored;
    hide_what_sounds_secret(alone, secret_mask, DocumentKind::configuration);
    BOOST_TEST(alone.dump().find("s3cret") == std::string::npos);
    BOOST_TEST((with_masked_config(alone, stored).value() == stored));
}

BOOST_AUTO_TEST_CASE(entries_of_a_list_have_no_names_of_entries) {
    Json document{{"services", {{{"token", {{"value", "s3cret"}}}}}}};

    hide_what_sounds_secret(document, secret_mask);

    BOOST_TEST(document.dump() == R"({"services":[{"token":{"value":"********"}}]})");
}

BOOST_AUTO_TEST_CASE(a_masked_value_that_comes_back_is_the_stored_one) {
    const Json present{{"name", "web"},
                       {"config", {{"password", "s3cret"}, {"tokens", {1, "two"}}}}};
    Json sent{{"name", "new"},
              {"config", {{"password", secret_mask}, {"tokens", {secret_mask, secret_mask}}}}};

    const auto whole = with_masked_values(sent, present);

    BOOST_REQUIRE(whole.has_value());
    BOOST_TEST(whole->dump() ==
               R"({"name":"new","config":{"password":"s3cret","tokens":[1,"two"]}})");
    const auto refused = with_masked_values(sent, std::nullopt);
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().size() == 3U);
    BOOST_TEST(refused.error().front().field == "config.password");
}

BOOST_AUTO_TEST_CASE(an_element_of_a_list_keeps_its_secret_wherever_it_stands) {
    const Json ann{{"name", "ann"}, {"password", "A"}};
    const Json bob{{"name", "bob"}, {"password", "B"}};
    const Json masked_ann{{"name", "ann"}, {"password", secret_mask}};
    const Json masked_bob{{"name", "bob"}, {"password", secret_mask}};
    const Json cid{{"name", "cid"}, {"password", "C"}};
    const Json present{{"users", {ann, bob}}};

    const Json changed{{"users", {cid, masked_bob, masked_ann}}};

    BOOST_TEST((with_masked_values(changed, present).value() == Json{{"users", {cid, bob, ann}}}));
}

BOOST_AUTO_TEST_CASE(nobody_gets_the_secret_of_another_element_of_a_list) {
    const Json present{{"users", {{{"name", "ann"}, {"password", "A"}}}},
                       {"tokens", {"one", "two"}}};
    const Json renamed{{"users", {{{"name", "bob"}, {"password", secret_mask}}}}};
    const Json one_less{{"tokens", {secret_mask}}};

    const auto refused = with_masked_values(renamed, present);
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().front().message ==
               "users.0.password: ******** stays only in an element of a list that is as it was: "
               "give the value");
    // It may be either of them.
    BOOST_TEST(!with_masked_values(one_less, present).has_value());
}

BOOST_AUTO_TEST_CASE(a_mask_is_not_stored_where_no_secret_stands) {
    const Json present{{"db", {{"password", "s3cret"}}}, {"stars", secret_mask}};

    const auto refused = with_masked_config(Json{{"db", {{"pin", secret_mask}}}}, present);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().front().field == "config");
    BOOST_TEST(refused.error().front().message ==
               "db.pin: ******** stands for a stored value only below the name of a secret: give "
               "the value");
    BOOST_TEST(with_masked_config(Json{{"stars", secret_mask}}, present).has_value());
}

BOOST_AUTO_TEST_CASE(a_field_is_secret_when_its_type_says_so) {
    PluginType type;
    PluginField open;
    open.name = "api_user";
    PluginField sensitive = open;
    sensitive.name = "url";
    sensitive.sensitive = true;
    PluginField password = open;
    password.name = "pin";
    password.kind = "password";
    PluginField token_count = open;
    token_count.name = "token_count";
    type.admin.fields = {open, sensitive, token_count};
    type.user.fields = {password};

    BOOST_TEST(!is_secret_field(&type, "api_user"));
    BOOST_TEST(is_secret_field(&type, "url"));
    BOOST_TEST(is_secret_field(&type, "pin"));
    BOOST_TEST(!is_secret_field(&type, "token_count"));
}

BOOST_AUTO_TEST_CASE(a_field_nobody_describes_is_secret_when_it_sounds_so) {
    for (const char* name : {"api_password", "AWS_Secret", "token", "client_private_key"}) {
        BOOST_TEST(is_secret_field(nullptr, name), name);
    }
    for (const char* name : {"api_user", "region", "ssh_keypair", "keyname"}) {
        BOOST_TEST(!is_secret_field(nullptr, name), name);
    }
    const PluginType empty;
    BOOST_TEST(is_secret_field(&empty, "api_password"));
}

BOOST_AUTO_TEST_CASE(secrets_have_a_limit_each_and_one_for_all_together) {
    const std::string half(longest_secret / 2 - 2, 'x');
    Json secrets{{"a", half}, {"b", half}};
    BOOST_TEST(problems_with_sizes("provisioner", secrets).empty());

    secrets["c"] = "one more";
    BOOST_TEST(provisioner::base::to_text(problems_with_sizes("provisioner", secrets)) ==
               "provisioner: has more than 65536 bytes in secret fields together");

    secrets["a"] = half + half + "12345";
    BOOST_TEST(provisioner::base::to_text(problems_with_sizes("provisioner", secrets)) ==
               "provisioner.a: is longer than 65536 bytes");
}

BOOST_AUTO_TEST_SUITE_END()
