#include "provisioner/identity/signature.hpp"

#include <boost/test/unit_test.hpp>

using provisioner::base::Secret;
using provisioner::identity::signature;

// Source: RFC 4231, test cases 2 and 6 (a key longer than a block).
BOOST_AUTO_TEST_CASE(signatures_are_those_of_the_standard) {
    BOOST_TEST(signature(Secret("Jefe"), "what do ya want for nothing?") ==
               "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    BOOST_TEST(signature(Secret(std::string(131, '\xaa')),
                         "Test Using Larger Than Block-Size Key - Hash Key First") ==
               "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}
