#include "fcgi/pages/clusters/choices/fitting_types.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace fcgi::pages;
using provisioner::model::CatalogueKind;
using provisioner::model::Service;

const std::vector<TypeChoice> types{{"large", "large", {"moon", "sim"}},
                                    {"medium", "Middle (medium)", {"moon"}},
                                    {"small", "small", {"sim"}}};
const std::vector<std::pair<std::string, std::string>> providers{
    {"moon", "The moon (moon)"}, {"sim", "sim"}, {"sun", "sun"}};

struct AskedType {
    std::string provider{};
    std::string usual{};
    std::string asked{};
    std::vector<std::string> compatible{};
};

TypeQuestion question_of(const AskedType& asked) {
    return {.kind = CatalogueKind::hardware_type,
            .all = types,
            .compatible = asked.compatible,
            .usual = asked.usual,
            .asked = asked.asked,
            .provider = asked.provider};
}

/// "(large)|small: note", the chosen option in brackets.
std::string drawn(const AskedType& asked) {
    const auto fitting = fitting_types(question_of(asked));
    std::string text;
    for (const auto& [value, label] : fitting.options) {
        text += text.empty() ? "" : "|";
        text += value == fitting.chosen ? '(' + label + ')' : label;
    }
    return text + (fitting.note.empty() ? "" : ": " + fitting.note);
}

}  // namespace

BOOST_AUTO_TEST_CASE(only_types_that_the_provider_has_are_offered) {
    BOOST_TEST(drawn({.provider = "sim"}) == "(Any compatible)|large|small");
    BOOST_TEST(drawn({.provider = "moon"}) == "(Any compatible)|large|Middle (medium)");
    BOOST_TEST(drawn({}) == "(Any compatible)|large|Middle (medium)|small");
}

BOOST_AUTO_TEST_CASE(only_types_that_the_template_allows_are_offered_in_its_order) {
    BOOST_TEST(drawn({.provider = "sim", .compatible = {"small", "medium", "large"}}) ==
               "(Any compatible)|small|large");
}

BOOST_AUTO_TEST_CASE(the_default_of_a_template_leaves_no_choice_of_any) {
    BOOST_TEST(drawn({.provider = "sim", .usual = "small"}) == "large|(small)");
    BOOST_TEST(drawn({.provider = "sim", .usual = "small", .asked = "large"}) == "(large)|small");
}

BOOST_AUTO_TEST_CASE(a_default_that_cannot_work_at_the_provider_is_replaced_and_it_is_said) {
    BOOST_TEST(drawn({.provider = "sim", .usual = "medium", .asked = "medium"}) ==
               "(large)|small: Middle (medium) cannot be used at the provider sim: large is chosen "
               "instead.");
    BOOST_TEST(drawn({.provider = "sim", .asked = "medium"}) ==
               "(Any compatible)|large|small: Middle (medium) cannot be used at the provider sim: "
               "any that can is chosen instead.");
    BOOST_TEST(drawn({.provider = "sim", .usual = "small", .asked = "medium"}) ==
               "large|(small): Middle (medium) cannot be used at the provider sim: small is chosen "
               "instead.");
}

BOOST_AUTO_TEST_CASE(where_nothing_fits_all_that_is_allowed_stays) {
    const AskedType asked{.provider = "sim", .usual = "medium", .compatible = {"medium"}};

    BOOST_TEST(fitting_types(question_of(asked)).nothing_fits);
    BOOST_TEST(drawn(asked) == "(Middle (medium))");
}

BOOST_AUTO_TEST_CASE(what_is_missing_is_mended_by_an_administrator) {
    const AskedType asked{.provider = "sim", .compatible = {"medium"}};

    const auto for_admin = missing_json(question_of(asked), "Sim", true);
    const auto for_user = missing_json(question_of(asked), "Sim", false);

    BOOST_TEST(for_admin.at("sentence") ==
               "No hardware type of this template can be used at the provider Sim.");
    BOOST_TEST(
        for_admin.at("links").dump() ==
        R"json([{"href":"/catalogue/hardwaretypes/medium/edit","text":"Middle (medium)"}])json");
    BOOST_TEST(for_user.at("remedy") == "An administrator of your tenant can add one.");
    BOOST_TEST(for_user.at("links").empty());
}

BOOST_AUTO_TEST_CASE(an_administrator_without_any_type_is_led_to_the_list) {
    const AskedType asked{.provider = "sim", .compatible = {"deleted"}};

    BOOST_TEST(missing_json(question_of(asked), "Sim", true).at("links").at(0).at("href") ==
               "/catalogue/hardwaretypes");
}

BOOST_AUTO_TEST_CASE(other_providers_are_those_at_which_something_fits) {
    const AskedType narrow{.provider = "sim", .compatible = {"medium"}};
    const AskedType wide{.provider = "sim"};

    const auto others = other_providers({question_of(narrow), question_of(wide)}, providers);
    const auto with_medium = providers_with_what_is_asked(
        question_of({.provider = "sim", .asked = "medium"}), providers);

    BOOST_TEST(others == std::vector<std::string>{"The moon (moon)"},
               boost::test_tools::per_element());
    BOOST_TEST(with_medium == std::vector<std::string>{"The moon (moon)"},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_a_chosen_service_needs_is_said_and_offered) {
    Service app;
    app.header.name = "app";
    app.dependencies.runtime.required = {"sql"};
    Service mysql;
    mysql.header.name = "mysql";
    mysql.dependencies.provides = {"sql"};
    Service postgres;
    postgres.header.name = "postgres";
    postgres.dependencies.provides = {"sql"};
    const std::vector<Service> all{app, mysql, postgres};
    Labels labels;
    labels.add(CatalogueKind::service, {{"app", "Application"}, {"mysql", "Database"}});
    const auto words = [&](const std::vector<std::string>& allowed) {
        const auto missing = missing_services({"app"}, allowed, all);
        return missing.size() == 1U ? words_of_missing(missing.front(), labels) : "";
    };

    BOOST_TEST(words({"app", "mysql"}) == "Application needs Database, which is not chosen.");
    BOOST_TEST(
        words({}) ==
        "Application needs one of these services, and none is chosen: Database and postgres.");
    BOOST_TEST(words({"app"}) ==
               "Application needs sql, which no service of this template is or provides.");
    BOOST_TEST(missing_services({"app", "mysql"}, {}, all).empty());
}
