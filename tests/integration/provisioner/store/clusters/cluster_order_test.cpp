#include "provisioner/store/clusters/cluster_order.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using store::ClusterOrder;

BOOST_AUTO_TEST_SUITE(cluster_order)

namespace {

/// Clusters besides that of the site, all with its documents.
void add_cluster(tests::ClusterSite& site, const std::string& name, model::ClusterStatus status,
                 int machines, int leases_end_in_hours) {
    site.fresh.database.write([&](store::Connection& connection) {
        auto cluster = *store::find_cluster(connection, site.caller, site.cluster);
        cluster.name = name;
        cluster.status = status;
        cluster.node_count = machines;
        cluster.expires_at.reset();
        if (leases_end_in_hours > 0) {
            cluster.expires_at =
                cluster.created_at + std::chrono::hours(1000 + leases_end_in_hours);
        }
        store::insert_cluster(connection, cluster);
    });
}

/// The names in that order.
std::string listed(tests::ClusterSite& site, const model::Caller& caller, ClusterOrder order,
                   bool is_reversed = false, bool all_tenants = false) {
    using enum model::ClusterStatus;
    const store::ClusterQuery query{.statuses = {pending, active, incomplete, inconsistent},
                                    .all_tenants = all_tenants};
    std::string names;
    site.fresh.database.read([&](store::Connection& connection) {
        names.clear();
        const auto ids = store::ordered_clusters(connection, caller, query, order, is_reversed);
        for (const auto& one : store::list_clusters(connection, caller, ids, all_tenants)) {
            if (one.id != site.cluster) names += one.name + ' ';
        }
    });
    return names;
}

}  // namespace

BOOST_AUTO_TEST_CASE(clusters_are_ordered_by_each_of_their_columns_either_way_round) {
    tests::ClusterSite site;
    using enum model::ClusterStatus;
    add_cluster(site, "beta", active, 9, 0);
    add_cluster(site, "Alpha", pending, 3, 2);
    add_cluster(site, "gamma", incomplete, 3, 1);

    BOOST_TEST(listed(site, site.caller, ClusterOrder::created) == "beta Alpha gamma ");
    BOOST_TEST(listed(site, site.caller, ClusterOrder::created, true) == "gamma Alpha beta ");
    BOOST_TEST(listed(site, site.caller, ClusterOrder::name) == "Alpha beta gamma ");
    BOOST_TEST(listed(site, site.caller, ClusterOrder::name, true) == "gamma beta Alpha ");
    BOOST_TEST(listed(site, site.caller, ClusterOrder::status) == "gamma Alpha beta ");
    BOOST_TEST(listed(site, site.caller, ClusterOrder::machines) == "beta gamma Alpha ");
    BOOST_TEST(listed(site, site.caller, ClusterOrder::machines, true) == "gamma Alpha beta ");
    BOOST_TEST(listed(site, site.caller, ClusterOrder::expires) == "gamma Alpha beta ");
    BOOST_TEST(listed(site, site.caller, ClusterOrder::expires, true) == "beta Alpha gamma ");
}

BOOST_AUTO_TEST_CASE(an_ordered_list_has_nothing_of_other_tenants) {
    tests::ClusterSite site;
    add_cluster(site, "beta", model::ClusterStatus::active, 9, 0);
    model::Caller other = tests::a_caller(site.fresh.database, "other");

    BOOST_TEST(listed(site, other, ClusterOrder::name) == "");
    BOOST_TEST(listed(site, other, ClusterOrder::name, false, true) == "");
    other.user.role = model::Role::superadmin;
    BOOST_TEST(listed(site, other, ClusterOrder::name, false, true) == "beta ");
}

BOOST_AUTO_TEST_SUITE_END()
