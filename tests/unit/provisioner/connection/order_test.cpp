#include "provisioner/connection/order.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::connection;
using Numbers = std::vector<std::size_t>;

BOOST_AUTO_TEST_CASE(hosts_are_tried_as_they_are_written_after_the_one_that_worked_last) {
    const std::vector<Address> hosts{{.host = "a"}, {.host = "b"}, {.host = "c"}};
    const std::vector<Address> others{{.host = "a"}, {.host = "b"}};

    BOOST_TEST((order_of(hosts) == Numbers{0, 1, 2}));
    note_that_works(hosts, 1);

    BOOST_TEST((order_of(hosts) == Numbers{1, 0, 2}));
    BOOST_TEST((order_of(others) == Numbers{0, 1}));
}

BOOST_AUTO_TEST_CASE(every_host_has_its_reason) {
    Reasons reasons;
    reasons.add({.host = "a"}, "no route");
    reasons.add({.host = "b", .port = 3307}, "refused");

    BOOST_TEST(reasons.text() == "a:3306: no route; b:3307: refused");
}

BOOST_AUTO_TEST_CASE(servers_are_asked_only_what_the_library_does_not_see) {
    BOOST_TEST(probes_for({.socket = "/run/s"}, 1).empty());
    BOOST_TEST(probes_for({.host = "a", .tls = Tls::verify}, 1).empty());
    BOOST_TEST(probes_for({.host = "a", .tls = Tls::required}, 1).size() == 1U);
    BOOST_TEST(probes_for({.host = "a", .tls = Tls::required}, 2).size() == 2U);
}
