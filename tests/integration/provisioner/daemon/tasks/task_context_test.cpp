#include "provisioner/daemon/tasks/task_context.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/contents/contents.hpp"
#include "provisioner/contents/sources.hpp"
#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/operations/plugins/resources.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using Site = tests::ClusterSite;

BOOST_AUTO_TEST_SUITE(task_context)

BOOST_AUTO_TEST_CASE(tasks_of_a_batch_share_the_cluster_and_the_resources) {
    Site site;
    const contents::Contents contents(site.fresh.config, site.fresh.database);
    operations::save_live_resource(site.fresh.database, contents,
                                   {.tenant = site.caller.tenant.id,
                                    .kind = model::PluginKind::automator,
                                    .plugin = "shell",
                                    .resource_type = "scripts"},
                                   "hello.sh", "echo hi\n", site.now);
    daemon::TaskContext task_context(site.fresh.database, "ours",
                                     [](store::Connection&, model::Account&) {});
    const auto claims = site.claim();

    const auto batch = task_context.read(claims);

    BOOST_TEST(batch.unreadable.empty());
    BOOST_REQUIRE(batch.works.size() == claims.size());
    const auto& first = batch.works.front();
    BOOST_REQUIRE(first.resources.contains("shell"));
    const daemon::LiveResources& shell = *first.resources.at("shell");
    BOOST_REQUIRE(shell.resources.size() == 1U);
    BOOST_TEST(shell.resources[0].name == "hello.sh");
    BOOST_TEST(shell.resources[0].size == 8U);
    const model::Content& content = shell.contents.at(shell.resources[0].sha256);
    BOOST_TEST(contents::text_of(*contents.open(content)) == "echo hi\n");
    for (const daemon::Work& work : batch.works) {
        BOOST_TEST((work.node->id == work.claim.node));
        BOOST_TEST((work.cluster == first.cluster));
        BOOST_TEST(work.account->provider_type == "simulated");
        BOOST_TEST(work.account->installation == "ours");
        BOOST_TEST((work.resources.at("shell") == first.resources.at("shell")));
    }
}

BOOST_AUTO_TEST_CASE(a_cluster_that_cannot_be_read_holds_up_no_other) {
    Site site;
    operations::CreateCluster wanted;
    wanted.name = "c2";
    wanted.cluster_template = "pair";
    wanted.machines = 2;
    const auto good =
        operations::create_cluster(site.fresh.database, site.caller, wanted, site.now);
    BOOST_REQUIRE(good.has_value());
    daemon::TaskContext task_context(site.fresh.database, "ours",
                                     [](store::Connection&, model::Account&) {});
    auto claims = site.claim();
    BOOST_REQUIRE(claims.size() == 5);
    for (queue::Claim& claim : claims) {
        if (claim.cluster == site.cluster) claim.node = model::NodeId{999'999};
    }

    const auto batch = task_context.read(claims);

    BOOST_TEST(batch.works.size() == 2U);
    BOOST_TEST(batch.unreadable.size() == 3U);
    for (const daemon::Work& work : batch.works) BOOST_TEST((work.cluster->cluster->id == *good));
    for (const auto& one : batch.unreadable) {
        BOOST_TEST(one.reason == "a task of a node that is not there");
    }
}

BOOST_AUTO_TEST_SUITE_END()
