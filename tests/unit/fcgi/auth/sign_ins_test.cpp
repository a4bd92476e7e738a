#include "fcgi/auth/sign_ins.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(sign_ins)

using fcgi::auth::name_to_record;

BOOST_AUTO_TEST_CASE(a_name_that_was_tried_is_recorded) {
    for (const char* name :
         {"ada", "s4-boss", "ada.love", "root", "user01", "ada@lab.example.com"}) {
        BOOST_TEST(name_to_record(name) == name);
    }
    BOOST_TEST(name_to_record("administrator") == "adm…");
}

BOOST_AUTO_TEST_CASE(what_may_be_a_password_in_the_field_of_the_name_is_not_recorded) {
    for (const char* typed : {"", "Summer2026", "abc12345", "correct horse", "p@ss", "pass!",
                              "1234", "Tr0ub4dor&3", "ada@lab", "ada@lab.example.com@x", "-rf",
                              "ada.", "<b>ada</b>", "d\xc3\xa4tlef", "ada\nroot"}) {
        BOOST_TEST(name_to_record(typed) == "unknown", typed);
    }
    BOOST_TEST(name_to_record("correcthorsebatterystaple") == "cor…");
}

BOOST_AUTO_TEST_SUITE_END()
