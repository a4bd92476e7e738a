#include "fcgi/pages/catalogue/versions/version_pages.hpp"
#include "fcgi/pages/catalogue/versions/seen_version.hpp"
#include "fcgi/pages/catalogue/versions/sync.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/catalogue/exchange/exchange_page.hpp"
#include "fcgi/pages/catalogue/exchange/import_checks.hpp"
#include "fcgi/pages/catalogue/versions/update_all.hpp"
#include "fcgi/pages/kept/to_check.hpp"

using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::base::Json;
using provisioner::operations::DraftEntry;

namespace {

CatalogueVersion line(long long id, int version, const std::string& note = "") {
    return {.id = id,
            .version = version,
            .act = VersionAct::change,
            .document = Json::object(),
            .written_by = "ada",
            .note = note};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_search_leaves_few_entries_to_export) {
    ExchangePage page{
        .entries = {{CatalogueKind::service, {{"database", "MariaDB"}, {"web", "Server"}}},
                    {CatalogueKind::image_type, {{"debian", "debian"}}}}};
    page.search = "WEB";
    const auto found = to_json(page);
    BOOST_REQUIRE(found.at("collections").size() == 1U);
    BOOST_REQUIRE(found.at("collections")[0].at("choices").size() == 1U);
    BOOST_TEST(found.at("collections")[0].at("choices")[0].at("value") == "services/web");
    BOOST_TEST(found.at("collections")[0].at("choices")[0].at("label") == "Server");
    page.search = "maria";
    BOOST_TEST(to_json(page).at("collections")[0].at("choices")[0].at("value") ==
               "services/database");
    page.search = "zebra";
    BOOST_TEST(to_json(page).at("has_collections") == false);
    BOOST_TEST(to_json(page).at("is_empty") == false);
    BOOST_TEST(to_json(ExchangePage{}).at("is_empty") == true);
}

BOOST_AUTO_TEST_CASE(an_export_takes_what_the_chosen_entries_need) {
    const Json all = {
        {"clustertemplates", {{{"name", "web"}, {"defaults", {{"services", {"php"}}}}}}},
        {"services", {{{"name", "php"}}, {{"name", "other"}}}}};

    BOOST_TEST(selection_of(all, {"clustertemplates/web"}, true).dump() ==
               R"({"clustertemplates":[{"name":"web","defaults":{"services":["php"]}}],)"
               R"("services":[{"name":"php"}]})");
    BOOST_TEST(selection_of(all, {"clustertemplates/web"}, false).at("services").empty());
    BOOST_TEST(to_json(ExchangePage{}).at("with_needs") == true);
}

BOOST_AUTO_TEST_CASE(the_review_of_an_import_shows_new_entries_and_warns_of_what_is_left_out) {
    const DraftPage page{.entries = {{.kind = CatalogueKind::service,
                                      .name = "web",
                                      .imported = {{"name", "web"}, {"description", "A server"}},
                                      .unknown = {"lable"},
                                      .missing = {{CatalogueKind::service, "php"}}}}};

    const Json json = to_json(page);

    const Json& row = json.at("entries").at(0);
    BOOST_TEST(row.at("content").get<std::string>().find("A server") != std::string::npos);
    BOOST_TEST(row.at("entry_warnings").at(0).at("warning") ==
               "There is no member lable: it is left out.");
    BOOST_TEST(row.at("entry_warnings").at(1).at("warning") ==
               "It names service php, which is neither in the catalogue nor in the import.");
    BOOST_TEST(row.at("can_choose") == true);
    // Who means it may select it.
    BOOST_TEST(row.at("is_ticked") == false);
    BOOST_TEST(json.at("left_out").at(0).at("sentence") ==
               "1 entry needs others that are missing. It is not selected.");
    BOOST_TEST(json.at("summary") ==
               "1 new, 0 changed, 0 unchanged, 0 invalid, 1 with missing references.");
    BOOST_TEST(json.at("has_new_template") == false);
}

BOOST_AUTO_TEST_CASE(services_in_a_circle_are_to_be_looked_at_before_they_are_imported) {
    const DraftPage page{
        .entries = {
            {.kind = CatalogueKind::service,
             .name = "web",
             .imported = {{"name", "web"}},
             .circles = {{"services",
                          "db needs web and web needs db: a circle of runtime dependencies leaves "
                          "no order to work in"}}}}};

    const Json json = to_json(page);

    const Json& row = json.at("entries").at(0);
    BOOST_TEST(row.at("is_ticked") == false);
    BOOST_TEST(row.at("can_choose") == true);
    BOOST_TEST(row.at("opens_group") == "To be looked at: 1");
    const auto words = row.at("entry_warnings").at(0).at("warning").get<std::string>();
    BOOST_TEST(words.starts_with("db needs web and web needs db: “Required to run”"), words);
    BOOST_TEST(json.at("left_out").at(0).at("sentence") ==
               "1 service closes a circle of dependencies. It is not selected.");
    BOOST_TEST(json.at("left_out").at(0).at("group_href") == "#import-unsound");
}

BOOST_AUTO_TEST_CASE(members_that_nothing_knows_are_said_once_and_not_imported_unasked) {
    const DraftPage page{.entries = {{.kind = CatalogueKind::cluster_template,
                                      .name = "shop",
                                      .imported = {{"name", "shop"}},
                                      .unknown = {"lable", "ikon"}}}};

    const Json json = to_json(page);

    const Json& row = json.at("entries").at(0);
    BOOST_REQUIRE(row.at("entry_warnings").size() == 1U);
    BOOST_TEST(row.at("entry_warnings").at(0).at("warning") ==
               "There are no members lable and ikon: they are left out.");
    BOOST_TEST(row.at("is_ticked") == false);
    BOOST_TEST(json.at("left_out").at(0).at("sentence") ==
               "1 entry has members that nothing knows. It is not selected.");
    // Nobody is offered a new template that is not meant for everybody.
    BOOST_TEST(json.at("has_new_template") == true);
    BOOST_TEST(json.at("offers_templates") == false);
}

BOOST_AUTO_TEST_CASE(a_restored_version_says_which_one_it_was_made_from) {
    VersionsPage page{.kind = CatalogueKind::service, .name = "web", .lines = {line(3, 3)}};
    page.lines.front().act = VersionAct::restore;
    const auto words = [&] { return to_json(page).at("lines")[0].at("act"); };

    BOOST_TEST(words() == "restored");
    page.lines.front().restored_version = 1;
    BOOST_TEST(words() == "restored from version 1");
}

BOOST_AUTO_TEST_CASE(invalid_entries_are_among_what_an_import_leaves_out) {
    const DraftPage page{
        .entries = {
            {.kind = CatalogueKind::service, .name = "web", .state = DraftEntry::State::wrong}}};

    BOOST_TEST(to_json(page).at("left_out")[0].at("sentence") ==
               "1 entry is invalid. It cannot be selected.");
}

BOOST_AUTO_TEST_CASE(a_version_that_says_what_is_in_force_is_not_restored) {
    VersionPage page{.kind = CatalogueKind::service,
                     .name = "web",
                     .older = {.id = 7, .version = 1, .document = Json{{"name", "web"}}},
                     .present = {{"name", "web"}, {"version", 2}}};

    BOOST_TEST(to_json(page).at("restore_action").is_null());
    page.present["description"] = "Another one";
    BOOST_TEST(!to_json(page).at("restore_action").is_null());
    page.present.erase("description");
    // Its secrets, which are not compared, may be others.
    page.kind = CatalogueKind::provider;
    BOOST_TEST(!to_json(page).at("restore_action").is_null());
}

BOOST_AUTO_TEST_CASE(what_is_to_be_checked_is_confirmed_before_a_version_is_restored) {
    VersionPage page{.kind = CatalogueKind::cluster_template,
                     .name = "shop",
                     .older = {.id = 7, .version = 1, .document = Json{{"name", "shop"}}},
                     .present = {{"name", "shop"}, {"version", 2}}};
    BOOST_TEST(to_json(page).at("is_to_check") == false);
    page.to_check = {"3–8 machines: not possible."};
    page.problems = {problem_of_unchecked()};

    const Json json = to_json(page);

    BOOST_TEST(json.at("to_check").at(0).at("warning") == page.to_check.front());
    BOOST_TEST(json.at("check_title") == "Not restored yet: please check");
    BOOST_TEST(json.at("check_form") == "restore");
    BOOST_TEST(json.at("has_problems") == false);
    fcgi::http::FormData sent;
    BOOST_TEST(!are_checked(sent, page.to_check));
    sent.fields = {{"checked", json.at("checked_word")}};
    BOOST_TEST(are_checked(sent, page.to_check));
    BOOST_TEST(!are_checked(sent, {"Another thing."}));
}

BOOST_AUTO_TEST_CASE(an_import_asks_for_a_tick_where_users_get_what_is_to_be_checked) {
    const auto changed = [](CatalogueKind kind, const std::string& name) {
        return provisioner::operations::DraftEntry{.kind = kind,
                                                   .name = name,
                                                   .state = DraftEntry::State::changed,
                                                   .version = 1,
                                                   .present = {{"name", name}, {"label", "Old"}},
                                                   .imported = {{"name", name}, {"label", "New"}},
                                                   .is_offered = true};
    };
    const auto kind = CatalogueKind::cluster_template;
    DraftPage page{.entries = {changed(kind, "shop"), changed(kind, "draft"),
                               changed(CatalogueKind::partial_template, "part")},
                   .checks = {{{kind, "shop"}, {.warnings = {"No size works."}}},
                              {{kind, "draft"}, {.warnings = {"Nor here."}}},
                              {{kind, "fresh"}, {.unchecked = "Too many."}}}};
    page.entries[1].is_offered = false;

    const Json kept = to_json(page);
    page.keeps_changes = false;
    const Json at_once = to_json(page);
    page.ticked = {"clustertemplates/draft"};
    const Json others = to_json(page);
    page.ticked = {"partialtemplates/part"};
    page.checks[{CatalogueKind::partial_template, "part"}] = {.warnings = {"It lacks php."}};
    page.keeps_changes = true;
    page.broken = {"Cluster template web, offered to users: 2 machines: not possible."};
    page.to_note = {"Not checked: base."};

    BOOST_TEST(kept.at("keeps_changes") == true);
    BOOST_TEST(kept.at("is_to_check") == false);
    BOOST_TEST(kept.at("entries").at(0).at("reach") == "offered to users");
    BOOST_TEST(kept.at("entries").at(1).at("reach") == "a draft");
    BOOST_TEST(kept.at("entries").at(0).at("is_open") == true);
    BOOST_TEST(kept.at("entries").at(1).at("is_open") == false);
    BOOST_TEST(kept.at("entries").at(0).at("entry_warnings").at(0).at("warning") ==
               "No size works.");
    BOOST_REQUIRE(at_once.at("to_check").size() == 1U);
    BOOST_TEST(at_once.at("to_check").at(0).at("warning") == "shop: No size works.");
    BOOST_TEST(others.at("is_to_check") == false);
    // What is asked about is not told once more beside the entry.
    BOOST_TEST(kept.at("entries").at(0).at("is_above") == false);
    BOOST_TEST(at_once.at("entries").at(0).at("is_above") == true);
    BOOST_TEST(at_once.at("entries").at(0).at("has_entry_warnings") == false);
    BOOST_TEST(at_once.at("entries").at(1).at("entry_warnings").at(0).at("warning") == "Nor here.");
    const Json both = to_json(page);
    BOOST_TEST(both.at("to_check").at(0).at("warning") == page.broken.front());
    BOOST_TEST(both.at("to_check").at(1).at("warning") == "part: It lacks php.");
    BOOST_TEST(both.at("check_notes").at(0).at("check_note") == page.to_note.front());
    BOOST_TEST((templates_to_withhold(page.checks) == std::set<std::string>{"shop", "draft"}));
}

BOOST_AUTO_TEST_CASE(an_import_asks_about_a_service_by_which_templates_no_longer_work) {
    const auto service = [](const std::string& name, const Json& required) {
        return Json{{"name", name},
                    {"dependencies",
                     {{"provides", Json::array()},
                      {"conflicts", Json::array()},
                      {"install", {{"requires", required}}}}},
                    {"provisioner", {{"actions", Json::object()}}}};
    };
    const auto services = CatalogueKind::service;
    const provisioner::operations::CatalogueEntries now{
        {services, {service("php", Json::array()), service("web", Json::array())}},
        {CatalogueKind::cluster_template,
         {Json::parse(R"({"name":"shop","defaults":{"services":["web"]}})")}}};
    const Json changed = service("web", Json::array({"php"}));
    DraftPage page{.entries = {{.kind = services,
                                .name = "web",
                                .state = DraftEntry::State::changed,
                                .version = 1,
                                .present = now.at(services).at(1),
                                .imported = changed}}};

    const auto unsized = [](const std::string&, const auto&) { return std::nullopt; };
    const auto asked = [&] {
        return words_to_confirm(effects_of_change(change_of_import(now, page), unsized));
    };

    BOOST_TEST(change_of_import(now, page).after.at(services).at(1) == changed);
    BOOST_REQUIRE(asked().size() == 1U);
    BOOST_TEST(asked().front() ==
               "Cluster template shop, offered to users: web requires php, which is not among its "
               "default services.");
    // A template of the import is checked by itself, unless its change is kept as a draft.
    const Json mended = Json::parse(R"({"name":"shop","defaults":{"services":["web","php"]}})");
    page.entries.push_back({.kind = CatalogueKind::cluster_template,
                            .name = "shop",
                            .state = DraftEntry::State::changed,
                            .version = 1,
                            .present = now.at(CatalogueKind::cluster_template).front(),
                            .imported = mended,
                            .is_offered = true});
    BOOST_TEST(asked().size() == 1U);
    page.keeps_changes = false;
    BOOST_TEST(asked().empty());
    page.ticked.emplace();
    BOOST_TEST(change_of_import(now, page).after.at(services).at(1) == now.at(services).at(1));
    BOOST_TEST(asked().empty());
}

BOOST_AUTO_TEST_CASE(a_draft_in_the_way_of_an_import_is_said_beforehand_and_not_selected) {
    const DraftPage page{.entries = {{.kind = CatalogueKind::cluster_template,
                                      .name = "shop",
                                      .state = DraftEntry::State::changed,
                                      .version = 1,
                                      .present = {{"name", "shop"}, {"label", "Old"}},
                                      .imported = {{"name", "shop"}},
                                      .is_offered = true,
                                      .has_draft = true}}};

    const Json json = to_json(page);

    const Json& row = json.at("entries").at(0);
    BOOST_TEST(row.at("change_href") == "/catalogue/clustertemplates/shop/draft");
    BOOST_TEST(row.at("is_ticked") == false);
    BOOST_TEST(json.at("left_out").at(0).at("sentence") ==
               "1 template has a draft of a change already. It is not selected.");
}

BOOST_AUTO_TEST_CASE(entries_of_an_import_that_need_a_look_come_first_and_are_linked) {
    using State = provisioner::operations::DraftEntry::State;
    const auto entry = [](const std::string& name, State state) {
        return provisioner::operations::DraftEntry{
            .kind = CatalogueKind::service, .name = name, .state = state};
    };
    DraftPage page{.entries = {entry("same", State::same), entry("new", State::fresh),
                               entry("wrong", State::wrong), entry("changed", State::changed),
                               entry("lacking", State::fresh), entry("newer", State::fresh)}};
    page.entries[4].missing = {{CatalogueKind::service, "php"}};

    const Json json = to_json(page);

    std::string order;
    for (const Json& row : json.at("entries")) {
        const auto opens = row.at("opens_group").get<std::string>();
        order += (opens.empty() ? "" : '[' + opens + "] ") + row.at("name").get<std::string>() +
                 (row.at("closes_group") == true ? ". " : ", ");
    }
    BOOST_TEST(order ==
               "[Invalid: 1] wrong. [To be looked at: 1] lacking. [Changed: 1] changed. "
               "[New: 2] new, newer. [Unchanged: 1] same. ");
    BOOST_TEST(json.at("left_out").at(0).at("group_href") == "#import-invalid");
    BOOST_TEST(json.at("left_out").at(1).at("group_href") == "#import-unsound");
    BOOST_TEST(json.at("filter").is_null());
    page.entries.resize(15, entry("more", State::fresh));
    BOOST_TEST(to_json(page).at("filter").at("filtered_list") == "import-entries");
}

BOOST_AUTO_TEST_CASE(all_entries_of_an_import_or_none_are_selected_also_without_scripts) {
    const fcgi::http::FormData sent{
        {{"seen.services/web", "1"}, {"entry", "services/web"}, {"seen.services/db", "0"}}};

    BOOST_TEST(with_all_selected(sent, false).all("entry").empty());
    BOOST_TEST(with_all_selected(sent, true).all("entry") ==
                   (std::vector<std::string>{"services/web", "services/db"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_unfinished_import_is_called_by_what_it_has) {
    const Json catalogue{{"services", {{{"name", "web"}}, Json(), {{"name", "php"}}}},
                         {"clustertemplates", {{{"name", "shop"}}, {{"name", "store"}}}}};
    const ExchangePage page{.unfinished = {{.names = first_names_in(catalogue), .entries = 5}}};

    const Json json = to_json(page);

    BOOST_TEST(json.at("unfinished").at(0).at("import") == "Pasted text: web, php, shop");
    BOOST_TEST(first_names_in(Json::object()) == "");
}

BOOST_AUTO_TEST_CASE(a_form_that_is_drawn_again_keeps_the_name_of_the_file_that_its_text_is_from) {
    BOOST_TEST(to_json(ExchangePage{.text = "{", .file = "shop.json"}).at("file_name") ==
               "shop.json");
}

BOOST_AUTO_TEST_CASE(an_import_with_what_may_be_a_secret_is_not_kept) {
    PluginType cloud;
    cloud.header.name = "cloud";
    cloud.admin.fields.resize(2);
    cloud.admin.fields[0].name = "user";
    cloud.admin.fields[1].name = "entry";
    cloud.admin.fields[1].sensitive = true;
    const auto is_kept = [&](const char* text) {
        return may_keep_import(text, Json::parse(text), {cloud});
    };

    BOOST_TEST(is_kept(R"({"services":[{"name":"web"}]})"));
    BOOST_TEST(is_kept(
        R"({"providers":[{"name":"a","providertype":"cloud","provisioner":{"user":"me","entry":"********"}}]})"));
    BOOST_TEST(!is_kept(
        R"({"providers":[{"name":"a","providertype":"cloud","provisioner":{"entry":"x"}}]})"));
    BOOST_TEST(!is_kept(
        R"({"providers":[{"name":"a","providertype":"other","provisioner":{"user":"me"}}]})"));
    BOOST_TEST(
        !is_kept(R"({"clustertemplates":[{"name":"a","defaults":{"config":{"password":"x"}}}]})"));
    // There is nothing to go on with.
    BOOST_TEST(!is_kept(R"({"services":[]})"));
    BOOST_TEST(!is_kept(R"({"servces":[{"name":"web"}]})"));
    BOOST_TEST(!may_keep_import(std::string(2UL << 20U, ' '), Json::object(), {}));
    BOOST_TEST(entries_in(Json::parse(R"({"services":[1,2],"providers":[3],"x":[4]})")) == 3U);
}

BOOST_AUTO_TEST_CASE(the_review_of_an_import_names_what_is_no_list_of_a_catalogue) {
    const auto words =
        words_on_left_out(Json::parse(R"({"Services":[],"services":{},"providers":null})"));

    const std::vector<std::string> expected{
        "Services is no list of a catalogue, so it is not imported.",
        "services is not a list, so it is not imported."};
    BOOST_TEST(words == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_version_leads_to_what_it_changed) {
    VersionsPage page{.kind = CatalogueKind::service, .name = "web"};
    page.lines = {line(30, 3), line(20, 2), line(7, 1)};

    const Json lines = to_json(page).at("lines");

    BOOST_TEST(lines[0].at("changes_href") ==
               "/catalogue/services/web/versions/compare?from=20&to=30");
    BOOST_TEST(lines[1].at("changes_href") ==
               "/catalogue/services/web/versions/compare?from=7&to=20");
    BOOST_TEST(lines[2].at("changes_href").is_null());
}

BOOST_AUTO_TEST_CASE(a_deletion_is_no_version_and_nothing_is_compared_with_it) {
    VersionsPage page{.kind = CatalogueKind::service, .name = "web", .lines = {}};
    page.lines = {line(40, 1), line(30, 2), line(20, 2), line(7, 1)};
    page.lines[1].act = VersionAct::remove;
    page.lines[1].document.reset();

    const Json lines = to_json(page).at("lines");

    BOOST_TEST(lines[0].at("changes_href").is_null());
    BOOST_TEST(lines[1].at("changes_href").is_null());
    BOOST_TEST(lines[1].at("is_deletion") == true);
    BOOST_TEST(!lines[2].at("changes_href").is_null());
    const VersionPage deletion{
        .kind = CatalogueKind::service, .name = "web", .older = page.lines[1]};
    BOOST_TEST(to_json(deletion).at("heading") == "Service web: deletion");
    BOOST_TEST(to_json(deletion).at("sides")[1].at("title") == "Deleted");
    BOOST_TEST(to_json(deletion).at("restore_action").is_null());
}

BOOST_AUTO_TEST_CASE(versions_of_an_earlier_entry_with_the_name_are_marked) {
    VersionsPage page{.kind = CatalogueKind::service,
                      .name = "web",
                      .lines = {line(30, 1, ""), line(20, 2, ""), line(7, 1, "")},
                      .version = 1};
    BOOST_TEST(to_json(page).at("has_earlier") == false);

    page.lines[1].act = VersionAct::remove;
    const Json json = to_json(page);

    BOOST_TEST(json.at("has_earlier") == true);
    BOOST_TEST(json.at("lines")[0].at("is_earlier") == false);
    BOOST_TEST(json.at("lines")[1].at("is_earlier") == true);
    BOOST_TEST(json.at("lines")[2].at("is_earlier") == true);

    // It is gone, and no earlier one was there.
    page.lines = {line(20, 2, ""), line(7, 1, "")};
    page.lines[0].act = VersionAct::remove;
    page.version.reset();
    BOOST_TEST(to_json(page).at("has_earlier") == false);
}

BOOST_AUTO_TEST_CASE(a_difference_says_of_which_entry_and_which_versions_it_is) {
    VersionPage page{.kind = CatalogueKind::service, .name = "web", .older = line(7, 1, "first")};
    page.newer = line(20, 2, "more");

    const Json two = to_json(page);

    BOOST_TEST(two.at("heading") == "Service web: version 1 and version 2");
    BOOST_TEST(two.at("sides")[0].at("title") == "Version 1");
    BOOST_TEST(two.at("sides")[0].at("line").at("note") == "first");
    BOOST_TEST(two.at("sides")[1].at("title") == "Version 2");
    BOOST_TEST(two.at("sides")[1].at("line").at("written_by") == "ada");

    page.newer.reset();
    page.present = {{"name", "web"}, {"version", 5}};
    const Json one = to_json(page);
    BOOST_TEST(one.at("heading") == "Service web: version 1");
    BOOST_TEST(one.at("sides")[0].at("title") == "Version 5, in force");
    BOOST_TEST(one.at("based_on") == "5");
    // Another entry of this name may get the same number.
    page.in_force.seen = {.version = 5, .line = 70};
    BOOST_TEST(to_json(page).at("based_on") == "5-70");
    page.in_force = {};
    page.present = nullptr;
    // Who makes the entry anew meanwhile makes another one than none.
    BOOST_TEST(to_json(page).at("based_on") == "0");
    BOOST_TEST(to_json(page).at("sides")[0].at("title") == "Nothing: the entry was deleted");
}

BOOST_AUTO_TEST_CASE(a_deletion_leads_to_the_version_that_can_be_restored) {
    VersionPage page{.kind = CatalogueKind::service, .name = "web", .older = line(9, 2)};
    page.older.act = VersionAct::remove;
    page.ended = line(7, 2);

    BOOST_TEST(to_json(page).at("ended").at("ended_href") == "/catalogue/services/web/versions/7");
    BOOST_TEST(to_json(page).at("ended").at("ended_words") == "Restore version 2");
    page.may_change = false;
    BOOST_TEST(to_json(page).at("ended").is_null());

    VersionsPage list{.kind = CatalogueKind::service, .name = "web"};
    list.lines = {page.older, line(7, 2)};
    BOOST_TEST(to_json(list).at("last").at("last_href") == "/catalogue/services/web/versions/7");
    BOOST_TEST(to_json(list).at("last").at("last_words") == "version 2");
    BOOST_TEST(to_json(list).at("last").at("has_earlier_version") == false);
    list.lines.push_back(line(6, 1));
    BOOST_TEST(to_json(list).at("last").at("has_earlier_version") == true);
    list.version = 1;
    BOOST_TEST(to_json(list).at("last").is_null());
}

BOOST_AUTO_TEST_CASE(a_version_that_a_form_has_shown_is_read_back) {
    using provisioner::model::SeenVersion;
    for (const SeenVersion& seen :
         {SeenVersion{}, SeenVersion{.version = 3}, SeenVersion{.version = 3, .line = 0},
          SeenVersion{.version = 3, .line = 4711}}) {
        BOOST_TEST((seen_version_in(form_value(seen)) == seen));
    }
    BOOST_TEST(form_value({.version = 3, .line = 4711}) == "3-4711");
    for (const char* wrong : {"", "x", "-1", "3-", "3-x", "3--1", "99999999999"}) {
        BOOST_TEST(!seen_version_in(wrong).has_value());
    }
}

BOOST_AUTO_TEST_CASE(who_created_an_entry_anew_is_told_with_the_time) {
    using provisioner::model::PresentVersion;
    const auto now = provisioner::base::from_sql("2026-11-20 10:00:00");
    const PresentVersion present{
        .seen = {.version = 1, .line = 12},
        .begun = {{.id = 12, .version = 1, .written_by = "grace", .written_at = now}}};
    const auto told = [&](const provisioner::model::SeenVersion& seen, const std::string& reader) {
        provisioner::base::Problems problems{{"version", "As before."}};
        provisioner::model::User user;
        user.name = reader;
        tell_creation(problems, CatalogueKind::service, "web", present, seen, user, now);
        return problems.front().message;
    };

    BOOST_TEST(told({}, "ada") ==
               "Service web was created meanwhile by grace, just now: version 1 is in force. Look "
               "at what changes.");
    BOOST_TEST(told({.version = 1, .line = 7}, "ada") ==
               "Service web was deleted and created anew by grace meanwhile, just now. Look at "
               "what changes.");
    BOOST_TEST(told({.version = 1, .line = 7}, "grace") ==
               "Service web was deleted and created anew by you meanwhile, just now. Look at what "
               "changes.");
    BOOST_TEST(told({.version = 3, .line = 12}, "ada") == "As before.");
}

BOOST_AUTO_TEST_CASE(a_difference_goes_from_what_is_in_force_to_what_a_restore_makes) {
    VersionPage page{.kind = CatalogueKind::service, .name = "web", .older = line(7, 1)};
    page.older.document = Json{{"name", "web"}, {"label", "Old"}};
    page.present = {{"name", "web"}, {"version", 5}, {"label", "In force"}};

    const Json json = to_json(page);

    BOOST_TEST(json.at("sides")[1].at("side") == "Once restored");
    const Json& values = json.at("difference").at("values");
    BOOST_REQUIRE(values.size() == 1U);
    BOOST_TEST(values[0].at("member") == "Label");
    BOOST_TEST(values[0].at("before") == "In force");
    BOOST_TEST(values[0].at("after") == "Old");
}

namespace {

provisioner::operations::TemplateUse a_use(int version, bool is_behind) {
    provisioner::operations::TemplateUse use{.is_behind = is_behind};
    use.cluster.version = version;
    use.cluster.status = "active";
    return use;
}

}  // namespace

BOOST_AUTO_TEST_CASE(only_clusters_that_a_new_version_would_change_are_updated) {
    VersionsPage page{.kind = CatalogueKind::cluster_template, .name = "web", .version = 3};
    page.clusters = {a_use(2, true), a_use(2, false), a_use(3, true), a_use(3, false)};
    const auto ages = [&] {
        std::string words;
        const Json clusters = to_json(page).at("clusters");
        for (const Json& cluster : clusters) {
            words += cluster.at("age").get<std::string>() +
                     (cluster.at("sync_href").is_null() ? ";" : " >;");
        }
        return words;
    };

    BOOST_TEST(ages() ==
               "older than version 3 >;says the same as version 3;"
               "without changes of what it extends >;;");
    BOOST_TEST(to_json(page).at("update_all").at("words") == "Update all 2 clusters");
    BOOST_TEST(to_json(page).at("update_all").at("href") ==
               "/catalogue/clustertemplates/web/update");

    // One is updated by its own button.
    page.clusters[0].cluster.status = "inconsistent";
    BOOST_TEST(to_json(page).at("update_all").is_null());
    BOOST_TEST(to_json(page).at("all_clusters_href").is_null());
    // Others may have an older version, too.
    page.has_more_clusters = true;
    BOOST_TEST(to_json(page).at("update_all").is_null());
    page.has_clusters_behind = true;
    BOOST_TEST(to_json(page).at("update_all").at("words") == "Update all clusters");
    BOOST_TEST(to_json(page).at("all_clusters_href") == "/clusters?template=web");
    page.has_more_clusters = false;
    page.has_clusters_behind = false;
    page.version.reset();
    page.clusters = {a_use(2, false)};
    BOOST_TEST(ages() == ";");
}

BOOST_AUTO_TEST_CASE(a_version_of_a_template_that_was_deleted_and_made_anew_is_called_so) {
    VersionsPage versions{.kind = CatalogueKind::cluster_template, .name = "web", .version = 1};
    versions.clusters = {a_use(1, true)};
    BOOST_TEST(to_json(versions).at("clusters")[0].at("age") ==
               "without changes of what it extends");
    versions.clusters[0].is_of_earlier = true;
    const Json cluster = to_json(versions).at("clusters")[0];
    BOOST_TEST(cluster.at("age") == "of the earlier entry");
    BOOST_TEST(!cluster.at("sync_href").is_null());

    UpdateAllPage all{.name = "web", .version = 1};
    all.clusters.resize(2);
    for (auto& one : all.clusters) one.cluster.version = 1;
    all.clusters[1].is_of_earlier = true;
    const Json rows = to_json(all).at("clusters");
    BOOST_TEST(rows[0].at("from_version") == 1);
    BOOST_TEST(rows[1].at("from_version") == "1 of the earlier entry");

    SyncPage sync;
    BOOST_TEST(to_json(sync).at("is_of_earlier") == false);
    sync.is_of_earlier = true;
    BOOST_TEST(to_json(sync).at("is_of_earlier") == true);
}

BOOST_AUTO_TEST_CASE(the_update_of_a_template_says_which_job_is_in_its_way) {
    using provisioner::model::ClusterStatus;

    BOOST_TEST(words_on_status(ClusterStatus::active) == "");
    BOOST_TEST(words_on_status(ClusterStatus::pending) ==
               "A job of this cluster is running. Its template can be updated when that has "
               "ended.");
    for (const auto failed : {ClusterStatus::incomplete, ClusterStatus::inconsistent}) {
        BOOST_TEST(words_on_status(failed) ==
                   "The last job of this cluster has failed. Its template can be updated when "
                   "another job has completed.");
    }
}

BOOST_AUTO_TEST_CASE(a_version_that_somebody_restored_meanwhile_is_said_to_be_restored_already) {
    VersionPage page{.kind = CatalogueKind::service, .name = "web", .older = line(7, 1)};
    page.older.document = Json{{"name", "web"}, {"description", "one"}};
    page.present = {{"name", "web"}, {"description", "one"}, {"version", 3}};
    page.problems = {{"version", "Service web was changed meanwhile."}};

    auto other = page;
    other.present["description"] = "two";
    tell_restored(other);
    tell_restored(page);

    BOOST_TEST(!other.is_restored_already);
    BOOST_TEST(to_json(other).at("problems_title") == "Couldn't restore it");
    BOOST_TEST(to_json(page).at("problems_title") == "It was restored already");
    BOOST_TEST(to_json(page).at("problems")[0].at("message") ==
               "Version 3, which is in force now, says the same as version 1. Nothing more was "
               "done.");
}

BOOST_AUTO_TEST_CASE(a_cluster_whose_template_says_the_same_is_not_updated) {
    SyncPage page;
    page.present.header.name = "a b";
    page.newest = page.present;
    page.newest->header.version = 2;
    BOOST_TEST(to_json(page).at("can_sync") == false);
    BOOST_TEST(to_json(page).at("has_newest") == true);
    page.newest->header.label = "Another";
    BOOST_TEST(to_json(page).at("can_sync") == true);
    // The form says what was shown.
    BOOST_TEST(to_json(page).at("newest") ==
               provisioner::operations::sum_of_template(*page.newest));
    BOOST_TEST(to_json(page).at("back_href") == to_json(page).at("cluster_href"));
    page.is_from_versions = true;
    BOOST_TEST(to_json(page).at("back_href") == "/catalogue/clustertemplates/a%20b/versions");
}

BOOST_AUTO_TEST_CASE(what_a_template_that_does_not_fit_changes_is_shown_without_a_button) {
    SyncPage page;
    page.newest = page.present;
    page.newest->header.version = 2;
    page.newest->constraints.size_min = 3;
    page.fits = false;
    page.problems = {{"", "The cluster has 1 machine; version 2 needs at least 3."}};

    const Json json = to_json(page);

    BOOST_TEST(json.at("can_sync") == false);
    BOOST_TEST(json.at("has_newest") == true);
    BOOST_TEST(!json.at("difference").is_null());
    BOOST_TEST(json.at("problems").at(0).at("message") ==
               "The cluster has 1 machine; version 2 needs at least 3.");
}

BOOST_AUTO_TEST_CASE(clusters_after_those_of_a_page_are_on_the_next_one) {
    UpdateAllPage page{.name = "a b", .newest = "12", .after = ClusterId{3}};
    page.clusters = {{.cluster = {ClusterId{7}, "shop", "ada", "active", 2}}};
    BOOST_TEST(to_json(page).at("next_href").is_null());
    BOOST_TEST(to_json(page).at("newest") == "12");
    BOOST_TEST(to_json(page).at("after") == "3");

    // What was chosen stays chosen.
    BOOST_TEST(to_json(page).at("clusters")[0].at("chosen") == true);
    page.clusters[0].chosen = false;
    BOOST_TEST(to_json(page).at("clusters")[0].at("chosen") == false);

    page.has_more = true;
    BOOST_TEST(to_json(page).at("next_href") == "/catalogue/clustertemplates/a%20b/update?after=7");
    BOOST_TEST(to_json(UpdateAllPage{}).at("after") == "");
}

BOOST_AUTO_TEST_CASE(who_changes_nothing_is_offered_neither_a_restore_nor_an_update) {
    VersionPage version{.kind = CatalogueKind::service, .name = "web", .older = line(7, 1)};
    VersionsPage versions{.kind = CatalogueKind::cluster_template, .name = "web", .version = 2};
    versions.clusters.resize(1);
    versions.clusters[0] = a_use(1, true);
    BOOST_TEST(!to_json(version).at("restore_action").is_null());
    BOOST_TEST(!to_json(versions).at("clusters")[0].at("sync_href").is_null());

    version.may_change = false;
    versions.may_operate = false;

    BOOST_TEST(to_json(version).at("restore_action").is_null());
    BOOST_TEST(to_json(versions).at("clusters")[0].at("sync_href").is_null());
}

BOOST_AUTO_TEST_CASE(a_receipt_of_an_import_is_kept_as_it_was) {
    const ReceiptPage page{
        .entries = {{.kind = CatalogueKind::service, .name = "a b", .is_new = true, .version = 1},
                    {.kind = CatalogueKind::cluster_template,
                     .name = "shop",
                     .is_new = true,
                     .is_draft = true,
                     .version = 1},
                    {.kind = CatalogueKind::cluster_template,
                     .name = "web",
                     .is_draft = true,
                     .version = 3},
                    {.kind = CatalogueKind::provider, .name = "cloud", .version = 4},
                    {.kind = CatalogueKind::cluster_template,
                     .name = "store",
                     .is_draft = true,
                     .version = 2,
                     .is_left_out = true}},
        .note = "From the other site"};

    const auto kept = receipt_in(fields_of_receipt(page));

    BOOST_TEST(to_json(kept) == to_json(page));
    const Json rows = to_json(kept).at("entries");
    BOOST_TEST(rows.at(1).at("done") == "created as a draft");
    BOOST_TEST(rows.at(1).at("href") == "/catalogue/clustertemplates/shop");
    BOOST_TEST(rows.at(2).at("done") == "kept as a draft of a change");
    BOOST_TEST(rows.at(2).at("href") == "/catalogue/clustertemplates/web/draft");
    BOOST_TEST(rows.at(4).at("done") == "left out: it has a draft of a change already");
    BOOST_TEST(rows.at(4).at("href") == "/catalogue/clustertemplates/store/draft");
    BOOST_TEST(to_json(kept).at("sentence") ==
               "3 changes made in the catalogue, and 1 draft of a change kept.");
    BOOST_TEST(receipt_in({}).entries.empty());
}

BOOST_AUTO_TEST_CASE(a_receipt_says_why_a_template_that_was_to_be_offered_is_a_draft) {
    const ReceiptPage page{.entries = {{.kind = CatalogueKind::cluster_template,
                                        .name = "shop",
                                        .is_new = true,
                                        .is_draft = true,
                                        .version = 1}},
                           .offers_templates = true};

    const Json json = to_json(receipt_in(fields_of_receipt(page)));

    BOOST_TEST(json.at("entries").at(0).at("done") ==
               "created as a draft, because there is something to check in it");
    BOOST_TEST(json.at("sentence") == "1 change made in the catalogue.");
}

BOOST_AUTO_TEST_CASE(a_receipt_of_drafts_alone_counts_no_changes) {
    const ReceiptPage page{.entries = {{.kind = CatalogueKind::cluster_template,
                                        .name = "shop",
                                        .is_draft = true,
                                        .version = 1}}};
    BOOST_TEST(to_json(page).at("sentence") == "1 draft of a change kept.");
}

BOOST_AUTO_TEST_CASE(a_picture_or_an_archive_is_no_text) {
    BOOST_TEST(is_no_text("\xEF\xBF\xBDPNG\r\n"));
    BOOST_TEST(is_no_text("PK\x03\x04rest"));
    BOOST_TEST(is_no_text(std::string("{\0}", 3)));
    BOOST_TEST(!is_no_text("{\"services\":[]}"));
    BOOST_TEST(!is_no_text(""));
}
