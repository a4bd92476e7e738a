#include <boost/test/unit_test.hpp>

#include "provisioner/store/clusters/cluster_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(cluster_search)

namespace {

/// How many clusters of the list `caller` finds by `text`.
std::size_t found(tests::ClusterSite& site, const model::Caller& caller, const std::string& text,
                  bool all_tenants = false) {
    const store::ClusterQuery query{
        .statuses = {model::ClusterStatus::pending, model::ClusterStatus::active},
        .all_tenants = all_tenants,
        .text = text,
        .limit = 10};
    return site.fresh.database.read([&](store::Connection& connection) {
        return store::list_clusters(connection, caller, query).size();
    });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_list_is_searched_by_name_owner_template_and_number_in_both_cases) {
    tests::ClusterSite site;
    const auto cluster = site.fresh.database.read([&](store::Connection& connection) {
        return *store::find_summary(connection, site.caller, site.cluster);
    });

    BOOST_TEST(found(site, site.caller, "C1") == 1U);
    BOOST_TEST(found(site, site.caller, cluster.owner) == 1U);
    BOOST_TEST(found(site, site.caller, cluster.cluster_template.name) == 1U);
    BOOST_TEST(found(site, site.caller, model::wire_id(site.cluster)) == 1U);
    BOOST_TEST(found(site, site.caller, "no such thing") == 0U);
    BOOST_TEST(found(site, site.caller, "%") == 0U);
    BOOST_TEST(found(site, site.caller, "_") == 0U);
}

BOOST_AUTO_TEST_CASE(a_search_finds_nothing_that_the_list_would_not_show) {
    tests::ClusterSite site;
    model::Caller other = tests::a_caller(site.fresh.database, "other");
    BOOST_TEST(found(site, other, "c1") == 0U);
    BOOST_TEST(found(site, other, "c1", true) == 0U);

    other.user.role = model::Role::superadmin;

    BOOST_TEST(found(site, other, "c1") == 0U);
    BOOST_TEST(found(site, other, "c1", true) == 1U);
    BOOST_TEST(found(site, other, "ACM", true) == 1U);
}

BOOST_AUTO_TEST_CASE(the_end_of_the_newest_clusters_is_known) {
    tests::ClusterSite site;
    const store::ClusterQuery query{
        .statuses = {model::ClusterStatus::pending, model::ClusterStatus::active}};
    const model::Caller other = tests::a_caller(site.fresh.database, "other");

    site.fresh.database.read([&](store::Connection& connection) {
        BOOST_TEST((store::cluster_after(connection, site.caller, query, 0) == site.cluster));
        BOOST_TEST(!store::cluster_after(connection, site.caller, query, 1));
        BOOST_TEST(!store::cluster_after(connection, other, query, 0));
    });
}

BOOST_AUTO_TEST_SUITE_END()
