#include "fcgi/pages/catalogue/change_drafts.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/catalogue/builder/template_page.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/offer.hpp"
#include "fcgi/pages/kept/to_check.hpp"

namespace fcgi::pages {

using provisioner::base::from_sql;
using provisioner::base::Json;
using provisioner::model::CatalogueKind;
using provisioner::model::TemplateDraft;

namespace {

TemplateDraft draft_of_store(const Json& base, const Json& document) {
    return {.number = 12,
            .name = "shop",
            .base_version = 6,
            .base = base,
            .document = document,
            .begun_by = "ada",
            .begun_at = from_sql("2026-11-20 09:00:00"),
            .written_by = "ada",
            .written_at = from_sql("2026-11-20 09:00:00")};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(change_drafts)

BOOST_AUTO_TEST_CASE(a_change_to_an_offered_template_can_be_kept_also_beside_a_draft) {
    TemplatePage page{.form = new_template_form(CatalogueKind::cluster_template)};
    const auto may_keep = [&] { return to_json(page).at("may_keep_change") == true; };

    BOOST_TEST(!may_keep());
    page.form.was = "shop";
    BOOST_TEST(may_keep());
    page.change = draft_of_store({}, {});
    BOOST_TEST(may_keep());
    page.form.draft = "12";
    BOOST_TEST(!may_keep());
    page.form.draft.clear();
    page.is_draft = true;
    BOOST_TEST(!may_keep());
    page.is_draft = false;
    page.form.kind = CatalogueKind::partial_template;
    BOOST_TEST(!may_keep());
}

BOOST_AUTO_TEST_CASE(the_editor_of_a_template_leads_to_its_draft_and_that_of_the_draft_back) {
    TemplatePage page{.form = new_template_form(CatalogueKind::cluster_template)};
    page.form.was = "shop";
    page.change = draft_of_store({}, {});
    const Json of_template = to_json(page);
    page.form.draft = "12";
    const Json of_draft = to_json(page);

    BOOST_TEST(of_template.at("change").at("change_edit_href") ==
               "/builder/clustertemplates/shop?of=draft");
    BOOST_TEST(of_template.at("cancel_href") == "/catalogue/clustertemplates/shop");
    BOOST_TEST(of_template.at("edits_change") == false);
    BOOST_TEST(of_draft.at("change").is_null());
    BOOST_TEST(of_draft.at("cancel_href") == "/catalogue/clustertemplates/shop/draft");
    BOOST_TEST(of_draft.at("edits_change") == true);
    BOOST_TEST(of_draft.at("heading") == "Change the draft of shop");
}

BOOST_AUTO_TEST_CASE(the_draft_is_still_edited_after_a_change_between_form_and_json) {
    provisioner::model::ClusterTemplate shop;
    shop.header.name = "shop";
    TemplateForm form = template_form_of(CatalogueKind::cluster_template, shop);
    form.draft = "12";
    form.seen = R"({"name":"shop"})";

    BOOST_TEST(press(form, "json").empty());
    BOOST_TEST(form.draft == "12");
    BOOST_TEST(press(form, "form").empty());
    BOOST_TEST(form.draft == "12");
    BOOST_TEST(form.seen == R"({"name":"shop"})");
    BOOST_TEST(form.was == "shop");
}

BOOST_AUTO_TEST_CASE(the_row_of_a_template_says_who_has_a_draft_and_since_when) {
    CataloguePage page{.kind = CatalogueKind::cluster_template,
                       .entries = {{{"name", "shop"}}, {{"name", "web"}}},
                       .changes = {{"shop", draft_of_store({}, {})}},
                       .now = from_sql("2026-11-20 12:00:00")};

    const Json rows = to_json(page).at("entries");

    BOOST_TEST(rows.at(0).at("change").at("by") == "ada");
    BOOST_TEST(rows.at(0).at("change").at("relative") == "3 hours ago");
    BOOST_TEST(rows.at(0).at("change").at("change_href") ==
               "/catalogue/clustertemplates/shop/draft");
    BOOST_TEST(rows.at(1).at("change").is_null());
}

BOOST_AUTO_TEST_CASE(a_draft_that_was_saved_later_says_by_whom) {
    auto draft = draft_of_store({}, {});
    const auto now = from_sql("2026-11-20 12:00:00");
    BOOST_TEST(change_json(draft, now).at("saved").is_null());
    draft.written_by = "bob";
    draft.written_at = from_sql("2026-11-20 11:00:00");

    BOOST_TEST(change_json(draft, now).at("saved").at("by") == "bob");
    BOOST_TEST(change_json(std::nullopt, now).is_null());
}

BOOST_AUTO_TEST_CASE(a_draft_that_was_saved_meanwhile_is_not_put_to_use_unseen) {
    const ChangeDraftPage page{.draft = draft_of_store({}, {}), .in_force = {{"version", 7}}};

    BOOST_TEST(to_json(page).at("draft") == 12);
    BOOST_TEST(!is_older_than_draft(http::parse_form("do=use&draft=12"), page));
    BOOST_TEST(is_older_than_draft(http::parse_form("do=use&draft=11"), page));
    BOOST_TEST(is_older_than_draft(http::parse_form("do=use"), page));
}

BOOST_AUTO_TEST_CASE(the_draft_of_a_change_is_compared_with_what_is_in_force) {
    const ChangeDraftPage page{.draft = draft_of_store({{"name", "shop"}, {"label", "Shop"}},
                                                       {{"name", "shop"}, {"label", "Store"}}),
                               .in_force = {{"name", "shop"}, {"label", "Shop"}, {"version", 7}}};

    const Json json = to_json(page);

    BOOST_TEST(json.at("heading") == "Draft of a change to Shop");
    BOOST_TEST(json.at("version") == 7);
    BOOST_TEST(json.at("target") == "/catalogue/clustertemplates/shop/draft");
    BOOST_TEST(json.at("try_href") == "/clusters/new?template=shop&of=draft");
    BOOST_TEST(json.at("newer") == "");
    BOOST_TEST(json.at("has_overlaps") == false);
    const Json& values = json.at("difference").at("values");
    BOOST_REQUIRE(values.size() == 1U);
    BOOST_TEST(values[0].at("after") == "Store");
}

BOOST_AUTO_TEST_CASE(what_others_saved_after_the_draft_stays) {
    const ChangeDraftPage page{.draft = draft_of_store({{"label", "Shop"}, {"icon", "a"}},
                                                       {{"label", "Shop"}, {"icon", "b"}}),
                               .in_force = {{"label", "Shop two"}, {"icon", "a"}, {"version", 7}}};

    const Json json = to_json(page);

    BOOST_TEST(wanted_by(page) == (Json{{"label", "Shop two"}, {"icon", "b"}}));
    BOOST_TEST(json.at("newer") ==
               "The draft was begun from version 6. Version 7, which is in force, is newer. What "
               "it changed stays: Label.");
    BOOST_TEST(json.at("difference").at("values").size() == 1U);
}

BOOST_AUTO_TEST_CASE(what_both_changed_is_asked_for_and_stays_until_the_draft_is_chosen) {
    ChangeDraftPage page{.draft = draft_of_store({{"constraints", {{"size", {{"max", 9}}}}}},
                                                 {{"constraints", {{"size", {{"max", 4}}}}}}),
                         .in_force = {{"constraints", {{"size", {{"max", 6}}}}}, {"version", 7}}};
    const Json asked = to_json(page);
    const auto max_wanted = [&] {
        return wanted_by(page).at("constraints").at("size").at("max").get<int>();
    };

    BOOST_REQUIRE(asked.at("overlaps").size() == 1U);
    const Json overlap = asked.at("overlaps").at(0);
    BOOST_TEST(overlap.at("member") == "Maximum machines");
    BOOST_TEST(overlap.at("before") == "9");
    BOOST_TEST(overlap.at("in_force") == "6");
    BOOST_TEST(overlap.at("of_draft") == "4");
    BOOST_TEST(overlap.at("is_draft") == false);
    BOOST_TEST(overlap.at("is_in_force") == false);
    BOOST_TEST(max_wanted() == 6);
    page.problems = problems_with_choices(page);
    const Json refused = to_json(page);
    BOOST_TEST(refused.at("problems").at(0).at("label") == "Maximum machines");
    BOOST_TEST(refused.at("problems").at(0).at("target") == "overlap-0");
    BOOST_TEST(refused.at("overlaps").at(0).at("overlap_problem") == "Choose one of the two.");
    page.choices = choices_in_form(
        http::parse_form("overlap.constraints.size.max=draft&overlap.label=in_force&note=draft"));
    BOOST_TEST(max_wanted() == 4);
    BOOST_TEST(to_json(page).at("overlaps").at(0).at("is_draft") == true);
    BOOST_TEST(problems_with_choices(page).empty());
    BOOST_TEST(reason_of_use(page) == "Draft put to use.");
    page.choices = choices_in_form(http::parse_form("overlap.constraints.size.max=in_force"));
    page.note = "For the sale";
    BOOST_TEST(max_wanted() == 6);
    BOOST_TEST(problems_with_choices(page).empty());
    BOOST_TEST(reason_of_use(page) == "For the sale. Kept of version 7: Maximum machines.");
}

BOOST_AUTO_TEST_CASE(a_draft_with_conflicts_alone_is_not_said_to_change_nothing) {
    ChangeDraftPage page{.draft = draft_of_store({{"label", "Shop"}}, {{"label", "Store"}}),
                         .in_force = {{"label", "Market"}, {"version", 7}}};

    const Json undecided = to_json(page);
    page.choices = choices_in_form(http::parse_form("overlap.label=draft"));
    const Json decided = to_json(page);

    BOOST_TEST(undecided.at("is_only_below") == true);
    BOOST_TEST(undecided.at("difference").is_null());
    BOOST_TEST(decided.at("is_only_below") == false);
    BOOST_TEST(decided.at("difference").at("is_equal") == false);
}

BOOST_AUTO_TEST_CASE(a_tick_of_an_older_look_puts_no_draft_to_use) {
    ChangeDraftPage page{.draft = draft_of_store({}, {}), .in_force = {{"version", 7}}};
    BOOST_TEST(to_json(page).at("is_to_check") == false);
    page.to_check = {"Its provider east is missing."};
    page.problems = {problem_of_unchecked()};

    const Json json = to_json(page);

    BOOST_TEST(json.at("to_check").at(0).at("warning") == page.to_check.front());
    BOOST_TEST(json.at("is_asked") == true);
    BOOST_TEST(json.at("check_form") == "use-draft");
    BOOST_TEST(json.at("has_problems") == false);
    const auto word = json.at("checked_word").get<std::string>();
    BOOST_TEST(are_checked(http::parse_form("do=use&checked=" + word), page.to_check));
    page.to_check.push_back("11 machines or more: not possible.");
    BOOST_TEST(!are_checked(http::parse_form("do=use&checked=" + word), page.to_check));
}

BOOST_AUTO_TEST_CASE(offering_a_template_asks_for_a_tick_as_its_permission_does) {
    OfferPage page{.name = "shop", .to_check = {"3–8 machines: not possible."}};

    const Json json = to_json(page);
    page.is_asked = true;
    const Json asked = to_json(page);

    BOOST_TEST(json.at("to_check").at(0).at("warning") == page.to_check.front());
    BOOST_TEST(json.at("check_title") == "Before you offer it: please check");
    BOOST_TEST(asked.at("check_title") == "Not offered yet: please check");
    const auto word = json.at("checked_word").get<std::string>();
    BOOST_TEST(!are_checked(http::parse_form("from=template&whom=everybody"), page.to_check));
    const auto sent = http::parse_form("from=template&whom=everybody&checked=" + word);
    BOOST_TEST(are_checked(sent, page.to_check));
    BOOST_TEST(!are_checked(sent, {"Another thing."}));
}

BOOST_AUTO_TEST_CASE(a_secret_that_both_changed_is_not_shown) {
    const auto config = [](const char* password) {
        return Json{{"defaults", {{"config", {{"password", password}}}}}};
    };
    const ChangeDraftPage page{.draft = draft_of_store(config("one"), config("two")),
                               .in_force = config("three")};

    const auto text = to_json(page).dump();

    BOOST_TEST(to_json(page).at("overlaps").at(0).at("in_force") == "hidden");
    BOOST_TEST(text.find("two") == std::string::npos);
    BOOST_TEST(text.find("three") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fcgi::pages
