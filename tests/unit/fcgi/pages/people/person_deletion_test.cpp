#include "fcgi/pages/people/person_deletion.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(person_deletion)

namespace {

using namespace fcgi::pages;
namespace model = provisioner::model;
namespace store = provisioner::store;

store::ClusterSummary cluster_of_two(int id) {
    store::ClusterSummary cluster;
    cluster.id = model::ClusterId{id};
    cluster.name = "shop";
    cluster.status = model::ClusterStatus::incomplete;
    cluster.node_count = 2;
    return cluster;
}

}  // namespace

BOOST_AUTO_TEST_CASE(live_clusters_are_linked_and_those_that_are_not_shown_are_counted) {
    PersonDeletionPage page;
    page.user.name = "a b";
    page.clusters = {.newest = {cluster_of_two(42)}, .total = 3};

    const auto json = to_json(page);

    BOOST_TEST(json.at("href") == "/people/a%20b");
    BOOST_TEST(json.at("live_clusters") == "3 clusters");
    BOOST_TEST(json.at("clusters")[0].at("cluster_href") == "/clusters/00000042");
    BOOST_TEST(json.at("clusters")[0].at("status") == "creation failed");
    BOOST_TEST(json.at("clusters")[0].at("machines") == "2 machines");
    BOOST_TEST(json.at("more_clusters") == "and 2 more");
}

BOOST_AUTO_TEST_CASE(what_a_user_does_not_have_is_not_told) {
    PersonDeletionPage page;
    page.user.name = "ada";

    const auto json = to_json(page);

    for (const char* member : {"live_clusters", "more_clusters", "keys", "sessions", "groups"}) {
        BOOST_TEST(json.at(member) == "", member);
    }
    BOOST_TEST(json.at("may_delete") == true);
}

BOOST_AUTO_TEST_SUITE_END()
