#include <boost/test/unit_test.hpp>

#include "fcgi/pages/catalogue/exchange/exchange_page.hpp"
#include "fcgi/pages/catalogue/exchange/import_checks.hpp"
#include "fcgi/pages/catalogue/exchange/overtaken_entries.hpp"
#include "fcgi/pages/kept/to_check.hpp"

using namespace fcgi::pages;
using provisioner::base::Json;
using provisioner::model::CatalogueKind;
using provisioner::operations::CatalogueEntries;
using provisioner::operations::DraftEntry;

namespace {

DraftEntry service(const std::string& name, const std::vector<std::string>& needed,
                   const std::string& provided = "") {
    Json provides = Json::array();
    if (!provided.empty()) provides.push_back(provided);
    Json json{{"name", name}};
    json["dependencies"] = {
        {"provides", provides}, {"conflicts", Json::array()}, {"install", {{"requires", needed}}}};
    return {.kind = CatalogueKind::service, .name = name, .imported = std::move(json)};
}

/// "a, b": the selected entries.
std::string selected_in(const DraftPage& page) {
    std::string names;
    for (const auto& entry : page.entries) {
        if (is_selected(page, entry)) names += (names.empty() ? "" : ", ") + entry.name;
    }
    return names;
}

const Json& row_of_name(const Json& json, const std::string& name) {
    for (const Json& row : json.at("entries")) {
        if (row.at("name") == name) return row;
    }
    throw std::logic_error("no row of " + name);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(import_review_test)

BOOST_AUTO_TEST_CASE(
    what_needs_an_entry_that_the_review_leaves_out_is_left_out_with_what_needs_it) {
    DraftPage page{.entries = {service("circle", {"circle-2"}, "ring"), service("user", {"ring"}),
                               service("far-user", {"user"}), service("alone", {"db"})}};
    page.entries[0].circles = {{"", "It is in a circle."}};
    const CatalogueEntries catalogue{{CatalogueKind::service, {{{"name", "db"}}}}};

    note_unselected_needs(catalogue, page);

    BOOST_TEST(selected_in(page) == "alone");
    const Json json = to_json(page);
    BOOST_TEST(row_of_name(json, "alone").at("opens_group") == "New: 1");
    BOOST_TEST(row_of_name(json, "circle").at("opens_group") == "To be looked at: 3");
    BOOST_TEST(row_of_name(json, "user").at("is_ticked") == false);
    // It is named by what provides it.
    BOOST_TEST(row_of_name(json, "user").at("entry_warnings").at(0).at("warning") ==
               "It needs ring: service circle provides it, and is not selected.");
    BOOST_TEST(row_of_name(json, "far-user").at("entry_warnings").at(0).at("warning") ==
               "It needs service user, which is not selected.");
    BOOST_TEST(json.at("left_out").at(1).at("sentence") ==
               "2 entries need others that are not selected. They are not selected.");
    BOOST_TEST(changes_to_check(page).empty());
}

BOOST_AUTO_TEST_CASE(what_the_catalogue_has_is_needed_of_no_import) {
    DraftPage page{.entries = {service("base", {}), service("user", {"base"})},
                   .ticked = {{"services/user"}}};
    page.entries[0].state = DraftEntry::State::changed;

    note_unselected_needs({{CatalogueKind::service, {{{"name", "base"}}}}}, page);

    BOOST_TEST(page.needs.empty());
    BOOST_TEST(selected_in(page) == "user");
}

BOOST_AUTO_TEST_CASE(all_that_selected_entries_need_and_is_not_selected_is_asked_about_with_links) {
    DraftPage page{.entries = {service("base", {}), service("user", {"base"}),
                               service("other", {"base"}), service("top", {"user"})},
                   .ticked = {{"services/user", "services/other", "services/top"}}};

    note_unselected_needs({}, page);

    const auto to_check = changes_to_check(page);
    BOOST_TEST(to_check == (std::vector<std::string>{
                               "Service other needs service base, which is not selected.",
                               "Service user needs service base, which is not selected."}),
               boost::test_tools::per_element());
    BOOST_TEST(!are_checked({}, to_check));
    const Json json = to_json(page);
    BOOST_TEST(json.at("to_check").at(0).at("check_href") == "#entry-2");
    BOOST_TEST(row_of_name(json, "other").at("row_id") == "entry-2");
    BOOST_TEST(row_of_name(json, "other").at("is_ticked") == true);
    BOOST_TEST(row_of_name(json, "user").at("opens_group") == "To be looked at: 2");
    page.ticked->push_back("services/base");
    page.needs.clear();
    note_unselected_needs({}, page);
    BOOST_TEST(changes_to_check(page).empty());
}

BOOST_AUTO_TEST_CASE(all_that_provide_what_is_needed_are_named) {
    DraftPage page{
        .entries = {service("one", {}, "kv"), service("two", {}, "kv"), service("user", {"kv"})},
        .ticked = {{"services/user"}}};

    note_unselected_needs({}, page);

    BOOST_TEST(
        row_of_name(to_json(page), "user").at("entry_warnings").at(0).at("warning") ==
        "It needs kv: service one and service two provide it, and none of them is selected.");
    BOOST_TEST_REQUIRE(changes_to_check(page).size() == 1U);
    BOOST_TEST(changes_to_check(page).front() ==
               "Service user needs kv: service one and service two provide it, and none of them is "
               "selected.");
}

BOOST_AUTO_TEST_CASE(ticked_entries_that_are_not_as_their_form_has_shown_them_are_overtaken) {
    DraftPage page{.entries = {service("same", {}), service("newer", {}), service("unticked", {}),
                               service("made", {})},
                   .ticked = {{"services/same", "services/newer", "services/made"}}};
    for (int i = 0; i < 4; ++i) page.entries[static_cast<std::size_t>(i)].version = 2;
    const auto seen = seen_versions({{{"seen.services/same", "2"},
                                      {"seen.services/newer", "1"},
                                      {"seen.services/unticked", "1"},
                                      {"seen.services/made", "0"},
                                      {"note", "1"}}});

    using How = OvertakenEntry::How;
    const CatalogueKind kind = CatalogueKind::service;
    std::map<provisioner::model::EntryName, How> expected{{{kind, "newer"}, How::changed},
                                                          {{kind, "made"}, How::changed}};
    BOOST_TEST((overtaken_entries(page, seen) == expected));
    BOOST_TEST(overtaken_entries(page, {}).empty());
    // What the first version of an entry does that was not there creates it.
    page.entries[3].version = 1;
    page.entries[1].version = 0;
    expected = {{{kind, "newer"}, How::deleted}, {{kind, "made"}, How::created}};
    BOOST_TEST((overtaken_entries(page, seen) == expected));
}

BOOST_AUTO_TEST_CASE(a_ticked_entry_of_the_same_number_with_another_history_is_overtaken) {
    DraftPage page{.entries = {service("anew", {}), service("gone", {})},
                   .ticked = {{"services/anew", "services/gone"}}};
    page.entries[0].version = 2;
    page.entries[0].line = 30;
    page.entries[1].line = 31;
    const auto seen =
        seen_versions({{{"seen.services/anew", "2-12"}, {"seen.services/gone", "0-20"}}});
    const std::map<provisioner::model::EntryName, OvertakenEntry::How> expected{
        {{CatalogueKind::service, "anew"}, OvertakenEntry::How::changed}};

    BOOST_TEST((overtaken_entries(page, seen) == expected));
    page.entries[0].line = 12;
    BOOST_TEST(overtaken_entries(page, seen).empty());
}

BOOST_AUTO_TEST_CASE(an_entry_that_was_changed_meanwhile_is_opened_unticked_and_linked) {
    const auto now = provisioner::base::from_sql("2026-11-20 10:00:00");
    DraftPage page{.entries = {service("first", {}), service("changed", {})},
                   .ticked = {{"services/first"}},
                   .now = now};
    page.entries[1].state = DraftEntry::State::changed;
    page.entries[1].version = 3;
    page.entries[1].line = 17;
    page.entries[1].present = {{"name", "changed"}, {"label", "Other"}};
    page.overtaken[{CatalogueKind::service, "changed"}] = {
        .change =
            LastChange{.user = "admin", .at = now - std::chrono::minutes(2), .href = "/audit/7"}};
    page.problems = problems_of_overtaken(page);

    const Json json = to_json(page);

    const Json& row = row_of_name(json, "changed");
    BOOST_TEST(row.at("opens_group") == "To be looked at: 1");
    BOOST_TEST(row.at("is_open") == true);
    BOOST_TEST(row.at("is_ticked") == false);
    BOOST_TEST(row.at("seen") == "3-17");
    BOOST_TEST(row.at("last_change").at("changed_by") == "admin");
    BOOST_TEST(row_of_name(json, "first").at("last_change").is_null());
    BOOST_TEST(json.at("left_out").at(0).at("sentence") ==
               "1 entry was changed meanwhile. It is not selected.");
    BOOST_TEST(json.at("left_out").at(0).at("group_href") == "#import-unsound");
    const Json& problem = json.at("problems").at(0);
    BOOST_TEST(problem.at("target") == "entry-1");
    BOOST_TEST(problem.at("label") == "Service changed");
    BOOST_TEST(problem.at("message") ==
               "changed by admin, 2 minutes ago. It is no longer selected: look at the differences "
               "again.");
}

BOOST_AUTO_TEST_CASE(an_entry_that_was_deleted_or_created_meanwhile_is_said_to_be_so) {
    const auto now = provisioner::base::from_sql("2026-11-20 10:00:00");
    const LastChange change{.user = "maria", .at = now, .href = "/audit/7"};
    DraftPage page{
        .entries = {service("gone", {}), service("made", {})}, .ticked = {{}}, .now = now};
    page.entries[1].state = DraftEntry::State::changed;
    page.entries[1].version = 1;
    page.entries[1].present = {{"name", "made"}};
    using How = OvertakenEntry::How;
    page.overtaken[{CatalogueKind::service, "gone"}] = {.how = How::deleted, .change = change};
    page.overtaken[{CatalogueKind::service, "made"}] = {.how = How::created, .change = change};
    page.problems = problems_of_overtaken(page);

    const Json json = to_json(page);

    BOOST_TEST(json.at("problems").at(0).at("message") ==
               "deleted by maria, just now. It is no longer selected. Importing it makes it anew.");
    BOOST_TEST(json.at("problems").at(1).at("message") ==
               "created by maria, just now. It is no longer selected: look at the differences.");
    BOOST_TEST(json.at("left_out").at(0).at("sentence") ==
               "1 entry was created meanwhile. It is not selected.");
    BOOST_TEST(json.at("left_out").at(1).at("sentence") ==
               "1 entry was deleted meanwhile. It is not selected.");
    const Json& gone = row_of_name(json, "gone");
    BOOST_TEST(gone.at("entry_warnings").at(0).at("warning") ==
               "It was deleted since this import was reviewed. Importing it makes it anew.");
    BOOST_TEST(gone.at("last_change").is_null());
    BOOST_TEST(gone.at("deletion").at("changed_by") == "maria");
    BOOST_TEST(row_of_name(json, "made").at("last_change").at("changed_by") == "maria");
    page.overtaken[{CatalogueKind::service, "made"}].how = How::anew;
    BOOST_TEST(problems_of_overtaken(page).back().message ==
               "deleted and created anew by maria, just now. It is no longer selected: look at the "
               "differences.");
    BOOST_TEST(to_json(page).at("left_out").at(0).at("sentence") ==
               "1 entry was deleted and created anew meanwhile. It is not selected.");
    BOOST_TEST(row_of_name(to_json(page), "made").at("entry_warnings").at(0).at("warning") ==
               "It was deleted and created anew since this import was reviewed.");
    page.overtaken[{CatalogueKind::service, "gone"}].change.reset();
    BOOST_TEST(problems_of_overtaken(page).front().message ==
               "deleted meanwhile. It is no longer selected. Importing it makes it anew.");
}

BOOST_AUTO_TEST_CASE(an_import_that_was_sent_twice_is_said_to_be_done_already) {
    const auto now = provisioner::base::from_sql("2026-11-20 10:00:00");
    DraftPage page{.entries = {service("made", {})}, .ticked = {{}}, .now = now};
    page.entries[0].state = DraftEntry::State::same;
    page.overtaken[{CatalogueKind::service, "made"}] = {
        .how = OvertakenEntry::How::created,
        .change = LastChange{.user = "ada", .at = now, .href = "/audit/7", .is_own = true}};
    page.problems = problems_of_overtaken(page);

    BOOST_TEST(is_done_already(page));
    BOOST_TEST(to_json(page).at("problems_title") == "This import is done already");
    BOOST_TEST(to_json(page).at("problems").at(0).at("message") ==
               "already as in this import, saved by you, in another window, just now.");
    page.entries[0].state = DraftEntry::State::changed;
    BOOST_TEST(!is_done_already(page));
    BOOST_TEST(to_json(page).at("problems_title") == "Nothing was imported");
    page.entries[0].state = DraftEntry::State::same;
    page.ticked = {{"services/other"}};
    BOOST_TEST(!is_done_already(page));
    page.overtaken.clear();
    page.ticked->clear();
    BOOST_TEST(!is_done_already(page));
}

BOOST_AUTO_TEST_CASE(what_is_said_to_be_needed_is_not_said_to_be_missing_as_well) {
    DraftPage page{.entries = {{.kind = CatalogueKind::cluster_template, .name = "shop"}},
                   .ticked = {{"clustertemplates/shop"}}};
    const auto shop = std::pair(CatalogueKind::cluster_template, std::string("shop"));
    page.checks[{shop.first, shop.second}] = {
        .warnings = {"It names provider cloud, which is not in the catalogue.", "Another."}};
    page.needs[{shop.first, shop.second}] = {{.entry = {CatalogueKind::provider, "cloud"}}};

    const Json row = row_of_name(to_json(page), "shop");

    BOOST_TEST(row.at("entry_warnings").size() == 2U);
    BOOST_TEST(row.at("entry_warnings").at(0).at("warning") ==
               "It needs provider cloud, which is not selected.");
    BOOST_TEST(row.at("entry_warnings").at(1).at("warning") == "Another.");
}

BOOST_AUTO_TEST_CASE(what_was_not_selected_is_known_to_the_receipt_but_for_what_is_the_same) {
    DraftPage page{.entries = {service("ticked", {}), service("left", {}), service("same", {}),
                               service("wrong", {})},
                   .ticked = {{"services/ticked"}}};
    page.entries[2].state = DraftEntry::State::same;
    page.entries[3].state = DraftEntry::State::wrong;

    const ReceiptPage receipt{.unselected = unselected_entries(page)};

    BOOST_TEST(to_json(receipt_in(fields_of_receipt(receipt))).at("not_imported") ==
               "2 entries were not selected, and not imported: service left and service wrong.");
    BOOST_TEST(to_json(ReceiptPage{}).at("not_imported") == "");
}

BOOST_AUTO_TEST_SUITE_END()
