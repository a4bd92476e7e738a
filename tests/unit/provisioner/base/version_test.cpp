#include "provisioner/base/version.hpp"

#include <boost/test/unit_test.hpp>
#include <regex>
#include <string>

BOOST_AUTO_TEST_SUITE(version)

BOOST_AUTO_TEST_CASE(the_version_is_three_numbers_and_the_schema_that_of_a_migration) {
    const std::string version(provisioner::base::version());

    BOOST_TEST(std::regex_match(version, std::regex(R"(\d+\.\d+\.\d+)")), version);
    BOOST_TEST(provisioner::base::schema_version() >= 21);
}

BOOST_AUTO_TEST_SUITE_END()
