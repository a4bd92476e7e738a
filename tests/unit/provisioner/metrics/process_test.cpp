#include "provisioner/metrics/process.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::metrics;

BOOST_AUTO_TEST_SUITE(process)

BOOST_AUTO_TEST_CASE(resident_memory_is_the_second_number_in_pages) {
    BOOST_TEST(resident_bytes("5034 1203 905 12 0 700 0", 4096) == 1203 * 4096);
    for (const char* text : {"", "5034", "5034 x 1", "5034  1"}) {
        BOOST_TEST(resident_bytes(text, 4096) == 0, text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
