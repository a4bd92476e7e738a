#include "provisioner/base/utf8.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

using provisioner::base::has_control;
using provisioner::base::has_direction;
using provisioner::base::is_utf8;
using provisioner::base::printable;
using provisioner::base::to_utf8;
using provisioner::base::utf8_length;
using provisioner::base::utf8_prefix;
using provisioner::base::utf8_suffix;

BOOST_AUTO_TEST_CASE(characters_of_one_to_four_bytes_are_utf8) {
    BOOST_TEST(is_utf8(""));
    BOOST_TEST(is_utf8("plain"));
    BOOST_TEST(is_utf8("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8D\xBA"));
    BOOST_TEST(is_utf8("\xED\x9F\xBF \xF4\x8F\xBF\xBF"));
}

BOOST_AUTO_TEST_CASE(what_rfc_3629_forbids_is_not_utf8) {
    for (const char* bytes :
         {"caf\xE9", "\xFF", "\x80", "\xC3", "\xC3(", "\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80",
          "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "cut \xE2\x82"}) {
        BOOST_TEST(!is_utf8(bytes), bytes);
    }
}

BOOST_AUTO_TEST_CASE(each_byte_of_no_character_is_replaced_and_the_rest_kept) {
    BOOST_TEST(to_utf8("caf\xE9 au lait") == "caf\xEF\xBF\xBD au lait");
    BOOST_TEST(to_utf8("\xE2\x82x") == "\xEF\xBF\xBD\xEF\xBF\xBDx");
    BOOST_TEST(to_utf8("\xE2\x82\xAC") == "\xE2\x82\xAC");
}

BOOST_AUTO_TEST_CASE(any_bytes_become_utf8_of_at_most_three_times_the_size) {
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round) {
        std::string bytes(random() % 40, '\0');
        for (char& c : bytes) c = static_cast<char>(random());

        const std::string text = to_utf8(bytes);

        BOOST_TEST(is_utf8(text));
        BOOST_TEST(text.size() <= 3 * bytes.size());
        if (is_utf8(bytes)) BOOST_TEST(text == bytes);
    }
}

BOOST_AUTO_TEST_CASE(a_length_counts_characters) {
    BOOST_TEST(utf8_length("") == 0U);
    BOOST_TEST(utf8_length("abc") == 3U);
    BOOST_TEST(utf8_length("a\xE2\x82\xAC\xC3\xBC\xF0\x9F\x98\x80") == 4U);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_seen_is_shown_by_its_bytes_and_long_texts_are_cut) {
    BOOST_TEST(printable("https://id.example/ \xC3\xA9", 100) == "https://id.example/ \xC3\xA9");
    BOOST_TEST(printable("a\nb\x7F\xFF", 100) == "a\\x0ab\\x7f\\xff");
    BOOST_TEST(printable("\xC2\x85\xE2\x80\xAE", 100) == "\\xc2\\x85\\xe2\\x80\\xae");
    BOOST_TEST(printable("", 5) == "");
    BOOST_TEST(printable("abcde", 5) == "abcde");
    BOOST_TEST(printable("abcdef", 5) == "abcde…");
    BOOST_TEST(printable("abcd\n", 5) == "abcd…");
}

BOOST_AUTO_TEST_CASE(a_prefix_ends_between_characters) {
    BOOST_TEST(utf8_prefix("a\xE2\x82\xAC", 4) == "a\xE2\x82\xAC");
    BOOST_TEST(utf8_prefix("a\xE2\x82\xAC", 3) == "a");
    BOOST_TEST(utf8_prefix("\xE2\x82\xAC", 2) == "");
}

BOOST_AUTO_TEST_CASE(a_suffix_begins_between_characters) {
    BOOST_TEST(utf8_suffix("\xE2\x82\xAC"
                           "a",
                           4) ==
               "\xE2\x82\xAC"
               "a");
    BOOST_TEST(utf8_suffix("\xE2\x82\xAC"
                           "a",
                           3) == "a");
    BOOST_TEST(utf8_suffix("\xE2\x82\xAC", 2) == "");
}

BOOST_AUTO_TEST_CASE(control_characters_are_found_and_their_neighbours_are_not) {
    for (const std::string control :
         {"\n", "\t", "\x1F", "\x7F", "\xC2\x80", "\xC2\x85", "\xC2\x9F"}) {
        BOOST_TEST(has_control("a" + control + "b"), control);
        BOOST_TEST(has_control(control), control);
    }
    BOOST_TEST(has_control(std::string(1, '\0')));
    // Among them U+00A0, and characters whose last byte alone would be a control character.
    for (const std::string other : {"", " ", "~", "\xC2\xA0", "\xC3\x80", "\xE2\x82\x85"}) {
        BOOST_TEST(!has_control(other), other);
    }
}

BOOST_AUTO_TEST_CASE(characters_that_turn_text_around_are_found_and_their_neighbours_are_not) {
    for (const std::string mark : {"\u200E", "\u200F", "\u202A", "\u202E", "\u2066", "\u2069"}) {
        BOOST_TEST(has_direction("a" + mark), mark);
        BOOST_TEST(has_direction("\u20AC" + mark + "b"), mark);
    }
    for (const std::string other :
         {"", "\u200D", "\u2010", "\u2029", "\u202F", "\u2065", "\u206A", "\u05D0"}) {
        BOOST_TEST(!has_direction(other), other);
    }
    BOOST_TEST(!has_direction("\xE2\x80"));
}
