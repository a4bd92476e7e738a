#include "fcgi/pages/search/search.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "fcgi/pages/search/actions.hpp"
#include "fcgi/pages/search/cluster_actions.hpp"
#include "fcgi/pages/search/installation.hpp"

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

ClusterPage active_cluster(const std::string& name, long long id) {
    ClusterPage page;
    page.cluster.id = provisioner::model::ClusterId{id};
    page.cluster.name = name;
    page.cluster.status = provisioner::model::ClusterStatus::active;
    page.cluster.services = {"web-application"};
    page.cluster.node_count = 3;
    page.cluster.snapshot.cluster_template.constraints.size_min = 1;
    page.cluster.snapshot.cluster_template.constraints.size_max = 5;
    return page;
}

std::vector<std::string> labels_of_acts(const ClusterPage& page, const std::string& text) {
    std::vector<std::string> labels;
    for (const auto& hit : found_cluster_actions({page}, text, 9).hits) labels.push_back(hit.label);
    return labels;
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

    BOOST_TEST(json.at("summary") ==
               "There are more results: the first 20 of each kind are shown.");
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

BOOST_AUTO_TEST_CASE(all_that_may_be_done_with_a_named_cluster_is_listed) {
    const auto group = actions_of_cluster(active_cluster("campaign", 7), 50);

    BOOST_TEST(group.label == "What to do with campaign");
    BOOST_REQUIRE(group.hits.size() > 5U);
    BOOST_TEST(group.hits.front().label == "Grow campaign (add machines)");
    BOOST_TEST(group.hits.front().href == "/clusters/00000007/grow");
    const auto resume =
        std::ranges::find(group.hits, "Resume the job of campaign", &SearchHit::label);
    BOOST_TEST((resume == group.hits.end()));
    BOOST_TEST(actions_of_cluster(active_cluster("campaign", 7), 2).hits.size() == 2U);
}

BOOST_AUTO_TEST_CASE(the_cluster_that_a_text_names_is_not_one_that_is_only_described_so) {
    using provisioner::model::ClusterId;
    SearchGroup found;
    found.hits = {{.label = "shop", .detail = "for the campaign", .cluster = ClusterId{3}},
                  {.label = "Campaign-2", .cluster = ClusterId{4}}};

    BOOST_TEST(cluster_called(found, "campaign").value == 4);
    BOOST_TEST(cluster_called(found, "3").value == 0);
    BOOST_TEST(cluster_called(found, "00000003").value == 3);
    BOOST_TEST(cluster_called(found, "other").value == 0);
    BOOST_TEST(cluster_called(SearchGroup{}, "campaign").value == 0);
}

BOOST_AUTO_TEST_CASE(a_template_is_found_with_what_is_asked_for_before_its_name) {
    BOOST_TEST(name_asked_for("new bigweb") == "bigweb");
    BOOST_TEST(name_asked_for("Create cluster of Big  web") == "big web");
    BOOST_TEST(name_asked_for("template web") == "web");
    BOOST_TEST(name_asked_for("New") == "New");
    BOOST_TEST(name_asked_for("new template") == "template");
    BOOST_TEST(name_asked_for("Big new") == "Big new");
    BOOST_TEST(name_asked_for("") == "");
    BOOST_TEST(asks_for_new_cluster("New"));
    BOOST_TEST(asks_for_new_cluster("create cluster"));
    BOOST_TEST(!asks_for_new_cluster("cluster"));
    BOOST_TEST(!asks_for_new_cluster("new web"));
}

BOOST_AUTO_TEST_CASE(a_text_is_a_name_if_something_that_was_found_begins_so) {
    const std::vector<SearchGroup> found{
        {.label = "Machines", .hits = {{.label = "big-1000.local"}}, .kind = "machines"},
        {.label = "Templates", .hits = {{.label = "Huge web"}}, .kind = "catalogue"}};

    BOOST_TEST(is_name_of_some(found, "web"));
    BOOST_TEST(is_name_of_some(found, "HUGE w"));
    BOOST_TEST(!is_name_of_some(found, "big"));
    BOOST_TEST(!is_name_of_some(found, "grow web"));
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
    BOOST_TEST(labels(Role::user, "new") == Labels{"New cluster"});
    BOOST_TEST(labels(Role::user, "log out") == Labels{"Log out, and your sessions"});
    BOOST_TEST(labels(Role::user, "notifications") == Labels{"Notifications"});
    BOOST_TEST(labels(Role::user, "email") == Labels{"Notifications"});
    BOOST_TEST(labels(Role::user, "hosts") ==
               (Labels{"Machines of all clusters", "Failed machines"}));
    BOOST_TEST(labels(Role::auditor, "failed mach") == Labels{"Failed machines"});
    BOOST_TEST(labels(Role::auditor, "launch") == Labels{});
    BOOST_TEST(labels(Role::auditor, "add") == Labels{});
    BOOST_TEST(labels(Role::auditor, "new image") == Labels{});
    BOOST_TEST(labels(Role::auditor, "export") == Labels{"Export the catalogue"});
    // The beginning of a name that people gave, not of "webauthn".
    BOOST_TEST(labels(Role::auditor, "web") == Labels{});
    BOOST_TEST(labels(Role::auditor, "weba") == Labels{"Second factor"});
    BOOST_TEST(labels(Role::auditor, "2fa") == Labels{"Second factor"});
    BOOST_TEST(labels(Role::admin, "add ten") == Labels{});
    BOOST_TEST(labels(Role::superadmin, "add ten") == Labels{"New tenant"});
    BOOST_TEST(labels(Role::superadmin, "port") == Labels{});
    BOOST_TEST(labels(Role::superadmin, "") == Labels{});
    BOOST_TEST(labels(Role::superadmin, "new").size() == 5U);
}

BOOST_AUTO_TEST_CASE(what_one_may_do_with_a_cluster_is_found_by_the_words_that_people_use) {
    using Labels = std::vector<std::string>;
    const auto shop = active_cluster("u1-one", 42);

    BOOST_TEST(labels_of_acts(shop, "restart") == Labels{"Restart services of u1-one"});
    BOOST_TEST(labels_of_acts(shop, "stop") == Labels{"Stop services of u1-one"});
    BOOST_TEST(labels_of_acts(shop, "add machines") == Labels{"Grow u1-one (add machines)"});
    BOOST_TEST(labels_of_acts(shop, "Add machines to U1-one") ==
               Labels{"Grow u1-one (add machines)"});
    BOOST_TEST(labels_of_acts(shop, "grow u1-one") == Labels{"Grow u1-one (add machines)"});
    BOOST_TEST(labels_of_acts(shop, "bigger") == Labels{"Grow u1-one (add machines)"});
    BOOST_TEST(labels_of_acts(shop, "logs") == Labels{"Jobs and logs of u1-one"});
    BOOST_TEST(labels_of_acts(shop, "remove machine") == Labels{"Shrink u1-one (remove machines)"});
    BOOST_TEST(labels_of_acts(shop, "delete u1-one").front() == "Delete u1-one");
    BOOST_TEST(labels_of_acts(shop, "u1-one") == Labels{});
    BOOST_TEST(labels_of_acts(shop, "") == Labels{});
    BOOST_TEST(found_cluster_actions({shop}, "grow", 9).hits.front().href ==
               "/clusters/00000042/grow");
}

BOOST_AUTO_TEST_CASE(only_what_is_possible_now_is_found) {
    using Labels = std::vector<std::string>;
    auto page = active_cluster("shop", 42);
    page.cluster.node_count = 5;
    BOOST_TEST(labels_of_acts(page, "bigger") == Labels{});

    page.may_operate = false;
    BOOST_TEST(labels_of_acts(page, "restart") == Labels{});
    BOOST_TEST(labels_of_acts(page, "logs") == Labels{"Jobs and logs of shop"});

    page.may_operate = true;
    page.cluster.status = provisioner::model::ClusterStatus::pending;
    page.job = provisioner::model::Job{};
    BOOST_TEST(labels_of_acts(page, "stop") ==
               (Labels{"Pause the job of shop", "Abort the job of shop"}));
    BOOST_TEST(found_cluster_actions({page}, "pause", 9).hits.front().href == "/clusters/00000042");

    page.cluster.status = provisioner::model::ClusterStatus::terminated;
    BOOST_TEST(labels_of_acts(page, "again") == Labels{"Create shop again"});
    BOOST_TEST(labels_of_acts(page, "delete") == Labels{});
}

BOOST_AUTO_TEST_CASE(a_named_cluster_says_why_what_is_asked_for_is_not_possible) {
    const auto reason = [](const ClusterPage& page, const std::string& text) {
        const auto hit = impossible_action(page, text);
        return hit ? hit->detail : std::string();
    };
    auto page = active_cluster("shop", 42);
    BOOST_TEST(reason(page, "configure shop") == "");
    BOOST_TEST(reason(page, "resume shop") ==
               "Resume: not possible, no job is running and none has failed");
    page.cluster.node_count = 5;
    BOOST_TEST(reason(page, "grow shop") ==
               "Grow: not possible, the template allows 1 to 5 machines");

    page.cluster.status = provisioner::model::ClusterStatus::pending;
    page.job = provisioner::model::Job{};
    BOOST_TEST(reason(page, "configure shop") ==
               "Configure: not possible while its job is running");
    BOOST_TEST(impossible_action(page, "configure shop")->label == "shop");
    BOOST_TEST(impossible_action(page, "configure shop")->href == "/clusters/00000042");
    // Without the name of a cluster nothing is said of those that happen to be there.
    BOOST_TEST(!impossible_action(page, "configure").has_value());
    // What is only seen is possible always.
    BOOST_TEST(!impossible_action(page, "logs shop").has_value());
    page.job->status = provisioner::model::JobStatus::paused;
    BOOST_TEST(reason(page, "delete shop") == "Delete: not possible while its job is paused");

    page.cluster.status = provisioner::model::ClusterStatus::incomplete;
    page.job->status = provisioner::model::JobStatus::failed;
    BOOST_TEST(reason(page, "grow shop") == "Grow: not possible now (creation failed)");
    page.may_operate = false;
    BOOST_TEST(reason(page, "grow shop") == "Grow: not possible for you");
}

BOOST_AUTO_TEST_CASE(machines_and_services_are_deleted_only_by_words_that_say_so) {
    using Labels = std::vector<std::string>;
    const auto shop = active_cluster("shop", 42);

    BOOST_TEST(labels_of_acts(shop, "delete shop") == Labels{"Delete shop"});
    BOOST_TEST(labels_of_acts(shop, "delete machines of shop") ==
               Labels{"Shrink shop (remove machines)"});
    BOOST_TEST(labels_of_acts(shop, "delete services from shop") ==
               Labels{"Remove services from shop"});
}

BOOST_AUTO_TEST_CASE(words_that_name_no_action_name_the_cluster) {
    BOOST_TEST(asked_of_clusters("add machines to the shop").cluster == "shop");
    BOOST_TEST(asked_of_clusters("restart").cluster == "");
    BOOST_TEST(asked_of_clusters("restart").is_any);
    BOOST_TEST(!asked_of_clusters("shop").is_any);
    BOOST_TEST(asked_of_clusters("delete old web").cluster == "old web");
    // The verb comes first, though "repair" begins with this name.
    BOOST_TEST(asked_of_clusters("configure rep").cluster == "rep");
    // Its logs have output, but nobody calls them "log out".
    BOOST_TEST(asked_of_clusters("log out").cluster == "out");
}

BOOST_AUTO_TEST_CASE(an_aborted_job_is_gone_on_with_and_not_retried) {
    auto cluster = active_cluster("shop", 7);
    cluster.cluster.status = provisioner::model::ClusterStatus::inconsistent;
    cluster.job = provisioner::model::Job{};
    cluster.job->status = provisioner::model::JobStatus::failed;
    cluster.job->operation = provisioner::model::Operation::restart_services;
    BOOST_TEST(actions_of_cluster(cluster, 1).hits.at(0).label == "Retry the failed job of shop");

    cluster.job->aborted = true;

    BOOST_TEST(actions_of_cluster(cluster, 1).hits.at(0).label ==
               "Run the remaining tasks of shop");
}

BOOST_AUTO_TEST_CASE(the_ways_on_after_a_failure_are_found_by_their_names) {
    using Labels = std::vector<std::string>;
    auto shop = active_cluster("shop", 42);
    shop.cluster.status = provisioner::model::ClusterStatus::inconsistent;
    shop.job = provisioner::model::Job{};
    shop.job->status = provisioner::model::JobStatus::failed;
    shop.job->operation = provisioner::model::Operation::add_services;
    BOOST_TEST(labels_of_acts(shop, "go on shop") == Labels{});
    BOOST_TEST(impossible_action(shop, "go on shop")->detail.starts_with("Go on: not possible"));
    shop.end.failed_services = {"log"};

    BOOST_TEST(labels_of_acts(shop, "go on shop") == Labels{"Go on without log (shop)"});
    BOOST_TEST(found_cluster_actions({shop}, "go on shop", 9).hits.front().href ==
               "/clusters/00000042/services/remove?restart=false&services=log#preview");
    BOOST_TEST(labels_of_acts(shop, "replace shop") == Labels{"Replace a machine of shop"});
    BOOST_TEST(found_cluster_actions({shop}, "replace shop", 9).hits.front().href ==
               "/clusters/00000042/machines");
    shop.end.left_behind = {{"queue", 1}};
    const Labels both{"Go on without log (shop)", "Go on and leave queue as it is (shop)"};
    BOOST_TEST(labels_of_acts(shop, "go on shop") == both);
    BOOST_TEST(found_cluster_actions({shop}, "go on shop", 1).hits.size() == 1U);
    const auto all = actions_of_cluster(shop, 9).hits;
    BOOST_TEST(std::ranges::count(all, both.back(), &SearchHit::label) == 1);
    shop.end = {.can_go_back = true};
    BOOST_TEST(labels_of_acts(shop, "go back shop") ==
               Labels{"Go back to the last configuration that worked (shop)"});
    shop.job->aborted = true;
    BOOST_TEST(labels_of_acts(shop, "run shop") == Labels{"Run the remaining tasks of shop"});
}

BOOST_AUTO_TEST_CASE(actions_of_clusters_end_at_their_limit) {
    const std::vector<ClusterPage> clusters(3, active_cluster("shop", 42));

    BOOST_TEST(found_cluster_actions(clusters, "restart", 2).hits.size() == 2U);
}

BOOST_AUTO_TEST_CASE(pages_of_the_navigation_are_found_by_their_names) {
    using provisioner::model::Role;
    const Viewer superadmin{.user = "admin", .tenant = "superadmin", .role = Role::superadmin};
    for (const PageLink& page : pages_of(superadmin)) {
        const auto hits = found_pages(superadmin, page.label).hits;
        BOOST_TEST((std::ranges::find(hits, page.href, &SearchHit::href) != hits.end()),
                   page.label);
    }
    BOOST_TEST(found_pages(superadmin, "audit").label == "Go to");
    BOOST_TEST(found_pages(superadmin, "AUDIT").hits.front().href == "/audit");
    BOOST_TEST(found_pages(superadmin, "unknown m").hits.front().href == "/unknown-machines");
    BOOST_TEST(found_pages(superadmin, "identity").hits.front().href == "/identity-providers");

    const Viewer user{.user = "ada", .tenant = "demo", .role = Role::user};
    BOOST_TEST(found_pages(user, "audit").hits.empty());
    BOOST_TEST(found_pages(user, "machines").hits.size() == 1U);
    BOOST_TEST(found_pages({}, "machines").hits.empty());
}

BOOST_AUTO_TEST_CASE(pages_outside_of_a_view_are_not_among_those_to_go_to) {
    const Viewer viewer{.user = "admin",
                        .tenant = "superadmin",
                        .role = provisioner::model::Role::auditor,
                        .viewing = "demo"};

    BOOST_TEST(found_pages(viewer, "audit").hits.size() == 1U);
    BOOST_TEST(found_pages(viewer, "tenants").hits.empty());
    provisioner::model::Caller superadmin;
    superadmin.user.role = provisioner::model::Role::superadmin;
    for (const PageLink& page : pages_of(viewer)) {
        if (!page.is_own) continue;
        const auto hits = found_outside_of_view(superadmin, page.label, 5).hits;
        BOOST_TEST((std::ranges::find(hits, page.href, &SearchHit::href) != hits.end()),
                   page.label);
    }
}

BOOST_AUTO_TEST_CASE(what_leads_to_a_page_by_its_name_is_said_once) {
    SearchGroup actions{.hits = {{.label = "Tenants", .href = "/tenants"},
                                 {.label = "Choose a tenant to view", .href = "/tenants"}}};

    drop_those_of({.hits = {{.label = "Tenants", .href = "/tenants"}}}, actions);

    BOOST_REQUIRE(actions.hits.size() == 1U);
    BOOST_TEST(actions.hits.front().label == "Choose a tenant to view");
}

BOOST_AUTO_TEST_CASE(identity_providers_are_found_by_name_and_label) {
    const std::vector<provisioner::model::IdentityProvider> providers{
        {.name = "s6-idp", .label = "S6 Company login"}, {.name = "plain", .label = "plain"}};
    const auto hits = [&](const std::string& text, int limit = 5) {
        return identity_providers_called(providers, text, limit).hits;
    };

    BOOST_REQUIRE(hits("S6-i").size() == 1U);
    BOOST_TEST(hits("S6-i").front().label == "S6 Company login");
    BOOST_TEST(hits("S6-i").front().detail == "s6-idp");
    BOOST_TEST(hits("S6-i").front().href == "/identity-providers/s6-idp");
    BOOST_TEST(hits("company").size() == 1U);
    BOOST_TEST(hits("plain").front().detail == "");
    BOOST_TEST(hits("p").size() == 2U);
    BOOST_TEST(hits("p", 1).size() == 1U);
    BOOST_TEST(hits("nowhere").empty());
}

BOOST_AUTO_TEST_CASE(who_views_a_tenant_does_not_find_their_own_account) {
    provisioner::model::Caller caller;
    caller.user.role = provisioner::model::Role::auditor;

    BOOST_TEST(found_actions(caller, "password", 5, false).hits.size() == 1U);
    BOOST_TEST(found_actions(caller, "password", 5, true).hits.empty());
}

BOOST_AUTO_TEST_CASE(a_superadmin_who_views_a_tenant_finds_the_way_to_their_own_pages) {
    provisioner::model::Caller superadmin;
    superadmin.user.role = provisioner::model::Role::superadmin;
    SearchPage page{.text = "tenants"};
    page.groups = {found_outside_of_view(superadmin, page.text, 5)};
    page.groups.front().hits.push_back({.label = "shop", .href = "/clusters/00000042"});

    const auto json = palette_json(page, "/a", "/view/demo");

    const auto& hits = json.at("groups").at(0).at("hits");
    BOOST_TEST(hits.front().at("label") == "Tenants");
    BOOST_TEST(hits.front().at("href") == "/a/tenants");
    BOOST_TEST(hits.back().at("href") == "/a/view/demo/clusters/00000042");
    BOOST_TEST(found_outside_of_view(superadmin, "providers catalogue", 5).hits.empty());
}

BOOST_AUTO_TEST_SUITE_END()
