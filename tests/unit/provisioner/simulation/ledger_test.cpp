#include "provisioner/simulation/ledger.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/simulation/action_script.hpp"

using namespace provisioner::simulation;
using namespace std::chrono_literals;
using provisioner::base::Json;
using provisioner::base::Timestamp;
using provisioner::base::to_text;
using provisioner::remote::Run;

BOOST_AUTO_TEST_SUITE(ledger)

namespace {

constexpr Timestamp noon{std::chrono::hours{12}};
const StepCourse course{
    .label = "start x", .takes = 900ms, .hangs = false, .limit = 5s, .exit_code = 7, .lines = 8};

std::string line(const Json& record) {
    return to_text(record) + "\n";
}

BegunStep begun(const StepCourse& how) {
    return {.course = how, .began_at = noon, .fence = 1, .asked = 1};
}

/// What a step would do that was asked for with this script.
StepCourse course_with(const Behaviour& behaviour, const std::string& script,
                       const std::string& key = "17-1-0") {
    return course_of(behaviour, "00000001-1000", key,
                     Run{.label = "start x", .script = script, .limit = 30s});
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_machine_is_there_once_its_making_is_on_record) {
    Ledger ledger;
    ledger.read(line(refused_record(noon)) + line(refused_record(noon)));
    BOOST_TEST(ledger.machine() == nullptr);
    BOOST_TEST(ledger.refusals() == 2);

    ledger.read(line(made_record(noon, "web.local", 400ms, {{"simulated_step_ms", 5}})));

    BOOST_REQUIRE(ledger.machine() != nullptr);
    BOOST_TEST(ledger.machine()->hostname == "web.local");
    BOOST_TEST((ledger.machine()->booted_at() == noon + 400ms));
    BOOST_TEST((ledger.machine()->behaviour.step == 5ms));
}

BOOST_AUTO_TEST_CASE(of_two_makings_the_first_counts) {
    Ledger ledger;

    ledger.read(line(made_record(noon, "first", 1ms, Json::object())) +
                line(made_record(noon + 1s, "second", 9s, Json::object())));

    BOOST_TEST(ledger.machine()->hostname == "first");
    BOOST_TEST((ledger.machine()->booted_at() == noon + 1ms));
}

BOOST_AUTO_TEST_CASE(a_step_begins_with_its_first_record_and_is_joined_by_the_others) {
    Ledger ledger;
    StepCourse other = course;
    other.takes = 1h;

    ledger.read(line(begun_record(noon, {"17-1-0", 4}, course)) +
                line(begun_record(noon + 1s, {"17-1-0", 5}, other)) +
                line(joined_record(noon + 2s, {"17-1-0", 5})));

    const BegunStep* step = ledger.step("17-1-0");
    BOOST_REQUIRE(step != nullptr);
    BOOST_TEST((step->course == course));
    BOOST_TEST((step->began_at == noon));
    BOOST_TEST(step->asked == 3);
    BOOST_TEST(ledger.steps() == 1u);
    BOOST_TEST((ledger.step("17-2-0") == nullptr));
}

BOOST_AUTO_TEST_CASE(the_highest_fence_stays_when_an_older_one_asks) {
    Ledger ledger;

    ledger.read(line(begun_record(noon, {"17-1-0", 4}, course)) +
                line(joined_record(noon, {"17-1-0", 9})) +
                line(joined_record(noon, {"17-1-0", 5})));

    BOOST_TEST(ledger.step("17-1-0")->fence == 9);
}

BOOST_AUTO_TEST_CASE(a_step_that_was_joined_and_never_begun_is_none) {
    Ledger ledger;

    ledger.read(line(joined_record(noon, {"17-1-0", 1})));

    BOOST_TEST(ledger.step("17-1-0") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_record_may_arrive_in_two_pieces) {
    const std::string text = line(begun_record(noon, {"17-1-0", 4}, course));
    Ledger ledger;

    ledger.read(text.substr(0, 20));
    BOOST_TEST(ledger.steps() == 0u);
    ledger.read(text.substr(20));

    BOOST_TEST(ledger.steps() == 1u);
}

BOOST_AUTO_TEST_CASE(what_is_no_record_is_an_error_that_shows_it) {
    const auto shows = [](const char* what) {
        return [what](const std::runtime_error& error) {
            return std::string(error.what()).find(what) != std::string::npos;
        };
    };
    const auto read = [](const std::string& text) { Ledger().read(text); };

    BOOST_CHECK_EXCEPTION(read("nonsense\n"), std::runtime_error, shows("nonsense"));
    BOOST_CHECK_EXCEPTION(read("{\"is\":\"begun\"}\n"), std::runtime_error, shows("begun"));
}

BOOST_AUTO_TEST_CASE(a_step_ends_by_itself_or_at_its_limit) {
    StepCourse long_one = course;
    long_one.takes = 6s;
    StepCourse hung = course;
    hung.hangs = true;

    BOOST_TEST((end_of(begun(course)) == noon + 900ms));
    BOOST_TEST(ending_of(begun(course)) == "exit 7");
    BOOST_TEST((end_of(begun(long_one)) == noon + 5s));
    BOOST_TEST(ending_of(begun(long_one)) == "expired");
    BOOST_TEST((end_of(begun(hung)) == noon + 5s));
    BOOST_TEST(ending_of(begun(hung)) == "expired");
}

BOOST_AUTO_TEST_CASE(a_step_that_is_stopped_ends_then_and_prints_no_more) {
    Ledger ledger;
    ledger.read(line(begun_record(noon, {"17-1-0", 4}, course)) +
                line(stopped_record(noon + 450ms, {"17-1-0", 4})) +
                line(stopped_record(noon + 600ms, {"17-1-0", 5})));

    const BegunStep* step = ledger.step("17-1-0");
    BOOST_REQUIRE(step != nullptr);
    BOOST_TEST((end_of(*step) == noon + 450ms));
    BOOST_TEST(ending_of(*step) == "stopped");
    BOOST_TEST(lines_by(*step, noon + 1h) == 4);
    BOOST_TEST(step->asked == 1);
}

BOOST_AUTO_TEST_CASE(a_stop_is_too_late_after_the_end_and_refused_with_an_older_fence) {
    Ledger ledger;
    ledger.read(line(begun_record(noon, {"over", 4}, course)) +
                line(stopped_record(noon + 900ms, {"over", 4})) +
                line(begun_record(noon, {"newer", 5}, course)) +
                line(stopped_record(noon + 450ms, {"newer", 4})));

    BOOST_TEST(ending_of(*ledger.step("over")) == "exit 7");
    BOOST_TEST(ending_of(*ledger.step("newer")) == "exit 7");
    BOOST_TEST((end_of(*ledger.step("newer")) == noon + 900ms));
}

BOOST_AUTO_TEST_CASE(a_step_that_was_stopped_before_it_began_does_nothing) {
    StepCourse instant = course;
    instant.takes = 0ms;
    Ledger ledger;
    ledger.read(line(stopped_record(noon, {"17-1-0", 4})) +
                line(begun_record(noon + 1s, {"17-1-0", 4}, course)) +
                line(stopped_record(noon, {"18-1-0", 4})) +
                line(begun_record(noon + 1s, {"18-1-0", 4}, instant)));

    for (const char* key : {"17-1-0", "18-1-0"}) {
        BOOST_TEST(ending_of(*ledger.step(key)) == "stopped");
        BOOST_TEST((end_of(*ledger.step(key)) == noon + 1s));
        BOOST_TEST(lines_by(*ledger.step(key), noon + 1h) == 0);
    }
}

BOOST_AUTO_TEST_CASE(lines_come_evenly_and_all_of_them_by_the_end) {
    const BegunStep step = begun(course);

    BOOST_TEST(lines_by(step, noon) == 0);
    BOOST_TEST(lines_by(step, noon + 99ms) == 0);
    BOOST_TEST(lines_by(step, noon + 100ms) == 1);
    BOOST_TEST(lines_by(step, noon + 450ms) == 4);
    BOOST_TEST(lines_by(step, noon + 900ms) == 8);
    BOOST_TEST(lines_by(step, noon + 1h) == 8);
    BOOST_TEST(lines_by(step, noon - 1h) == 0);
}

BOOST_AUTO_TEST_CASE(an_instant_step_has_ended_when_it_begins) {
    StepCourse instant = course;
    instant.takes = 0ms;

    BOOST_TEST((end_of(begun(instant)) == noon));
    BOOST_TEST(lines_by(begun(instant), noon) == 8);
}

BOOST_AUTO_TEST_CASE(a_step_that_does_not_say_what_it_wants_is_as_the_machine_is) {
    Behaviour behaviour;
    behaviour.step = 200ms;
    behaviour.lines = 3;

    const StepCourse plain = course_with(behaviour, "echo hello");

    BOOST_TEST((plain.takes == 200ms));
    BOOST_TEST(plain.lines == 3);
    BOOST_TEST(plain.exit_code == 0);
    BOOST_TEST(!plain.hangs);
    BOOST_TEST((plain.limit == 30s));
    BOOST_TEST(plain.label == "start x");
}

BOOST_AUTO_TEST_CASE(a_simulated_action_says_what_it_wants) {
    const SimulatedAction action{.duration = 3s, .lines = 9, .fail_percent = 100, .exit_code = 4};

    const StepCourse wished = course_with({}, script_of(action, "start x"));

    BOOST_TEST((wished.takes == 3s));
    BOOST_TEST(wished.lines == 9);
    BOOST_TEST(wished.exit_code == 4);
}

BOOST_AUTO_TEST_CASE(accidents_happen_by_the_seed_the_machine_and_the_key) {
    Behaviour rough;
    rough.seed = 1;
    rough.step = 200ms;
    rough.step_spread = 100ms;
    rough.failing_percent = 30;
    rough.hung_percent = 30;
    int failing = 0;
    int hung = 0;
    int other_seed = 0;
    Behaviour next = rough;
    next.seed = 2;

    for (int task = 0; task < 1000; ++task) {
        const std::string key = std::to_string(task) + "-1-0";
        const StepCourse once = course_with(rough, "true", key);
        BOOST_REQUIRE((once == course_with(rough, "true", key)));
        BOOST_REQUIRE((once.takes >= 100ms && once.takes <= 300ms));
        failing += once.exit_code == 1 ? 1 : 0;
        hung += once.hangs ? 1 : 0;
        other_seed += once == course_with(next, "true", key) ? 0 : 1;
    }

    BOOST_TEST((failing > 230 && failing < 370));
    BOOST_TEST((hung > 230 && hung < 370));
    BOOST_TEST(other_seed > 900);
}

BOOST_AUTO_TEST_SUITE_END()
