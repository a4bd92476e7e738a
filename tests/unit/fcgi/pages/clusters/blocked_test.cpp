#include "fcgi/pages/clusters/blocked.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/model/jobs/job_end.hpp"

using namespace fcgi::pages;
using namespace provisioner::model;

BOOST_AUTO_TEST_CASE(each_end_of_a_job_has_its_own_way_out) {
    Cluster cluster;
    cluster.id = ClusterId{7};
    cluster.status = ClusterStatus::incomplete;
    Job job;
    job.operation = Operation::cluster_create;
    job.status = JobStatus::failed;
    EndFacts end;
    const auto words = [&](bool wrong) {
        end.has_wrong_configuration = wrong;
        return blocked_json(cluster, job, {}, end).at("words").get<std::string>();
    };
    const auto ways = [&](bool wrong) {
        end.has_wrong_configuration = wrong;
        const auto json = blocked_json(cluster, job, {}, end);
        std::string all;
        for (const auto& way : json.at("ways")) all += way.at("label").get<std::string>() + ". ";
        return all;
    };
    BOOST_TEST(words(false).starts_with("The creation failed. Retry it, with the same"));
    BOOST_TEST(ways(false) == "Retry. Change configuration and retry. Create again. ");
    BOOST_TEST(words(true).starts_with("A value of the configuration is wrong"));
    BOOST_TEST(ways(true) == "Change configuration and retry. Retry. Create again. ");
    job.aborted = true;
    BOOST_TEST(words(false).starts_with("The creation was aborted. Run the remaining tasks"));
    BOOST_TEST(ways(false) == "Run the remaining tasks. Change configuration and retry. ");

    job = Job();
    job.status = JobStatus::failed;
    job.operation = Operation::cluster_configure;
    cluster.status = ClusterStatus::inconsistent;
    BOOST_TEST(words(false) ==
               "The latest configuration failed. If a value of it is wrong, change it: a retry "
               "applies the same values again.");
    BOOST_TEST(ways(true) == "Change the configuration. Retry. ");
    end.can_go_back = true;
    BOOST_TEST(words(false).starts_with(
        "The latest configuration failed. If a value of it is wrong, change it or go back: a"));
    BOOST_TEST(
        words(true).ends_with("Change it or go back to the last configuration that worked."));
    job.aborted = true;
    BOOST_TEST(
        words(false) ==
        "The latest job was aborted. Run the remaining tasks, change the configuration, or go back "
        "to the last configuration that worked.");
    job.aborted = false;
    BOOST_TEST(ways(true) ==
               "Change the configuration. Go back to the last configuration that worked. Retry. ");
    end.can_go_back = false;
    const auto broken = blocked_json(cluster, job, {}, {.failed_machines = 2, .can_go_back = true});
    BOOST_TEST(
        broken.at("words") ==
        "The latest configuration failed. If a value of it is wrong, change it or go back: a "
        "retry applies the same values again. If the 2 machines that failed are broken, go "
        "on without them.");
    BOOST_TEST(broken.at("ways").back().at("label") == "Go on without the 2 machines that failed");
    job.operation = Operation::cluster_grow;
    cluster.status = ClusterStatus::incomplete;
    BOOST_TEST(ways(false) == "Retry. Change configuration and retry. ");
    BOOST_TEST(ways(true) == "Change configuration and retry. Retry. ");
    const auto without = blocked_json(cluster, job, {}, {.failed_machines = 10});
    BOOST_TEST(without.at("words") ==
               "The latest job failed. Retry it, go on without the machines that failed, or change "
               "the configuration and retry.");
    BOOST_TEST(without.at("ways")[1].at("label") == "Go on without the 10 machines that failed");
    BOOST_TEST(without.at("ways")[1].at("href") == "/clusters/00000007/shrink");
    job.aborted = true;
    BOOST_TEST(blocked_json(cluster, job, {}, {.aborted_by = "ada"}).at("words") ==
               "The latest job was aborted by ada. Run the remaining tasks, or change the "
               "configuration and retry.");
    BOOST_TEST(ways(false) == "Run the remaining tasks. Change configuration and retry. ");
    const auto unfinished = blocked_json(cluster, job, {}, {.failed_machines = 2});
    BOOST_TEST(unfinished.at("ways")[1].at("label") == "Go on without the 2 unfinished machines");
    BOOST_TEST(unfinished.at("words") ==
               "The latest job was aborted. Run the remaining tasks, go on without the machines "
               "that are not finished, or change the configuration and retry.");
    BOOST_TEST(blocked_json(cluster, job, {}, {.failed_services = {"log"}}).at("words") ==
               "The latest job was aborted. Run the remaining tasks, go on without the services "
               "that are not finished, or change the configuration and retry.");
    // The first one is filled.
    const auto first = blocked_json(cluster, job, {}).at("ways")[0];
    BOOST_TEST(first.at("look") == "primary");
    BOOST_TEST(first.at("post") == "/clusters/00000007/retry");
    job.operation = Operation::add_services;
    job.aborted = false;
    cluster.status = ClusterStatus::inconsistent;
    cluster.services = {"cache", "log", "web"};
    const EndFacts addition{.failed_services = {"cache", "log"}};
    const auto additions = blocked_json(cluster, job, {}, addition);
    BOOST_TEST(additions.at("words") ==
               "The latest job failed. Retry it, go on without the services that failed, or change "
               "the configuration and retry.");
    BOOST_TEST(additions.at("ways")[1].at("label") == "Go on without cache and log");
    BOOST_TEST(
        additions.at("ways")[1].at("href") ==
        "/clusters/00000007/services/remove?restart=false&services=cache&services=log#preview");
    job.operation = Operation::remove_services;
    const auto removal =
        blocked_json(cluster, job, {}, {.failed_services = {"log"}, .left_behind = {{"mail", 2}}});
    BOOST_TEST(removal.at("words").get<std::string>().ends_with(
        " mail is not yet removed from 2 machines."));
    BOOST_TEST(removal.at("ways")[1].at("href") ==
               "/clusters/00000007/services/remove?services=log#preview");
    BOOST_TEST(removal.at("ways")[2].at("label") == "Go on and leave mail as it is");
    BOOST_TEST(removal.at("ways")[2].at("href") ==
               "/clusters/00000007/services/remove?force=true&services=mail#preview");
    cluster.status = ClusterStatus::incomplete;
    job.operation = Operation::cluster_delete;
    BOOST_TEST(words(false).starts_with("The deletion failed. Retry it"));
}

BOOST_AUTO_TEST_CASE(the_sentence_after_a_failure_names_the_ways_that_have_buttons) {
    Cluster cluster;
    cluster.status = ClusterStatus::inconsistent;
    Job job;
    job.status = JobStatus::failed;
    job.operation = Operation::remove_services;
    EndFacts end{.left_behind = {{"mail", 1}}};
    const auto words = [&] { return ways_out(cluster, job, end).words; };

    BOOST_TEST(words() ==
               "The latest job failed. Retry it, go on and leave mail as it is, or change the "
               "configuration and retry. mail is not yet removed from 1 machine.");
    end.failed_machines = 3;
    BOOST_TEST(words() ==
               "The latest job failed. Retry it, go on without the machines that failed, go on and "
               "leave mail as it is, or change the configuration and retry. mail is not yet "
               "removed from 1 machine.");
    BOOST_TEST(ways_out(cluster, job, end).ways[1].label ==
               "Go on without the 3 machines that failed");
    end.failed_machines = 0;
    end.left_behind.emplace_back("news", 1);
    BOOST_TEST(words().find("leave mail and news as they are, or") != std::string::npos);
    BOOST_TEST(ways_out(cluster, job, end).ways[1].label ==
               "Go on and leave mail and news as they are");
    job.aborted = true;
    end = {.failed_services = {"log"}, .left_behind = {{"mail", 1}}};
    BOOST_TEST(words() ==
               "The latest job was aborted. Run the remaining tasks, go on without the services "
               "that are not finished, go on and leave mail as it is, or change the configuration "
               "and retry. mail is not yet removed from 1 machine.");
    job = {};
    job.status = JobStatus::failed;
    job.operation = Operation::cluster_create;
    cluster.status = ClusterStatus::incomplete;
    end = {.failed_machines = 2};
    BOOST_TEST(words().starts_with(
        "The creation failed. Retry it, with the same configuration or another one, or go on "
        "without the machines that failed. For another"));
    job.operation = Operation::cluster_delete;
    BOOST_TEST(ways_out(cluster, job, {}).words ==
               "The deletion failed. Retry it: the cluster can only be deleted.");
}

BOOST_AUTO_TEST_CASE(ways_without_services_lead_past_what_the_job_failed_at) {
    using provisioner::store::FailedService;
    using Names = std::vector<std::string>;
    Cluster cluster;
    cluster.id = ClusterId{7};
    cluster.status = ClusterStatus::inconsistent;
    Job job;
    job.status = JobStatus::failed;
    job.operation = Operation::remove_services;
    const auto labels_after = [&](EndFacts end, const std::vector<FailedService>& failures,
                                  bool can_spare = true) {
        fit_to_failures(end, failures, [&](const Names&) { return can_spare; });
        Names labels;
        for (const WayOut& way : ways_out(cluster, job, end).ways) {
            if (way.goes_on) labels.push_back(way.label);
        }
        return labels;
    };

    const EndFacts both{.failed_services = {"log"}, .left_behind = {{"mail", 1}}};
    const Names each{"Go on without log", "Go on and leave mail as it is"};
    BOOST_TEST(labels_after(both, {}) == each, "after an abort");
    BOOST_TEST(labels_after(both, {{.name = "log"}}) == Names{"Go on without log"});
    BOOST_TEST(labels_after({.left_behind = {{"mail", 1}}}, {{.name = "log"}}) == Names());
    const std::vector<FailedService> stop{{.name = "mail", .only_leaving = true}};
    const Names together{"Go on without log and mail", "Go on and leave mail as it is"};
    BOOST_TEST(labels_after(both, stop) == together);
    BOOST_TEST(labels_after(both, stop, false) == each);
    BOOST_TEST(
        labels_after({.failed_services = {"log"}}, {{.name = "web"}}) == Names{"Go on without log"},
        "what failed at another start may succeed the next time");
    EndFacts end = both;
    fit_to_failures(end, stop, [](const Names&) { return true; });
    BOOST_TEST(ways_out(cluster, job, end).ways[1].href ==
               "/clusters/00000007/services/remove?force=true&services=log&services=mail#preview");
}

BOOST_AUTO_TEST_CASE(after_a_stop_or_restart_that_failed_all_services_can_be_started) {
    Cluster cluster;
    cluster.id = ClusterId{7};
    cluster.status = ClusterStatus::inconsistent;
    Job job;
    job.status = JobStatus::failed;
    job.aborted = true;
    job.operation = Operation::stop_services;
    const auto out = ways_out(cluster, job, {});

    BOOST_TEST(out.words ==
               "The latest job was aborted. Run the remaining tasks, or start all services.");
    BOOST_REQUIRE(out.ways.size() == 2U);
    BOOST_TEST(out.ways[1].label == "Start all services");
    BOOST_TEST(out.ways[1].href == "/clusters/00000007/services/start");
    job.operation = Operation::restart_services;
    BOOST_TEST(ways_out(cluster, job, {}).ways.size() == 2U);
    job.operation = Operation::start_services;
    BOOST_TEST(ways_out(cluster, job, {}).ways.size() == 1U, "a retry starts them");
}
