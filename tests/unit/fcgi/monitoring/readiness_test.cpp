#include "fcgi/monitoring/readiness.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::monitoring;

BOOST_AUTO_TEST_SUITE(readiness)

BOOST_AUTO_TEST_CASE(what_is_wrong_is_said_without_numbers) {
    const Readiness well;
    const Readiness ill{.database = "does not answer", .schema = "not known"};

    BOOST_TEST(to_json(well).dump() ==
               R"({"ready":true,"checks":{"database":"ok","schema":"ok","views":"ok"}})");
    BOOST_TEST(
        to_json(ill).dump() ==
        R"({"ready":false,"checks":{"database":"does not answer","schema":"not known","views":"ok"}})");
    BOOST_TEST(!Readiness{.views = "not loaded"}.is_ready());
}

BOOST_AUTO_TEST_CASE(only_the_schema_that_the_program_was_built_for_will_do) {
    BOOST_TEST(schema_problem(21, 21).empty());
    BOOST_TEST(schema_problem(20, 21) == "older than this program");
    BOOST_TEST(schema_problem(22, 21) == "newer than this program");
    BOOST_TEST(schema_problem(std::nullopt, 21) == "no migration was applied");
}

BOOST_AUTO_TEST_SUITE_END()
