#include "provisioner/providers/local/host/network/cluster_networks.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/local/host/network/addresses.hpp"
#include "provisioner/providers/local/host/system.hpp"

using namespace provisioner::providers::local;

BOOST_AUTO_TEST_SUITE(local_cluster_networks)

BOOST_AUTO_TEST_CASE(each_cluster_has_a_number_of_its_own_which_its_machines_share) {
    ClusterNetworks networks;

    BOOST_TEST(join(networks, {.machine = "a", .cluster = "c1"}) == 0);
    BOOST_TEST(join(networks, {.machine = "b", .cluster = "c2"}) == 1);
    BOOST_TEST(join(networks, {.machine = "c", .cluster = "c1"}) == 0);
}

BOOST_AUTO_TEST_CASE(the_last_machine_that_leaves_frees_the_number) {
    ClusterNetworks networks;
    for (const char* name : {"a", "b"}) join(networks, {.machine = name, .cluster = "c1"});
    join(networks, {.machine = "c", .cluster = "c2"});

    BOOST_TEST(!leave(networks, "a").has_value());
    BOOST_TEST(!leave(networks, "a").has_value());
    BOOST_TEST(leave(networks, "b").value() == 0);

    BOOST_TEST(join(networks, {.machine = "d", .cluster = "c3"}) == 0);
    BOOST_TEST(networks.size() == 2u);
}

BOOST_AUTO_TEST_CASE(the_ports_are_those_of_the_last_machine_that_came) {
    ClusterNetworks networks;
    join(networks, {.machine = "a", .cluster = "c1", .open_ports = {"443/tcp", "80/tcp", "x"}});
    BOOST_TEST((networks.at("c1").open_ports == std::vector<std::string>{"443/tcp", "80/tcp"}));

    join(networks, {.machine = "b", .cluster = "c1", .open_ports = {"81/tcp", "81/tcp"}});

    BOOST_TEST((networks.at("c1").open_ports == std::vector<std::string>{"81/tcp"}));
}

BOOST_AUTO_TEST_CASE(there_are_as_many_clusters_as_hosts_and_no_more) {
    ClusterNetworks networks;
    for (int i = 0; i < clusters_per_network; ++i) {
        const std::string name = std::to_string(i);
        join(networks, {.machine = name, .cluster = name});
    }

    BOOST_CHECK_THROW(join(networks, {.machine = "one", .cluster = "more"}), Failure);
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_again_and_nothing_else_is) {
    ClusterNetworks networks;
    join(networks, {.machine = "a", .cluster = "c1", .open_ports = {"80/tcp"}});
    join(networks, {.machine = "b", .cluster = "c2"});

    BOOST_TEST((cluster_networks_of(text_of(networks)).value() == networks));
    for (const char* text : {"", "[]", "{\"c\":1}", "{\"c\":{\"number\":1021}}", "{\"c\":{}}"}) {
        BOOST_TEST(!cluster_networks_of(text).has_value(), text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
