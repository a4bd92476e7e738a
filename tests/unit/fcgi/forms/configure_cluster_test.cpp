#include "fcgi/forms/configure_cluster.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/http/json_body.hpp"

using namespace fcgi;
using provisioner::base::Json;

BOOST_AUTO_TEST_SUITE(configure_cluster)

namespace {

/// "field: message; field: message", or "none".
std::string problems_of(const std::string& body) {
    const auto form = forms::configure_cluster(http::read_json(body).value());
    return form ? "none" : provisioner::base::to_text(form.error());
}

provisioner::operations::ConfigureCluster wanted(const std::string& body) {
    return forms::configure_cluster(http::read_json(body).value()).value();
}

}  // namespace

BOOST_AUTO_TEST_CASE(services_are_restarted_unless_somebody_says_not_to) {
    BOOST_TEST(wanted(R"({"config":{}})").restart == true);
    BOOST_TEST(wanted(R"({"config":{},"restart":"false"})").restart == false);
    BOOST_TEST(wanted(R"({"config":{},"restart":true})").restart == true);
}

BOOST_AUTO_TEST_CASE(the_configuration_is_taken_as_it_is) {
    BOOST_TEST(wanted(R"({"config":{"web":{"port":8080.50}}})").config.dump() ==
               R"({"web":{"port":8080.5}})");
}

BOOST_AUTO_TEST_CASE(a_body_without_a_configuration_is_a_problem_of_that_member) {
    BOOST_TEST(problems_of("{}") == "config: must be given");
    BOOST_TEST(problems_of(R"({"config":"x"})") == "config: must be an object");
    BOOST_TEST(problems_of(R"({"config":{},"providerFields":[]})") ==
               "providerFields: must be an object");
}

BOOST_AUTO_TEST_SUITE_END()
