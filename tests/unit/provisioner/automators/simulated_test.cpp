#include "provisioner/automators/simulated.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/simulation/action_script.hpp"

using namespace provisioner::automators;
using namespace std::chrono_literals;
using provisioner::model::Action;
using provisioner::remote::Run;
using provisioner::simulation::action_in;
using provisioner::simulation::SimulatedAction;

BOOST_AUTO_TEST_SUITE(simulated)

namespace {

AutomatorTask a_task(std::map<std::string, std::string> fields, Action action = Action::start) {
    AutomatorTask task;
    task.action = action;
    task.id = "00000001-002-011";
    task.fields = std::move(fields);
    task.service = "web";
    return task;
}

/// The one run the fields are compiled to.
Run run_of(std::map<std::string, std::string> fields) {
    const auto steps = SimulatedAutomator().compile(a_task(std::move(fields)));
    BOOST_REQUIRE(steps.has_value());
    BOOST_REQUIRE(steps->size() == 1u);
    return std::get<Run>(steps->front());
}

SimulatedAction action_of(std::map<std::string, std::string> fields) {
    const auto action = action_in(run_of(std::move(fields)).script);
    BOOST_REQUIRE(action.has_value());
    return *action;
}

std::string problems_of(const AutomatorTask& task) {
    const auto steps = SimulatedAutomator().compile(task);
    return steps ? "none" : provisioner::base::to_text(steps.error());
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_action_without_fields_is_left_to_the_machine) {
    BOOST_TEST((action_of({}) == SimulatedAction{}));
    BOOST_TEST(run_of({}).label == "start web");
    BOOST_TEST((run_of({}).limit == Run{}.limit));
}

BOOST_AUTO_TEST_CASE(fields_say_time_output_ending_and_limit) {
    const SimulatedAction wanted{.duration = 1500ms, .lines = 0, .fail_percent = 5, .exit_code = 3};

    BOOST_TEST((
        action_of(
            {{"duration_ms", "1500"}, {"lines", "0"}, {"fail_percent", "5"}, {"exit_code", "3"}}) ==
        wanted));
    BOOST_TEST((run_of({{"limit_s", "9"}}).limit == 9s));
}

BOOST_AUTO_TEST_CASE(without_a_limit_of_its_own_it_has_that_of_the_action) {
    AutomatorTask task = a_task({});
    task.limit = 90s;

    const auto steps = SimulatedAutomator().compile(task);

    BOOST_REQUIRE(steps.has_value());
    BOOST_TEST((std::get<Run>(steps->front()).limit == 90s));
}

BOOST_AUTO_TEST_CASE(an_exit_code_alone_fails_always_and_a_rate_alone_fails_with_one) {
    BOOST_TEST(action_of({{"exit_code", "7"}}).fail_percent == 100);
    BOOST_TEST(action_of({{"exit_code", "7"}}).exit_code == 7);
    BOOST_TEST(action_of({{"fail_percent", "20"}}).exit_code == 1);
}

BOOST_AUTO_TEST_CASE(every_wrong_field_is_named) {
    BOOST_TEST(problems_of(a_task({{"duration_ms", "long"}, {"exit_code", "0"}})) ==
               "duration_ms: must be a whole number from 0 to 86400000, not \"long\"; "
               "exit_code: must be a whole number from 1 to 255, not \"0\"");
    BOOST_TEST(problems_of(a_task({}, Action::create)) ==
               "action: the simulated automator does not create machines");
}

BOOST_AUTO_TEST_CASE(a_machine_needs_nothing_before_its_actions) {
    const auto steps = SimulatedAutomator().compile(a_task({}, Action::bootstrap));

    BOOST_REQUIRE(steps.has_value());
    BOOST_TEST(steps->empty());
}

BOOST_AUTO_TEST_SUITE_END()
