#include "provisioner/base/secret.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

using provisioner::base::Secret;

BOOST_AUTO_TEST_CASE(a_secret_does_not_print_itself) {
    std::ostringstream out;

    out << Secret("hunter2");

    BOOST_TEST(out.str() == "[secret]");
}

BOOST_AUTO_TEST_CASE(a_secret_is_told_when_it_is_asked_for) {
    BOOST_TEST(Secret("hunter2").reveal() == "hunter2");
    BOOST_TEST(Secret().empty());
    BOOST_TEST((Secret("a") == Secret("a")));
    BOOST_TEST(!(Secret("a") == Secret("b")));
}
