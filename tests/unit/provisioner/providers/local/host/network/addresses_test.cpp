#include "provisioner/providers/local/host/network/addresses.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

using namespace provisioner::providers::local;

BOOST_AUTO_TEST_SUITE(local_addresses)

BOOST_AUTO_TEST_CASE(every_place_has_its_own_address_and_is_found_by_it) {
    std::set<std::string> addresses;

    for (int network = 0; network < network_count; ++network) {
        for (int host = 1; host <= hosts_per_network + 1; ++host) {
            const Place place{network, host};
            const std::string address = address_of(place);
            BOOST_TEST_REQUIRE(addresses.insert(address).second);
            BOOST_TEST_REQUIRE((place_of(address) == place));
        }
    }

    BOOST_TEST(*addresses.begin() == "10.77.0.1");
    BOOST_TEST(addresses.contains("10.77.255.254"));
}

BOOST_AUTO_TEST_CASE(other_addresses_have_no_place) {
    for (const char* text :
         {"", "10.78.0.1", "10.77.0", "10.77.256.1", "10.77.1.-1", "10.77.1.2.3"}) {
        BOOST_TEST(!place_of(text).has_value(), text);
    }
}

BOOST_AUTO_TEST_CASE(the_longest_cable_name_is_shorter_than_an_interface_name_may_be) {
    BOOST_TEST(cable_of({63, 1022}) == "cooper63-1022");
    BOOST_TEST(cable_of({63, 1022}).size() <= 15u);
    BOOST_TEST(bridge_of(63, 1020) == "cooper63b1020");
}

BOOST_AUTO_TEST_CASE(names_of_a_networks_bridges_begin_like_no_other_interface) {
    for (int network = 0; network < network_count; ++network) {
        for (int other = 0; other < network_count; ++other) {
            BOOST_TEST_REQUIRE(bridge_of(other, 7).starts_with(bridges_of(network)) ==
                               (network == other));
            BOOST_TEST_REQUIRE(!cable_of({other, 7}).starts_with(bridges_of(network)));
        }
    }
}

BOOST_AUTO_TEST_CASE(hardware_addresses_are_local_and_differ) {
    BOOST_TEST(mac_of({1, 258}) == "02:63:6f:01:01:02");
    BOOST_TEST(mac_of({1, 258}) != mac_of({2, 258}));
    BOOST_TEST(mac_of_bridge(1, 258) == "02:63:6e:01:01:02");
}

BOOST_AUTO_TEST_CASE(a_network_is_a_range_of_1024_addresses) {
    constexpr std::uint32_t first = 10u << 24 | 77u << 16 | 4u << 8;

    BOOST_TEST(lies_in(first, 1));
    BOOST_TEST(lies_in(first + 1023, 1));
    BOOST_TEST(!lies_in(first - 1, 1));
    BOOST_TEST(!lies_in(first + 1024, 1));
}

BOOST_AUTO_TEST_CASE(a_name_tries_every_host_number_once) {
    std::set<int> tried;

    for (int attempt = 0; attempt < hosts_per_network; ++attempt) {
        tried.insert(candidate("some-machine", attempt));
    }

    BOOST_TEST(tried.size() == static_cast<std::size_t>(hosts_per_network));
    BOOST_TEST(*tried.begin() == 2);
    BOOST_TEST(*tried.rbegin() == 1022);
}

BOOST_AUTO_TEST_SUITE_END()
