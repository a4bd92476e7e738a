#include "fcgi/pages/clusters/lease_page.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::base::from_sql;

BOOST_AUTO_TEST_CASE(a_moment_survives_the_way_through_the_form) {
    const auto moment = from_sql("2026-12-24 18:05:00");

    BOOST_TEST(input_of(moment) == "2026-12-24T18:05");
    BOOST_TEST((moment_in("2026-12-24T18:05") == moment));
    BOOST_TEST((moment_in("2026-12-24T18:05:30") == from_sql("2026-12-24 18:05:30")));
    for (const char* text : {"", "tomorrow", "2026-12-24 18:05", "2026-12-24Txx:05"}) {
        BOOST_TEST(!moment_in(text).has_value());
    }
}

BOOST_AUTO_TEST_CASE(the_rules_of_a_lease_are_said_beside_its_field) {
    LeasePage page{.now = provisioner::base::from_sql("2026-12-01 10:00:00")};
    const auto hint = [&] { return to_json(page).at("fields")[0].at("hint").get<std::string>(); };
    BOOST_TEST(hint() == "The template sets no limit.");

    auto& lease = page.cluster.snapshot.cluster_template.lease;
    lease.max = std::chrono::hours{240};
    BOOST_TEST(hint() == "The lease may end at most 10 days after the cluster was created.");
    lease.step = std::chrono::hours{24};
    BOOST_TEST(hint() ==
               "You can extend the lease by 1 day at a time. It may end at most 10 days after "
               "the cluster was created.");
}

BOOST_AUTO_TEST_CASE(no_end_of_the_lease_is_asked_for_while_a_job_runs) {
    LeasePage page{.problems = {{"expireTime", "Cannot change expire time"}}};
    page.cluster.status = ClusterStatus::pending;
    BOOST_TEST(to_json(page).at("blocked").at("ways")[0].at("label") == "Follow the job");
    BOOST_TEST(to_json(page).at("problems").empty());
    page.cluster.status = ClusterStatus::incomplete;
    BOOST_TEST(to_json(page).at("blocked").is_null());
    BOOST_TEST(!to_json(page).at("problems").empty());
}

BOOST_AUTO_TEST_CASE(an_end_that_is_too_late_is_told_the_latest_one) {
    using provisioner::base::from_sql;
    LeasePage page{.now = from_sql("2026-12-01 10:00:00")};
    page.cluster.created_at = from_sql("2026-11-30 10:00:00");
    page.cluster.expires_at = from_sql("2026-12-03 10:00:00");
    auto& lease = page.cluster.snapshot.cluster_template.lease;
    lease.max = std::chrono::hours{240};
    const auto problem = [&](const std::string& message) {
        page.problems = {{"expireTime", message}};
        return to_json(page).at("fields")[0].at("problem").get<std::string>();
    };

    BOOST_TEST(problem("Cluster cannot be prolonged beyond its max duration") ==
               "The lease can end at 2026-12-10 10:00:00 UTC at the latest.");
    lease.step = std::chrono::hours{24};
    BOOST_TEST(problem("New expire time cannot be greater than allowed increment") ==
               "The lease can end at 2026-12-04 10:00:00 UTC at the latest.");
    BOOST_TEST(problem("New expire time must be before the year 10000") ==
               "The year must be below 10000.");
}

BOOST_AUTO_TEST_CASE(ends_of_a_lease_that_are_asked_for_most_are_one_press_away) {
    using provisioner::base::from_sql;
    LeasePage page{.now = from_sql("2026-12-01 10:00:00")};
    page.cluster.created_at = from_sql("2026-11-30 10:00:00");
    page.cluster.expires_at = from_sql("2026-12-03 10:00:30");
    const auto choices = [&] {
        std::string text;
        const auto json = to_json(page);
        for (const auto& one : json.at("choices")) {
            text += one.at("label").get<std::string>() + ' ' + one.at("value").get<std::string>() +
                    ' ' + one.at("until").get<std::string>() + '\n';
        }
        return text;
    };
    BOOST_TEST(choices() ==
               "1 day longer 2026-12-04T10:00 until 2026-12-04 10:00\n"
               "7 days longer 2026-12-10T10:00 until 2026-12-10 10:00\n"
               "30 days longer 2027-01-02T10:00 until 2027-01-02 10:00\n"
               "No expiry never until somebody deletes it\n");

    auto& lease = page.cluster.snapshot.cluster_template.lease;
    lease.max = std::chrono::hours{240};
    lease.step = std::chrono::hours{48};
    BOOST_TEST(choices() ==
               "1 day longer 2026-12-04T10:00 until 2026-12-04 10:00\n"
               "2 days longer 2026-12-05T10:00 until 2026-12-05 10:00\n");
    const auto hint = to_json(page).at("fields")[0].at("hint").get<std::string>();
    BOOST_TEST(hint.ends_with("The latest end now is 2026-12-05 10:00:30 UTC."));

    lease.step = std::chrono::milliseconds::max();
    BOOST_TEST(choices() ==
               "1 day longer 2026-12-04T10:00 until 2026-12-04 10:00\n"
               "As long as allowed 2026-12-10T10:00 until 2026-12-10 10:00\n");

    // What ended long ago is extended from its end, but never to a moment that is over.
    page.cluster.expires_at = from_sql("2026-11-20 10:00:00");
    lease.max = std::chrono::hours{30};
    BOOST_TEST(choices() == "As long as allowed 2026-12-01T16:00 until 2026-12-01 16:00\n");
    lease.max = std::chrono::hours{1};
    BOOST_TEST(choices() == "");
    BOOST_TEST(to_json(page).at("has_choices") == false);
}

BOOST_AUTO_TEST_CASE(ends_for_a_cluster_without_one_say_that_they_delete_it) {
    LeasePage page{.now = provisioner::base::from_sql("2026-12-01 10:00:00")};
    page.cluster.created_at = page.now;

    const auto json = to_json(page);

    BOOST_TEST(json.at("has_end") == false);
    BOOST_REQUIRE(json.at("choices").size() == 3U);
    BOOST_TEST(json.at("choices")[0].at("label") == "Delete in 1 day");
    BOOST_TEST(json.at("choices")[0].at("until") == "on 2026-12-02 10:00");
}
