#include "fcgi/pages/home/home.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/failure_words.hpp"

BOOST_AUTO_TEST_SUITE(home_page)

namespace {

using namespace fcgi::pages;
using provisioner::base::Json;
namespace model = provisioner::model;

HomePage a_page() {
    return {.use = {.clusters = 12, .nodes = 30},
            .max_clusters = 12,
            .max_nodes = model::no_maximum,
            .now = provisioner::base::from_sql("2026-11-20 10:00:00")};
}

}  // namespace

BOOST_AUTO_TEST_CASE(quotas_are_said_in_words_and_drawn_only_where_there_is_a_limit) {
    const Json quotas = to_json(a_page()).at("quotas");

    BOOST_TEST(quotas[0].at("words") == "12 of 12 used");
    BOOST_TEST(quotas[0].at("most") == 12);
    BOOST_TEST(quotas[0].at("full") == true);
    BOOST_TEST(quotas[1].at("words") == "30 used, no limit");
    BOOST_TEST(quotas[1].at("most").is_null());
    BOOST_TEST(quotas[1].at("full") == false);
}

BOOST_AUTO_TEST_CASE(without_any_limit_there_is_no_quota_to_show) {
    HomePage page = a_page();
    BOOST_TEST(to_json(page).at("has_quota") == true);
    page.max_clusters = page.max_nodes = model::no_maximum;
    BOOST_TEST(to_json(page).at("has_quota") == false);
}

BOOST_AUTO_TEST_CASE(of_many_failures_the_most_frequent_kind_is_named) {
    using model::Action;
    using model::TaskState;
    std::vector<provisioner::store::KindCount> kinds{
        {{Action::bootstrap, ""}, TaskState::failed, 11},
        {{Action::start, "web"}, TaskState::failed, 1900},
        {{Action::start, "cache"}, TaskState::done, 5000}};
    Labels labels;
    BOOST_TEST(failure_words(kinds, labels) == "1,911 tasks failed, most often start web (1,900)");
    labels.add(model::CatalogueKind::service, {{"web", "Web server"}});
    BOOST_TEST(failure_words(kinds, labels) ==
               "1,911 tasks failed, most often start Web server (1,900)");
    kinds.erase(kinds.begin());
    BOOST_TEST(failure_words(kinds, labels) == "");

    HomePage page = a_page();
    page.failing.resize(2);
    page.failing[0].id = model::ClusterId{7};
    page.failing[1].message = "start web on a.test: no";
    page.failing[1].description = "For the fair,\nuntil May";
    page.labels = labels;
    page.reasons = {{model::ClusterId{7}, "52 tasks failed"}};
    const Json json = to_json(page);
    BOOST_TEST(json.at("failing")[0].at("message") == "52 tasks failed");
    BOOST_TEST(json.at("failing")[1].at("message") == "start Web server on a.test: no");
    BOOST_TEST(json.at("failing")[1].at("description") == "For the fair, until May");
}

BOOST_AUTO_TEST_CASE(a_quota_of_nothing_is_full) {
    HomePage page = a_page();
    page.use = {};
    page.max_clusters = 0;

    const Json quota = to_json(page).at("quotas")[0];

    BOOST_TEST(quota.at("words") == "0 of 0 used");
    BOOST_TEST(quota.at("most") == 1);
    BOOST_TEST(quota.at("full") == true);
}

BOOST_AUTO_TEST_CASE(who_changes_nothing_is_offered_no_new_cluster_and_no_other_lease) {
    HomePage page = a_page();
    page.expiring.resize(1);
    BOOST_TEST(to_json(page).at("expiring")[0].at("lease_href") != "");

    page.may_create = false;

    BOOST_TEST(to_json(page).at("may_create") == false);
    BOOST_TEST(to_json(page).at("expiring")[0].at("lease_href") == "");
}

BOOST_AUTO_TEST_CASE(lists_are_short_and_say_that_there_is_more) {
    HomePage page = a_page();
    page.expiring.resize(home_rows + 1);

    const Json json = to_json(page);

    BOOST_TEST(json.at("expiring").size() == home_rows);
    BOOST_TEST(json.at("more_expiring") == true);
    BOOST_TEST(json.at("has_failing") == false);
}

BOOST_AUTO_TEST_CASE(an_active_cluster_says_how_large_it_is_and_when_it_ends) {
    HomePage page = a_page();
    page.active.resize(2);
    page.active[0].node_count = 1200;
    page.active[0].cluster_template.name = "web";
    page.active[0].cluster_template.label = "Web site";
    page.active[0].expires_at = page.now + std::chrono::hours{1};
    page.active[1].node_count = 1;
    page.active[1].cluster_template.name = "db";

    const Json active = to_json(page).at("active");

    BOOST_TEST(active[0].at("about") == "1,200 machines of Web site");
    BOOST_TEST(active[0].at("expires").at("relative") == "in 1 hour");
    BOOST_TEST(active[1].at("about") == "1 machine of db");
    BOOST_TEST(active[1].at("expires").is_null());
}

BOOST_AUTO_TEST_CASE(the_installation_is_shown_to_superadmins_only) {
    HomePage page = a_page();
    BOOST_TEST(to_json(page).at("installation").is_null());

    page.installation.emplace();
    page.installation->daemons = {
        {.instance = "a", .capacity = 10, .running = 4, .heard_seconds_ago = 1},
        {.instance = "b", .capacity = 10, .running = 4, .heard_seconds_ago = 1000}};
    page.installation->tasks_due = 2;
    page.installation->oldest_due_seconds = 90;
    const Json installation = to_json(page).at("installation");

    BOOST_TEST(installation.at("provisioners") == "2 provisioners, 1 running.");
    BOOST_TEST(installation.at("load") == "4 of 10 workers in use");
    BOOST_TEST(installation.at("queue") ==
               "0 running, 2 waiting for a provisioner, 0 due later. Oldest wait: 90 s.");
}

BOOST_AUTO_TEST_CASE(failing_clusters_of_all_tenants_are_listed_and_none_twice) {
    HomePage page = a_page();
    const auto add = [](std::vector<provisioner::store::ClusterSummary>& list, int id) {
        list.emplace_back().id = model::ClusterId{id};
        list.back().tenant = "demo";
        list.back().owner = "ada";
    };
    BOOST_TEST(to_json(page).at("has_failing_elsewhere") == false);
    for (int id = 9; id > 1; --id) add(page.failing_everywhere, id);
    for (const int id : {8, 7}) add(page.failing, id);

    Json json = to_json(page);

    std::vector<std::string> hrefs;
    for (const Json& cluster : json.at("failing_elsewhere")) hrefs.push_back(cluster.at("href"));
    BOOST_TEST(hrefs.size() == home_rows);
    BOOST_TEST(hrefs[0] == "/clusters/00000009");
    BOOST_TEST(hrefs[1] == "/clusters/00000006");
    BOOST_TEST(json.at("failing_elsewhere")[0].at("tenant") == "demo");
    BOOST_TEST(json.at("failing_elsewhere")[0].at("owner") == "ada");
    BOOST_TEST(json.at("more_failing_elsewhere") == false);
    BOOST_TEST(json.at("some_are_below") == true);
    add(page.failing_everywhere, 1);
    BOOST_TEST(to_json(page).at("more_failing_elsewhere") == true);
    page.failing_everywhere = page.failing;
    BOOST_TEST(to_json(page).at("has_failing_elsewhere") == false);
}

BOOST_AUTO_TEST_CASE(a_cluster_of_the_tenant_that_is_not_shown_below_is_listed_with_all) {
    HomePage page = a_page();
    for (int id = 20; id > 20 - static_cast<int>(home_rows) - 1; --id) {
        page.failing.emplace_back().id = model::ClusterId{id};
    }
    page.failing_everywhere = page.failing;

    const Json listed = to_json(page).at("failing_elsewhere");

    BOOST_REQUIRE(listed.size() == 1U);
    BOOST_TEST(listed[0].at("href") == "/clusters/00000014");
}

BOOST_AUTO_TEST_CASE(the_number_of_machines_leads_to_the_list_of_machines) {
    HomePage page = a_page();
    page.counts.nodes = 30;
    page.installation.emplace().nodes = 1234;

    const Json json = to_json(page);

    BOOST_TEST(json.at("tiles")[3].at("number") == "30");
    BOOST_TEST(json.at("tiles")[3].at("href") == "/machines");
    BOOST_TEST(json.at("installation").at("machines") == "1,234 machines of all tenants");
}

BOOST_AUTO_TEST_CASE(who_changes_nothing_gets_no_links_to_forms) {
    HomePage page = a_page();
    page.may_create = false;
    page.expiring.resize(1);

    BOOST_TEST(to_json(page).at("expiring")[0].at("lease_href") == "");
}

BOOST_AUTO_TEST_SUITE_END()
