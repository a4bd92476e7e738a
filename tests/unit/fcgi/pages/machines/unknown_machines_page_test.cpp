#include "fcgi/pages/machines/unknown_machines.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::base::from_millis;

namespace {

ProviderAccount an_account(std::int64_t id, int failures = 0) {
    return {.id = ProviderAccountId{id},
            .tenant = TenantId{2},
            .tenant_name = "demo",
            .provider_type = "aws",
            .name = "AKIA in eu",
            .provider = "amazon",
            .looked_at = from_millis(40'000),
            .failures = failures,
            .error = failures > 0 ? "answered 401" : ""};
}

UnknownMachine a_machine(const ProviderAccount& account) {
    return {.account = account,
            .tenant = TenantId{2},
            .tenant_name = "demo",
            .machine = "i-1",
            .name = "web",
            .addresses = {{"access_v4", "192.0.2.1"}, {"bind_v4", "192.0.2.1"}},
            .first_seen = from_millis(0),
            .last_seen = from_millis(40'000)};
}

}  // namespace

BOOST_AUTO_TEST_CASE(unknown_machines_are_shown_by_the_account_they_are_in) {
    const auto json = to_json(UnknownMachinesPage{.accounts = {an_account(1), an_account(2, 1)},
                                                  .machines = {a_machine(an_account(1))},
                                                  .count = 1,
                                                  .now = from_millis(100'000)});

    BOOST_TEST(json["summary"].get<std::string>().starts_with("1 machine in no cluster."));
    BOOST_REQUIRE(json["accounts"].size() == 2U);
    const auto& first = json["accounts"][0];
    BOOST_TEST(first["title"] == "amazon");
    BOOST_TEST(first["source"] == "aws, of tenant demo");
    BOOST_TEST(first["account"] == "AKIA in eu");
    BOOST_TEST(first["state_words"] == "listed");
    BOOST_TEST(first["error"].is_null());
    BOOST_TEST(first["machines"][0]["addresses"] == "192.0.2.1");
    BOOST_TEST(first["machines"][0]["owner"] == "demo");
    const auto& second = json["accounts"][1];
    BOOST_TEST(second["state_words"] == "cannot be listed");
    BOOST_TEST(second["error"] == "answered 401");
    BOOST_TEST(second["has_machines"] == false);
    BOOST_TEST(second["none_words"] == "No unknown machines when it was last listed.");
    BOOST_TEST(json["more"].is_null());
}

BOOST_AUTO_TEST_CASE(lost_machines_are_shown_with_their_clusters_and_a_way_on) {
    const LostMachine lost{.nodenum = 1001,
                           .cluster = ClusterId{42},
                           .hostname = "shop-1001",
                           .machine = "i-7",
                           .missing_since = from_millis(40'000),
                           .may_be_reclaimed = true};
    const auto json = to_json(UnknownMachinesPage{.lost = {lost}, .now = from_millis(100'000)});

    BOOST_TEST(json["has_lost"] == true);
    BOOST_TEST(json["lost"][0]["cluster"] == "/clusters/00000042");
    BOOST_TEST(json["lost"][0]["replace"] == "/clusters/00000042/nodes/1001/replace");
    BOOST_TEST(json["lost"][0]["kind"] == "May be taken back by its provider");
    BOOST_TEST(to_json(UnknownMachinesPage{})["has_lost"] == false);
}

BOOST_AUTO_TEST_CASE(a_machine_in_an_account_that_is_nobodys_is_shown_under_its_name) {
    ProviderAccount local{
        .id = ProviderAccountId{3}, .provider_type = "local", .name = "host:/var/hosts"};
    const auto json = to_json(
        UnknownMachinesPage{.machines = {a_machine(local)}, .count = 7, .now = from_millis(0)});

    BOOST_REQUIRE(json["accounts"].size() == 1U);
    BOOST_TEST(json["accounts"][0]["title"] == "Machines of this installation (local)");
    BOOST_TEST(json["accounts"][0]["source"] == "");
    BOOST_TEST(json["accounts"][0]["error"].is_null());
    BOOST_TEST(json["accounts"][0]["listed"].is_null());
    BOOST_TEST(json["more"] == 6);
}

BOOST_AUTO_TEST_CASE(an_account_that_was_never_listed_is_not_said_to_be_empty) {
    ProviderAccount fresh = an_account(1);
    fresh.looked_at.reset();
    ProviderAccount closed = an_account(2, 1);
    closed.looked_at.reset();

    const auto json =
        to_json(UnknownMachinesPage{.accounts = {fresh, closed}, .now = from_millis(0)});

    for (const auto& account : json["accounts"]) {
        BOOST_TEST(account["none_words"] == "Not listed yet.");
    }
    BOOST_TEST(json["accounts"][0]["state_words"] == "not listed yet");
}
