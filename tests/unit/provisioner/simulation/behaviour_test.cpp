#include "provisioner/simulation/behaviour.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::simulation;
using namespace std::chrono_literals;
using provisioner::base::Json;
using provisioner::base::to_text;

BOOST_AUTO_TEST_SUITE(behaviour)

BOOST_AUTO_TEST_CASE(without_fields_everything_is_instant_and_perfect) {
    const auto read = behaviour_from(Json::object());

    BOOST_REQUIRE(read.has_value());
    Behaviour perfect;
    perfect.slow_boot = 60s;
    BOOST_TEST((*read == perfect));
}

BOOST_AUTO_TEST_CASE(numbers_may_be_numbers_or_texts_and_a_blank_field_is_no_field) {
    const auto read = behaviour_from({{"simulated_seed", 17},
                                      {"simulated_boot_ms", "400"},
                                      {"simulated_step_ms", ""},
                                      {"simulated_reset_percent", 15},
                                      {"simulated_keep_ledger", "yes"}});

    BOOST_REQUIRE(read.has_value());
    BOOST_TEST(read->seed == 17);
    BOOST_TEST((read->boot == 400ms));
    BOOST_TEST((read->step == 0ms));
    BOOST_TEST(read->reset_percent == 15);
    BOOST_TEST(read->keep_ledger);
}

BOOST_AUTO_TEST_CASE(every_wrong_field_is_named) {
    const auto read = behaviour_from({{"simulated_boot_ms", "soon"},
                                      {"simulated_quota_percent", 101},
                                      {"simulated_seed", -1},
                                      {"simulated_keep_ledger", "maybe"}});

    BOOST_REQUIRE(!read.has_value());
    BOOST_TEST(to_text(read.error()) ==
               "simulated_seed: must be a whole number from 0 to 999999999999, not -1; "
               "simulated_boot_ms: must be a whole number from 0 to 86400000, not \"soon\"; "
               "simulated_quota_percent: must be a whole number from 0 to 100, not 101; "
               "simulated_keep_ledger: must be yes or no, not \"maybe\"");
}

BOOST_AUTO_TEST_CASE(every_field_of_the_form_is_read_and_its_default_changes_nothing) {
    Json defaults = Json::object();
    for (const BehaviourField& field : behaviour_fields()) {
        defaults[field.name] = field.default_value;
        BOOST_TEST(!behaviour_from({{field.name, "nonsense"}}).has_value(), field.name);
    }

    BOOST_REQUIRE(behaviour_from(defaults).has_value());
    BOOST_TEST((*behaviour_from(defaults) == *behaviour_from(Json::object())));
}

BOOST_AUTO_TEST_CASE(the_part_that_is_kept_has_nothing_of_the_other_fields) {
    const Json fields = {{"api_key", "secret"}, {"simulated_boot_ms", 5}, {"simulated_lines", ""}};

    BOOST_TEST(to_text(behaviour_part_of(fields)) == R"({"simulated_boot_ms":5})");
}

BOOST_AUTO_TEST_SUITE_END()
