#include "provisioner/operations/catalogue/provider_fields.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/model/plugins/sealed.hpp"

using namespace provisioner;
using operations::FieldsOf;

namespace {

operations::Result<operations::TakenFields> with_user_fields(
    const model::Provider& provider, const model::PluginType& type, const base::Json& given,
    const base::Json& known = base::Json::object()) {
    return operations::with_user_fields(provider, type, given, FieldsOf::user, known);
}

}  // namespace

namespace {

model::PluginField a_field(const std::string& name) {
    model::PluginField field;
    field.name = name;
    field.label = name;
    return field;
}

model::PluginType a_type() {
    model::PluginField region = a_field("region");
    region.overridable = true;
    model::PluginType type;
    type.admin.fields = {region, a_field("account")};
    type.user.fields = {a_field("a1"), a_field("a2"), a_field("a3")};
    return type;
}

}  // namespace

BOOST_AUTO_TEST_CASE(user_fields_and_overridable_admin_fields_are_taken_over) {
    model::Provider provider;
    provider.fields = {{"region", "here"}, {"account", "ours"}};

    const auto merged = with_user_fields(
        provider, a_type(), {{"region", "there"}, {"account", "mine"}, {"a1", "x"}, {"bogus", 1}});

    BOOST_REQUIRE(merged.has_value());
    BOOST_TEST(base::to_text(merged->provider.fields) ==
               R"({"region":"there","account":"ours","a1":"x"})");
}

BOOST_AUTO_TEST_CASE(one_covered_alternative_of_the_required_fields_suffices) {
    model::PluginType type = a_type();
    type.user.required = {{"a1"}, {"a2", "a3"}, {"a1", "a3"}};

    BOOST_TEST(with_user_fields({}, type, {{"a1", "x"}}).has_value());
    BOOST_TEST(with_user_fields({}, type, {{"a2", "x"}, {"a3", "y"}}).has_value());
}

BOOST_AUTO_TEST_CASE(missing_fields_are_listed_for_each_alternative) {
    model::PluginType type = a_type();
    type.user.required = {{"a1"}, {"a2", "a3"}, {"a1", "a3"}};

    const auto refused = with_user_fields({}, type, {{"a2", "x"}});

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == operations::Refusal::Kind::missing_fields));
    const base::Json& missing = refused.error().missing_fields;
    BOOST_REQUIRE(missing.size() == 3);
    BOOST_TEST(missing[0].contains("a1"));
    BOOST_TEST((missing[1].contains("a3") && !missing[1].contains("a2")));
    BOOST_TEST(missing[2].size() == 2);
}

BOOST_AUTO_TEST_CASE(secret_values_are_kept_apart_from_those_anybody_may_see) {
    model::PluginType type = a_type();
    type.user.fields.push_back(a_field("key"));
    type.user.fields.back().sensitive = true;
    model::PluginField url = a_field("url");
    url.overridable = true;
    url.sensitive = true;
    type.admin.fields.push_back(url);
    model::Provider provider;
    provider.fields = {{"url", "the administrator's"}};

    // The worked case of the wire contract.
    const auto taken = with_user_fields(provider, type,
                                        {{"region", "r"},
                                         {"account", "a"},
                                         {"url", "u"},
                                         {"a1", "k"},
                                         {"key", "s"},
                                         {"boguskey", "b"}});

    BOOST_REQUIRE(taken.has_value());
    BOOST_TEST(base::to_text(taken->secrets) == R"({"url":"u","key":"s"})");
    BOOST_TEST(base::to_text(taken->provider.fields) ==
               R"({"url":"the administrator's","region":"r","a1":"k"})");
}

BOOST_AUTO_TEST_CASE(secrets_the_cluster_has_already_are_not_missing) {
    model::PluginType type = a_type();
    type.user.required = {{"a1", "a2"}};

    BOOST_TEST(!with_user_fields({}, type, {{"a2", "x"}}).has_value());
    BOOST_TEST(with_user_fields({}, type, {{"a2", "x"}}, {{"a1", "sealed"}}).has_value());
}

BOOST_AUTO_TEST_CASE(an_empty_secret_and_the_mask_change_nothing) {
    model::PluginType type = a_type();
    type.user.fields.front().sensitive = true;

    for (const base::Json& nothing : {base::Json(), base::Json(""), base::Json("********")}) {
        const auto taken = with_user_fields({}, type, {{"a1", nothing}});
        BOOST_REQUIRE(taken.has_value());
        BOOST_TEST(taken->secrets.empty());
    }
}

BOOST_AUTO_TEST_CASE(a_user_leads_the_secrets_of_others_only_where_the_type_offers_it) {
    model::PluginType type = a_type();
    type.admin.fields.front().leads = true;
    type.admin.fields.front().options = {"https://us.example.org", "https://eu.example.org"};
    const base::Json secret = model::sealed_value("1.AAAA");
    model::Provider provider;
    provider.fields = {{"region", "https://own.example.org"}, {"account", secret}};
    const auto answer = [&](const char* region, const base::Json& known = base::Json::object()) {
        const auto taken = with_user_fields(provider, type, {{"region", region}}, known);
        return taken ? "" : base::to_text(taken.error().problems);
    };
    const std::string refusal =
        "providerFields.region: must be one of the choices that there are: the stored secrets "
        "would go elsewhere";

    BOOST_TEST(answer("https://eu.example.org") == "");
    BOOST_TEST(answer("https://own.example.org") == "");
    BOOST_TEST(answer("https://mine.example.net") == refusal);
    provider.fields["account"] = "open";
    BOOST_TEST(answer("https://mine.example.net") == "");
    BOOST_TEST(answer("https://mine.example.net", {{"a1", secret}}) == refusal);
}

BOOST_AUTO_TEST_CASE(nobody_can_pass_off_a_value_as_sealed) {
    const auto refused = with_user_fields({}, a_type(), {{"a1", {{"sealed", "1.AAAA"}}}});

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().problems.front().field == "providerFields.a1");
}

BOOST_AUTO_TEST_CASE(an_empty_secret_and_the_mask_do_not_stand_for_a_required_one) {
    model::PluginType type = a_type();
    type.user.fields.front().sensitive = true;
    type.user.required = {{"a1"}};

    for (const base::Json& nothing : {base::Json(""), base::Json("********")}) {
        const auto refused = with_user_fields({}, type, {{"a1", nothing}});
        BOOST_REQUIRE(!refused.has_value());
        BOOST_TEST((refused.error().kind == operations::Refusal::Kind::missing_fields));
        BOOST_TEST(with_user_fields({}, type, {{"a1", nothing}}, {{"a1", "sealed"}}).has_value());
    }
}

BOOST_AUTO_TEST_CASE(a_field_that_grants_rights_is_chosen_by_administrators_only) {
    model::PluginType type = a_type();
    type.admin.fields.front().grants = true;
    model::Provider provider;
    provider.fields = {{"region", "plain"}};
    const auto taken = [&](const base::Json& region, FieldsOf whose) {
        return operations::with_user_fields(provider, type, {{"region", region}}, whose);
    };

    BOOST_TEST(!taken("powerful", FieldsOf::user).has_value());
    BOOST_TEST(taken("powerful", FieldsOf::user).error().problems.front().field ==
               "providerFields.region");
    BOOST_TEST(taken("plain", FieldsOf::user).has_value());
    BOOST_TEST(taken("", FieldsOf::user).has_value());
    BOOST_TEST(taken(nullptr, FieldsOf::user)->provider.fields.at("region") == "plain");
    BOOST_TEST(taken("powerful", FieldsOf::administrator)->provider.fields.at("region") ==
               "powerful");
    provider.fields = base::Json::object();
    BOOST_TEST(!taken("powerful", FieldsOf::user).has_value());
    BOOST_TEST(!taken(base::Json::array({"powerful"}), FieldsOf::user).has_value());
}
