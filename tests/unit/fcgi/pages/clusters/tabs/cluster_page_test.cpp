#include "fcgi/pages/clusters/tabs/cluster_page.hpp"

#include <boost/test/unit_test.hpp>

#include "cluster_fixture.hpp"

BOOST_AUTO_TEST_SUITE(head_of_a_cluster)

namespace {

using namespace tests;

Json head(const ClusterPage& page) {
    Json json;
    add_head(json, page, ClusterTab::machines);
    return json;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_paused_cluster_can_be_resumed_and_one_being_aborted_is_left_alone) {
    auto paused = page();
    paused.job->status = JobStatus::paused;
    BOOST_TEST(buttons(head(paused)) == "Resume! Abort ");
    BOOST_TEST(head(paused).at("status_words") == "paused");
    BOOST_TEST(head(paused).at("status") == "paused");

    auto aborted = page();
    aborted.job->aborted = true;
    BOOST_TEST(buttons(head(aborted)).empty());
    BOOST_TEST(head(aborted).at("status_words") == "being aborted");
}

BOOST_AUTO_TEST_CASE(a_deletion_can_be_paused_but_not_aborted) {
    auto deleting = page();
    deleting.job->operation = Operation::cluster_delete;

    BOOST_TEST(buttons(head(deleting)) == "Pause! ");
}

BOOST_AUTO_TEST_CASE(a_settled_cluster_offers_what_its_status_allows) {
    BOOST_TEST(buttons(head(settled(ClusterStatus::active, JobStatus::complete))) ==
               "Grow Shrink Configure Change lease Delete ");
    BOOST_TEST(buttons(head(settled(ClusterStatus::inconsistent, JobStatus::failed))) ==
               "Retry! Shrink Configure Change lease Delete ");
    auto not_grown = settled(ClusterStatus::incomplete, JobStatus::failed);
    not_grown.job->operation = Operation::cluster_grow;
    BOOST_TEST(buttons(head(not_grown)) ==
               "Retry! Change configuration and retry Shrink Change lease Delete ");
    not_grown.end.failed_machines = 1;
    BOOST_TEST(buttons(head(not_grown)) ==
               "Retry! Go on without the machine that failed Change configuration and retry "
               "Change lease Delete ");
    auto wrong_value = settled(ClusterStatus::inconsistent, JobStatus::failed);
    wrong_value.job->operation = Operation::cluster_configure;
    wrong_value.end.has_wrong_configuration = true;
    wrong_value.end.can_go_back = true;
    BOOST_TEST(buttons(head(wrong_value)) ==
               "Change the configuration Go back to the last configuration that worked Retry! "
               "Change lease Delete ");
    auto half_deleted = settled(ClusterStatus::incomplete, JobStatus::failed);
    half_deleted.job->operation = Operation::cluster_delete;
    BOOST_TEST(buttons(head(half_deleted)) == "Retry! Change lease Delete ");
}

BOOST_AUTO_TEST_CASE(a_failed_creation_can_be_made_again_with_other_values) {
    auto failed = settled(ClusterStatus::incomplete, JobStatus::failed);
    const auto json = head(failed);

    // What failed may have passed, and a new cluster is the longer way.
    BOOST_TEST(buttons(json) ==
               "Retry! Change configuration and retry Create again Shrink Change lease Delete ");
    BOOST_TEST(json.at("buttons")[0].at("look") == "primary");
    BOOST_TEST(json.at("buttons")[1].at("href") == "/clusters/00000007/configure");
    BOOST_TEST(json.at("buttons")[1].at("look") == "");
    BOOST_TEST(json.at("buttons")[2].at("href") == "/clusters/new?like=00000007");

    failed.end.has_wrong_configuration = true;
    const auto wrong = head(failed);
    BOOST_TEST(buttons(wrong) ==
               "Change configuration and retry Retry! Create again Change lease Delete ");
    BOOST_TEST(wrong.at("buttons")[0].at("look") == "primary");
    BOOST_TEST(wrong.at("buttons")[1].at("look") == "");

    // What was aborted may have been so for its configuration.
    failed.end.has_wrong_configuration = false;
    failed.job->aborted = true;
    BOOST_TEST(buttons(head(failed)) ==
               "Run the remaining tasks! Change configuration and retry Shrink Change lease "
               "Delete ");
}

BOOST_AUTO_TEST_CASE(what_the_template_does_not_allow_is_not_offered) {
    auto smallest = settled(ClusterStatus::active, JobStatus::complete);
    auto& rules = smallest.cluster.snapshot.cluster_template.constraints;
    rules.size_min = 2;
    BOOST_TEST(buttons(head(smallest)) == "Grow Configure Change lease Delete ");
    rules.size_min = 1;
    rules.size_max = 2;
    BOOST_TEST(buttons(head(smallest)) == "Shrink Configure Change lease Delete ");
}

BOOST_AUTO_TEST_CASE(a_cluster_that_needs_all_its_machines_is_not_offered_to_shrink) {
    auto needed = settled(ClusterStatus::active, JobStatus::complete);
    needed.end.are_all_needed = true;
    BOOST_TEST(buttons(head(needed)) == "Grow Configure Change lease Delete ");
}

BOOST_AUTO_TEST_CASE(the_tab_that_is_open_is_marked) {
    const auto tabs = head(page()).at("tabs");
    BOOST_TEST(tabs.size() == 5U);
    BOOST_TEST(tabs[0].at("href") == "/clusters/00000007");
    BOOST_TEST(tabs[0].at("current") == false);
    BOOST_TEST(tabs[1].at("href") == "/clusters/00000007/machines");
    BOOST_TEST(tabs[1].at("current") == true);
}

BOOST_AUTO_TEST_SUITE_END()
