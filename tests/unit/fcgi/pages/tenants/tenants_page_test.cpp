#include "fcgi/pages/tenants/tenants.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/tenants/identity_providers.hpp"

BOOST_AUTO_TEST_SUITE(tenants_page)

namespace {

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
    BOOST_TEST(row.at("workers") == "no limit");
}

BOOST_AUTO_TEST_CASE(the_superadmins_tenant_cannot_be_deleted_and_workers_are_told) {
    TenantDeletionPage page;
    page.tenant.name = "demo";
    page.tenant.workers = 4;
    BOOST_TEST(to_json(page).at("may_delete") == true);
    BOOST_TEST(to_json(page).at("workers") == "4 workers");
    page.tenant.workers = 0;
    BOOST_TEST(to_json(page).at("workers") == "");
    page.tenant.name = model::superadmin_tenant;
    BOOST_TEST(to_json(page).at("may_delete") == false);
}

BOOST_AUTO_TEST_CASE(a_wrong_name_stands_beside_its_field_as_it_was_typed) {
    TenantDeletionPage page;
    page.tenant.name = "demo";
    page.confirmed = "dem";
    page.problems = {{"confirm", "This is not the name."}};

    const auto field = to_json(page).at("fields")[0];

    BOOST_TEST(field.at("name") == "confirm");
    BOOST_TEST(field.at("value") == "dem");
    BOOST_TEST(field.at("problem") == "This is not the name.");
}

BOOST_AUTO_TEST_CASE(a_tenant_without_users_asks_for_its_first_administrator) {
    TenantPage page;
    page.tenant.name = "a b";

    BOOST_TEST(to_json(page).at("is_empty") == true);
    BOOST_TEST(to_json(page).at("has_people") == false);
    BOOST_TEST(to_json(page).at("people_href") == "/tenants/a%20b/people");

    page.users = {{.name = "ada"}};
    page.user_count = 3;
    BOOST_TEST(to_json(page).at("is_empty") == false);
    BOOST_TEST(to_json(page).at("people")[0].at("person_href") == "/tenants/a%20b/people/ada");
    BOOST_TEST(to_json(page).at("more_people") == "and 2 more");

    page.is_new = true;
    page.users.clear();
    BOOST_TEST(to_json(page).at("is_empty") == false, "there is no tenant yet");
}

BOOST_AUTO_TEST_CASE(the_lines_of_an_identity_provider_end_as_they_are_stored) {
    const auto page = identity_provider_in(fcgi::http::parse_form(
        "kind=oidc&name=corp&authorities=BEGIN%0D%0AEND&rules=staff+%7C+demo+%7C+user%0D%0A"));

    BOOST_TEST(page.provider.authorities == "BEGIN\nEND");
    BOOST_TEST(page.problems.empty());
}

BOOST_AUTO_TEST_SUITE_END()
