#include "provisioner/automators/registry.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::automators;

BOOST_AUTO_TEST_CASE(every_automator_is_found_by_the_name_of_its_type) {
    BOOST_REQUIRE(!all_automators().empty());

    for (const Automator* automator : all_automators()) {
        const auto type = automator->type();
        BOOST_TEST(find_automator(type.header.name) == automator);
        BOOST_TEST((type.kind == provisioner::model::PluginKind::automator));
    }
}

BOOST_AUTO_TEST_CASE(every_type_an_automator_describes_is_one_the_catalogue_accepts) {
    for (const Automator* automator : all_automators()) {
        const auto type = automator->type();

        const auto read = provisioner::model::plugin_type_from_json(type.kind, to_json(type));

        BOOST_REQUIRE(read.has_value());
        BOOST_TEST((*read == type), type.header.name);
    }
}

BOOST_AUTO_TEST_CASE(an_unknown_type_has_no_automator) {
    BOOST_TEST((find_automator("puppet-master-of-puppets") == nullptr));
    BOOST_TEST((find_automator("") == nullptr));
}
