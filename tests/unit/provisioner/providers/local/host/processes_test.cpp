#include "provisioner/providers/local/host/processes.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::providers::local;

BOOST_AUTO_TEST_SUITE(local_processes)

namespace {

std::string stat_of(const std::string& name, const std::string& state) {
    return "42 (" + name + ") " + state +
           " 1 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 98765 100 2";
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_start_is_read_behind_a_name_with_blanks_and_parentheses) {
    BOOST_TEST(start_of(stat_of("sshd", "S")).value() == 98765);
    BOOST_TEST(start_of(stat_of("a) S 1 (b", "R")).value() == 98765);
}

BOOST_AUTO_TEST_CASE(a_zombie_is_no_running_process) {
    BOOST_TEST(!start_of(stat_of("sshd", "Z")).has_value());
}

BOOST_AUTO_TEST_CASE(a_text_that_is_cut_off_tells_nothing) {
    BOOST_TEST(!start_of("").has_value());
    BOOST_TEST(!start_of("42 (sshd) S 1 42").has_value());
}

BOOST_AUTO_TEST_CASE(the_first_process_of_a_namespace_is_number_1_inside) {
    BOOST_TEST(is_first_of_namespace("Name:\tinit\nNSpid:\t4711\t1\nNSpgid:\t4711\t1\n"));
    BOOST_TEST(!is_first_of_namespace("Name:\tinit\nNSpid:\t4712\t3\n"));
    BOOST_TEST(!is_first_of_namespace("Name:\tinit\nNSpid:\t4712\t11\n"));
    BOOST_TEST(!is_first_of_namespace("Name:\tsystemd\nNSpid:\t1\n"));
    BOOST_TEST(!is_first_of_namespace(""));
}

BOOST_AUTO_TEST_SUITE_END()
