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

BOOST_AUTO_TEST_CASE(a_budget_without_prices_is_told_before_a_cluster_is_asked_for) {
    HomePage page = a_page();
    BOOST_TEST(to_json(page).at("unpriced") == "");
    page.unpriced_types = "Some types have no price.";
    BOOST_TEST(to_json(page).at("unpriced") == page.unpriced_types);
    page.unpriced_currency = "EUR";

    BOOST_TEST(to_json(page).at("unpriced") ==
               "The tenant has a budget, but no machine has a price in EUR: it cannot create "
               "clusters until there are prices.");
}

BOOST_AUTO_TEST_CASE(templates_that_do_not_work_lead_to_their_pages) {
    HomePage page = a_page();
    BOOST_TEST(to_json(page).at("has_broken") == false);
    page.broken = {{"shop", "Shop", "Web requires sql."}};
    page.broken_count = 1;

    const Json json = to_json(page);

    BOOST_TEST(json.at("broken")[0].at("href") == "/catalogue/clustertemplates/shop");
    BOOST_TEST(json.at("broken")[0].at("never_works") == true);
    BOOST_TEST(json.at("more_broken") == "");
    BOOST_TEST(json.at("broken_title") == "Templates that do not work");
}

BOOST_AUTO_TEST_CASE(of_many_templates_that_do_not_work_the_page_says_how_many_there_are) {
    HomePage page = a_page();
    page.broken.assign(home_rows,
                       {"blog", "Blog", "3–8 machines: not possible.", TroubleWeight::some_works});
    page.broken_count = 17;

    const Json json = to_json(page);

    BOOST_TEST(json.at("broken")[0].at("never_works") == false);
    BOOST_TEST(json.at("broken_title") == "Templates that do not work, or not fully");
    BOOST_TEST(json.at("more_broken") == "The 6 worst of 17 that are offered to users.");
}

BOOST_AUTO_TEST_CASE(without_any_limit_there_is_no_quota_to_show) {
    HomePage page = a_page();
    BOOST_TEST(to_json(page).at("shows_own") == true);
    page.max_clusters = page.max_nodes = model::no_maximum;
    BOOST_TEST(to_json(page).at("shows_own") == false);
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
    kinds[0].tasks = kinds[1].tasks = 1;
    BOOST_TEST(failure_words(kinds, labels) == "bootstrap the machine and start Web server failed");
    kinds.push_back({{Action::stop, "cache"}, TaskState::failed, 1});
    BOOST_TEST(failure_words(kinds, labels) ==
               "bootstrap the machine, start Web server and 1 more failed");
    kinds.pop_back();
    // None of them is the most frequent one.
    kinds[0].tasks = kinds[1].tasks = 2;
    BOOST_TEST(failure_words(kinds, labels) ==
               "4 tasks failed, among them bootstrap the machine and start Web server");
    kinds.erase(kinds.begin());
    BOOST_TEST(failure_words(kinds, labels) == "start Web server failed on 2 machines");
    kinds[0].tasks = 1;
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
    auto silent = page;
    silent.stopped[model::ClusterId{7}] = {"web"};
    BOOST_TEST(to_json(silent).at("failing")[0].at("message") ==
               "52 tasks failed. Stopped: Web server.");
    BOOST_TEST(json.at("failing")[1].at("description") == "For the fair, until May");

    // What a person aborted is no failure: its status says so.
    page.failing[1].message = "Aborted by user.";
    page.failing[1].latest_job = model::Job();
    page.failing[1].latest_job->aborted = true;
    const auto aborted = to_json(page);
    BOOST_TEST(aborted.at("failing")[1].at("message") == "");
    page.failing[1].latest_job->tasks_total = 5;
    page.failing[1].latest_job->tasks_done = 3;
    const auto left = to_json(page);
    BOOST_TEST(left.at("failing")[1].at("message") == "2 tasks are left.");
}

BOOST_AUTO_TEST_CASE(a_cluster_of_another_tenant_is_opened_otherwise_and_has_no_labels_of_ours) {
    HomePage page = a_page();
    page.of_tenant = "superadmin";
    page.installation.emplace();
    page.labels.add(model::CatalogueKind::service, {{"web", "Application"}});
    page.failing.resize(2);
    page.failing[0].tenant = "demo";
    page.failing[1].tenant = "superadmin";
    for (auto& cluster : page.failing) cluster.message = "start web on h1: exit code 7";

    const Json failing = to_json(page).at("failing");
    BOOST_TEST(failing[0].at("href").get<std::string>().starts_with("/view/demo/clusters/"));
    BOOST_TEST(failing[0].at("in_tenant") == "demo");
    BOOST_TEST(failing[0].at("message") == "start web on h1: exit code 7");
    BOOST_TEST(failing[1].at("href").get<std::string>().starts_with("/clusters/"));
    BOOST_TEST(failing[1].at("message") == "start Application on h1: exit code 7");
}

BOOST_AUTO_TEST_CASE(a_budget_stands_beside_the_quotas) {
    HomePage page = a_page();
    page.max_clusters = model::no_maximum;
    BOOST_TEST(to_json(page).at("shows_own") == false);
    BOOST_TEST(to_json(page).at("limits").empty());

    page.budget.emplace();
    page.budget->budget = {.currency = "USD", .per_hour = 2'000'000};
    BOOST_TEST(to_json(page).at("shows_own") == true);
    BOOST_TEST(to_json(page).at("limits")[0].at("words") == "0.00 USD of 2.00 USD");
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
    page.installation->numbers.daemons = {
        {.instance = "a", .capacity = 10, .running = 4, .heard_seconds_ago = 1},
        {.instance = "b", .capacity = 10, .running = 4, .heard_seconds_ago = 1000}};
    page.installation->numbers.tasks_due = 2;
    page.installation->longest.tenant = "demo";
    page.installation->longest.due = 2;
    page.installation->longest.oldest_seconds = 90;
    page.installation->wait.words = "the tenant's limit: 1 of 1 worker in use";
    Json installation = to_json(page).at("installation");

    BOOST_TEST(installation.at("provisioners") == "1 provisioner running.");
    BOOST_TEST(installation.at("load") == "4 of 10 workers in use");
    BOOST_TEST(installation.at("queue") ==
               "0 running, 2 waiting, 0 due later. The longest wait is 90 s, in demo, for the "
               "tenant's limit: 1 of 1 worker in use.");
    BOOST_TEST(installation.at("warnings")[0].at("warning") == "1 provisioner sends no heartbeat");
    page.installation->numbers.mails_failing = 3;
    const Json mails = to_json(page).at("installation").at("warnings")[1];
    BOOST_TEST(mails.at("warning").get<std::string>().starts_with("3 emails cannot be sent"));
    BOOST_TEST(mails.at("href") == "/queues");
    page.installation->numbers.daemons.clear();
    installation = to_json(page).at("installation");
    BOOST_TEST(installation.at("warnings")[0].at("warning") ==
               "No provisioner is running: jobs wait until one is.");
}

BOOST_AUTO_TEST_CASE(provisioners_that_drain_are_counted_apart_with_their_last_tasks) {
    HomePage page = a_page();
    page.installation.emplace();
    auto& daemons = page.installation->numbers.daemons;
    daemons = {{.instance = "a", .capacity = 2000, .running = 1002, .drains = true},
               {.instance = "b", .capacity = 10, .running = 4}};

    Json installation = to_json(page).at("installation");

    BOOST_TEST(installation.at("provisioners") == "1 provisioner running, 1 draining.");
    BOOST_TEST(installation.at("load") ==
               "1,006 of 1,012 workers in use, 1,002 of them by provisioners that drain");
    BOOST_TEST(installation.at("running") == 1006);
    BOOST_TEST(installation.at("capacity") == 1012);

    daemons.pop_back();
    daemons.front().running = 0;
    installation = to_json(page).at("installation");
    BOOST_TEST(installation.at("provisioners") == "0 provisioners running, 1 draining.");
    BOOST_TEST(installation.at("load") == "0 of 0 workers in use");
}

BOOST_AUTO_TEST_CASE(superadmins_see_counts_and_lists_of_all_tenants) {
    HomePage page = a_page();
    page.counts.nodes = 1234;
    page.failing.resize(home_rows + 1);
    page.failing[0].tenant = "demo";
    BOOST_TEST(to_json(page).at("tiles")[3].at("href") == "/machines");
    BOOST_TEST(to_json(page).at("failing")[0].at("in_tenant") == "");

    page.installation.emplace();
    const Json json = to_json(page);

    BOOST_TEST(json.at("tiles")[3].at("number") == "1,234");
    BOOST_TEST(json.at("tiles")[3].at("href") == "/machines?tenants=all");
    BOOST_TEST(json.at("tiles")[2].at("href") == "/clusters?tenants=all&status=failing");
    BOOST_TEST(json.at("failing")[0].at("in_tenant") == "demo");
    BOOST_TEST(json.at("scope") == "tenants=all&");
}

BOOST_AUTO_TEST_CASE(the_tenant_of_superadmins_is_shown_only_if_it_has_clusters) {
    HomePage page = a_page();
    BOOST_TEST(to_json(page).at("shows_own") == true);
    BOOST_TEST(to_json(page).at("is_empty") == true);

    page.installation.emplace();
    BOOST_TEST(to_json(page).at("shows_own") == false);
    BOOST_TEST(to_json(page).at("is_empty") == false);
    BOOST_TEST(to_json(page).at("all_is_well") == true);
    page.installation->own.active = 2;
    BOOST_TEST(to_json(page).at("shows_own") == true);
    BOOST_TEST(to_json(page).at("own_clusters") == "2 current clusters");
}

BOOST_AUTO_TEST_CASE(who_changes_nothing_gets_no_links_to_forms) {
    HomePage page = a_page();
    page.may_create = false;
    page.expiring.resize(1);

    BOOST_TEST(to_json(page).at("expiring")[0].at("lease_href") == "");
}

BOOST_AUTO_TEST_SUITE_END()
