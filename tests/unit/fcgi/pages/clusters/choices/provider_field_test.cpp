#include "fcgi/pages/clusters/choices/provider_field.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(provider_fields_of_clusters)

using namespace fcgi::pages;
using provisioner::model::PluginField;

namespace {

PluginField field_of_kind(const std::string& kind) {
    PluginField field;
    field.name = "f";
    field.label = "F";
    field.kind = kind;
    return field;
}

std::string options_with(const PluginField& field, const std::string& value) {
    ClusterForm form;
    form.provider_fields = {{"f", value}};
    const FormField control = provider_field(field, form);
    BOOST_TEST(control.value == value);
    std::string options;
    for (const auto& [option, label] : control.options) options += option + '=' + label + ' ';
    return options;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_yes_or_no_is_chosen_and_sent_as_plugins_read_it) {
    const PluginField checkbox = field_of_kind("checkbox");

    BOOST_TEST(options_with(checkbox, "") == "=Not set true=Yes false=No ");
    BOOST_TEST(options_with(checkbox, "false") == "=Not set true=Yes false=No ");
    BOOST_TEST(options_with(checkbox, "on") == "=Not set true=Yes false=No on=on ");
    BOOST_TEST(chosen_value_words(checkbox, "true") == "Yes");
    BOOST_TEST(chosen_value_words(checkbox, "false") == "No");
}

BOOST_AUTO_TEST_CASE(one_of_a_list_is_chosen_and_everything_else_typed) {
    PluginField select = field_of_kind("select");
    select.options = {"ssd", "standard"};

    BOOST_TEST(options_with(select, "ssd") == "=Not set ssd=ssd standard=standard ");
    BOOST_TEST(options_with(select, "tape") == "=Not set ssd=ssd standard=standard tape=tape ");
    BOOST_TEST(options_with(field_of_kind("text"), "any") == "");
    BOOST_TEST((provider_field(field_of_kind("text"), {}).control == FormField::Control::input));
    BOOST_TEST(chosen_value_words(field_of_kind("text"), "true") == "true");
}

BOOST_AUTO_TEST_SUITE_END()
