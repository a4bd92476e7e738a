#include "provisioner/planner/circles.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/builders.hpp"
#include "tests/unit/provisioner/planner/cases.hpp"

using namespace provisioner::model;
using namespace provisioner::planner;
using namespace tests;

BOOST_AUTO_TEST_SUITE(circles_when_saved)

namespace {

const std::vector<Action> startable{Action::start};
const std::vector<Action> stoppable{Action::stop};

std::string told(const std::vector<Service>& services, const std::string& through = "") {
    return provisioner::base::to_text(circles_among(services, through));
}

Service providing(Service service, const std::string& name) {
    service.dependencies.provides = {name};
    return service;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_circle_is_told_once_with_the_names_on_its_way) {
    BOOST_TEST(told({needing(a_service("a", startable), {"b"}), needing(a_service("b"), {"c"}),
                     needing(a_service("c", startable), {"a"})}) ==
               "services: a needs b, b needs c and c needs a: a circle of runtime dependencies "
               "leaves no order to work in");
}

BOOST_AUTO_TEST_CASE(a_circle_that_shows_only_when_services_are_stopped_is_one_too) {
    BOOST_TEST(!told({needing(a_service("a", stoppable), {"b"}),
                      needing(a_service("b", stoppable), {"a"})})
                    .empty());
}

BOOST_AUTO_TEST_CASE(a_circle_may_lead_through_what_a_service_provides) {
    BOOST_TEST(told({needing(a_service("shop", startable), {"sql"}),
                     providing(needing(a_service("db", startable), {"shop"}), "sql")},
                    "db") ==
               "services: db needs shop and shop needs db: a circle of runtime "
               "dependencies leaves no order to work in");
}

BOOST_AUTO_TEST_CASE(services_that_are_not_there_yet_close_no_circle) {
    BOOST_TEST(told({needing(a_service("a", startable), {"b"})}, "a").empty());
    BOOST_TEST(told({}).empty());
}

BOOST_AUTO_TEST_CASE(the_circles_of_others_are_not_told_to_who_saves_another_service) {
    const std::vector<Service> services{needing(a_service("a", startable), {"b"}),
                                        needing(a_service("b", startable), {"a"}),
                                        needing(a_service("c", startable), {"a"})};

    BOOST_TEST(told(services, "c").empty());
    BOOST_TEST(!told(services, "b").empty());
}

BOOST_AUTO_TEST_CASE(each_service_of_a_circle_knows_it_and_no_other_one) {
    const auto circles = circles_by_service(
        {needing(a_service("a", startable), {"b"}), needing(a_service("b", startable), {"a"}),
         needing(a_service("c", startable), {"a"}), needing(a_service("x", startable), {"y"}),
         needing(a_service("y", startable), {"x"})});

    BOOST_REQUIRE(circles.size() == 4U);
    BOOST_TEST(circles.at("a") == circles.at("b"));
    BOOST_TEST(circles.at("a").size() == 1U);
    BOOST_TEST((circles.at("x").front().message.starts_with("x needs y and y needs x")));
}

BOOST_AUTO_TEST_SUITE_END()
