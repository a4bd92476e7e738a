#include "fcgi/pages/clusters/list_page.hpp"

#include "fcgi/pages/clusters/list_order.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::pages;
using provisioner::model::ClusterStatus;

BOOST_AUTO_TEST_SUITE(cluster_list)

BOOST_AUTO_TEST_CASE(every_state_is_in_a_choice_and_another_word_is_the_first_one) {
    std::size_t states = 0;
    for (const ClusterChoice& choice : cluster_choices()) {
        BOOST_TEST(cluster_choice(choice.word).word == choice.word);
        const bool is_part = choice.word.empty() || choice.only_stopped;
        if (!is_part) states += choice.statuses.size();
    }

    BOOST_TEST(states == 5U);
    BOOST_TEST(cluster_choice("nonsense").word == "");
    BOOST_TEST(std::ranges::count(cluster_choice("").statuses, ClusterStatus::terminated) == 0);
}

BOOST_AUTO_TEST_CASE(an_empty_list_says_what_it_is_empty_of) {
    const auto title = [](const std::string& choice) {
        return to_json(ClustersPage{.choice = choice}).at("empty_title").get<std::string>();
    };

    BOOST_TEST(title("") == "No current clusters");
    BOOST_TEST(title("failing") == "No clusters with problems");
    BOOST_TEST(title("terminated") == "No deleted clusters");
}

BOOST_AUTO_TEST_CASE(headings_lead_to_an_order_and_then_to_the_other_way_round) {
    ClustersPage page{.choice = "active", .text = "shop", .order = "name"};
    page.clusters.resize(2);

    const auto json = to_json(page);

    BOOST_TEST(json.at("by_name").at("direction") == "ascending");
    BOOST_TEST(json.at("by_name").at("sort_href") == "/clusters?status=active&q=shop&order=-name");
    BOOST_TEST(json.at("by_machines").at("direction") == "none");
    BOOST_TEST(json.at("by_machines").at("sort_href") ==
               "/clusters?status=active&q=shop&order=machines");
    BOOST_TEST(json.at("by_creation").at("sort_href") == "/clusters?status=active&q=shop");
    page.order = "-machines";
    BOOST_TEST(to_json(page).at("by_machines").at("direction") == "ascending");
    page.order = "machines";
    BOOST_TEST(to_json(page).at("by_machines").at("direction") == "descending");
    page.order = "";
    BOOST_TEST(to_json(page).at("by_creation").at("direction") == "descending");
    BOOST_TEST(to_json(page).at("by_creation").at("arrow") == "↓");
    BOOST_TEST(to_json(page).at("orders").size() == 10U);
    page.clusters.resize(1);
    BOOST_TEST(to_json(page).at("orders").empty());
    BOOST_TEST(list_order("-expires")->is_reversed);
    BOOST_TEST(!list_order("").has_value());
    BOOST_TEST(!list_order("size").has_value());
}

BOOST_AUTO_TEST_CASE(pages_of_an_ordered_list_have_numbers_and_keep_the_order) {
    ClustersPage page{.order = "name", .portion = portion_of(120, 50, 2), .is_cut = true};
    page.clusters.resize(50);

    const auto json = to_json(page);

    BOOST_TEST(json.at("summary") ==
               "51–100 of 120 clusters, by name, A to Z. Older ones are left out.");
    BOOST_TEST(json.at("older") == "");
    BOOST_TEST(json.at("newest") == "");
    BOOST_TEST(json.at("pager").at("next") == "/clusters?order=name&page=3");
    BOOST_TEST(json.at("filters")[1].at("href") == "/clusters?status=active&order=name");
    BOOST_TEST(to_json(ClustersPage{}).at("pager").is_null());
}

BOOST_AUTO_TEST_CASE(a_description_is_one_line_that_ends_somewhere) {
    ClustersPage page;
    page.clusters.emplace_back().description = "For the fair,\n\nuntil  May";
    page.clusters.emplace_back().description = std::string(200, 'a');

    const auto json = to_json(page);

    BOOST_TEST(json.at("clusters")[0].at("description") == "For the fair, until May");
    BOOST_TEST(json.at("clusters")[1].at("description") == std::string(120, 'a') + "…");
}

BOOST_AUTO_TEST_CASE(terminated_clusters_have_their_end_and_no_lease) {
    ClustersPage page{.choice = "terminated", .order = "ended"};
    auto& cluster = page.clusters.emplace_back();
    cluster.status = ClusterStatus::terminated;
    cluster.expires_at = page.now;
    cluster.latest_job = provisioner::model::Job();
    cluster.latest_job->finished_at = page.now - std::chrono::hours(2);
    page.clusters.push_back(cluster);
    const auto json = to_json(page);
    BOOST_TEST(json.at("clusters")[0].at("ended").at("relative") == "2 hours ago");
    BOOST_TEST(json.at("clusters")[0].at("expires").is_null());
    BOOST_TEST(json.at("by_lease").at("sort_label") == "Ended");
    for (const auto& order : json.at("orders")) {
        BOOST_TEST(order.at("value").get<std::string>().find("expires") == std::string::npos);
    }
    // An order that the other list does not have stays behind.
    const auto tabs = json.at("filters");
    for (const auto& tab : tabs) {
        const bool is_here = tab.at("current");
        const auto href = tab.at("href").get<std::string>();
        BOOST_TEST((href.find("order=ended") != std::string::npos) == is_here);
    }
    BOOST_TEST(order_in("terminated", "expires") == "");
    // All have one status.
    BOOST_TEST(order_in("terminated", "status") == "");
    BOOST_TEST(json.at("by_status").at("sort_href") == "");
    BOOST_TEST(order_in("active", "-status") == "-status");
    BOOST_TEST(order_in("", "-expires") == "-expires");
}

BOOST_AUTO_TEST_CASE(a_search_that_finds_nothing_leads_to_terminated_clusters_that_have_it) {
    ClustersPage page{.text = "old", .order = "expires"};
    BOOST_TEST(to_json(page).at("among_terminated") == "");
    page.is_among_terminated = true;
    BOOST_TEST(to_json(page).at("among_terminated") == "/clusters?status=terminated&q=old");
}

BOOST_AUTO_TEST_CASE(older_clusters_of_a_choice_stay_in_it) {
    ClustersPage page{.choice = "failing", .is_last = false};
    page.clusters.emplace_back().id = provisioner::model::ClusterId{42};

    BOOST_TEST(to_json(page).at("older") == "/clusters?status=failing&before=00000042");
    page.choice = "";
    BOOST_TEST(to_json(page).at("older") == "/clusters?before=00000042");
}

BOOST_AUTO_TEST_CASE(a_list_of_several_pages_says_the_number_that_the_home_page_has) {
    const provisioner::store::ClusterCounts counts{
        .active = 1200, .stopped = 3, .pending = 30, .failing = 4};
    ClustersPage page{.total = count_of_choice(counts, ""), .is_last = false};
    page.clusters.resize(2);

    BOOST_TEST(to_json(page).at("summary") == "1,234 clusters, 2 on this page, newest first.");
    BOOST_TEST(*count_of_choice(counts, "active") == 1200);
    BOOST_TEST(*count_of_choice(counts, "pending") == 30);
    BOOST_TEST(*count_of_choice(counts, "failing") == 4);
    BOOST_TEST(*count_of_choice(counts, "stopped") == 3);
    page.total = count_of_choice(counts, "terminated");
    BOOST_TEST(to_json(page).at("summary") == "2 clusters on this page, newest first.");
}

BOOST_AUTO_TEST_CASE(an_active_cluster_with_stopped_services_says_so) {
    ClustersPage page;
    page.clusters.emplace_back().status = ClusterStatus::active;
    const auto row = [&] { return to_json(page).at("clusters")[0]; };
    BOOST_TEST(row().at("status_words") == "active");

    page.clusters.front().services_stopped = 2;

    BOOST_TEST(row().at("status_words") == "2 services stopped");
    BOOST_TEST(row().at("status") == "stopped");
}

BOOST_AUTO_TEST_CASE(a_cluster_without_a_layout_does_not_look_like_a_deleted_one) {
    ClustersPage page;
    auto& cluster = page.clusters.emplace_back();
    cluster.status = ClusterStatus::terminated;
    cluster.latest_job.emplace();
    cluster.latest_job->operation = provisioner::model::Operation::solve_layout;
    cluster.latest_job->status = provisioner::model::JobStatus::failed;

    auto row = to_json(page).at("clusters")[0];

    BOOST_TEST(row.at("status_words") == "never created");
    BOOST_TEST(row.at("never_created") == "No layout was found.");
    cluster.latest_job->operation = provisioner::model::Operation::cluster_delete;
    row = to_json(page).at("clusters")[0];
    BOOST_TEST(row.at("status_words") == "deleted");
    BOOST_TEST(row.at("never_created") == "");
}

BOOST_AUTO_TEST_CASE(numbers_of_machines_are_written_as_everywhere) {
    ClustersPage page;
    page.clusters.emplace_back().node_count = 1000;

    BOOST_TEST(to_json(page).at("clusters")[0].at("machines") == "1,000");
}

BOOST_AUTO_TEST_CASE(clusters_of_one_name_are_told_apart_by_number) {
    ClustersPage page;
    for (const char* name : {"shop", "intranet", "shop"}) page.clusters.emplace_back().name = name;
    page.clusters.back().id = provisioner::model::ClusterId{7};

    const auto rows = to_json(page).at("clusters");

    BOOST_TEST(rows[1].at("number") == "");
    BOOST_TEST(rows[2].at("number") == "00000007");
}

BOOST_AUTO_TEST_CASE(a_search_stays_in_the_links_and_can_be_cleared) {
    ClustersPage page{.choice = "failing", .text = "a & b", .is_last = false, .may_see_all = true};
    page.clusters.emplace_back().id = provisioner::model::ClusterId{42};

    const auto json = to_json(page);

    BOOST_TEST(json.at("older") == "/clusters?status=failing&q=a%20%26%20b&before=00000042");
    BOOST_TEST(json.at("filters")[0].at("href") == "/clusters?q=a%20%26%20b");
    BOOST_TEST(json.at("scopes")[1].at("href") ==
               "/clusters?tenants=all&status=failing&q=a%20%26%20b");
    BOOST_TEST(json.at("without_search") == "/clusters?status=failing");
    page.text = "";
    BOOST_TEST(to_json(page).at("without_search") == "");
}

BOOST_AUTO_TEST_CASE(a_search_without_a_find_names_what_was_searched) {
    const auto text = [](const ClustersPage& page) {
        return to_json(page).at("empty_text").get<std::string>();
    };

    BOOST_TEST(to_json(ClustersPage{.text = "shpo"}).at("empty_title") == "No clusters found");
    BOOST_TEST(text({.text = "shpo"}) ==
               "No cluster of this list has “shpo” in its name, description or template.");
    BOOST_TEST(text({.text = "shpo", .show_owner = true}) ==
               "No cluster of this list has “shpo” in its name, description, template or owner.");
    BOOST_TEST(
        text({.text = "shpo", .may_see_all = true, .is_of_all = true}) ==
        "No cluster of this list has “shpo” in its name, description, template, owner or tenant.");
}

BOOST_AUTO_TEST_CASE(an_empty_list_offers_no_search_unless_one_was_made) {
    BOOST_TEST(to_json(ClustersPage{}).at("has_search") == false);
    BOOST_TEST(to_json(ClustersPage{.text = "x"}).at("has_search") == true);
}

BOOST_AUTO_TEST_CASE(superadmins_choose_between_their_tenant_and_all) {
    ClustersPage page{.choice = "failing", .is_last = false, .may_see_all = true, .tenant = "root"};
    page.clusters.emplace_back().id = provisioner::model::ClusterId{42};
    BOOST_TEST(to_json(page).at("scopes")[0].at("current") == true);
    BOOST_TEST(to_json(page).at("scopes")[1].at("href") == "/clusters?tenants=all&status=failing");

    page.is_of_all = true;
    page.clusters.front().tenant = "demo";

    const auto json = to_json(page);
    BOOST_TEST(json.at("clusters")[0].at("href") == "/view/demo/clusters/00000042");
    BOOST_TEST(json.at("scopes")[0].at("href") == "/clusters?status=failing");
    BOOST_TEST(json.at("scopes")[1].at("current") == true);
    BOOST_TEST(json.at("older") == "/clusters?tenants=all&status=failing&before=00000042");
    BOOST_TEST(json.at("filters")[0].at("href") == "/clusters?tenants=all");
    page.may_see_all = false;
    BOOST_TEST(to_json(page).at("scopes").empty());
}

BOOST_AUTO_TEST_CASE(a_search_that_ended_early_says_so_and_goes_on) {
    ClustersPage page{.text = "zebra"};
    page.searched =
        ClustersPage::Searched{.clusters = 10'000, .oldest = provisioner::model::ClusterId{42}};

    const auto nothing = to_json(page);

    BOOST_TEST(nothing.at("empty_title") == "None among 10,000 clusters");
    BOOST_TEST(nothing.at("empty_text") == "There are older ones.");
    BOOST_TEST(nothing.at("older") == "/clusters?q=zebra&before=00000042");

    page.clusters.emplace_back().id = provisioner::model::ClusterId{99};
    const auto one = to_json(page);

    BOOST_TEST(one.at("summary") ==
               "1 cluster among 10,000 clusters, newest first. There are older ones.");
    BOOST_TEST(one.at("older") == "/clusters?q=zebra&before=00000042");
}

BOOST_AUTO_TEST_CASE(a_list_of_the_clusters_of_an_entry_says_so_and_stays_so) {
    const ClustersPage page{.cluster_template = "shop", .may_create = false};
    const auto json = to_json(page);

    BOOST_TEST(json.at("narrowed") == "Only clusters of the template shop.");
    BOOST_TEST(json.at("without_narrowing") == "/clusters");
    BOOST_TEST(json.at("filters").at(1).at("href") == "/clusters?status=active&template=shop");
    BOOST_TEST(json.at("empty_title") == "No clusters found");
    BOOST_TEST(to_json(ClustersPage{.provider = "sim"}).at("narrowed") ==
               "Only clusters of the provider sim.");
    BOOST_TEST(to_json(ClustersPage{}).at("narrowed") == "");
}

BOOST_AUTO_TEST_SUITE_END()
