#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/daemon/tasks/performer_fixture.hpp"

using namespace provisioner;
using namespace tests;
using model::Action;

namespace {

constexpr const char* own_key = "ssh-ed25519 BBBB";

/// A hardware action on a machine of the cloud.
UnderWay::Prepare on_the_cloud(Action action, const std::function<void(UnderWay&)>& more) {
    return [=](UnderWay& about) {
        about.work = start_of_web(std::nullopt, "fake");
        about.work.claim.action = action;
        about.node.steps_end = true;
        more(about);
    };
}

void with_results(daemon::Work& work, const base::Json& results) {
    auto node = *work.node;
    node.results = results;
    work.node = std::make_shared<const model::Node>(node);
}

base::Json in_between() {
    return {{"ssh_host_keys", {{"ed25519", "AAAA"}}}, {"ssh_host_key_next", own_key}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_machine_whose_host_key_travelled_makes_another_one_when_it_is_confirmed) {
    UnderWay confirm(on_the_cloud(Action::confirm, [](UnderWay& about) {
        about.node.prints = std::string("cooperage-fact ssh_host_key_next \"") + own_key + "\"\n";
    }));
    BOOST_REQUIRE(confirm.has_ended());
    const auto outcome = confirm.outcome.get();
    const auto& done = std::get<queue::Succeeded>(outcome);
    BOOST_TEST(base::text_at(done.facts.at("ssh_host_keys"), "ed25519") == "AAAA");
    BOOST_TEST(base::text_at(done.facts, "ssh_host_key_next") == own_key);
    BOOST_TEST(base::text_at(done.facts, "ssh_host_key_origin") == "carried in user data");
    BOOST_TEST((confirm.node.accepted == std::vector<std::string>{"ssh-ed25519 AAAA"}));
}

BOOST_AUTO_TEST_CASE(a_machine_that_reports_no_key_of_its_own_is_not_confirmed) {
    for (const std::string said :
         {"", "\"\"", "\"ssh-rsa CCCC\"", "\"ssh-ed25519 B\\nssh-ed25519 C\""}) {
        UnderWay confirm(on_the_cloud(Action::confirm, [&](UnderWay& about) {
            about.node.prints = "cooperage-fact ssh_host_key_next " + said + "\n";
        }));
        BOOST_REQUIRE(confirm.has_ended());
        const auto outcome = confirm.outcome.get();
        BOOST_TEST(std::get<queue::Failed>(outcome).message ==
                   "the machine made no host key of its own (try 1 of 3, the next one after 2 s)");
    }
}

BOOST_AUTO_TEST_CASE(the_user_that_the_provider_prepared_logs_in_and_else_that_of_the_image_type) {
    for (const std::string user : {"", "deploy"}) {
        UnderWay confirm(on_the_cloud(Action::confirm, [&](UnderWay& about) {
            if (!user.empty()) with_results(about.work, {{"ssh-auth", {{"user", user}}}});
        }));
        BOOST_REQUIRE(confirm.has_ended());
        BOOST_TEST(confirm.node.users.front() == (user.empty() ? "root" : user));
    }
}

BOOST_AUTO_TEST_CASE(a_new_machine_that_shows_another_key_is_waited_for_and_an_older_one_is_not) {
    for (const bool is_new : {true, false}) {
        UnderWay confirm(on_the_cloud(Action::confirm, [&](UnderWay& about) {
            about.node.host_key = "ssh-ed25519 of-the-image";
            about.work.claim.attempt_age = std::chrono::minutes{is_new ? 1 : 4};
        }));
        BOOST_REQUIRE(confirm.has_ended());
        const auto outcome = confirm.outcome.get();
        BOOST_TEST(std::holds_alternative<queue::Waiting>(outcome) == is_new);
        BOOST_TEST(confirm.node.scripts.empty());
    }
}

BOOST_AUTO_TEST_CASE(a_bootstrap_switches_to_the_machines_own_key_and_proves_it_by_a_new_login) {
    UnderWay bootstrap(on_the_cloud(Action::bootstrap, [](UnderWay& about) {
        about.bootstrap();
        with_results(about.work, in_between());
        about.node.host_key = own_key;
    }));
    BOOST_REQUIRE(bootstrap.has_ended());
    const auto outcome = bootstrap.outcome.get();
    const auto& done = std::get<queue::Succeeded>(outcome);
    BOOST_TEST(base::text_at(done.facts.at("ssh_host_keys"), "ed25519") == "BBBB");
    BOOST_TEST(base::text_at(done.facts, "ssh_host_key_next").empty());
    BOOST_REQUIRE(!bootstrap.node.scripts.empty());
    BOOST_TEST(bootstrap.node.scripts[0].find("ssh_host_ed25519_key") != std::string::npos);
    BOOST_TEST(bootstrap.node.accepted.front() == "ssh-ed25519 AAAA\nssh-ed25519 BBBB");
}

BOOST_AUTO_TEST_CASE(a_machine_that_goes_on_to_show_the_key_that_travelled_is_not_bootstrapped) {
    for (const bool is_late : {false, true}) {
        UnderWay bootstrap(on_the_cloud(Action::bootstrap, [&](UnderWay& about) {
            about.bootstrap();
            with_results(about.work, in_between());
            about.work.claim.attempt_age = std::chrono::minutes{is_late ? 4 : 1};
        }));
        BOOST_REQUIRE(bootstrap.has_ended());
        const auto outcome = bootstrap.outcome.get();
        BOOST_TEST(std::holds_alternative<queue::Waiting>(outcome) == !is_late);
        BOOST_TEST(bootstrap.node.accepted.back() == own_key);
    }
}

BOOST_AUTO_TEST_CASE(
    machines_that_get_no_names_from_their_provider_are_told_them_before_each_action) {
    UnderWay start(on_the_cloud(Action::start, [](UnderWay&) {}));
    BOOST_REQUIRE(start.has_ended());
    BOOST_REQUIRE(start.node.scripts.size() == 2U);
    BOOST_TEST(start.node.scripts[0].find("/etc/hosts") != std::string::npos);
    BOOST_REQUIRE(start.node.contents.size() == 1U);
    BOOST_TEST(start.node.contents.begin()->second == "203.0.113.3 web.local web\n");
}

BOOST_AUTO_TEST_CASE(a_creation_that_waits_uses_up_no_attempt_until_it_waited_too_long) {
    for (const bool is_late : {false, true}) {
        UnderWay create(on_the_cloud(Action::create, [&](UnderWay& about) {
            about.cloud->created = providers::Pending{.poll_in = std::chrono::seconds{7},
                                                      .reason = "its disk is made"};
            about.work.claim.attempt_age = std::chrono::minutes{is_late ? 31 : 1};
        }));
        BOOST_REQUIRE(create.has_ended());
        const auto outcome = create.outcome.get();
        if (is_late) {
            BOOST_TEST(std::get<queue::Failed>(outcome).message ==
                       "the machine could not be made in time: its disk is made (try 1 of 3, the "
                       "next one after 2 s)");
        } else {
            BOOST_TEST((std::get<queue::Waiting>(outcome).poll_in == std::chrono::seconds{7}));
        }
    }
}
