#include "fcgi/pages/catalogue/builder/template_page.hpp"
#include "fcgi/pages/kept/to_check.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/catalogue/builder/parts_in_words.hpp"

using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::base::Json;

BOOST_AUTO_TEST_SUITE(page_of_the_builder)

namespace {

TemplatePage page_with(std::size_t services) {
    TemplatePage page{.form = new_template_form(CatalogueKind::cluster_template)};
    page.offer.around.labels.add(CatalogueKind::service, {{"s0", "First"}});
    for (std::size_t i = 0; i < services; ++i) {
        page.offer.services.push_back("s" + std::to_string(i));
    }
    return page;
}

Json services_of(const TemplatePage& page) {
    const Json drawn = to_json(page);
    return drawn.at("default_services").at(0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(services_have_their_labels_and_the_names_beside_them) {
    auto page = page_with(2);
    page.form.groups = {{}};
    page.form.limits = {{.service = "s0"}};

    const Json choices = services_of(page).at("choices");
    const Json drawn = to_json(page);

    BOOST_TEST(choices[0].at("text") == "First");
    BOOST_TEST(choices[0].at("beside") == "s0");
    BOOST_TEST(choices[0].at("value") == "s0");
    BOOST_TEST(choices[1].at("text") == "s1");
    BOOST_TEST(choices[1].at("beside") == "");
    BOOST_TEST(drawn.at("groups").at(0).at("boxes").at(0).at("text") == "First");
    BOOST_TEST(drawn.at("limits").at(0).at("title") == "First");
    BOOST_TEST(drawn.at("limits").at(0).at("service").at("options").at(1).at("label") ==
               "First (s0)");
}

BOOST_AUTO_TEST_CASE(a_rule_names_its_services_and_is_open_until_it_has_some) {
    auto page = page_with(17);
    page.form.groups = {{.services = {"s1", "s0"}}, {}, {.services = {"gone"}}};
    page.problems = {{"group.2.services", "There is no service gone."}};

    const Json rules = to_json(page).at("groups");

    BOOST_TEST(rules.at(0).at("chosen").at(0).at("chip") == "s1");
    BOOST_TEST(rules.at(0).at("chosen").at(1).at("chip") == "First");
    BOOST_TEST(rules.at(0).at("is_open") == false);
    BOOST_TEST(rules.at(0).at("boxes").size() == 17U);
    BOOST_TEST(rules.at(0).at("filter").at("filtered_list") == "group-0-list");
    BOOST_TEST(rules.at(1).at("has_chosen") == false);
    BOOST_TEST(rules.at(1).at("is_open") == true);
    BOOST_TEST(rules.at(2).at("is_open") == true);
    BOOST_TEST(rules.at(2).at("boxes").back().at("value") == "gone");
}

BOOST_AUTO_TEST_CASE(long_lists_can_be_filtered) {
    BOOST_TEST(services_of(page_with(14)).at("filter").is_null());

    const Json filter = services_of(page_with(15)).at("filter");

    BOOST_TEST(filter.at("filtered_list") == "t-defaults.services-list");
    BOOST_TEST(filter.at("filter_label") == "Filter services");
}

BOOST_AUTO_TEST_CASE(only_new_templates_for_users_can_be_drafts) {
    TemplatePage page{.form = new_template_form(CatalogueKind::cluster_template)};
    BOOST_TEST(to_json(page).at("may_be_draft") == true);
    page.form.was = "web";
    BOOST_TEST(to_json(page).at("may_be_draft") == false);
    page = {.form = new_template_form(CatalogueKind::partial_template)};
    BOOST_TEST(to_json(page).at("may_be_draft") == false);
}

BOOST_AUTO_TEST_CASE(what_is_new_to_check_is_confirmed_before_users_get_it_and_only_that) {
    TemplatePage page{.form = new_template_form(CatalogueKind::cluster_template)};
    page.form.was = "shop";
    BOOST_TEST(to_json(page).at("is_to_check") == false);

    page.to_check = {"11 machines or more: not possible."};
    page.problems = {{"checked", "Read what is to be checked, and confirm that you have."}};
    const Json asked = to_json(page);

    // The box with what is to be checked and the tick is all that there is to read.
    BOOST_TEST(asked.at("is_asked") == true);
    BOOST_TEST(asked.at("has_problems") == false);
    BOOST_TEST(asked.at("check_target") == "/builder/clustertemplates/save");
    BOOST_TEST(asked.at("to_check").at(0).at("warning") == page.to_check.front());
    BOOST_TEST(asked.at("checked_word") == word_of_checked(page.to_check));
    BOOST_TEST(word_of_checked(page.to_check) != word_of_checked({"Another thing."}));
    page.form.is_json = true;
    BOOST_TEST(to_json(page).at("has_problems") == false);
    // Another problem is in sight all the same.
    page.problems.push_back({"", "It was changed meanwhile."});
    const Json refused = to_json(page);
    BOOST_TEST(refused.at("is_asked") == false);
    BOOST_TEST(refused.at("problems").at(0).at("target") == "checked");
    BOOST_TEST(refused.at("is_to_check") == true);
}

BOOST_AUTO_TEST_CASE(a_form_that_was_not_to_be_saved_does_not_say_that_it_could_not) {
    TemplatePage page{.form = new_template_form(CatalogueKind::cluster_template)};
    page.problems = {{"limit.0.service", "Choose a service."}};
    const std::string saving = to_json(page).at("problems_title");
    page.is_redrawn = true;
    const std::string switching = to_json(page).at("problems_title");

    BOOST_TEST(saving == "Couldn't save the cluster template");
    BOOST_TEST(switching == "Solve this to switch between form and JSON");
}

BOOST_AUTO_TEST_CASE(the_editor_of_a_draft_says_so_and_a_redrawn_form_that_it_is_not_saved) {
    TemplatePage page{.form = new_template_form(CatalogueKind::cluster_template)};
    const Json fresh = to_json(page);
    page.is_draft = true;
    page.is_unsaved = true;
    const Json redrawn = to_json(page);

    BOOST_TEST(fresh.at("is_draft") == false);
    BOOST_TEST(fresh.at("is_unsaved") == false);
    BOOST_TEST(redrawn.at("is_draft") == true);
    BOOST_TEST(redrawn.at("is_unsaved") == true);
}

BOOST_AUTO_TEST_CASE(a_row_that_is_moved_up_is_found_where_it_stands_then) {
    auto page = page_with(1);
    page.form.includes = {"first", "second"};

    const Json rows = to_json(page).at("includes");

    BOOST_TEST(rows[0].at("raise").is_null());
    BOOST_TEST(rows[1].at("raised") == "include-0");
}

BOOST_AUTO_TEST_CASE(problems_are_listed_in_the_order_of_the_form) {
    auto page = page_with(1);
    page.form.groups = {{}};
    page.problems = {{"administration.leaseduration.max", "Wrong."},
                     {"group.0.services", "Wrong."},
                     {"defaults.config", "Wrong."},
                     {"name", "Wrong."}};

    const Json problems = to_json(page).at("problems");

    std::string labels;
    for (const Json& problem : problems) labels += problem.at("label").get<std::string>() + ", ";
    BOOST_TEST(labels == "Name, Configuration, Rule 1, Longest lease, ");
}

BOOST_AUTO_TEST_CASE(folded_parts_say_what_is_in_them) {
    auto form = new_template_form(CatalogueKind::cluster_template);
    const Json empty = parts_in_words(form);
    form.label = "Shop";
    form.services = {"db", "web"};
    form.provider = "local";
    form.size_min = "2";
    form.size_max = "6";
    form.groups = {{}};
    form.lease_initial = {.days = "2", .hours = "0", .minutes = "30"};
    form.extends = "base";
    form.includes = {"one"};
    const Json full = parts_in_words(form);

    BOOST_TEST(empty.at("constraints_says") == "1 or more machines");
    BOOST_TEST(empty.at("compatibility_says") == "Everything");
    BOOST_TEST(empty.at("lease_says") == "No end");
    BOOST_TEST(empty.at("links_says") == "None");
    BOOST_TEST(full.at("general_says") == "Shop");
    BOOST_TEST(full.at("defaults_says") == "2 services, local");
    BOOST_TEST(full.at("constraints_says") == "2 to 6 machines, 1 rule");
    BOOST_TEST(full.at("lease_says") == "2 days, 30 minutes");
    BOOST_TEST(full.at("parents_says") == "Extends base, 1 partial template");
}

BOOST_AUTO_TEST_CASE(a_partial_template_leads_to_the_previews_of_those_that_include_it) {
    TemplatePage page{.form = new_template_form(CatalogueKind::partial_template)};
    BOOST_TEST(to_json(page).at("has_heirs") == false);

    page.form.was = "part";
    provisioner::operations::CatalogueEntries entries;
    entries[CatalogueKind::cluster_template] = {
        Json::parse(R"({"name":"shop","label":"Shop","includes":[{"name":"part"}]})"),
        Json::parse(R"({"name":"web","includes":[{"name":"other"}]})")};
    page.offer.around = surroundings_in(std::move(entries));
    const Json heirs = to_json(page).at("heirs");

    BOOST_TEST_REQUIRE(heirs.size() == 1U);
    BOOST_TEST(heirs[0].at("heir") == "Shop");
    BOOST_TEST(heirs[0].at("heir_href") == "/builder/clustertemplates/shop#preview");
}

BOOST_AUTO_TEST_SUITE_END()
