#include "fcgi/pages/form_field.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(form_field)

BOOST_AUTO_TEST_CASE(names_are_typed_in_lines_or_with_commas) {
    BOOST_TEST(fcgi::pages::names_in(" ada, grace\r\n\nlinus ,") ==
                   (std::vector<std::string>{"ada", "grace", "linus"}),
               boost::test_tools::per_element());
    BOOST_TEST(fcgi::pages::names_in(" , \n").empty());
}

BOOST_AUTO_TEST_SUITE_END()
