#include "fcgi/pages/clusters/jobs/retries.hpp"

#include <boost/test/unit_test.hpp>

using fcgi::pages::changed_values;
using Words = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(retries_of_jobs)

BOOST_AUTO_TEST_CASE(what_a_configuration_changed_is_said_value_by_value) {
    BOOST_TEST((changed_values(R"({"config":{"web":{"port":80},"old":1}})",
                               R"({"config":{"web":{"port":81},"new":"a b"},"restart":true})") ==
                Words{"old removed", "web.port from 80 to 81", "new set to a b"}));
}

BOOST_AUTO_TEST_CASE(a_value_that_sounds_secret_is_not_said) {
    BOOST_TEST((changed_values(R"({"config":{"db":{"password":"one"}}})",
                               R"({"config":{"db":{"password":"two"}}})") == Words{"db.password"}));
}

BOOST_AUTO_TEST_CASE(nothing_is_said_of_a_document_that_the_log_left_out) {
    const std::string whole = R"({"config":{"web":{"port":80}}})";
    const std::string omitted = R"({"omitted":"too large","bytes":70000,"sha256":"00"})";
    BOOST_TEST((changed_values(whole, omitted) == Words{}));
    BOOST_TEST((changed_values(omitted, whole) == Words{}));
    BOOST_TEST((changed_values(whole, "") == Words{}));
}

BOOST_AUTO_TEST_SUITE_END()
