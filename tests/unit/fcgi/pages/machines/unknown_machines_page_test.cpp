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

    BOOST_TEST(json["summary"].get<std::string>().starts_with(
        "The machines of 1 account cannot be listed. 1 machine in no cluster."));
    BOOST_REQUIRE(json["accounts"].size() == 2U);
    // What cannot be listed comes first.
    const auto& listed = json["accounts"][1];
    BOOST_TEST(listed["title"] == "amazon, AKIA in eu");
    BOOST_TEST(listed["source"] == "aws, of tenant demo");
    BOOST_TEST(listed["state_words"] == "listed");
    BOOST_TEST(listed["error"].is_null());
    BOOST_TEST(listed["machines"][0]["addresses"] == "192.0.2.1");
    BOOST_TEST(listed["machines"][0]["owner"] == "demo");
    const auto& failing = json["accounts"][0];
    BOOST_TEST(failing["state_words"] == "cannot be listed");
    BOOST_TEST(failing["error"] == "answered 401");
    BOOST_TEST(failing["has_machines"] == false);
    BOOST_TEST(failing["none_words"] == "No unknown machines when it was last listed.");
    BOOST_TEST(json["pager"].is_null());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_listed_is_said_before_that_all_is_well) {
    const auto summary = [](std::vector<ProviderAccount> accounts) {
        return to_json(UnknownMachinesPage{.accounts = std::move(accounts)})
            .at("summary")
            .get<std::string>();
    };
    ProviderAccount fresh = an_account(3);
    fresh.looked_at.reset();

    BOOST_TEST(summary({an_account(1), fresh}) ==
               "All machines found at your providers belong to clusters.");
    BOOST_TEST(summary({an_account(1), an_account(2, 1)}) ==
               "The machines of 1 account cannot be listed. All machines found in the other "
               "accounts belong to clusters.");
    BOOST_TEST(summary({an_account(1, 4), an_account(2, 1)}) ==
               "The machines of 2 accounts cannot be listed.");
    BOOST_TEST(summary({fresh}) == "No account at your providers was listed yet.");
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
    BOOST_TEST(json["accounts"][0]["title"] ==
               "Machines of this installation (local), host:/var/hosts");
    BOOST_TEST(json["accounts"][0]["source"] == "");
    BOOST_TEST(json["accounts"][0]["error"].is_null());
    BOOST_TEST(json["accounts"][0]["state_words"] == "listed", "its machine was seen");
    BOOST_TEST(json["accounts"][0]["listed"]["iso"] == "1970-01-01T00:00:40.000000Z");
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
    BOOST_TEST(json["accounts"][1]["state_words"] == "not listed yet");
}

BOOST_AUTO_TEST_CASE(many_unknown_machines_are_on_pages_and_no_account_is_said_to_be_empty) {
    UnknownMachinesPage page{.accounts = {an_account(1), an_account(2), an_account(3)},
                             .count = 120,
                             .counts = {{ProviderAccountId{1}, 100}, {ProviderAccountId{2}, 20}},
                             .now = from_millis(100'000)};
    page.machines.assign(50, a_machine(an_account(1)));

    auto json = to_json(page);
    BOOST_REQUIRE(json["accounts"].size() == 3U);
    BOOST_TEST(json["accounts"][1]["none_words"] == "20 unknown machines, on later pages.");
    BOOST_TEST(json["accounts"][2]["none_words"] == "No unknown machines.");
    BOOST_TEST(json["pager"]["words"] == "1 to 50 of 120");
    BOOST_TEST(json["pager"]["next"] == "/unknown-machines?page=2#accounts");

    page.page = 3;
    page.machines.assign(20, a_machine(an_account(2)));
    json = to_json(page);
    BOOST_REQUIRE(json["accounts"].size() == 1U);
    BOOST_TEST(json["accounts"][0]["machines"].size() == 20U);
    BOOST_TEST(json["pager"]["previous"] == "/unknown-machines?page=2#accounts");
}

BOOST_AUTO_TEST_CASE(many_lost_machines_are_on_pages_of_their_own) {
    UnknownMachinesPage page{.lost_page = 2, .now = from_millis(100'000)};
    page.lost.resize(UnknownMachinesPage::most_lost + 1);

    const auto json = to_json(page);

    BOOST_TEST(json["lost"].size() == 50U);
    const auto& pager = json["lost_pages"][0]["pager"];
    BOOST_TEST(pager["words"] == "51 to 100 of 1,000");
    BOOST_TEST(pager["at"] == "Page 2 of 20");
    BOOST_TEST(pager["first"] == "", "the previous one is the first");
    BOOST_TEST(pager["last"] == "/unknown-machines?lost=20#lost-title");
    BOOST_TEST(pager["jump"]["name"] == "lost");
    BOOST_TEST(pager["pages_label"] == "Pages of lost machines", "the other one has another label");
    BOOST_TEST(pager["previous"] == "/unknown-machines#lost-title");
    BOOST_TEST(pager["next"] == "/unknown-machines?lost=3#lost-title");
    BOOST_TEST(json["lost_cut"] == "Only the first 1,000 lost machines are listed.");
}

BOOST_AUTO_TEST_CASE(who_changes_nothing_is_not_offered_to_replace_a_lost_machine) {
    UnknownMachinesPage page{.now = from_millis(100'000)};
    page.lost.resize(1);
    page.may_replace = false;

    BOOST_TEST(to_json(page)["lost"][0]["replace"] == "");
}

BOOST_AUTO_TEST_CASE(a_machine_without_a_name_is_called_by_its_address_or_its_id) {
    UnknownMachine machine = a_machine(an_account(1));
    machine.name.clear();
    const auto name = [&] {
        const auto json =
            to_json(UnknownMachinesPage{.machines = {machine}, .count = 1, .now = from_millis(0)});
        return json["accounts"][0]["machines"][0]["name"].get<std::string>();
    };

    BOOST_TEST(name() == "192.0.2.1");
    machine.addresses.clear();
    BOOST_TEST(name() == "i-1");
}
