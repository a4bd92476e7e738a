#include "provisioner/automators/registry.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/automators/steps_text.hpp"

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

BOOST_AUTO_TEST_CASE(the_limit_of_a_task_is_that_of_a_step_of_every_automator) {
    const std::map<std::string, std::map<std::string, std::string>> fields{
        {"ansible", {{"roles", "web"}}},     {"chef-solo", {{"run_list", "recipe[web]"}}},
        {"docker", {{"image_name", "web"}}}, {"puppet", {{"classes", "web"}}},
        {"shell", {{"script", "true"}}},     {"simulated", {}}};

    for (const Automator* automator : all_automators()) {
        const std::string name = automator->type().header.name;
        BOOST_REQUIRE_MESSAGE(fields.contains(name), name + " has no fields in this test");
        AutomatorTask task = task_of_two_nodes(provisioner::model::Action::start, fields.at(name));
        task.limit = std::chrono::seconds{4321};

        const auto steps = automator->compile(task);

        BOOST_REQUIRE_MESSAGE(steps.has_value(), name);
        const bool has_it = std::ranges::any_of(*steps, [&](const auto& step) {
            const auto* run = std::get_if<provisioner::remote::Run>(&step);
            return run != nullptr && run->limit == task.limit;
        });
        BOOST_TEST(has_it, name);
    }
}

BOOST_AUTO_TEST_CASE(an_unknown_type_has_no_automator) {
    BOOST_TEST((find_automator("puppet-master-of-puppets") == nullptr));
    BOOST_TEST((find_automator("") == nullptr));
}
