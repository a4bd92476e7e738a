#include "provisioner/daemon/claims/database_contact.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;
using provisioner::daemon::DatabaseContact;

BOOST_AUTO_TEST_SUITE(database_contact)

namespace {

const DatabaseContact::Moment start{1h};

}  // namespace

BOOST_AUTO_TEST_CASE(there_is_none_before_the_first_answer) {
    DatabaseContact contact;

    BOOST_TEST(!contact.has_lasted(0s, start));
    contact.answered(start, start + 1ms);
    BOOST_TEST(contact.has_lasted(0s, start + 1ms));
}

BOOST_AUTO_TEST_CASE(it_lasts_since_the_first_of_quick_answers) {
    DatabaseContact contact;
    for (const auto at : {0s, 4s, 8s, 12s}) contact.answered(start + at, start + at + 5ms);

    BOOST_TEST(!contact.has_lasted(15s, start + 14s));
    BOOST_TEST(contact.has_lasted(15s, start + 16s));
}

BOOST_AUTO_TEST_CASE(a_failure_ends_it) {
    DatabaseContact contact;
    contact.answered(start, start);
    contact.failed();

    BOOST_TEST(!contact.has_lasted(0s, start + 20s));
    contact.answered(start + 30s, start + 30s);
    BOOST_TEST(!contact.has_lasted(15s, start + 40s));
    BOOST_TEST(contact.has_lasted(15s, start + 45s));
}

BOOST_AUTO_TEST_CASE(an_answer_that_took_long_is_the_first_after_a_break) {
    DatabaseContact contact;
    contact.answered(start, start);
    contact.answered(start + 4s, start + 94s);

    BOOST_TEST(!contact.has_lasted(15s, start + 100s));
    BOOST_TEST(contact.has_lasted(15s, start + 109s));
}

BOOST_AUTO_TEST_SUITE_END()
