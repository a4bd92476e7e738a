#include "provisioner/store/database/columns.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::store::fitting_text;

BOOST_AUTO_TEST_CASE(a_text_that_fits_its_column_stays_as_it_is) {
    const std::string longest(65535, 'x');

    BOOST_TEST(fitting_text("") == "");
    BOOST_TEST(fitting_text(longest) == longest);
}

BOOST_AUTO_TEST_CASE(a_longer_text_is_cut_between_characters) {
    const std::string barrel = "\xF0\x9F\x9B\xA2";

    BOOST_TEST(fitting_text(std::string(65536, 'x')).size() == 65535U);
    BOOST_TEST(fitting_text(std::string(65532, 'x') + barrel).size() == 65532U);
    BOOST_TEST(fitting_text(std::string(65531, 'x') + barrel + "x").size() == 65535U);
}
