#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/local/fixture.hpp"

using namespace provisioner::providers;
using tests::LocalHosts;

BOOST_AUTO_TEST_SUITE(limits)

BOOST_AUTO_TEST_CASE(a_host_has_as_many_processes_as_it_may_and_no_more) {
    LocalHosts hosts;
    MachineSpec spec = hosts.spec("a");
    spec.hardware = {{"processes", "100"}};
    const Reachable host = hosts.reach(spec);

    const std::string made = hosts.ssh(
        host,
        "perl -e 'for (1 .. 300) { my $p = fork; last if !defined $p; if (!$p) { sleep 60; exit } "
        "push @all, $p } print scalar @all; kill 9, @all'");

    BOOST_TEST(std::stoi(made) > 50);
    BOOST_TEST(std::stoi(made) < 100);
}

BOOST_AUTO_TEST_SUITE_END()
