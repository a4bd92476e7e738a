#include "fcgi/pages/catalogue/builder/kept_change.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/model/catalogue/cluster_template.hpp"

using namespace fcgi::pages;
using provisioner::base::Json;
using provisioner::model::CatalogueKind;
using provisioner::model::ClusterTemplate;
using provisioner::model::TemplateDraft;

BOOST_AUTO_TEST_SUITE(kept_changes)

namespace {

struct Shop {
    const char* label = "Shop";
    const char* description = "All of it";
    int most = 9;
};

ClusterTemplate template_of(const Shop& shop) {
    ClusterTemplate made;
    made.header.name = "shop";
    made.header.label = shop.label;
    made.header.description = shop.description;
    made.constraints.size_max = shop.most;
    return made;
}

Json wire_of(const Shop& shop) {
    auto json = to_json(template_of(shop));
    json.erase("version");
    return json;
}

TemplateDraft drafted(const Shop& base, const Shop& shop) {
    return {.number = 14,
            .name = "shop",
            .base_version = 6,
            .base = wire_of(base),
            .document = wire_of(shop)};
}

TemplatePage typed(const Shop& shop, const char* draft = "") {
    TemplatePage page{.form = template_form_of(CatalogueKind::cluster_template, template_of(shop))};
    page.form.draft = draft;
    page.form.note = "Why not";
    return page;
}

}  // namespace

BOOST_AUTO_TEST_CASE(two_saves_of_one_draft_are_merged) {
    const Shop seen{.label = "Store"};
    auto page = typed({.label = "Store", .most = 5}, "12");
    const auto newer = drafted({}, {.label = "Store", .description = "Half of it"});

    BOOST_TEST(is_merged_into_draft(page, newer, wire_of(seen)));

    BOOST_TEST(page.form.draft == "14");
    BOOST_TEST(Json::parse(page.form.seen) == newer.document);
    BOOST_TEST(page.form.size_max == "5");
    BOOST_TEST(page.form.description == "Half of it");
    BOOST_TEST(page.form.note == "Why not");
    BOOST_TEST(page.taken_over == std::vector<std::string>{"Description"},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_both_saves_of_a_draft_changed_is_asked_with_both_values) {
    auto page = typed({.label = "Store", .most = 5}, "12");
    const auto newer = drafted({}, {.label = "Market"});

    BOOST_TEST(!is_merged_into_draft(page, newer, wire_of({})));

    BOOST_TEST(page.form.label == "Store");
    BOOST_TEST(page.form.size_max == "5");
    page.is_draft_newer = true;
    const Json json = to_json(page);
    BOOST_TEST(json.at("draft") == "14");
    BOOST_TEST(json.at("replaces") == "Saving it now replaces what the draft says of these:");
    BOOST_TEST(json.at("clashes").at(0).at("clash") == "Store below, Market in the draft");
}

BOOST_AUTO_TEST_CASE(what_a_save_took_back_is_not_taken_from_an_older_save) {
    auto page = typed({}, "12");
    const auto newer = drafted({}, {.label = "Store", .most = 5});

    BOOST_TEST(is_merged_into_draft(page, newer, wire_of({.label = "Store"})));

    BOOST_TEST(page.form.label == "Shop");
    BOOST_TEST(page.form.size_max == "5");
}

BOOST_AUTO_TEST_CASE(what_was_changed_in_the_template_goes_into_the_draft_beside_it) {
    const Shop in_force{.description = "More of it"};
    auto page = typed({.description = "More of it", .most = 5});
    const auto beside = drafted({}, {.label = "Store"});

    BOOST_TEST(is_merged_into_draft(page, beside, wire_of(in_force)));

    BOOST_TEST(page.form.draft == "14");
    BOOST_TEST(page.form.label == "Store");
    BOOST_TEST(page.form.size_max == "5");
    // What the draft was begun from is no change of the draft.
    BOOST_TEST(page.form.description == "More of it");
    BOOST_TEST(page.clashing.empty());
}

BOOST_AUTO_TEST_CASE(the_draft_and_a_change_of_the_template_to_the_same_are_asked_about) {
    auto page = typed({.label = "Market"});

    BOOST_TEST(!is_merged_into_draft(page, drafted({}, {.label = "Store"}), wire_of({})));

    BOOST_TEST_REQUIRE(page.clashing.size() == 1U);
    BOOST_TEST((page.clashing.front() == EntryClash{"label", "Label", "Market", "Store"}));
    BOOST_TEST(to_json(page).at("edits_change") == true);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_compared_is_not_merged) {
    auto page = typed({.label = "Market"}, "12");

    BOOST_TEST(!is_merged_into_draft(page, drafted({}, {.label = "Store"}), std::nullopt));

    page.is_draft_newer = true;
    BOOST_TEST(to_json(page).at("replaces") == "Saving it now replaces the draft.");
    BOOST_TEST(page.form.label == "Market");
}

BOOST_AUTO_TEST_SUITE_END()
