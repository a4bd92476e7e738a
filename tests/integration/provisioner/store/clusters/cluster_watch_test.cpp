#include <boost/test/unit_test.hpp>

#include <cppconn/connection.h>

#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/queue/bulk.hpp"
#include "provisioner/queue/link.hpp"
#include "provisioner/store/clusters/work_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using Site = tests::ClusterSite;

BOOST_AUTO_TEST_SUITE(cluster_watch)

namespace {

std::shared_ptr<const store::ClusterView> look(Site& site, store::ClusterWatch& watch) {
    return site.fresh.database.read(
        [&](store::Connection& connection) { return watch.look(connection, site.cluster); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_has_not_changed_is_the_same_object_at_the_next_look) {
    Site site;
    store::ClusterWatch watch;

    const auto first = look(site, watch);
    const auto second = look(site, watch);

    BOOST_REQUIRE(first);
    BOOST_TEST(first->nodes.size() == 3U);
    BOOST_TEST((first == second));
}

BOOST_AUTO_TEST_CASE(a_look_shows_what_was_committed_before_it) {
    Site site;
    store::ClusterWatch watch;
    const auto before = look(site, watch);
    const auto claims = site.claim();
    queue::Succeeded done;
    done.facts = {{"providerid", "vm-1"}};
    site.finish(claims.front(), done);

    const auto after = look(site, watch);

    for (std::size_t i = 0; i < after->nodes.size(); ++i) {
        const bool changed = after->nodes[i]->id == claims.front().node;
        BOOST_TEST((after->nodes[i] != before->nodes[i]) == changed);
        BOOST_TEST(after->nodes[i]->results.contains("providerid") == changed);
        BOOST_TEST(!before->nodes[i]->results.contains("providerid"));
    }
}

BOOST_AUTO_TEST_CASE(what_was_computed_is_kept_until_a_node_looks_another_way) {
    Site site;
    store::ClusterWatch watch;
    const auto before = look(site, watch);
    for (const queue::Claim& claim : site.claim()) {
        queue::Succeeded done;
        done.facts = {{"providerid", "vm"}};
        site.finish(claim, done);
    }
    const auto made = look(site, watch);
    const auto confirms = site.claim();
    BOOST_REQUIRE(!confirms.empty());
    BOOST_REQUIRE((confirms.front().action == model::Action::confirm));
    queue::Succeeded reached;
    reached.addresses = {{"access_v4", "203.0.113.9"}};
    site.finish(confirms.front(), reached);

    const auto after = look(site, watch);

    BOOST_TEST((made != before));
    BOOST_TEST((made->memo == before->memo));
    BOOST_TEST((after->memo != made->memo));
}

BOOST_AUTO_TEST_CASE(a_cluster_that_is_not_there_is_nothing) {
    Site site;
    store::ClusterWatch watch;
    const auto view = site.fresh.database.read([&](store::Connection& connection) {
        return watch.look(connection, model::ClusterId{site.cluster.value + 1});
    });
    BOOST_TEST(!view);
}

BOOST_AUTO_TEST_CASE(clusters_beyond_the_limit_are_forgotten_and_read_again) {
    Site site;
    store::ClusterWatch watch(2);
    const auto first = look(site, watch);
    operations::CreateCluster wanted;
    wanted.name = "c2";
    wanted.cluster_template = "pair";
    wanted.machines = 3;
    const auto other =
        operations::create_cluster(site.fresh.database, site.caller, wanted, site.now);
    BOOST_REQUIRE(other.has_value());
    site.fresh.database.read(
        [&](store::Connection& connection) { watch.look(connection, *other); });

    const auto again = look(site, watch);

    BOOST_TEST((again->nodes.front() != first->nodes.front()));
    BOOST_TEST(again->nodes.front()->uuid == first->nodes.front()->uuid);
}

BOOST_AUTO_TEST_CASE(after_a_look_that_failed_the_next_one_shows_everything_that_changed) {
    Site site;
    store::ClusterWatch watch;
    look(site, watch);
    const auto link = queue::connect(site.fresh.root);
    queue::execute(*link, R"(UPDATE cluster SET config = '{"new":1}')");
    queue::execute(*link, "UPDATE job SET node_changes = node_changes + 1");
    queue::execute(*link, "ALTER TABLE node RENAME COLUMN automators TO away");
    BOOST_CHECK_THROW(look(site, watch), store::DatabaseError);
    queue::execute(*link, "ALTER TABLE node RENAME COLUMN away TO automators");

    const auto view = look(site, watch);

    BOOST_TEST(base::to_text(view->cluster->config) == R"({"new":1})");
    BOOST_TEST(view->nodes.size() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
