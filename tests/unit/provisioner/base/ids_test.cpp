#include "provisioner/base/ids.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

using namespace provisioner::base;

BOOST_AUTO_TEST_CASE(numbers_are_padded_and_grow_when_they_must) {
    BOOST_TEST(padded(1, 8) == "00000001");
    BOOST_TEST(padded(12345678, 8) == "12345678");
    BOOST_TEST(padded(123456789, 8) == "123456789");
    BOOST_TEST(padded(0, 3) == "000");
}

BOOST_AUTO_TEST_CASE(a_number_is_read_whole_or_not_at_all) {
    BOOST_TEST(parse_number("0").value_or(-1) == 0);
    BOOST_TEST(parse_number("00000014").value_or(-1) == 14);
    BOOST_TEST(parse_number("9223372036854775807").value_or(-1) == 9223372036854775807LL);
    for (const char* text :
         {"", "abc", "1x", " 1", "1 ", "-1", "-0", "+1", "1.0", "9223372036854775808"}) {
        BOOST_TEST(!parse_number(text).has_value(), text);
    }
}

BOOST_AUTO_TEST_CASE(ids_of_one_kind_are_ordered_and_hashed_by_their_value) {
    using RowId = Id<struct RowTag>;

    BOOST_TEST((RowId{1} < RowId{2}));
    BOOST_TEST((RowId{} == RowId{0}));
    BOOST_TEST(std::hash<RowId>{}(RowId{7}) == std::hash<std::int64_t>{}(7));
}

BOOST_AUTO_TEST_CASE(a_uuid_is_of_version_four) {
    const std::string uuid = random_uuid();

    BOOST_REQUIRE(uuid.size() == 36U);
    BOOST_TEST(uuid[8] == '-');
    BOOST_TEST(uuid[13] == '-');
    BOOST_TEST(uuid[14] == '4');
    BOOST_TEST(std::string("89ab").find(uuid[19]) != std::string::npos);
    BOOST_TEST(uuid.find_first_not_of("0123456789abcdef-") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(random_texts_differ) {
    std::set<std::string> seen;
    for (int i = 0; i < 100; ++i) seen.insert(random_hex(16));

    BOOST_TEST(seen.size() == 100U);
    BOOST_TEST(seen.begin()->size() == 32U);
    BOOST_TEST(random_hex(0).empty());
}
