#include "fcgi/pages/catalogue/size_troubles.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/catalogue/entries.hpp"

using namespace fcgi::pages;
using provisioner::base::Json;
using provisioner::model::CatalogueKind;
using provisioner::operations::CatalogueEntries;
using provisioner::operations::SizeTrouble;
namespace operations = provisioner::operations;

BOOST_AUTO_TEST_SUITE(size_troubles)

namespace {

using Sentences = std::vector<std::string>;

Json a_service_of(const char* name, const char* label) {
    return {{"name", name},
            {"label", label},
            {"dependencies", Json::object()},
            {"provisioner", {{"actions", Json::object()}}}};
}

CatalogueEntries a_site() {
    CatalogueEntries all;
    all[CatalogueKind::provider] = {Json{{"name", "sim"}}};
    all[CatalogueKind::hardware_type] = {
        Json::parse(R"({"name":"small","providermap":{"sim":{"flavor":"s"}}})")};
    all[CatalogueKind::image_type] = {
        Json::parse(R"({"name":"debian","providermap":{"sim":{"image":"d"}}})")};
    all[CatalogueKind::service] = {a_service_of("db", "Database"), a_service_of("web", "Web")};
    all[CatalogueKind::cluster_template] = {
        Json::parse(R"({"name":"shop","defaults":{"services":["db","web"],"provider":"sim"}})")};
    return all;
}

/// The digest of the first template.
std::string digest_in(const CatalogueEntries& all) {
    const operations::SizedCatalogue catalogue(all);
    return operations::digest_of_sizes(
        catalogue.problem_of(all.at(CatalogueKind::cluster_template).front()).value());
}

Sentences words(const std::vector<SizeTrouble>& troubles) {
    return words_on_size_troubles(troubles, surroundings_in(a_site()).labels);
}

/// Of the only template.
int weight_of(const TemplateTroubles& found) {
    return static_cast<int>(found.templates.at("shop").weight);
}

void check(const Sentences& found, const Sentences& expected) {
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_CASE(sizes_that_are_not_possible_are_one_sentence) {
    check(words({}), {});
    check(words({{.first = 3, .last = 8}}), {"3–8 machines: not possible."});
    check(words({{.first = 1, .last = 1}, {.first = 3, .last = 4, .goes_on = true}}),
          {"1 machine and 3 machines or more: not possible."});
    std::vector<SizeTrouble> many;
    for (int i = 1; i < 20; i += 2) many.push_back({.first = i, .last = i});
    check(words(many), {"1 machine, 3 machines, 5 machines and 7 more: not possible."});
}

BOOST_AUTO_TEST_CASE(services_that_no_machine_runs_are_one_sentence) {
    check(words({{.first = 1, .last = 6, .left_out = {"db"}}}),
          {"1–6 machines: no machine runs Database."});
    check(words({{.first = 1, .last = 1, .left_out = {"db", "web"}},
                 {.first = 2, .last = 3, .left_out = {"web"}},
                 {.first = 4, .last = 4}}),
          {"4 machines: not possible.", "1–3 machines: no machine runs some of Database and Web."});
}

BOOST_AUTO_TEST_CASE(lists_say_what_is_kept_of_the_sizes_of_a_template) {
    const auto all = a_site();
    const Json answer = operations::to_json(std::vector<SizeTrouble>{{.first = 3, .last = 8}});

    const auto found = troubles_of_templates(surroundings_in(all), {{digest_in(all), answer}});

    check(found.templates.at("shop").sentences, {"3–8 machines: not possible."});
    BOOST_TEST(weight_of(found) == static_cast<int>(TroubleWeight::some_works));
    BOOST_TEST(found.unknown == 0);
    const Json page = to_json(CataloguePage{.kind = CatalogueKind::cluster_template,
                                            .entries = all.at(CatalogueKind::cluster_template),
                                            .troubles = found});
    BOOST_TEST(page.at("entries")[0].at("misfits")[0].at("misfit") ==
               "3–8 machines: not possible.");
    BOOST_TEST(page.at("unknown_sizes") == "");
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_out_of_date_is_not_shown) {
    auto all = a_site();
    const std::map<std::string, Json> kept{
        {digest_in(all), operations::to_json(std::vector<SizeTrouble>{{.first = 3, .last = 8}})}};
    all[CatalogueKind::cluster_template].front()["constraints"]["size"]["max"] = 2;

    const auto found = troubles_of_templates(surroundings_in(all), kept);

    BOOST_TEST(found.templates.empty());
    BOOST_TEST(found.unknown == 1);
    const Json page = to_json(CataloguePage{.troubles = found});
    BOOST_TEST(page.at("unknown_sizes") ==
               "The possible sizes of 1 template have not been worked out yet.");
}

BOOST_AUTO_TEST_CASE(of_a_template_that_does_not_work_at_all_no_sizes_are_said) {
    auto all = a_site();
    const std::string digest = digest_in(all);
    all[CatalogueKind::cluster_template].front()["defaults"]["hardwaretype"] = "gone";

    const auto found = troubles_of_templates(
        surroundings_in(all),
        {{digest, operations::to_json(std::vector<SizeTrouble>{{.first = 1, .last = 8}})}});

    check(found.templates.at("shop").sentences,
          {"It names hardware type gone, which is not in the catalogue."});
    BOOST_TEST(weight_of(found) == static_cast<int>(TroubleWeight::nothing_works));
    BOOST_TEST(found.unknown == 0);
}

BOOST_AUTO_TEST_CASE(a_template_without_a_possible_size_is_worse_than_one_with_some) {
    auto all = a_site();
    Json& shop = all[CatalogueKind::cluster_template].front();
    const auto weight_with = [&](const std::vector<SizeTrouble>& troubles) {
        return weight_of(troubles_of_templates(surroundings_in(all),
                                               {{digest_in(all), operations::to_json(troubles)}}));
    };

    BOOST_TEST(weight_with({{.first = 1, .last = 20, .goes_on = true}}) ==
               static_cast<int>(TroubleWeight::nothing_works));
    BOOST_TEST(weight_with({{.first = 1, .last = 20}}) ==
               static_cast<int>(TroubleWeight::some_works));
    BOOST_TEST(weight_with({{.first = 1, .last = 6, .left_out = {"db"}}}) ==
               static_cast<int>(TroubleWeight::works_in_part));
    shop["constraints"]["size"] = {{"min", 2}, {"max", 6}};
    BOOST_TEST(weight_with({{.first = 2, .last = 4}, {.first = 5, .last = 6}}) ==
               static_cast<int>(TroubleWeight::nothing_works));
    BOOST_TEST(weight_with({{.first = 3, .last = 6}}) ==
               static_cast<int>(TroubleWeight::some_works));
}

BOOST_AUTO_TEST_CASE(what_users_may_not_use_of_a_template_is_said_in_lists) {
    const auto all = a_site();
    const Audience audience{.members = {{}, {.user = "ada"}, {.user = "bob"}},
                            .permissions = {{{CatalogueKind::service, "db"}, {.users = {"bob"}}}}};
    const std::map<std::string, Json> kept{
        {digest_in(all), operations::to_json(std::vector<SizeTrouble>{})}};

    const auto found = troubles_of_templates(surroundings_in(all), kept, audience);

    check(found.templates.at("shop").sentences, {"ada may not use its default service Database."});
    BOOST_TEST(weight_of(found) == static_cast<int>(TroubleWeight::some_works));
}

BOOST_AUTO_TEST_CASE(a_template_whose_services_lack_a_file_does_not_work_fully) {
    const auto all = a_site();
    const std::map<std::string, Json> kept{
        {digest_in(all), operations::to_json(std::vector<SizeTrouble>{})}};

    const auto found = troubles_of_templates(surroundings_in(all), kept, {}, {{"db", {"db.sh"}}});

    check(found.templates.at("shop").sentences,
          {"Its default service Database needs db.sh, which is not among the files that machines "
           "get."});
    BOOST_TEST(weight_of(found) == static_cast<int>(TroubleWeight::works_in_part));
}

BOOST_AUTO_TEST_CASE(a_template_of_which_services_must_be_chosen_works) {
    auto all = a_site();
    all[CatalogueKind::cluster_template].front()["defaults"].erase("services");

    const auto found = troubles_of_templates(surroundings_in(all), {});

    BOOST_TEST(weight_of(found) == static_cast<int>(TroubleWeight::works_with_a_choice));
}

BOOST_AUTO_TEST_CASE(the_list_can_be_narrowed_to_templates_with_problems) {
    CataloguePage page{.kind = CatalogueKind::cluster_template,
                       .entries = {{{"name", "blog"}}, {{"name", "shop"}}, {{"name", "web"}}}};
    BOOST_TEST(to_json(page).at("has_filters") == false);
    page.troubles.templates = {
        {"shop", {TroubleWeight::nothing_works, {"It names service db."}}},
        {"web", {TroubleWeight::some_works, {"3–8 machines: not possible."}}}};
    BOOST_TEST(to_json(page).at("entries").size() == 3U);

    page.only_troubled = true;
    const Json json = to_json(page);

    BOOST_TEST(json.at("entries").size() == 2U);
    BOOST_TEST(json.at("filters")[0].at("href") == "/catalogue/clustertemplates");
    BOOST_TEST(json.at("filters")[1].at("label") == "With problems (2)");
    BOOST_TEST(json.at("filters")[1].at("current") == true);
    BOOST_TEST(json.at("by_name").at("sort_href") ==
               "/catalogue/clustertemplates?sort=name&order=down&problems=yes");
    page.troubles = {};
    BOOST_TEST(to_json(page).at("empty_text") ==
               "No template has a problem, as far as that is known.");
}

BOOST_AUTO_TEST_SUITE_END()
