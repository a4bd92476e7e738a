#include "provisioner/daemon/tasks/pattern.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::daemon::Pattern;

BOOST_AUTO_TEST_SUITE(pattern)

BOOST_AUTO_TEST_CASE(it_is_found_where_it_is_found_by_looking_at_every_place) {
    for (const std::string text : {"", "a", "ab", "aab", "abab", "aaaa", "abaabab", "xyz"}) {
        const Pattern pattern(text);
        for (const std::string in :
             {"", "a", "aabaabab", "aaaaaaa", "ababab", "xxyxyzxyz", "abaabaabab"}) {
            for (std::size_t from = 0; from <= in.size(); ++from) {
                const auto wanted = text.empty() ? std::string::npos : in.find(text, from);
                BOOST_TEST(pattern.find_in(in, from) == wanted,
                           text << " in " << in << " from " << from);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(what_a_text_ends_with_is_known_byte_by_byte) {
    const Pattern pattern("abaab");
    std::string seen;
    std::size_t begun = 0;
    for (const char next : std::string("xababaabaabaxabaabb")) {
        seen += next;
        begun = pattern.after(begun, next);
        std::size_t longest = 0;
        for (std::size_t size = 1; size <= pattern.text().size(); ++size) {
            if (seen.ends_with(pattern.text().substr(0, size))) longest = size;
        }
        BOOST_TEST(begun == longest, seen);
    }
    BOOST_TEST(pattern.end_of_whole() == 2U);
    BOOST_TEST(Pattern("abc").end_of_whole() == 0U);
    BOOST_TEST(Pattern("").end_of_whole() == 0U);
}

BOOST_AUTO_TEST_CASE(all_places_are_listed_overlapping_ones_too) {
    std::vector<std::pair<std::size_t, std::size_t>> places;
    Pattern("aba").add_all_in("ababaxaba", places);
    BOOST_TEST(places.size() == 3U);
    BOOST_TEST((places[1] == std::pair<std::size_t, std::size_t>{2, 5}));
}

BOOST_AUTO_TEST_SUITE_END()
