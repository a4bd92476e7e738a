#include "fcgi/pages/clusters/list_page.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::pages;
using provisioner::model::ClusterStatus;

BOOST_AUTO_TEST_SUITE(cluster_list)

BOOST_AUTO_TEST_CASE(every_state_is_in_a_choice_and_another_word_is_the_first_one) {
    std::size_t states = 0;
    for (const ClusterChoice& choice : cluster_choices()) {
        BOOST_TEST(cluster_choice(choice.word).word == choice.word);
        if (!choice.word.empty()) states += choice.statuses.size();
    }

    BOOST_TEST(states == 5U);
    BOOST_TEST(cluster_choice("nonsense").word == "");
    BOOST_TEST(std::ranges::count(cluster_choice("").statuses, ClusterStatus::terminated) == 0);
}

BOOST_AUTO_TEST_CASE(an_empty_list_says_what_it_is_empty_of) {
    const auto title = [](const std::string& choice) {
        return to_json(ClustersPage{.choice = choice}).at("empty_title").get<std::string>();
    };

    BOOST_TEST(title("") == "No current clusters");
    BOOST_TEST(title("failing") == "No clusters with problems");
    BOOST_TEST(title("terminated") == "No terminated clusters");
}

BOOST_AUTO_TEST_CASE(older_clusters_of_a_choice_stay_in_it) {
    ClustersPage page{.choice = "failing", .is_last = false};
    page.clusters.emplace_back().id = provisioner::model::ClusterId{42};

    BOOST_TEST(to_json(page).at("older") == "/clusters?status=failing&before=00000042");
    page.choice = "";
    BOOST_TEST(to_json(page).at("older") == "/clusters?before=00000042");
}

BOOST_AUTO_TEST_SUITE_END()
