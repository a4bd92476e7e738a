#include "provisioner/base/clock.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

using namespace provisioner::base;

namespace {

Timestamp at(std::int64_t micros) {
    return Timestamp{std::chrono::microseconds{micros}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_moment_is_written_as_the_database_and_the_log_want_it) {
    const Timestamp moment = at(1795217282123456);

    BOOST_TEST(to_sql(moment) == "2026-11-20 23:28:02.123456");
    BOOST_TEST(to_rfc3339(moment) == "2026-11-20T23:28:02.123456Z");
    BOOST_TEST(to_sql(at(0)) == "1970-01-01 00:00:00.000000");
}

BOOST_AUTO_TEST_CASE(a_moment_before_1970_keeps_a_positive_fraction) {
    BOOST_TEST(to_sql(at(-1)) == "1969-12-31 23:59:59.999999");
    BOOST_TEST(to_millis(at(-1)) == -1);
}

BOOST_AUTO_TEST_CASE(the_last_moment_of_the_database_is_written_as_it_is) {
    BOOST_TEST(to_sql(at(253402300799999999)) == "9999-12-31 23:59:59.999999");
}

BOOST_AUTO_TEST_CASE(what_was_written_can_be_read) {
    for (const std::int64_t micros :
         {0LL, 1LL, -1LL, 1795217282123456LL, 4102444800000000LL, 253402300799999999LL}) {
        BOOST_TEST((from_sql(to_sql(at(micros))) == at(micros)), micros);
    }
}

BOOST_AUTO_TEST_CASE(a_fraction_may_be_short_or_missing) {
    BOOST_TEST((from_sql("2026-11-20 23:28:02") == at(1795217282000000)));
    BOOST_TEST((from_sql("2026-11-20 23:28:02.5") == at(1795217282500000)));
    BOOST_TEST((from_sql("2026-11-20 23:28:02.000001") == at(1795217282000001)));
}

BOOST_AUTO_TEST_CASE(anything_else_is_no_moment) {
    for (const char* text :
         {"", "now", "2026-11-20", "2026-11-20 23:28", "2026-11-20 23:28:02.",
          "2026-11-20 23:28:02x", "2026-11-20 23:28:02.12x", "2026-11-20 23:28:02.1234567",
          "2026-11-20 23:28:02 UTC", " 2026-11-20 23:28:02", "2026-11- 2 23:28:02",
          "2026-1-20 23:28:02", "-026-11-20 23:28:02", "2026-11-20T23:28:02"}) {
        BOOST_CHECK_THROW(from_sql(text), std::invalid_argument);
    }
}

BOOST_AUTO_TEST_CASE(a_moment_that_does_not_exist_cannot_be_read) {
    for (const char* text : {"2026-13-01 00:00:00", "2026-00-01 00:00:00", "2026-02-31 00:00:00",
                             "2026-02-29 00:00:00", "2026-11-00 00:00:00", "2026-11-20 24:00:00",
                             "2026-11-20 23:60:00", "2026-11-20 23:28:60", "2026-11-20 23:99:00"}) {
        BOOST_CHECK_THROW(from_sql(text), std::invalid_argument);
    }
    BOOST_TEST(to_sql(from_sql("2028-02-29 23:59:59")) == "2028-02-29 23:59:59.000000");
}

BOOST_AUTO_TEST_CASE(milliseconds_are_those_since_1970) {
    BOOST_TEST(to_millis(at(1795217282123456)) == 1795217282123);
    BOOST_TEST((from_millis(1795217282123) == at(1795217282123000)));
}
