#include <boost/test/unit_test.hpp>

#include <array>
#include <random>
#include <thread>

#include "tests/integration/provisioner/providers/digitalocean/fixture.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using base::Json;
using providers::Pending;
using providers::Reachable;
using providers::Refused;
using tests::DigitalOceanSite;
using tests::says;

namespace {

Json fault(const char* operation, const char* kind, const Json& more = Json::object()) {
    Json fault = Json::object();
    fault["operation"] = operation;
    fault["kind"] = kind;
    fault.update(more);
    return fault;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(digitalocean_horrors)

BOOST_FIXTURE_TEST_CASE(a_lost_reply_costs_no_second_machine, DigitalOceanSite) {
    // A connection that is kept and closed is the case in which libcurl would send again.
    made(spec(1002));
    site.fault(fault("droplets_create", "lost_reply"));

    made(spec());

    BOOST_TEST(count("droplets") == 2);
    BOOST_TEST(calls_of("droplets_create") == 2);
}

BOOST_FIXTURE_TEST_CASE(an_answer_that_breaks_off_costs_no_second_machine, DigitalOceanSite) {
    site.fault(fault("droplets_create", "truncated"));

    made(spec());

    BOOST_TEST(count("droplets") == 1);
}

BOOST_FIXTURE_TEST_CASE(a_request_that_was_lost_is_sent_again, DigitalOceanSite) {
    site.fault(fault("droplets_create", "lost_request"));
    site.fault(fault("droplets_create", "error", {{"status", 500}}));
    site.fault(fault("droplets_list", "error", {{"status", 502}}));

    made(spec());

    BOOST_TEST(count("droplets") == 1);
    BOOST_TEST(calls_of("droplets_create") == 3);
}

// shows_within() passes between the two tries.
BOOST_FIXTURE_TEST_CASE(a_machine_that_appears_late_is_the_machine, DigitalOceanSite) {
    site.fault(fault("droplets_create", "late", {{"after", 3}}));
    site.longest_pause = 20s;

    made(spec());

    BOOST_TEST(count("droplets") == 1);
    BOOST_TEST(calls_of("droplets_create") == 1);
}

BOOST_FIXTURE_TEST_CASE(a_double_that_appears_too_late_goes_with_the_machine, DigitalOceanSite) {
    site.fault(fault("droplets_create", "late", {{"after", 1}}));
    const std::string id = made(spec());
    std::this_thread::sleep_for(1200ms);
    BOOST_TEST(site.answer(site.provider().machines(account)).size() == 2);

    take_away(spec(), id);

    BOOST_TEST(count("droplets") == 0);
    BOOST_TEST(count("firewalls") == 0);
}

BOOST_FIXTURE_TEST_CASE(an_active_machine_without_an_address_is_waited_for, DigitalOceanSite) {
    set("boot_seconds", 0);
    set("tag_seconds", 0);
    set("address_seconds", 3);
    const auto machine = spec();
    const std::string id = made(machine);

    // Not the listing that create() made.
    std::this_thread::sleep_for(1100ms);
    const auto early = site.answer(site.provider().confirm(account, machine, results_of(id)));
    BOOST_REQUIRE(std::holds_alternative<Pending>(early));
    BOOST_TEST(says(std::get<Pending>(early).reason, "has no address yet"));

    const auto confirmed = site.confirm(account, machine, results_of(id));
    BOOST_TEST(std::holds_alternative<Reachable>(confirmed));
}

BOOST_FIXTURE_TEST_CASE(a_machine_whose_tags_are_late_is_known_by_its_name, DigitalOceanSite) {
    set("tag_seconds", 60);
    const std::string id = made(spec());
    BOOST_TEST(site.state()["droplets"][0]["tags"] == Json::array());

    BOOST_TEST(made(spec()) == id);
    take_away(spec(), id);

    BOOST_TEST(count("droplets") == 0);
}

BOOST_FIXTURE_TEST_CASE(tags_that_got_lost_are_put_on_before_anybody_logs_in, DigitalOceanSite) {
    set("tag_seconds", 3600);
    const auto machine = spec();
    const std::string id = made(machine);

    const auto confirmed = site.confirm(account, machine, results_of(id));

    BOOST_REQUIRE(std::holds_alternative<Reachable>(confirmed));
    const Json droplet = site.state()["droplets"][0];
    BOOST_TEST(droplet["tags"].size() == 2);
    BOOST_TEST(droplet["firewalls"].size() == 1);
}

BOOST_FIXTURE_TEST_CASE(a_pending_event_delays_the_deletion, DigitalOceanSite) {
    set("boot_seconds", 1.5);
    const std::string id = made(spec());

    const auto destroyed = site.answer(site.provider().destroy(account, spec(), results_of(id)));
    BOOST_REQUIRE(std::holds_alternative<Pending>(destroyed));
    BOOST_TEST(says(std::get<Pending>(destroyed).reason, "pending event"));

    take_away(spec(), id);
    BOOST_TEST(count("droplets") == 0);
}

BOOST_FIXTURE_TEST_CASE(a_pending_event_that_the_list_does_not_show_delays_it_too,
                        DigitalOceanSite) {
    set("boot_seconds", 0);
    const std::string id = made(spec());
    site.fault(fault("droplets_destroy", "error",
                     {{"status", 422},
                      {"id", "unprocessable_entity"},
                      {"message", "Droplet already has a pending event."}}));

    const auto destroyed = site.answer(site.provider().destroy(account, spec(), results_of(id)));
    BOOST_TEST(std::holds_alternative<Pending>(destroyed));

    take_away(spec(), id);
    BOOST_TEST(count("droplets") == 0);
}

BOOST_FIXTURE_TEST_CASE(a_machine_that_comes_back_after_its_deletion_is_listed_and_removed,
                        DigitalOceanSite) {
    set("boot_seconds", 0);
    const std::string id = made(spec());
    site.fault(fault("droplets_destroy", "comes_back", {{"after", 1}}));
    take_away(spec(), id);
    BOOST_TEST(site.answer(site.provider().machines(account)).empty());

    std::this_thread::sleep_for(1200ms);
    const auto seen = site.answer(site.provider().machines(account));
    BOOST_REQUIRE(seen.size() == 1);
    BOOST_TEST(seen[0].name == "00000001-1001");

    // As the sweep does, which knows no task.
    take_away(spec(1001, 0), seen[0].id);
    BOOST_TEST(count("droplets") == 0);
    BOOST_TEST(count("firewalls") == 0);
    BOOST_TEST(count("tags") == 1);
}

BOOST_FIXTURE_TEST_CASE(a_lost_reply_to_a_deletion_changes_nothing, DigitalOceanSite) {
    set("boot_seconds", 0);
    const std::string id = made(spec());
    site.fault(fault("droplets_destroy", "lost_reply"));
    site.fault(fault("firewalls_delete", "lost_reply"));

    take_away(spec(), id);

    BOOST_TEST(count("droplets") == 0);
    BOOST_TEST(count("firewalls") == 0);
}

BOOST_FIXTURE_TEST_CASE(the_burst_is_waited_out_as_long_as_the_answer_says, DigitalOceanSite) {
    set("burst_limit", 5);
    made(spec(1002));
    set("burst_seconds", 2);
    const auto began = std::chrono::steady_clock::now();

    made(spec());

    BOOST_TEST(count("droplets") == 2);
    BOOST_TEST((std::chrono::steady_clock::now() - began >= 1s));
    // Nothing hammers at a door that says when it opens.
    BOOST_TEST(calls_of("droplets_list") <= 4);
}

BOOST_FIXTURE_TEST_CASE(a_used_up_hour_is_waited_out_without_a_word_about_when, DigitalOceanSite) {
    set("hour_limit", 4);
    set("hour_seconds", 3);
    site.longest_pause = 5s;

    made(spec());
    made(spec(1002));

    BOOST_TEST(count("droplets") == 2);
    const Json calls = site.calls()["calls"];
    int all = 0;
    for (const auto& [operation, count] : calls.items()) all += count.get<int>();
    BOOST_TEST(all <= 20);
}

BOOST_FIXTURE_TEST_CASE(a_request_to_slow_down_is_an_answer_to_wait, DigitalOceanSite) {
    site.fault(fault("droplets_list", "throttle", {{"retry_after", 3}}));

    const auto created = site.answer(site.provider().create(account, spec()));

    BOOST_REQUIRE(std::holds_alternative<Pending>(created));
    BOOST_TEST((std::get<Pending>(created).poll_in == 3s));
}

BOOST_FIXTURE_TEST_CASE(a_machine_that_was_switched_off_is_replaced, DigitalOceanSite) {
    set("boot_seconds", 0);
    const std::string id = made(spec());
    site.control("POST", "/-/switch_off", "{\"droplet\": " + id + "}");

    const auto confirmed = site.confirm(account, spec(), results_of(id));
    BOOST_REQUIRE(std::holds_alternative<Refused>(confirmed));
    BOOST_TEST(says(std::get<Refused>(confirmed).message, "switched off"));

    const std::string next = made(spec(1001, 12));
    BOOST_TEST(next != id);
    BOOST_TEST(count("droplets") == 1);
    take_away(spec(1001, 12), next);
    take_away(spec(1001, 12), id);
}

BOOST_FIXTURE_TEST_CASE(whatever_goes_wrong_no_machine_is_doubled_and_nothing_is_left,
                        DigitalOceanSite) {
    account.fields["digitalocean_volume_size_gb"] = "10";
    set("boot_seconds", 0.1);
    const std::array operations{"droplets_list",  "droplets_create",  "droplets_destroy",
                                "firewalls_list", "firewalls_create", "firewalls_delete",
                                "tags_create",    "tags_delete",      "volumes_list",
                                "volumes_create", "volumes_delete",   "*"};
    const std::array kinds{"lost_reply", "lost_request", "truncated", "error", "throttle"};
    std::mt19937 chance(7);
    const auto one_of = [&](const auto& choices) { return choices[chance() % choices.size()]; };
    const auto add_faults = [&] {
        for (int i = 0; i < 4; ++i) site.fault(fault(one_of(operations), one_of(kinds)));
    };
    for (int number = 1001; number <= 1008; ++number) {
        add_faults();
        const std::string id = made(spec(number));
        BOOST_TEST(count("droplets") == 1);
        BOOST_TEST(count("volumes") == 1);
        add_faults();
        take_away(spec(number), id);
        for (const char* kind : {"droplets", "volumes", "firewalls"}) {
            BOOST_TEST(count(kind) == 0, kind);
        }
    }
    const Json calls = site.calls();
    BOOST_TEST(calls["made"] == 8);
    BOOST_TEST(calls["faults"].size() == kinds.size());
}

BOOST_AUTO_TEST_SUITE_END()
