#include "fcgi/pages/tenants/tenants.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/problem_words.hpp"
#include "fcgi/pages/tenants/deletion.hpp"

BOOST_AUTO_TEST_SUITE(tenants_page)

namespace {

namespace http = fcgi::http;
using namespace fcgi::pages;
namespace model = provisioner::model;

}  // namespace

BOOST_AUTO_TEST_CASE(use_and_quota_of_each_tenant_stand_side_by_side) {
    TenantsPage page{.free_workers = 3};
    page.tenants.resize(1);
    page.tenants[0].tenant.name = "a b";
    page.tenants[0].tenant.max_clusters = 20;
    page.tenants[0].use = {.clusters = 12, .nodes = 60};

    const auto row = to_json(page).at("tenants")[0];

    BOOST_TEST(row.at("href") == "/tenants/a%20b");
    BOOST_TEST(row.at("clusters") == "12 of 20");
    BOOST_TEST(row.at("machines") == "60, no limit");
    BOOST_TEST(row.at("workers") == "0, no limit");

    page.running_of["a b"] = 1;
    page.tenants[0].tenant.workers = 10;
    BOOST_TEST(to_json(page).at("tenants")[0].at("workers") == "1 of 10");
}

BOOST_AUTO_TEST_CASE(workers_of_a_tenant_that_is_deleted_are_told) {
    TenantDeletionPage page;
    page.tenant.name = "demo";
    page.tenant.workers = 4;
    BOOST_TEST(to_json(page).at("workers") == "4 workers");
    page.tenant.workers = 0;
    BOOST_TEST(to_json(page).at("workers") == "");
}

BOOST_AUTO_TEST_CASE(a_tenant_that_was_saved_meanwhile_may_have_been_saved_by_the_same_person) {
    const auto problems =
        tenant_problems({{"base", "Somebody else saved this tenant meanwhile."}}, {});

    BOOST_TEST(problems.front().message == "The tenant was saved meanwhile.");
}

BOOST_AUTO_TEST_CASE(users_of_a_tenant_that_is_deleted_are_counted_if_there_are_any) {
    TenantDeletionPage page;
    BOOST_TEST(to_json(page).at("users") == "It has no users.");
    page.users = 1;
    BOOST_TEST(to_json(page).at("users") == "Its 1 user can no longer log in.");
    page.users = 1200;
    BOOST_TEST(to_json(page).at("users") == "Its 1,200 users can no longer log in.");
}

BOOST_AUTO_TEST_CASE(clusters_of_a_tenant_are_deleted_before_it_but_for_those_that_already_are) {
    TenantDeletionPage page{.use = {.clusters = 3, .nodes = 9}};
    page.tenant.name = "demo";
    for (const int id : {42, 43}) {
        auto& cluster = page.clusters.emplace_back();
        cluster.id = model::ClusterId{id};
        cluster.status = model::ClusterStatus::active;
        cluster.node_count = 1000;
    }
    auto& first = page.clusters.front();
    first.status = model::ClusterStatus::pending;
    first.latest_job.emplace();
    first.latest_job->operation = model::Operation::cluster_delete;

    auto json = to_json(page);
    BOOST_REQUIRE(json.at("cluster_ids").size() == 1U);
    BOOST_TEST(json.at("cluster_ids")[0].at("id") == "00000043");
    BOOST_TEST(json.at("follow") == "yes");
    BOOST_TEST(json.at("rows")[1].at("cluster_machines") == "1,000");
    BOOST_TEST(json.at("rows")[1].at("cluster_href") == "/view/demo/clusters/00000043");
    BOOST_TEST(json.at("delete_clusters") == "Delete this cluster and its machines");
    BOOST_TEST(json.at("more") == "1 more is not listed here.");

    // A deletion that is paused goes on.
    first.latest_job->status = model::JobStatus::paused;
    json = to_json(page);
    BOOST_TEST(json.at("delete_clusters") == "Delete these 2 clusters and their machines");
}

BOOST_AUTO_TEST_CASE(a_wrong_name_is_told_at_the_field_in_which_it_was_typed) {
    TenantDeletionPage page;
    page.tenant.name = "demo";
    page.problems = {{"confirm", "This is not the name."}};
    page.confirmed = "dema";
    const auto said = [&](const char* fields, const char* what) {
        return to_json(page).at(fields).front().at(what).get<std::string>();
    };
    const auto check = [&](const char* here, const char* other) {
        BOOST_TEST(said(here, "problem") == "This is not the name.");
        BOOST_TEST(said(here, "value") == "dema");
        BOOST_TEST(said(other, "problem") == "");
        BOOST_TEST(said(other, "value") == "");
    };

    page.wanted = "confirm";
    check("fields", "cluster_fields");
    page.wanted = "confirm-clusters";
    check("cluster_fields", "fields");
}

BOOST_AUTO_TEST_CASE(a_form_of_a_tenant_that_was_saved_meanwhile_keeps_only_what_was_touched) {
    const TenantForm was{.name = "demo",
                         .description = "old\nlines",
                         .workers = "3",
                         .max_clusters = "4",
                         .max_nodes = "9",
                         .currency = "USD"};
    TenantForm typed = was;
    typed.description = "old\r\nlines";
    typed.max_nodes = "10";
    typed.workers = "5";
    typed.max_clusters = "7";
    TenantForm present = was;
    present.description = "new";
    present.max_nodes = "12";
    present.max_clusters = "7";
    present.currency = "";
    provisioner::base::Problems problems;

    const auto merged = merged_tenant_form(was, typed, present, problems);

    BOOST_TEST(merged.description == "new");
    BOOST_TEST(merged.currency == "");
    BOOST_TEST(merged.workers == "5");
    BOOST_TEST(merged.max_clusters == "7");
    BOOST_TEST(merged.max_nodes == "10");
    BOOST_REQUIRE(problems.size() == 1U);
    BOOST_TEST(problems[0].field == "maxNodes");
    BOOST_TEST(problems[0].message == "\"12\" was saved meanwhile.");

    const TenantPage page{.form = merged, .taken = fields_taken_over(was, typed, present)};
    const auto json = to_json(page);
    std::string marked;
    for (const auto& field : json.at("fields")) {
        const auto hint = field.at("hint").get<std::string>();
        if (hint.starts_with("New value, saved meanwhile.")) {
            marked += field.at("name").get<std::string>() + ' ';
        }
    }
    BOOST_TEST(marked == "description budget.currency ");
}

BOOST_AUTO_TEST_CASE(the_form_of_a_tenant_carries_what_it_was_made_from) {
    TenantPage page{.was = {.description = "a & b", .max_nodes = "9"}};
    const auto json = to_json(page);
    std::string body;
    for (const auto& field : json.at("was")) {
        body += (body.empty() ? "" : "&") + field.at("name").get<std::string>() + '=' +
                http::percent_encode(field.at("value").get<std::string>());
    }

    const auto was = tenant_form_was(http::parse_form(body));

    BOOST_REQUIRE(was.has_value());
    BOOST_TEST(was->description == "a & b");
    BOOST_TEST(was->max_nodes == "9");
    BOOST_TEST(!tenant_form_was(http::parse_form("was.description=x")).has_value());
}

BOOST_AUTO_TEST_CASE(a_budget_without_prices_is_warned_of) {
    TenantPage page;
    page.tenant.name = "demo";
    BOOST_TEST(to_json(page).at("unpriced") == "");
    page.unpriced_currency = "EUR";
    BOOST_TEST(to_json(page).at("unpriced") ==
               "The tenant has a budget, but no machine has a price in EUR: it cannot create "
               "clusters until there are prices.");
}

BOOST_AUTO_TEST_CASE(the_superadmins_tenant_is_neither_deleted_nor_viewed) {
    TenantPage page;
    page.tenant.name = "demo";
    BOOST_TEST(to_json(page).at("delete_href") == "/tenants/demo/delete");
    BOOST_TEST(to_json(page).at("view_action") == "/viewing/demo");

    page.tenant.name = model::superadmin_tenant;
    BOOST_TEST(to_json(page).at("delete_href") == "");
    BOOST_TEST(to_json(page).at("view_action") == "");
}

BOOST_AUTO_TEST_CASE(the_page_of_a_tenant_says_who_needs_a_second_factor) {
    TenantPage page;
    page.factor_for = model::SecondFactorFor::admins;
    BOOST_TEST(to_json(page).at("factor_for") == "Administrators");
    page.factor_of_all = model::SecondFactorFor::everybody;
    BOOST_TEST(to_json(page).at("factor_for") == "Everybody");
}

BOOST_AUTO_TEST_CASE(the_page_of_a_tenant_says_what_is_in_use) {
    TenantPage page;
    page.tenant.workers = 10;
    page.running = 1;
    page.users = 1;
    BOOST_TEST(to_json(page).at("workers") == "1 of 10");
    BOOST_TEST(to_json(page).at("people") == "1 user");
    BOOST_TEST(to_json(page).at("has_budget") == false);

    page.budget.emplace();
    page.budget->budget = {.currency = "USD", .per_hour = 2'000'000};
    const auto json = to_json(page);
    BOOST_TEST(json.at("has_budget") == true);
    BOOST_TEST(json.at("limits")[0].at("words") == "0.00 USD of 2.00 USD");
}

BOOST_AUTO_TEST_CASE(all_that_is_wrong_with_a_tenant_is_said_at_once_in_the_words_of_the_form) {
    const TenantForm form{.name = "demo",
                          .description = std::string(1001, 'x'),
                          .workers = "5000",
                          .max_clusters = "-5",
                          .max_nodes = "0",
                          .currency = "usd",
                          .per_hour = "-5"};
    TenantLimits limits{.free_workers = 20};
    limits.tenant.workers = 4;
    limits.use = {.clusters = 1, .nodes = 3};
    provisioner::base::Problems problems;

    const auto wanted = tenant_wanted(form, limits, problems);
    problems.push_back({"workers", "Not enough capacity to update tenant."});
    problems.push_back({"maxClusters", "Writing tenant would cause quotas to be violated."});
    problems.push_back({"maxNodes", "Writing tenant would cause quotas to be violated."});

    BOOST_TEST(wanted.name == "demo");
    BOOST_TEST(wanted.budget.value()->currency == "USD");
    std::string said;
    for (const auto& [field, message] : tenant_problems(problems, limits)) {
        said += field + ": " + problem_words(message) + '\n';
    }
    BOOST_TEST(said ==
               "maxClusters: Enter 0 or more, or leave it empty for no limit.\n"
               "budget.perHour: Enter an amount of 0 or more with at most six decimals, such as "
               "2.50.\n"
               "description: This has 1,001 characters. At most 1,000 are allowed.\n"
               "workers: The tenant can have at most 24 workers.\n"
               "maxNodes: The tenant has 3 machines. Enter at least as many.\n");
}

BOOST_AUTO_TEST_CASE(no_workers_are_not_taken_for_no_limit) {
    provisioner::base::Problems problems;

    tenant_wanted({.name = "demo", .workers = "0"}, {}, problems);

    BOOST_REQUIRE(problems.size() == 1U);
    BOOST_TEST(tenant_problems(problems, {}).front().message ==
               "Enter 1 or more, or leave it empty for no limit.");
}

BOOST_AUTO_TEST_CASE(a_wrong_name_stands_beside_its_field_as_it_was_typed) {
    TenantDeletionPage page;
    page.tenant.name = "demo";
    page.confirmed = "dem";
    page.problems = {{"confirm", "This is not the name."}};

    const auto json = to_json(page);
    BOOST_TEST(json.at("cluster_fields").at(0).at("value") == "");
    const auto field = json.at("fields").at(0);

    BOOST_TEST(field.at("name") == "confirm");
    BOOST_TEST(field.at("value") == "dem");
    BOOST_TEST(field.at("problem") == "This is not the name.");
}

BOOST_AUTO_TEST_CASE(a_tenant_without_users_asks_for_its_first_administrator) {
    TenantPage page;
    page.tenant.name = "a b";

    BOOST_TEST(to_json(page).at("is_empty") == true);
    BOOST_TEST(to_json(page).at("people_href") == "/tenants/a%20b/people");

    page.users = 3;
    BOOST_TEST(to_json(page).at("is_empty") == false);
    BOOST_TEST(to_json(page).at("people") == "3 users");

    page.is_new = true;
    page.users = 0;
    BOOST_TEST(to_json(page).at("is_empty") == false, "there is no tenant yet");
}

BOOST_AUTO_TEST_CASE(workers_that_no_tenant_has_are_the_same_number_on_both_pages) {
    const int free = 3;
    TenantPage page;
    page.tenant.workers = 4;
    page.free_workers = free;

    std::string hint;
    const auto json = to_json(page);
    for (const auto& field : json.at("fields")) {
        if (field.at("name") == "workers") hint = field.at("hint").get<std::string>();
    }
    BOOST_TEST(hint ==
               "How many tasks of this tenant can run at once. Empty means no limit. 3 workers "
               "are unassigned. With its own it can have 7.");
    const auto all = to_json(TenantsPage{.free_workers = free});
    BOOST_TEST(all.at("tiles")[1].at("number") == "3");
}

BOOST_AUTO_TEST_CASE(the_deletion_of_a_tenant_says_which_identity_providers_lose_their_rules) {
    TenantDeletionPage page;
    BOOST_TEST(to_json(page).at("has_providers") == false);

    page.providers = {{.name = "dir", .rules = 2, .ends = false},
                      {.name = "corp", .rules = 1, .ends = true}};
    const auto json = to_json(page);

    BOOST_TEST(json.at("providers_words") ==
               "2 identity providers have rules for it, which go with it:");
    BOOST_TEST(json.at("providers")[0].at("provider_href") == "/identity-providers/dir");
    BOOST_TEST(json.at("providers")[0].at("rules") == "2 rules");
    BOOST_TEST(json.at("ended_words") == "Then nobody can log in with corp any more.");
    const std::string done = deletion_done("demo", page.providers);
    BOOST_TEST(done == "demo:dir:corp!");
    BOOST_TEST(deletion_done_words(done) ==
               "Tenant demo deleted. The rules for it are gone from dir and corp. Nobody can log "
               "in with corp any more.");
    BOOST_TEST(deletion_done_words("demo") == "Tenant demo deleted.");
}

BOOST_AUTO_TEST_SUITE_END()
