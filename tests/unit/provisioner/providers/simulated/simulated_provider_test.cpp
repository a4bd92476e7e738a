#include "provisioner/providers/simulated/simulated_provider.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace provisioner::providers;
using namespace std::chrono_literals;
using provisioner::base::SystemClock;
using provisioner::simulation::Behaviour;
using provisioner::simulation::behaviour_fields;
using provisioner::simulation::LedgerFolder;

BOOST_AUTO_TEST_SUITE(simulated_provider)

BOOST_AUTO_TEST_CASE(the_type_offers_every_field_there_is) {
    LedgerFolder ledgers("");
    const SystemClock clock;

    const auto type = simulated::SimulatedProvider(ledgers, clock).type();

    BOOST_TEST(type.header.name == "simulated");
    BOOST_TEST_REQUIRE(type.admin.fields.size() == behaviour_fields().size() + 2);
    BOOST_TEST(type.admin.fields.front().name == "simulated_seed");
    BOOST_TEST(type.admin.fields.at(behaviour_fields().size() - 1).kind == "select");
    const auto& fields = type.admin.fields;
    BOOST_TEST(fields.at(fields.size() - 2).is_secret());
    BOOST_TEST((fields.back().is_secret() && fields.back().overridable));
    BOOST_TEST(type.user.fields.empty());
    const auto read = provisioner::model::plugin_type_from_json(type.kind, to_json(type));
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST((*read == type));
}

BOOST_AUTO_TEST_CASE(a_machine_keeps_its_address_within_the_block_for_benchmarks) {
    std::set<std::string> addresses;

    for (int nodenum = 1000; nodenum < 2000; ++nodenum) {
        const std::string name = "00000001-" + std::to_string(nodenum);
        const std::string address = simulated::address_of("00000001", name);
        BOOST_TEST(address == simulated::address_of("00000001", name));
        BOOST_TEST((address.starts_with("198.18.") || address.starts_with("198.19.")), address);
        addresses.insert(address);
    }

    BOOST_TEST(addresses.size() == 1000u);
    BOOST_TEST((simulated::address_of("00000001", "a-1") != simulated::address_of("2", "a-1")));
}

BOOST_AUTO_TEST_CASE(a_slow_boot_takes_longer_by_what_the_field_says) {
    Behaviour behaviour;
    behaviour.boot = 400ms;
    BOOST_TEST((simulated::boot_of(behaviour, "m") == 400ms));

    behaviour.slow_boot = 2s;
    BOOST_TEST((simulated::boot_of(behaviour, "m") == 400ms));

    behaviour.slow_boot_percent = 100;
    BOOST_TEST((simulated::boot_of(behaviour, "m") == 2400ms));
}

BOOST_AUTO_TEST_SUITE_END()
