#include <boost/test/unit_test.hpp>

#include "fcgi/pages/clusters/question_page.hpp"
#include "fcgi/pages/clusters/settings_page.hpp"

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
    LeasePage page;
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

BOOST_AUTO_TEST_CASE(a_question_about_one_service_names_it_and_its_machines) {
    Node with;
    with.hostname = "shop-1000";
    with.services = {"cache"};
    Node without;
    without.hostname = "shop-1001";
    QuestionPage page{.question = Question::stop_services,
                      .cluster = {},
                      .nodes = {with, without},
                      .service = "cache"};
    page.cluster.name = "shop";

    const auto json = to_json(page);

    BOOST_TEST(json.at("heading") == "Stop cache of shop?");
    BOOST_TEST(json.at("button") == "Stop cache");
    BOOST_TEST(json.at("action") == "/clusters/00000000/services/stop");
    BOOST_TEST(json.at("hosts").dump() == R"([{"host":"shop-1000"}])");
    page.service.clear();
    BOOST_TEST(to_json(page).at("heading") == "Stop all services of shop?");
    BOOST_TEST(to_json(page).at("hosts").size() == 2U);
}
