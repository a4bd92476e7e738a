#include "provisioner/solver/layout/placements.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

using namespace provisioner::solver;

BOOST_AUTO_TEST_SUITE(placements)

namespace {

std::string sequence(const std::vector<long>& sizes, long most, long least) {
    std::string text;
    for (Placements ways(sizes, most, least); !ways.ended(); ways.advance()) {
        if (!text.empty()) text += " ";
        for (const long count : ways.counts()) text += std::to_string(count);
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_group_is_tried_with_ever_fewer_nodes) {
    BOOST_TEST(sequence({1}, 50, 1) == "1");
    BOOST_TEST(sequence({5}, 50, 1) == "5 4 3 2 1");
}

BOOST_AUTO_TEST_CASE(the_most_nodes_come_first_and_preferred_groups_are_filled_first) {
    BOOST_TEST(sequence({3, 1, 2}, 99, 4) == "312 311 302 212 310 301 211 202 112");
}

BOOST_AUTO_TEST_CASE(bounds_cut_both_ends) {
    BOOST_TEST(sequence({3, 2}, 2, 2) == "20 11 02");
    BOOST_TEST(sequence({1, 1}, 9, 3) == "");
    BOOST_TEST(sequence({}, 9, 1) == "");
    BOOST_TEST(sequence({2}, 1, -3) == "1");
    BOOST_TEST(sequence({2}, 0, 0) == "");
}

BOOST_AUTO_TEST_SUITE_END()
