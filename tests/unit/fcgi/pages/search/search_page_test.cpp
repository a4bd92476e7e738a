#include "fcgi/pages/search/search.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "fcgi/pages/search/actions.hpp"

BOOST_AUTO_TEST_SUITE(search_page)

namespace {

using namespace fcgi::pages;

SearchPage found_page() {
    return {.text = "shop",
            .groups = {{.label = "Clusters",
                        .hits = {{.label = "shop",
                                  .detail = "active, of ada",
                                  .href = "/clusters/00000042"}}}}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_found_is_counted_and_linked) {
    const auto json = to_json(found_page());

    BOOST_TEST(json.at("summary") == "1 result.");
    BOOST_TEST(json.at("found_nothing") == false);
    BOOST_TEST(json.at("groups")[0].at("hits")[0].at("href") == "/clusters/00000042");
}

BOOST_AUTO_TEST_CASE(a_machine_says_what_matched_where_its_name_does_not) {
    BOOST_TEST(match_of_machine("shop-7-1000.local", "10.0.0.5") == ", address matches 10.0.0.5");
    BOOST_TEST(match_of_machine("shop-7-1000.local", "0a8f7d1c-9a3e-4a52-9d5f-3f6a7c1b2d4e") ==
               ", UUID 0a8f7d1c-9a3e-4a52-9d5f-3f6a7c1b2d4e");
    BOOST_TEST(match_of_machine("shop-7-1000.local", "1000.LOCAL") == "");
}

BOOST_AUTO_TEST_CASE(a_group_says_when_more_match_than_it_shows) {
    SearchGroup group{.hits = std::vector<SearchHit>(3)};
    BOOST_TEST(!cut_after(group, 3).is_cut);
    BOOST_TEST(cut_after(group, 2).is_cut);
    BOOST_TEST(cut_after(group, 2).hits.size() == 2U);

    SearchPage page = found_page();
    page.text = "a&b";
    page.groups.push_back({.label = "Machines",
                           .hits = std::vector<SearchHit>(20),
                           .kind = "machines",
                           .is_cut = true});
    const auto json = to_json(page);

    BOOST_TEST(json.at("summary") == "More than 21 results: the first 20 of each kind are shown.");
    BOOST_TEST(json.at("groups")[0].at("cut") == "");
    BOOST_TEST(json.at("groups")[0].at("more") == "");
    BOOST_TEST(json.at("groups")[1].at("cut") == "The first 20 are shown.");
    BOOST_TEST(json.at("groups")[1].at("more") == "/search?q=a%26b&kind=machines");
    BOOST_TEST(json.at("all") == "");
    BOOST_TEST(palette_json(page, "").at("groups")[1].at("is_cut") == true);
}

BOOST_AUTO_TEST_CASE(actions_that_are_called_so_come_before_those_that_other_words_mean) {
    provisioner::model::Caller caller;
    caller.user.role = provisioner::model::Role::superadmin;

    const auto hits = found_actions(caller, "prov", 10, false).hits;

    BOOST_REQUIRE(hits.size() > 2U);
    BOOST_TEST(hits.front().label == "New provider");
    const auto create = std::ranges::find(hits, "New cluster", &SearchHit::label);
    const auto drain = std::ranges::find(hits, "Drain a provisioner", &SearchHit::label);
    BOOST_TEST((create > drain));
    BOOST_TEST(found_actions(caller, "providers", 10, false).hits.front().href ==
               "/catalogue/providers");
}

BOOST_AUTO_TEST_CASE(the_page_of_one_kind_leads_back_to_all_and_asks_for_a_longer_text) {
    SearchPage page = found_page();
    page.kind = page.groups[0].kind = "machines";
    BOOST_TEST(to_json(page).at("summary") == "1 result.");
    BOOST_TEST(to_json(page).at("all") == "/search?q=shop");

    page.groups[0].is_cut = true;
    BOOST_TEST(to_json(page).at("summary") ==
               "More than 1 results: the first 1 are shown. Type more to find others.");
    BOOST_TEST(to_json(page).at("groups")[0].at("more") == "");
}

BOOST_AUTO_TEST_CASE(nothing_is_said_to_be_missing_before_somebody_asks) {
    BOOST_TEST(to_json(SearchPage{}).at("found_nothing") == false);
    BOOST_TEST(to_json(SearchPage{}).at("summary") == "");
    BOOST_TEST(to_json(SearchPage{.text = "x"}).at("found_nothing") == true);
}

BOOST_AUTO_TEST_CASE(the_palette_gets_addresses_with_the_prefix) {
    BOOST_TEST(palette_json(found_page(), "/cooperage").at("groups")[0].at("hits")[0].at("href") ==
               "/cooperage/clusters/00000042");
}

BOOST_AUTO_TEST_CASE(what_one_may_do_is_found_by_the_words_that_people_use) {
    using provisioner::model::Role;
    const auto labels = [](Role role, const std::string& text) {
        provisioner::model::Caller caller;
        caller.user.role = role;
        std::vector<std::string> found;
        for (const SearchHit& hit : found_actions(caller, text, 5).hits) found.push_back(hit.label);
        return found;
    };
    using Labels = std::vector<std::string>;

    BOOST_TEST(labels(Role::admin, "IMPORT") == Labels{"Import into the catalogue"});
    BOOST_TEST(labels(Role::admin, "new image") == Labels{"New image type"});
    BOOST_TEST(labels(Role::user, "new image") == Labels{});
    BOOST_TEST(labels(Role::user, "launch") == Labels{"New cluster"});
    BOOST_TEST(labels(Role::user, "hosts") ==
               (Labels{"Machines of all clusters", "Failed machines"}));
    BOOST_TEST(labels(Role::auditor, "failed mach") == Labels{"Failed machines"});
    BOOST_TEST(labels(Role::auditor, "launch") == Labels{});
    BOOST_TEST(labels(Role::auditor, "add") == Labels{});
    BOOST_TEST(labels(Role::auditor, "new image") == Labels{});
    BOOST_TEST(labels(Role::auditor, "export") == Labels{"Export the catalogue"});
    BOOST_TEST(labels(Role::auditor, "2fa") == Labels{"Second factor"});
    BOOST_TEST(labels(Role::admin, "add ten") == Labels{});
    BOOST_TEST(labels(Role::superadmin, "add ten") == Labels{"New tenant"});
    BOOST_TEST(labels(Role::superadmin, "port") == Labels{});
    BOOST_TEST(labels(Role::superadmin, "") == Labels{});
    BOOST_TEST(labels(Role::superadmin, "new").size() == 5U);
}

BOOST_AUTO_TEST_CASE(who_views_a_tenant_does_not_find_their_own_account) {
    provisioner::model::Caller caller;
    caller.user.role = provisioner::model::Role::auditor;

    BOOST_TEST(found_actions(caller, "password", 5, false).hits.size() == 1U);
    BOOST_TEST(found_actions(caller, "password", 5, true).hits.empty());
}

BOOST_AUTO_TEST_SUITE_END()
