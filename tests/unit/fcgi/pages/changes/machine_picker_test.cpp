#include "fcgi/pages/changes/machine_picker.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/clusters/tabs/machines.hpp"

using namespace fcgi;
using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::base::Json;

BOOST_AUTO_TEST_SUITE(machine_picker)

namespace {

/// 120 machines, the first a load balancer that must stay, the others web servers.
ChangePage large_page(const std::vector<std::pair<std::string, std::string>>& asked = {}) {
    ChangePage page{.change = Change::shrink};
    page.cluster.services = {"lb", "web"};
    ServiceConstraint rule;
    rule.min = 1;
    page.cluster.snapshot.cluster_template.constraints.services = {{"lb", rule}};
    for (int i = 0; i < 120; ++i) {
        Node node;
        node.nodenum = 1000 + i;
        node.hostname = "big-" + std::to_string(node.nodenum) + ".test";
        node.services = {i == 0 ? "lb" : "web"};
        page.nodes.push_back(node);
    }
    page.labels.add(CatalogueKind::service, {{"web", "Web site"}});
    page.looks = {{1100, MachineLook::failed}, {1101, MachineLook::lost}};
    page.asked.fields = asked;
    return page;
}

Json boxes_of(const ChangePage& page) {
    Json json = Json::object();
    add_machines(json, page, needed_machines(page));
    return json;
}

std::vector<std::string> chosen_after(const ChangePage& page) {
    return after_look(page).all("nodes");
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_number_that_is_typed_over_a_choice_clears_it) {
    using Fields = std::vector<std::pair<std::string, std::string>>;
    const auto settled = [](Fields fields) { return settled_number({std::move(fields)}).fields; };
    const Fields chosen{{"nodes", "1"}, {"nodes", "2"}};
    const auto with_choice = [&](Fields fields) {
        fields.insert(fields.end(), chosen.begin(), chosen.end());
        return fields;
    };

    BOOST_TEST((settled(with_choice({{"chosenBefore", "2"}, {"numMachines", "10"}})) ==
                Fields{{"numMachines", "10"}}));
    BOOST_TEST((settled(with_choice({{"chosenBefore", "2"}, {"numMachines", "2"}})) ==
                with_choice({{"numMachines", "2"}})));
    // A choice that was changed, too, is what is meant; so is one that was made beside a number.
    BOOST_TEST((settled(with_choice({{"chosenBefore", "3"}, {"numMachines", "10"}})) ==
                with_choice({{"numMachines", "10"}})));
    BOOST_TEST(
        (settled(with_choice({{"numMachines", "10"}})) == with_choice({{"numMachines", "10"}})));
    // Nobody has asked for as many as were chosen.
    BOOST_TEST((settled({{"chosenBefore", "2"}, {"numMachines", "2"}}) == Fields{}));
    BOOST_TEST(
        (settled({{"chosenBefore", "2"}, {"numMachines", "1"}}) == Fields{{"numMachines", "1"}}));
}

BOOST_AUTO_TEST_CASE(the_number_of_a_choice_goes_with_it) {
    const auto page =
        large_page({{"numMachines", "2"}, {"nodes", "1001"}, {"nodes", "1002"}, {"look", "none"}});
    BOOST_TEST(!after_look(page).has("numMachines"));
    BOOST_TEST(boxes_of(page).at("picker").at("chosen_words") == "2 chosen");

    const auto typed = large_page({{"numMachines", "7"}, {"look", "none"}});
    BOOST_TEST(after_look(typed).trimmed("numMachines") == "7");
}

BOOST_AUTO_TEST_CASE(a_long_list_has_pages_and_begins_with_machines_in_trouble) {
    const auto json = boxes_of(large_page());

    BOOST_TEST(json.at("options").size() == 50U);
    BOOST_TEST(json.at("options")[0].at("label") == "big-1100");
    BOOST_TEST(json.at("options")[0].at("with") == "Web site");
    BOOST_TEST(json.at("options")[0].at("state_words") == "failed");
    BOOST_TEST(json.at("options")[1].at("state_words") == "lost");
    BOOST_TEST(json.at("options")[2].at("is_disabled") == true);
    BOOST_TEST(json.at("picker").at("summary") == "1–50 of 120 machines");
    BOOST_TEST(json.at("picker").at("previous") == "");
    BOOST_TEST(json.at("picker").at("next") == "2");
    BOOST_TEST(json.at("picker").at("all") == "Choose 119 of the 120: no more can be removed");
    BOOST_TEST(json.at("picker").at("chosen") == "");
}

BOOST_AUTO_TEST_CASE(a_failed_machine_is_said_with_the_services_that_failed) {
    auto page = large_page();
    page.failed_services = {{1100, {"web"}}, {1101, {"web"}}};

    const auto options = boxes_of(page).at("options");

    BOOST_TEST(options[0].at("state_words") == "failed: Web site");
    BOOST_TEST(options[1].at("state_words") == "lost");
}

BOOST_AUTO_TEST_CASE(what_is_chosen_and_out_of_sight_stays_chosen) {
    const auto page = large_page({{"nodes", "1001"}, {"nodes", "1119"}, {"page", "3"}});
    const auto json = boxes_of(page);

    BOOST_TEST(json.at("picker").at("chosen") == "1 machine that is not shown is chosen.");
    BOOST_REQUIRE(json.at("picker").at("kept").size() == 1U);
    BOOST_TEST(json.at("picker").at("kept")[0].at("number") == "1001");
    BOOST_TEST(json.at("options").back().at("checked") == true);
}

BOOST_AUTO_TEST_CASE(machines_are_found_by_name_by_label_of_a_service_and_by_state) {
    BOOST_TEST(machines_to_choose(large_page({{"q", "BIG-111"}})).size() == 10U);
    BOOST_TEST(machines_to_choose(large_page({{"q", "web site"}})).size() == 119U);
    BOOST_TEST(machines_to_choose(large_page({{"state", "lost"}})).size() == 1U);
    BOOST_TEST(boxes_of(large_page({{"q", "none"}})).at("picker").at("summary") ==
               "No machine matches.");
}

BOOST_AUTO_TEST_CASE(all_that_match_are_chosen_but_those_that_must_stay) {
    BOOST_TEST(chosen_after(large_page({{"look", "all"}})).size() == 119U);
    const auto lost =
        chosen_after(large_page({{"nodes", "1003"}, {"look", "all"}, {"state", "lost"}}));
    BOOST_TEST((lost == std::vector<std::string>{"1003", "1101"}));
    BOOST_TEST(chosen_after(large_page({{"nodes", "1003"}, {"look", "none"}})).empty());
}

BOOST_AUTO_TEST_CASE(a_filter_that_was_not_applied_is_applied_before_the_preview) {
    BOOST_TEST(!is_look({{{"preview", "1"}, {"filtered", " "}, {"state", ""}, {"q", ""}}}));
    BOOST_TEST(is_look({{{"preview", "1"}, {"filtered", " "}, {"state", ""}, {"q", "web"}}}));
    BOOST_TEST(is_look({{{"preview", "1"}, {"filtered", " "}, {"look", "2"}}}));
    // A form without a list, and one that is no page of ours.
    BOOST_TEST(!is_look({{{"preview", "1"}, {"nodes", "1001"}}}));
    const auto draft = after_look(large_page({{"look", "2"}, {"page", "1"}, {"q", "web"}}));
    BOOST_TEST(was_look(draft));
    BOOST_TEST(draft.trimmed("page") == "2");
    BOOST_TEST(draft.trimmed("q") == "web");
    BOOST_TEST(!draft.has("look"));
}

BOOST_AUTO_TEST_CASE(a_short_list_is_whole) {
    auto page = large_page();
    page.nodes.resize(20);
    const auto json = boxes_of(page);
    BOOST_TEST(json.at("options").size() == 20U);
    BOOST_TEST(json.at("picker").is_null());
}

BOOST_AUTO_TEST_CASE(a_machine_that_others_need_can_be_chosen_with_them) {
    const auto page = large_page({{"look", "all"}});
    const auto& node = page.nodes.back();
    NeededMachines needed{{"1119", {.sentence = "Others need it.", .is_final = false}}};

    BOOST_TEST(!is_never_removed(needed, node));
    needed.at("1119").is_final = true;
    BOOST_TEST(is_never_removed(needed, node));
}

BOOST_AUTO_TEST_CASE(a_group_that_was_asked_for_stays_in_the_form) {
    const auto groups_of = [](const ChangePage& page) {
        std::string words;
        for (const auto& [word, label] : machine_groups(page, needed_machines(page))) {
            words += word + ";";
        }
        return words;
    };

    BOOST_TEST(groups_of(large_page()) == "");
    const std::string asked = groups_of(large_page({{"group", services_word({"lb"})}}));
    BOOST_TEST(asked.find(";" + services_word({"lb"}) + ";") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
