#include "provisioner/operations/clusters/preview.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/builders.hpp"

using namespace provisioner;
using operations::sizes_near;

BOOST_AUTO_TEST_SUITE(previews)

namespace {

std::string near(int machines, operations::SizeRange allowed) {
    std::string text;
    for (const int size : sizes_near(machines, allowed)) text += std::to_string(size) + ' ';
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(sizes_around_the_wanted_one_stay_within_what_is_allowed) {
    BOOST_TEST(near(10, {1, 20}) == "8 9 10 11 12 13 ");
    BOOST_TEST(near(2, {1, 20}) == "1 2 3 4 5 ");
    BOOST_TEST(near(19, {1, 20}) == "17 18 19 20 ");
    BOOST_TEST(near(4, {4, 4}) == "4 ");
}

BOOST_AUTO_TEST_CASE(sizes_around_a_large_one_are_round_and_far_enough_apart_to_matter) {
    BOOST_TEST(near(20, {1, 300}) == "16 18 20 22 24 26 ");
    BOOST_TEST(near(150, {3, 300}) == "130 140 150 160 170 180 ");
    BOOST_TEST(near(137, {3, 155}) == "120 130 137 140 150 ");
    BOOST_TEST(near(10'000, {1, model::no_maximum}) == "8000 9000 10000 11000 12000 13000 ");
    BOOST_TEST(near(model::no_maximum, {1, model::no_maximum}) ==
               "1800000000 2000000000 2147483647 ");
}

BOOST_AUTO_TEST_CASE(a_service_lacks_what_no_machine_of_the_layout_has) {
    auto app = tests::a_service("app");
    app.dependencies.install.required = {"db"};
    app.dependencies.runtime.required = {"sql", "db"};
    app.dependencies.runtime.used = {"cache"};
    auto db = tests::a_service("db");
    db.dependencies.provides = {"sql"};
    const auto lacking = [&](const std::vector<std::string>& placed) {
        solver::ClusterLayout layout;
        layout.groups.emplace_back();
        layout.groups.back().services = placed;
        std::string text;
        for (const auto& one : operations::lacking_services({app, db}, layout)) {
            text += one.service + " needs " + one.needs + "; ";
        }
        return text;
    };

    BOOST_TEST(lacking({"app"}) == "app needs db; app needs sql; ");
    BOOST_TEST(lacking({"app", "db"}) == "");
    BOOST_TEST(lacking({"db"}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
