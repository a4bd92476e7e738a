#include "provisioner/operations/lease.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using model::ClusterStatus;

BOOST_AUTO_TEST_SUITE(lease)

namespace {

struct Site : tests::ClusterSite {
    void end_lease_at(base::Timestamp moment) {
        const auto changed =
            operations::change_expiry(fresh.database, caller, cluster, base::to_millis(moment));
        BOOST_REQUIRE(changed.has_value());
    }

    operations::Expired expire(base::Timestamp at) {
        return operations::expire_clusters(fresh.database, at);
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_cluster_whose_lease_ended_is_deleted_by_itself) {
    Site site;
    site.succeed_all();
    site.end_lease_at(site.now + 1h);
    BOOST_TEST(site.expire(site.now + 59min).deleted.empty());

    const auto expired = site.expire(site.now + 61min);

    BOOST_TEST(expired.deleted.size() == 1);
    BOOST_TEST(expired.errors.empty());
    BOOST_TEST((site.summary().latest_job->operation == model::Operation::cluster_delete));
    BOOST_TEST(site.expire(site.now + 61min).deleted.empty());
    site.succeed_all();
    BOOST_TEST((site.summary().status == ClusterStatus::terminated));
    BOOST_TEST(site.expire(site.now + 61min).deleted.empty());
}

BOOST_AUTO_TEST_CASE(incomplete_clusters_expire_too) {
    Site site;
    site.finish(site.claim(1).front(), tests::a_failure(std::nullopt));
    BOOST_REQUIRE((site.summary().status == ClusterStatus::incomplete));
    site.end_lease_at(site.now + 1h);

    BOOST_TEST(site.expire(site.now + 2h).deleted.size() == 1);
}

BOOST_AUTO_TEST_CASE(inconsistent_clusters_expire_too) {
    Site site;
    site.succeed_all();
    site.end_lease_at(site.now + 1h);
    site.fresh.database.write([&](store::Connection& connection) {
        auto cluster = site.details();
        cluster.status = ClusterStatus::inconsistent;
        store::update_cluster(connection, cluster);
    });

    BOOST_TEST(site.expire(site.now + 2h).deleted.size() == 1);
}

BOOST_AUTO_TEST_CASE(clusters_without_a_lease_and_those_worked_on_do_not_expire) {
    Site site;
    BOOST_TEST(site.expire(site.now + 10000h).deleted.empty());
    site.succeed_all();
    BOOST_TEST(site.expire(site.now + 10000h).deleted.empty());
}

BOOST_AUTO_TEST_CASE(a_lease_is_changed_for_those_only_who_may_see_the_cluster) {
    Site site;
    site.succeed_all();
    model::Caller stranger = site.caller;
    stranger.user.name = "eve";
    stranger.user.role = model::Role::user;

    const auto refused = operations::change_expiry(site.fresh.database, stranger, site.cluster,
                                                   base::to_millis(site.now + 1h));

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().problems.front().message ==
               "Cluster " + model::wire_id(site.cluster) + " not found.");
    site.end_lease_at(site.now + 1h);
    BOOST_TEST((base::to_millis(*site.summary().expires_at) == base::to_millis(site.now + 1h)));
}

BOOST_AUTO_TEST_SUITE_END()
