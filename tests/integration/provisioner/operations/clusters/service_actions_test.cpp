#include "provisioner/operations/clusters/service_actions.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/operations/clusters/configure.hpp"
#include "provisioner/operations/clusters/delete.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using model::ClusterStatus;
using model::Operation;
using operations::Refusal;

BOOST_AUTO_TEST_SUITE(service_actions)

namespace {

/// A cluster of one db and two web nodes that is active.
struct ActiveSite : tests::ClusterSite {
    ActiveSite() {
        succeed_all();
        BOOST_REQUIRE((summary().status == ClusterStatus::active));
    }

    operations::Result<void> act(Operation operation,
                                 const std::vector<std::string>& services = {}) {
        return operations::act_on_services(fresh.database, caller, cluster,
                                           {.operation = operation, .services = services}, now);
    }

    operations::Result<void> configure(const base::Json& config, bool restart) {
        return operations::configure_cluster(fresh.database, caller, cluster,
                                             {.config = config, .restart = restart}, now);
    }
};

/// "start db, start web, start web": what a job does, by id.
std::string drawn(const std::vector<model::Task>& tasks) {
    std::string text;
    for (const model::Task& task : tasks) {
        if (!text.empty()) text += ", ";
        text += base::to_word(task.action) + (task.service.empty() ? "" : " " + task.service);
    }
    return text;
}

std::string why(const operations::Result<void>& result) {
    return result ? "accepted" : result.error().problems.front().message;
}

}  // namespace

BOOST_AUTO_TEST_CASE(starting_all_services_queues_a_task_for_each_of_them) {
    ActiveSite site;

    BOOST_REQUIRE(site.act(Operation::start_services).has_value());

    BOOST_TEST((site.summary().status == ClusterStatus::pending));
    BOOST_TEST(drawn(site.tasks()) == "start db, start web, start web");
    BOOST_TEST(site.succeed_all() == 3);
    BOOST_TEST((site.summary().status == ClusterStatus::active));
    BOOST_TEST((site.summary().latest_job->operation == Operation::start_services));
}

BOOST_AUTO_TEST_CASE(starting_one_service_takes_along_what_it_needs_and_nothing_else) {
    ActiveSite site;

    BOOST_REQUIRE(site.act(Operation::start_services, {"db"}).has_value());

    BOOST_TEST(drawn(site.tasks()) == "start db");
}

BOOST_AUTO_TEST_CASE(an_operation_without_tasks_completes_at_once_and_the_cluster_stays_active) {
    ActiveSite site;

    BOOST_REQUIRE(site.act(Operation::stop_services).has_value());

    BOOST_TEST((site.summary().status == ClusterStatus::active));
    BOOST_TEST((site.summary().latest_job->operation == Operation::stop_services));
    BOOST_TEST((site.summary().latest_job->status == model::JobStatus::complete));
    BOOST_TEST(site.summary().latest_job->finished_at.has_value());
}

BOOST_AUTO_TEST_CASE(after_a_failed_service_action_only_all_services_can_be_started) {
    ActiveSite site;
    BOOST_REQUIRE(site.act(Operation::restart_services).has_value());

    const auto claims = site.claim(1);
    BOOST_REQUIRE(claims.size() == 1);
    site.finish(claims.front(), tests::a_failure(std::nullopt));

    BOOST_TEST((site.summary().status == ClusterStatus::inconsistent));
    BOOST_TEST(why(site.act(Operation::start_services, {"db"})) ==
               "Cluster is not in a state where service actions can be performed.");
    BOOST_REQUIRE(site.act(Operation::start_services).has_value());
    BOOST_TEST(site.succeed_all() == 3);
    BOOST_TEST((site.summary().status == ClusterStatus::active));
}

BOOST_AUTO_TEST_CASE(after_a_failed_configuration_no_services_can_be_started) {
    ActiveSite site;
    BOOST_REQUIRE(site.configure({{"web", {{"port", 80}}}}, true).has_value());
    site.finish(site.claim(1).front(), tests::a_failure(std::nullopt));

    BOOST_REQUIRE((site.summary().status == ClusterStatus::inconsistent));
    BOOST_TEST(why(site.act(Operation::start_services)) ==
               "Cluster is not in a state where service actions can be performed.");
}

BOOST_AUTO_TEST_CASE(a_configuration_goes_back_if_it_is_the_last_one_that_worked) {
    ActiveSite site;
    const auto goes_back = [&] { return site.summary().latest_job->goes_back; };
    BOOST_REQUIRE(site.configure({{"web", {{"port", 80}}}}, false).has_value());
    BOOST_TEST(!goes_back());
    site.succeed_all();
    BOOST_REQUIRE(site.configure({{"web", {{"port", 81}}}}, false).has_value());
    site.finish(site.claim(1).front(), tests::a_failure(std::nullopt));
    BOOST_TEST(!goes_back());

    BOOST_REQUIRE(site.configure({{"web", {{"port", 80}}}}, false).has_value());

    BOOST_TEST(goes_back());
}

BOOST_AUTO_TEST_CASE(a_service_action_says_what_does_not_exist_before_it_looks_at_the_state) {
    tests::ClusterSite site;
    const auto act = [&](model::ClusterId id, const std::vector<std::string>& services) {
        return operations::act_on_services(
            site.fresh.database, site.caller, id,
            {.operation = Operation::stop_services, .services = services}, site.now);
    };
    const std::string id = model::wire_id(site.cluster);

    BOOST_TEST(why(act(model::ClusterId{999}, {})) == "cluster 00000999 does not exist");
    BOOST_TEST(why(act(site.cluster, {"mail"})) == "service mail does not exist on cluster " + id);
    // All of them at once.
    BOOST_TEST(act(site.cluster, {"mail", "db", "post"}).error().problems.size() == 2U);
    BOOST_TEST(why(act(site.cluster, {"db"})) ==
               "Cluster is not in a state where service actions can be performed.");
    BOOST_TEST((act(site.cluster, {"db"}).error().kind == Refusal::Kind::conflict));
}

BOOST_AUTO_TEST_CASE(configuring_replaces_the_configuration_and_bootstraps_every_node) {
    ActiveSite site;

    BOOST_REQUIRE(site.configure({{"web", {{"port", 80}}}}, false).has_value());

    BOOST_TEST(base::to_text(site.details().config) == R"({"web":{"port":80}})");
    BOOST_TEST(drawn(site.tasks()) == "bootstrap, bootstrap, bootstrap");
    const auto job = site.summary().latest_job;
    BOOST_REQUIRE(job.has_value());
    BOOST_TEST((job->operation == Operation::cluster_configure));
    BOOST_TEST(site.last_audited("cluster.configure").at("job") ==
               model::wire_id(site.cluster, job->id));
}

BOOST_AUTO_TEST_CASE(what_worked_last_is_kept_while_configurations_fail) {
    ActiveSite site;
    const auto kept = [&] {
        const auto config = site.fresh.database.read([&](store::Connection& connection) {
            return store::working_config(connection, site.cluster);
        });
        return config ? base::to_text(*config) : "none";
    };
    BOOST_TEST(kept() == "none");
    BOOST_REQUIRE(site.configure({{"port", 80}}, false).has_value());
    site.succeed_all();
    BOOST_REQUIRE(site.configure({{"port", "abc"}}, false).has_value());
    for (const auto& claim : site.claim(10)) site.finish(claim, tests::a_failure(std::nullopt));
    BOOST_REQUIRE((site.summary().status == ClusterStatus::inconsistent));

    BOOST_REQUIRE(site.configure({{"port", "def"}}, false).has_value());

    BOOST_TEST(kept() == R"({"port":80})");

    site.succeed_all();
    BOOST_TEST(kept() == "none");
}

BOOST_AUTO_TEST_CASE(a_masked_configuration_keeps_what_is_stored) {
    ActiveSite site;
    BOOST_REQUIRE(site.configure({{"db_password", "s3cret"}, {"workers", 4}}, false).has_value());
    site.succeed_all();

    BOOST_REQUIRE(site.configure({{"db_password", "********"}, {"workers", 5}}, false).has_value());

    BOOST_TEST(base::to_text(site.details().config) == R"({"db_password":"s3cret","workers":5})");
    site.succeed_all();
    const auto refused = site.configure({{"other_password", "********"}}, false);
    BOOST_TEST(why(refused) ==
               "other_password: ******** stands for a stored value, but there is none");
    BOOST_TEST(refused.error().problems.front().field == "config");
    BOOST_TEST((site.summary().status == ClusterStatus::active));
}

BOOST_AUTO_TEST_CASE(an_inconsistent_cluster_is_active_again_after_a_successful_configure) {
    ActiveSite site;
    BOOST_REQUIRE(site.configure({{"broken", true}}, true).has_value());
    site.finish(site.claim(1).front(), tests::a_failure(std::nullopt));
    BOOST_REQUIRE((site.summary().status == ClusterStatus::inconsistent));
    BOOST_TEST(base::to_text(site.details().config) == R"({"broken":true})");

    BOOST_REQUIRE(site.configure(base::Json::object(), true).has_value());
    site.succeed_all();

    BOOST_TEST((site.summary().status == ClusterStatus::active));
    BOOST_TEST((site.summary().latest_job->operation == Operation::cluster_configure_with_restart));
}

BOOST_AUTO_TEST_CASE(a_cluster_under_way_cannot_be_configured_and_keeps_its_configuration) {
    tests::ClusterSite site;
    const auto before = base::to_text(site.details().config);

    const auto refused = operations::configure_cluster(
        site.fresh.database, site.caller, site.cluster, {.config = {{"x", 1}}}, site.now);

    BOOST_TEST(why(refused) == "Cluster is not in a configurable state.");
    BOOST_TEST(base::to_text(site.details().config) == before);
}

BOOST_AUTO_TEST_CASE(a_deletion_takes_away_every_machine_and_ends_the_cluster) {
    ActiveSite site;

    BOOST_REQUIRE(
        operations::delete_cluster(site.fresh.database, site.caller, site.cluster, site.now)
            .has_value());
    BOOST_TEST(drawn(site.tasks()) == "delete, delete, delete");
    site.succeed_all();

    BOOST_TEST((site.summary().status == ClusterStatus::terminated));
}

BOOST_AUTO_TEST_CASE(provider_fields_given_with_an_operation_are_kept_and_checked) {
    ActiveSite site;
    site.fresh.database.write([&](store::Connection& connection) {
        model::PluginType type;
        type.header.name = "simulated";
        type.kind = model::PluginKind::provider;
        model::PluginField region;
        region.name = "region";
        region.label = "Region";
        region.kind = "text";
        type.user.fields = {region};
        type.user.required = {{"region"}};
        store::save_plugin_type(connection, type, site.now);
    });
    const auto restart = [&](const base::Json& fields) {
        return operations::act_on_services(
            site.fresh.database, site.caller, site.cluster,
            {.operation = Operation::restart_services, .provider_fields = fields}, site.now);
    };

    const auto refused = restart({{"other", "x"}});
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == Refusal::Kind::missing_fields));
    BOOST_TEST((site.summary().status == ClusterStatus::active));

    BOOST_REQUIRE(restart({{"region", "there"}, {"other", "x"}}).has_value());
    BOOST_TEST(base::to_text(site.details().snapshot.provider.fields) == R"({"region":"there"})");
}

BOOST_AUTO_TEST_CASE(the_region_stays_while_there_are_machines_that_only_it_lists) {
    ActiveSite site;
    site.fresh.database.write([&](store::Connection& connection) {
        model::PluginType type;
        type.header.name = "simulated";
        type.kind = model::PluginKind::provider;
        model::PluginField region;
        region.name = "place";
        region.label = "Region";
        region.default_value = "north";
        region.overridable = true;
        type.admin.fields = {region};
        type.region_field = "place";
        store::save_plugin_type(connection, type, site.now);
    });
    const auto remove = [&](const char* place) {
        return operations::delete_cluster(site.fresh.database, site.caller, site.cluster, site.now,
                                          {{"place", place}});
    };

    const auto refused = remove("south");
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().problems.front().field == "providerFields.place");
    BOOST_TEST((site.summary().status == ClusterStatus::active));
    BOOST_TEST(remove("north").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
