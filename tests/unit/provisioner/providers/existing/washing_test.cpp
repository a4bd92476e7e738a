#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/existing/fakes.hpp"

using namespace tests::existing;
using namespace std::chrono_literals;

// How machines come back, through the provider that has them.
BOOST_AUTO_TEST_SUITE(washing)

BOOST_FIXTURE_TEST_CASE(a_machine_comes_back_wiped, Cellar) {
    const base::Json results{{"providerid", made(spec(1001, "small"))}};
    scripts.answers = {ScriptRuns{}, ScriptDone{}};

    BOOST_TEST(std::get<Pending>(destroy(spec(1001, "", 11), results)).reason ==
               "it is being wiped");
    BOOST_TEST((leases.leases.at(1).state == LeaseState::wiping));
    BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(1001, "", 11), results)));

    BOOST_TEST(leases.leases.empty());
    BOOST_REQUIRE(scripts.runs.size() == 2U);
    const ScriptRun& run = scripts.runs.front();
    BOOST_TEST(run.key.starts_with("wipe1x"));
    BOOST_TEST(run.key == scripts.runs.back().key);
    BOOST_TEST(run.address == "10.0.0.2");
    BOOST_TEST(run.port == 2222);
    BOOST_TEST(run.user == "ops");
    BOOST_TEST(run.host_key == tests::host_keys::second_key);
    BOOST_TEST(run.script == "rm -rf /srv/data\n");
    BOOST_TEST((run.limit == 60min));
}

BOOST_FIXTURE_TEST_CASE(a_machine_whose_wipe_failed_stays_out_and_the_node_is_gone, Cellar) {
    made(spec(1001, "large"));
    scripts.answers = {ScriptFailed{"ended with exit code 1: disk is dead"}};

    BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(1001, "", 11))));

    BOOST_TEST((leases.leases.at(1).state == LeaseState::broken));
    BOOST_TEST(leases.leases.at(1).reason == "wipe_script: ended with exit code 1: disk is dead");
    const auto refused = std::get<Refused>(create(spec(1002, "large")));
    BOOST_TEST(!refused.worth_retrying);
    BOOST_TEST(refused.message ==
               "none of the 1 machines that fit is free: 0 in use, 1 out of use until an "
               "administrator releases them (GET /v2/machineleases has the reasons)");
    BOOST_TEST(machines().empty());
}

BOOST_FIXTURE_TEST_CASE(a_script_in_a_file_that_cannot_be_read_is_waited_for, Cellar) {
    made(spec(1001));
    fields.erase("wipe_script");
    fields["wipe_script_resource"] = "clean";

    BOOST_TEST(std::get<Pending>(destroy(spec(1001, "", 11))).reason ==
               "wipe_script_resource: there is no live file \"clean\" of this plugin: upload it, "
               "stage it and sync");
    BOOST_TEST((leases.leases.at(1).state == LeaseState::wiping));
}

BOOST_FIXTURE_TEST_CASE(a_machine_without_a_wipe_script_serves_once, Cellar) {
    fields.erase("wipe_script");
    made(spec(1001));

    BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(1001, "", 11))));

    BOOST_TEST((leases.leases.at(1).state == LeaseState::broken));
    BOOST_TEST(leases.leases.at(1).reason.starts_with("the provider has no wipe_script"));
    BOOST_TEST(scripts.runs.empty());
}

BOOST_FIXTURE_TEST_CASE(an_owner_may_say_that_machines_are_reused_as_they_are, Cellar) {
    fields.erase("wipe_script");
    fields["reuse_without_wiping"] = "true";
    made(spec(1001));

    BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(1001, "", 11))));

    BOOST_TEST(leases.leases.empty());
    BOOST_TEST(scripts.runs.empty());
}

BOOST_FIXTURE_TEST_CASE(a_machine_that_is_away_is_waited_for_and_then_broken, Cellar) {
    made(spec(1001));
    scripts.answers = {ScriptUnreachable{"no route"}, ScriptUnreachable{"no route"}};

    BOOST_TEST(std::get<Pending>(destroy(spec(1001, "", 11))).reason == "no route");
    BOOST_TEST(leases.leases.at(1).reason == "no route");
    clock.moment += wash_patience + 60min + 1s;
    BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(1001, "", 11))));

    BOOST_TEST((leases.leases.at(1).state == LeaseState::broken));
    BOOST_TEST(leases.leases.at(1).reason == "for 120 minutes: no route");
}

BOOST_FIXTURE_TEST_CASE(a_script_that_may_run_for_long_may_be_out_of_reach_for_as_long, Cellar) {
    fields["wipe_minutes"] = "600";
    made(spec(1001));
    destroy(spec(1001, "", 11));
    clock.moment += 9h;
    scripts.answers = {ScriptUnreachable{"no route"}, ScriptDone{}};

    machines();
    BOOST_TEST((leases.leases.at(1).state == LeaseState::wiping));
    machines();
    BOOST_TEST(leases.leases.empty());
}

BOOST_FIXTURE_TEST_CASE(a_machine_at_which_a_removed_script_is_at_work_is_not_handed_on, Cellar) {
    made(spec(1001));
    destroy(spec(1001, "", 11));
    fields.erase("wipe_script");
    fields["reuse_without_wiping"] = "true";

    machines();
    BOOST_REQUIRE((leases.leases.at(1).state == LeaseState::wiping));
    BOOST_TEST(leases.leases.at(1).reason.starts_with(
        "it is being wiped by a script that the provider has no more"));
    clock.moment += wash_patience + 60min + 1s;
    machines();
    BOOST_TEST((leases.leases.at(1).state == LeaseState::broken));
}

BOOST_FIXTURE_TEST_CASE(a_machine_with_which_something_is_wrong_holds_up_no_other, Cellar) {
    made(spec(1001, "large"));
    made(spec(1002, "small"));
    destroy(spec(1001, "", 11));
    destroy(spec(1002, "", 11));
    scripts.answers = {ScriptDone{}, ScriptDone{}};
    leases.throws_at = 1;

    BOOST_TEST(machines().empty());

    BOOST_REQUIRE(leases.leases.size() == 1U);
    BOOST_TEST(leases.leases.at(1).reason == "Incorrect string value");
    scripts.answers = {ScriptDone{}};
    BOOST_TEST(std::get<Pending>(destroy(spec(1001, "", 11))).reason == "Incorrect string value");
    leases.throws_at = 0;
    scripts.answers = {ScriptDone{}};
    BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(1001, "", 11))));
}

BOOST_FIXTURE_TEST_CASE(a_machine_that_nobody_could_enter_is_out_of_use_for_its_own_tenant_alone,
                        Cellar) {
    leased(spec(1001, "large"));
    scripts.answers = {ScriptFailed{"another host key"}};

    BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(1001, "", 11))));

    BOOST_TEST((leases.leases.at(1).state == LeaseState::broken));
    BOOST_TEST(leases.leases.at(1).reason == "its node never logged in; another host key");
    BOOST_TEST(std::holds_alternative<Refused>(create(spec(1002, "large"))));
    tenant = 8;
    BOOST_TEST(made(spec(1003, "large")) == "a#2");
}

BOOST_FIXTURE_TEST_CASE(a_machine_that_was_entered_once_is_kept_from_everybody, Cellar) {
    made(spec(1001, "large"));
    scripts.answers = {ScriptFailed{"another host key"}};
    destroy(spec(1001, "", 11));
    made(spec(1002, "small"));
    destroy(spec(1002, "", 11));

    tenant = 8;
    BOOST_TEST(std::holds_alternative<Refused>(create(spec(1003, "large"))));
    BOOST_TEST(std::get<Pending>(create(spec(1004, "small"))).reason.ends_with("1 being wiped"));
}

BOOST_FIXTURE_TEST_CASE(a_machine_that_was_never_entered_is_not_wiped_but_has_to_let_us_in,
                        Cellar) {
    for (const bool has_script : {true, false}) {
        if (!has_script) fields.erase("wipe_script");
        leased(spec(1001, "large"));
        scripts.answers = {ScriptRuns{}, ScriptDone{}};
        scripts.runs.clear();

        BOOST_TEST(std::get<Pending>(destroy(spec(1001, "", 11))).reason == "a login is tried");
        BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(1001, "", 11))));

        BOOST_TEST(leases.leases.empty());
        BOOST_REQUIRE(scripts.runs.size() == 2U);
        BOOST_TEST(scripts.runs.back().only_logs_in);
        BOOST_TEST(scripts.runs.back().script == "");
        BOOST_TEST(scripts.runs.back().host_key == tests::host_keys::first_key);
    }
}

BOOST_FIXTURE_TEST_CASE(a_long_wipe_holds_up_no_task_and_goes_on_behind_it, Cellar) {
    made(spec(1001));
    BOOST_TEST(std::holds_alternative<Pending>(destroy(spec(1001, "", 11))));
    clock.moment += 6min;

    BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(1001, "", 11))));
    BOOST_TEST((leases.leases.at(1).state == LeaseState::wiping));

    scripts.answers = {ScriptDone{}};
    BOOST_TEST(machines().empty());
    BOOST_TEST(leases.leases.empty());
}

BOOST_FIXTURE_TEST_CASE(a_key_that_the_first_login_pinned_is_the_one_that_the_wipe_trusts, Cellar) {
    fields["machines"] = "- {name: a, address: 10.0.0.1}";
    fields["pin_on_first_contact"] = "true";
    leased(spec(1001));
    enter(spec(1001), tests::host_keys::second_key);

    destroy(spec(1001, "", 11));

    BOOST_REQUIRE(scripts.runs.size() == 1U);
    BOOST_TEST(scripts.runs.front().host_key == tests::host_keys::second_key);
    BOOST_TEST(!scripts.runs.front().only_logs_in);
}

// As a daemon does that does not know of entering.
BOOST_FIXTURE_TEST_CASE(a_machine_whose_node_was_confirmed_is_wiped, Cellar) {
    leased(spec(1001, "large"));
    const auto blank = tests::host_keys::first_key.find(' ');
    const base::Json confirmed{
        {"ssh_host_keys", {{"ed25519", tests::host_keys::first_key.substr(blank + 1)}}}};

    destroy(spec(1001, "", 11), confirmed);

    BOOST_REQUIRE(scripts.runs.size() == 1U);
    BOOST_TEST(!scripts.runs.front().only_logs_in);
}

BOOST_FIXTURE_TEST_CASE(metal_is_on_for_the_wipe_and_off_before_it_is_free, Cellar) {
    power = &fake_power;
    fields["machines"] = "- {name: a, address: 10.0.0.1, bmc: 'https://10.1.0.1', host_key: " +
                         tests::host_keys::first_key + "}";
    made(spec(1001));
    scripts.answers = {ScriptDone{}};

    BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(1001, "", 11))));

    BOOST_TEST((fake_power.calls == std::vector<std::string>{"on a", "off a"}));
    BOOST_TEST(leases.leases.empty());
}

BOOST_FIXTURE_TEST_CASE(metal_that_cannot_be_switched_off_is_not_free, Cellar) {
    power = &fake_power;
    fields["reuse_without_wiping"] = true;
    fields.erase("wipe_script");
    fields["machines"] = "- {name: a, address: 10.0.0.1, bmc: 'https://10.1.0.1', host_key: " +
                         tests::host_keys::first_key + "}";
    made(spec(1001));
    fake_power.answer = Pending{.poll_in = 1s, .reason = "it shuts down"};

    BOOST_TEST(std::get<Pending>(destroy(spec(1001, "", 11))).reason == "it shuts down");
    BOOST_TEST((leases.leases.at(1).state == LeaseState::wiped));

    fake_power.answer = Refused{.message = "the controller refuses the password"};
    clock.moment += wash_patience + 1s;
    destroy(spec(1001, "", 11));
    BOOST_TEST((leases.leases.at(1).state == LeaseState::broken));
    BOOST_TEST(leases.leases.at(1).reason == "for 60 minutes: the controller refuses the password");
}

BOOST_FIXTURE_TEST_CASE(metal_that_another_daemon_has_freed_meanwhile_is_not_switched_off, Cellar) {
    power = &fake_power;
    fields["machines"] = "- {name: a, address: 10.0.0.1, bmc: 'https://10.1.0.1', host_key: " +
                         tests::host_keys::first_key + "}";
    made(spec(1001));
    leases.leases.at(1).state = LeaseState::wiped;
    const auto read_before = leases.leases.at(1);
    leases.leases.clear();

    Washing washing{leases, scripts, &fake_power, clock};
    const Account used = account();
    answer(washing.go_on(used, read_before));

    BOOST_TEST(fake_power.calls.empty());
}

// By its list alone a tenant may name the controller of another's machine.
BOOST_FIXTURE_TEST_CASE(metal_that_never_let_us_in_is_neither_switched_on_nor_off, Cellar) {
    power = &fake_power;
    fields["machines"] = "- {name: a, address: 10.0.0.1, bmc: 'https://10.1.0.1', host_key: " +
                         tests::host_keys::first_key + "}";
    leased(spec(1001));

    BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(1001, "", 11))));

    BOOST_TEST((fake_power.calls == std::vector<std::string>{"look a"}));
    BOOST_TEST(leases.leases.empty());
}

BOOST_FIXTURE_TEST_CASE(metal_that_was_never_entered_is_not_switched_off, Cellar) {
    power = &fake_power;
    fields["machines"] = "- {name: a, address: 10.0.0.1, bmc: 'https://10.1.0.1', host_key: " +
                         tests::host_keys::first_key + "}";
    leased(spec(1001));
    const Account used = account();
    answer(switch_on(leases, power, used, leases.leases.at(1)));
    scripts.answers = {ScriptDone{}};

    BOOST_TEST(std::holds_alternative<Gone>(destroy(spec(1001, "", 11))));

    BOOST_TEST((fake_power.calls == std::vector<std::string>{"look a", "on a", "on a"}));
    BOOST_REQUIRE(scripts.runs.size() == 1U);
    BOOST_TEST(scripts.runs.front().only_logs_in);
}

BOOST_AUTO_TEST_SUITE_END()
