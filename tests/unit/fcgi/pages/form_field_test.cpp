#include "fcgi/pages/form_field.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(form_field)

BOOST_AUTO_TEST_CASE(names_are_typed_in_lines_or_with_commas) {
    BOOST_TEST(fcgi::pages::names_in(" ada, grace\r\n\nlinus ,") ==
                   (std::vector<std::string>{"ada", "grace", "linus"}),
               boost::test_tools::per_element());
    BOOST_TEST(fcgi::pages::names_in(" , \n").empty());
}

BOOST_AUTO_TEST_CASE(problems_are_listed_in_the_order_of_the_form) {
    const auto json = fcgi::pages::problems_json(
        "Check", {{"", "The quota is used up."}, {"size", "Too many."}, {"name", "Too long."}},
        {{"name", "input-name", "Name"}, {"size", "input-size", "Size"}});
    BOOST_TEST(json.at("problems")[0].at("message") == "Too long.");
    BOOST_TEST(json.at("problems")[1].at("message") == "Too many.");
    BOOST_TEST(json.at("problems")[2].at("message") == "The quota is used up.");
}

BOOST_AUTO_TEST_SUITE_END()
