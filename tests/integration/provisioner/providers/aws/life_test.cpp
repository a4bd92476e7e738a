#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/aws/site.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using tests::AwsSite;
using tests::fresh_site;
using tests::results_of;

BOOST_AUTO_TEST_SUITE(aws_life)

BOOST_AUTO_TEST_CASE(a_machine_is_made_reached_listed_and_taken_away_with_all_that_belongs_to_it) {
    AwsSite& site = fresh_site();
    site.set({{"boot_seconds", 0.5}, {"shutdown_seconds", 0.3}});
    const Account account = site.account();
    const MachineSpec spec = site.spec();

    const std::string id = site.made(account, spec);
    const Confirmed confirmed = site.confirm(account, spec, results_of(id));
    const auto seen = site.answer(site.provider().machines(account));

    BOOST_REQUIRE(std::holds_alternative<Reachable>(confirmed));
    const auto& reachable = std::get<Reachable>(confirmed);
    const auto instance = site.living().at(0);
    BOOST_TEST(reachable.addresses.at("access_v4") == base::text_at(instance, "public"));
    BOOST_TEST(reachable.addresses.at("bind_v4") == base::text_at(instance, "private"));
    BOOST_TEST(reachable.host_key.starts_with("ssh-ed25519 "));
    BOOST_TEST(base::text_at(instance, "user_data").find(reachable.host_key) != std::string::npos);
    BOOST_REQUIRE(seen.size() == 1U);
    BOOST_TEST(seen[0].id == id);
    BOOST_TEST(seen[0].name == spec.name);

    site.removed(account, spec);

    BOOST_TEST(site.left() == 0);
    BOOST_TEST(site.refused_by_judge().empty());
    BOOST_TEST(site.calls().at("wrong_signatures") == 0);
}

BOOST_AUTO_TEST_CASE(an_existing_machine_is_found_again_and_not_doubled) {
    AwsSite& site = fresh_site();
    const Account account = site.account();

    const std::string first = site.made(account, site.spec());
    const std::string second = site.made(account, site.spec());

    BOOST_TEST(first == second);
    BOOST_TEST(site.living().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_not_listed_yet_is_not_made_twice) {
    AwsSite& site = fresh_site();
    site.set({{"hidden_seconds", 3}});
    const Account account = site.account();

    const std::string first = site.made(account, site.spec());
    const std::string second = site.made(account, site.spec());
    const Confirmed confirmed = site.confirm(account, site.spec(), results_of(first));

    BOOST_TEST(first == second);
    BOOST_TEST(std::holds_alternative<Reachable>(confirmed));
    BOOST_TEST(site.living().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_machine_whose_tags_come_late_is_not_made_twice) {
    AwsSite& site = fresh_site();
    site.set({{"tags_seconds", 2}});
    const Account account = site.account();

    const std::string first = site.made(account, site.spec());
    const std::string second = site.made(account, site.spec());
    const Confirmed confirmed = site.confirm(account, site.spec(), results_of(first));

    BOOST_TEST(first == second);
    BOOST_TEST(std::holds_alternative<Reachable>(confirmed));
}

BOOST_AUTO_TEST_CASE(a_replacement_is_another_machine) {
    AwsSite& site = fresh_site();
    const Account account = site.account();
    MachineSpec spec = site.spec();

    const std::string first = site.made(account, spec);
    site.removed(account, spec);
    spec.attempt = 2;
    const std::string second = site.made(account, spec);

    BOOST_TEST(first != second);
    BOOST_TEST(site.living().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_machine_that_ended_within_its_attempt_asks_for_another_attempt) {
    // With a group of its own, the cluster asks with another group: other parameters.
    for (const char* group : {"default", ""}) {
        AwsSite& site = fresh_site();
        const Account account = site.account({{"security_groups", group}});
        const MachineSpec spec = site.spec();
        const std::string first = site.made(account, spec);
        site.removed(account, spec);

        const Refused refused = site.refusal(account, spec);

        BOOST_TEST(refused.worth_retrying);
        BOOST_TEST(refused.message.find(first + " of this attempt is gone already") !=
                   std::string::npos);
        BOOST_TEST(site.living().empty());
    }
}

BOOST_AUTO_TEST_CASE(a_field_that_changes_within_an_attempt_costs_no_second_machine) {
    AwsSite& site = fresh_site();
    site.set({{"hidden_seconds", 2}});
    const std::string first = site.made(site.account(), site.spec());
    site.set({{"hidden_seconds", 0}});

    const std::string second = site.made(
        site.account({{"iam_instance_profile", ""}, {"aws_root_ebs_size", "20"}}), site.spec());

    BOOST_TEST(first == second);
    BOOST_TEST(site.living().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_spot_machine_that_aws_takes_back_is_gone_and_says_why) {
    AwsSite& site = fresh_site();
    const Account account = site.account({{"spot", "true"}, {"spot_max_price", "0.02"}});
    const std::string id = site.made(account, site.spec());

    site.ask("reclaim", {{"instance", id}});
    const Confirmed confirmed = site.confirm(account, site.spec(), results_of(id));

    BOOST_REQUIRE(std::holds_alternative<Refused>(confirmed));
    BOOST_TEST(std::get<Refused>(confirmed).message ==
               "the machine " + id +
                   " is gone: AWS took the spot machine back (Server.SpotInstanceTermination)");
    const auto seen = site.answer(site.provider().machines(account));
    BOOST_REQUIRE(seen.size() == 1U);
    BOOST_TEST(seen[0].id.starts_with("security group sg-"));
    BOOST_TEST(seen[0].name == "00000001");
    MachineSpec again = site.spec();
    again.attempt = 2;
    BOOST_TEST(site.made(account, again) != id);
}

BOOST_AUTO_TEST_CASE(the_console_shows_the_host_key_of_a_machine_without_user_data) {
    AwsSite& site = fresh_site();
    const Account account = site.account({{"cloud_init", "false"}});
    const std::string id = site.made(account, site.spec());
    const std::string console =
        "ci-info: up\n-----BEGIN SSH HOST KEY KEYS-----\necdsa-sha2-nistp256 AAAAE2 root@a\n"
        "ssh-ed25519 AAAAC3Nza root@a\n-----END SSH HOST KEY KEYS-----\nlogin:";

    site.ask("console", {{"instance", id}, {"output", console}});
    const Confirmed confirmed = site.confirm(account, site.spec(), results_of(id));

    BOOST_REQUIRE(std::holds_alternative<Reachable>(confirmed));
    BOOST_TEST(std::get<Reachable>(confirmed).host_key == "ssh-ed25519 AAAAC3Nza");
    BOOST_TEST(!std::get<Reachable>(confirmed).host_key_travelled);
    BOOST_TEST(site.things("keys").size() == 1U);
    site.removed(account, site.spec());
    BOOST_TEST(site.left() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
