#include "provisioner/daemon/tasks/tail.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::daemon::Tail;

// Source: the wire contract's own cases, with a limit of 8.
BOOST_AUTO_TEST_CASE(a_longer_text_keeps_its_end_after_a_mark) {
    Tail tail(8);

    tail.add("12345");
    tail.add("67890");

    BOOST_TEST(tail.text() == "[snipped]34567890");
}

BOOST_AUTO_TEST_CASE(a_text_within_the_limit_is_unchanged) {
    Tail tail(10);

    tail.add("1234567890");

    BOOST_TEST(tail.text() == "1234567890");
}

BOOST_AUTO_TEST_CASE(a_character_of_several_bytes_is_not_cut_in_two) {
    Tail tail(4);

    tail.add(
        "ab\xC3\xBC"
        "cde");

    BOOST_TEST(tail.text() == "[snipped]cde");
}

BOOST_AUTO_TEST_CASE(the_last_line_is_the_last_that_is_not_blank) {
    Tail tail;

    tail.add("first\nE: unable to locate\n\n  \n");

    BOOST_TEST(tail.last_line() == "E: unable to locate");
    BOOST_TEST(Tail().last_line() == "");
}
