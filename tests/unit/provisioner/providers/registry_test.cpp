#include "provisioner/providers/registry.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/local/local_provider.hpp"
#include "provisioner/providers/simulated/simulated_provider.hpp"

using namespace provisioner::providers;

BOOST_AUTO_TEST_SUITE(registry)

BOOST_AUTO_TEST_CASE(a_provider_is_found_by_the_name_of_its_type) {
    Registry registry;

    registry.add(std::make_unique<local::LocalProvider>(local::Settings{}));

    BOOST_TEST(registry.find("local") != nullptr);
    BOOST_TEST(registry.find("moon") == nullptr);
    BOOST_TEST_REQUIRE(registry.types().size() == 1u);
    BOOST_TEST(registry.types().front().header.name == "local");
}

BOOST_AUTO_TEST_CASE(two_providers_of_one_name_are_a_mistake_of_the_program) {
    Registry registry;
    registry.add(std::make_unique<local::LocalProvider>(local::Settings{}));

    BOOST_CHECK_THROW(registry.add(std::make_unique<local::LocalProvider>(local::Settings{})),
                      std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_type_that_is_refused_is_claimed_and_not_published) {
    provisioner::simulation::LedgerFolder ledgers("/nowhere");
    const provisioner::base::SystemClock clock;
    Registry registry;
    registry.add(std::make_unique<simulated::SimulatedProvider>(ledgers, clock, ""));

    registry.refuse("local", "local.socket is not set");

    BOOST_TEST((registry.claimed() == std::set<std::string>{"local", "simulated"}));
    BOOST_TEST(registry.find("local") != nullptr);
    BOOST_TEST(registry.all().size() == 1u);
    BOOST_TEST(registry.types().size() == 1u);
    BOOST_CHECK_THROW(registry.refuse("simulated", ""), std::logic_error);
    BOOST_CHECK_THROW(registry.add(std::make_unique<local::LocalProvider>(local::Settings{})),
                      std::logic_error);
}

BOOST_AUTO_TEST_CASE(every_type_a_provider_describes_is_one_the_catalogue_accepts) {
    provisioner::simulation::LedgerFolder ledgers("/nowhere");
    const provisioner::base::SystemClock clock;
    Registry registry;
    registry.add(std::make_unique<local::LocalProvider>(local::Settings{}));
    registry.add(std::make_unique<simulated::SimulatedProvider>(ledgers, clock, ""));

    for (const auto& type : registry.types()) {
        const auto read = provisioner::model::plugin_type_from_json(type.kind, to_json(type));

        BOOST_REQUIRE(read.has_value());
        BOOST_TEST((*read == type), type.header.name);
        BOOST_TEST((type.kind == provisioner::model::PluginKind::provider));
    }
}

BOOST_AUTO_TEST_CASE(the_local_type_offers_the_limit_of_the_installation) {
    const local::LocalProvider provider({.socket = "", .state_dir = "", .max_hosts = 7});

    const auto type = provider.type();

    BOOST_TEST_REQUIRE(type.admin.fields.size() == 1u);
    BOOST_TEST(type.admin.fields.front().name == "max_hosts");
    BOOST_TEST(type.admin.fields.front().default_value == "7");
}

BOOST_AUTO_TEST_SUITE_END()
