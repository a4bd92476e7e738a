#include "provisioner/solver/layout/count_vectors.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>

using namespace provisioner::solver;

BOOST_AUTO_TEST_SUITE(count_vectors)

namespace {

constexpr long none = 1'000'000;

// One digit a slot, as the tables of the specification write it.
std::string drawn(const CountVectors& vectors) {
    std::string text;
    for (const long count : vectors.counts()) text += std::to_string(count);
    return text;
}

std::string sequence(const std::vector<long>& start, const std::vector<long>& maxima) {
    std::string text;
    for (CountVectors vectors(start, maxima); !vectors.ended(); vectors.advance()) {
        text += (text.empty() ? "" : " ") + drawn(vectors);
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(vectors_come_in_falling_lexicographic_order) {
    struct Row {
        std::vector<long> start;
        std::vector<long> maxima;
        std::string expected;
    };
    const std::vector<Row> table{
        {all_in_first_slot(2, 4), {none, none}, "40 31 22 13 04"},
        {all_in_first_slot(3, 3), {none, none, none}, "300 210 201 120 111 102 030 021 012 003"},
        {all_in_first_slot(3, 3), {5, 1, 5}, "300 210 201 111 102 012 003"},
        {all_in_first_slot(5, 2), {0, 2, 1, 0, 0}, "02000 01100"},
        {all_in_first_slot(4, 5), {100, 1, 2, 0}, "5000 4100 4010 3110 3020 2120"},
        {{3, 1, 1, 0}, {100, 1, 2, 0}, "3110 3020 2120"},
        {{5, 0}, {1, 5}, "14 05"},
        {all_in_first_slot(6, 3),
         {1, 1, 1, 1, 1, 1},
         "111000 110100 110010 110001 101100 101010 101001 100110 100101 100011 "
         "011100 011010 011001 010110 010101 010011 001110 001101 001011 000111"},
        {all_in_first_slot(1, 3), {3}, "3"},
        {all_in_first_slot(2, 3), {1, 1}, ""},
    };

    for (const auto& row : table) {
        BOOST_TEST(sequence(row.start, row.maxima) == row.expected);
    }
}

BOOST_AUTO_TEST_CASE(slots_and_items_are_needed) {
    BOOST_CHECK_THROW(CountVectors({}, {}), std::invalid_argument);
    BOOST_CHECK_THROW(CountVectors({0, 0}, {1, 1}), std::invalid_argument);
    BOOST_CHECK_THROW(CountVectors({1, 0}, {1}), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
