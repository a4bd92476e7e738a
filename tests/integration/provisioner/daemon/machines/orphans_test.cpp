#include "provisioner/daemon/machines/orphans.hpp"

#include "provisioner/operations/changes/change.hpp"
#include "tests/integration/provisioner/daemon/machines/orphan_site.hpp"
#include "tests/support/python_server.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using tests::OrphanSite;
using tests::provider_of;
using Names = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(orphans)

namespace {

Names names_of(const std::vector<model::UnknownMachine>& machines) {
    Names names;
    for (const auto& machine : machines) names.push_back(machine.name);
    return names;
}

}  // namespace

BOOST_AUTO_TEST_CASE(machines_of_a_cluster_that_is_made_or_there_are_left_alone) {
    OrphanSite site;

    BOOST_TEST(site.look().removed.empty());
    site.succeed_all();
    BOOST_TEST(site.look().removed.empty());

    BOOST_TEST(site.there["ann"].size() == 3U);
    BOOST_TEST(site.unknown().empty());
}

BOOST_AUTO_TEST_CASE(a_machine_of_a_terminated_cluster_is_taken_away) {
    OrphanSite site;
    site.succeed_all();
    site.delete_it();
    BOOST_TEST(site.look().removed.empty());
    site.succeed_all();

    const auto orphans = site.look();

    BOOST_TEST(
        (orphans.removed == Names{site.machine(1000), site.machine(1001), site.machine(1002)}));
    BOOST_TEST(site.there["ann"].empty());
    BOOST_TEST(site.look().removed.empty());
}

BOOST_AUTO_TEST_CASE(the_machine_of_a_node_that_left_is_taken_away_and_the_others_stay) {
    OrphanSite site;
    site.succeed_all();
    BOOST_REQUIRE(operations::change_cluster(site.fresh.database, site.caller, site.cluster,
                                             {.change = operations::ShrinkCluster{.machines = 1}},
                                             site.now)
                      .has_value());
    BOOST_TEST(site.look().removed.empty());
    site.succeed_all();

    BOOST_TEST((site.look().removed == Names{site.machine(1002)}));

    BOOST_TEST((site.there["ann"] == std::set{site.machine(1000), site.machine(1001)}));
}

BOOST_AUTO_TEST_CASE(a_machine_no_node_was_ever_called_like_is_stored_and_left_alone) {
    OrphanSite site;
    site.there["ann"] = {"web", site.machine(1077), "99999999-1000"};

    const auto orphans = site.look();

    BOOST_TEST(orphans.removed.empty());
    BOOST_TEST(orphans.unknown.size() == 3U);
    BOOST_TEST(site.there["ann"].size() == 3U);
    const auto unknown = site.unknown();
    BOOST_REQUIRE(unknown.size() == 3U);
    BOOST_TEST((names_of(unknown) == Names{site.machine(1077), "99999999-1000", "web"}));
    const model::UnknownMachine& web = unknown.back();
    BOOST_TEST(web.machine == "i-web");
    BOOST_TEST(web.addresses.at("access_v4") == "192.0.2.1");
    BOOST_TEST(web.tenant_name == "acme");
    BOOST_TEST(web.account.name == "ann in the cloud");
    BOOST_TEST(web.account.provider == "cloud");
    BOOST_TEST(web.account.provider_type == "simulated");
}

BOOST_AUTO_TEST_CASE(what_is_left_of_a_cluster_goes_once_the_cluster_is_terminated) {
    OrphanSite site;
    const std::string group = model::wire_id(site.cluster) + "=security group g-1";
    site.there["ann"] = {group, "99999999=security group g-2"};
    BOOST_TEST(site.look().removed.empty());
    BOOST_TEST((names_of(site.unknown()) == Names{"99999999"}));
    site.succeed_all();
    site.delete_it();
    BOOST_TEST(site.look().removed.empty());
    site.succeed_all();

    BOOST_TEST((site.look().removed ==
                Names{"security group g-1 of cluster " + model::wire_id(site.cluster)}));

    BOOST_TEST((site.there["ann"] == std::set<std::string>{"99999999=security group g-2"}));
}

BOOST_AUTO_TEST_CASE(an_unknown_machine_is_told_once_and_forgotten_when_it_is_gone) {
    OrphanSite site;
    site.there["ann"] = {"web", "mail"};
    BOOST_TEST((site.look().unknown == Names{"mail", "web"}));
    const auto first = site.unknown();

    site.there["ann"] = {"web", "new"};
    BOOST_TEST((site.look().unknown == Names{"new"}));

    const auto second = site.unknown();
    BOOST_REQUIRE(second.size() == 2U);
    BOOST_TEST((names_of(second) == Names{"web", "new"}));
    BOOST_TEST((second[0].first_seen == first[1].first_seen));
    BOOST_TEST((second[0].last_seen > first[1].last_seen));
}

BOOST_AUTO_TEST_CASE(a_second_machine_of_a_node_is_unknown_and_the_one_it_has_is_not) {
    OrphanSite site;
    auto claims = site.claim();
    while (!claims.empty()) {
        for (const queue::Claim& claim : claims) {
            queue::Succeeded made;
            if (claim.action == model::Action::create) made.facts["providerid"] = "i-good";
            site.finish(claim, made);
        }
        claims = site.claim();
    }
    site.there["ann"] = {site.machine(1000) + "=i-good", site.machine(1000) + "=i-twin"};

    BOOST_TEST((site.look().unknown == Names{site.machine(1000)}));

    BOOST_REQUIRE(site.unknown().size() == 1U);
    BOOST_TEST(site.unknown().front().machine == "i-twin");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_taken_away_is_told_and_does_not_hold_up_the_others) {
    OrphanSite site;
    site.succeed_all();
    site.delete_it();
    site.succeed_all();
    site.cloud->held = site.machine(1000);

    const auto orphans = site.look();

    BOOST_TEST((orphans.problems == Names{site.machine(1000) + ": it is held by a person"}));
    BOOST_TEST((site.there["ann"] == std::set{site.machine(1000)}));
}

BOOST_AUTO_TEST_CASE(an_account_that_does_not_answer_is_told_and_holds_up_no_other) {
    OrphanSite site;
    site.save(site.caller, provider_of("other", "bob"));
    site.there["bob"] = {"web"};
    site.cloud->silent = "ann";

    const auto orphans = site.look();

    BOOST_TEST((orphans.problems ==
                Names{"machines of simulated in ann in the cloud: no answer in time"}));
    BOOST_TEST((orphans.unknown == Names{"web"}));
    const auto accounts = site.accounts();
    BOOST_REQUIRE(accounts.size() == 2U);
    BOOST_TEST(accounts[0].error == "no answer in time");
    BOOST_TEST(accounts[0].failures == 1);
    BOOST_TEST(!accounts[0].looked_at.has_value());
    BOOST_TEST(accounts[1].error == "");
    BOOST_TEST(accounts[1].looked_at.has_value());
}

BOOST_AUTO_TEST_CASE(a_request_under_way_goes_with_the_look_it_was_made_for) {
    OrphanSite site;
    tests::PythonServer server({"tests/integration/provisioner/http_client/server.py"});
    const std::string url = "http://127.0.0.1:" + std::to_string(server.port());
    site.there["ann"] = {"web"};
    site.cloud->url = url + "/silent";
    const auto began = std::chrono::steady_clock::now();

    BOOST_TEST((site.look().problems ==
                Names{"machines of simulated in ann in the cloud: no answer in time"}));

    BOOST_TEST((std::chrono::steady_clock::now() - began < 3s));
    site.cloud->url = url + "/echo";
    BOOST_TEST((site.look().unknown == Names{"web"}));
}

BOOST_AUTO_TEST_CASE(a_failure_keeps_what_was_unknown_and_is_over_with_the_next_answer) {
    OrphanSite site;
    site.there["ann"] = {"web"};
    site.look();
    site.cloud->is_away = true;

    BOOST_TEST((site.look().problems ==
                Names{"machines of simulated in ann in the cloud: the cloud is away"}));
    BOOST_TEST(site.look().problems.size() == 1U);
    BOOST_TEST(site.accounts().front().failures == 2);
    BOOST_TEST(site.unknown().size() == 1U);

    site.cloud->is_away = false;
    BOOST_TEST(site.look().problems.empty());
    BOOST_TEST(site.accounts().front().failures == 0);
    BOOST_TEST(site.accounts().front().error == "");
}

BOOST_AUTO_TEST_CASE(an_account_is_looked_at_by_one_daemon_and_only_when_it_is_time) {
    OrphanSite site;

    for (int i = 0; i < 3; ++i) site.look(60s);

    BOOST_TEST(site.cloud->looks["ann"] == 1);
}

BOOST_AUTO_TEST_CASE(each_tenant_has_the_machines_of_its_own_accounts) {
    OrphanSite site;
    const auto other = tests::a_caller(site.fresh.database, "other");
    site.save(other, provider_of("cloud", "bob"));
    site.there["ann"] = {"a"};
    site.there["bob"] = {"b"};

    site.look();

    BOOST_TEST((names_of(site.unknown(site.caller.tenant.id)) == Names{"a"}));
    BOOST_TEST((names_of(site.unknown(other.tenant.id)) == Names{"b"}));
    BOOST_TEST(site.unknown().size() == 2U);
    BOOST_TEST(site.accounts(other.tenant.id).size() == 1U);
    BOOST_TEST(site.accounts().size() == 2U);
}

BOOST_AUTO_TEST_CASE(an_account_of_the_installation_is_looked_at_once_for_all_tenants) {
    OrphanSite site;
    const auto other = tests::a_caller(site.fresh.database, "other");
    site.save(other, provider_of("cloud", "bob"));
    site.cloud->shared = true;
    site.there["all"] = {"web", site.machine(1077)};

    BOOST_TEST(site.look().unknown.size() == 2U);

    BOOST_TEST(site.cloud->looks["all"] == 1);
    BOOST_TEST(site.accounts().size() == 1U);
    BOOST_TEST(site.accounts(site.caller.tenant.id).empty());
    // What is called after a cluster is of its tenant, the rest is nobody's.
    BOOST_TEST((names_of(site.unknown(site.caller.tenant.id)) == Names{site.machine(1077)}));
    BOOST_TEST(site.unknown(other.tenant.id).empty());
    BOOST_TEST(site.unknown().size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_provider_that_is_not_filled_in_leads_nowhere) {
    OrphanSite site;
    site.save(site.caller, provider_of("empty", "", ""));
    site.save(site.caller, provider_of("half", "bob", ""));

    BOOST_TEST(site.look().problems.empty());

    BOOST_TEST(site.accounts().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_provider_whose_fields_make_no_sense_is_told_and_holds_up_no_other) {
    OrphanSite site;
    auto odd = provider_of("odd", "");
    odd["provisioner"]["api_user"] = 5;
    site.save(site.caller, odd);
    site.there["ann"] = {"web"};

    const auto orphans = site.look();

    BOOST_REQUIRE(orphans.problems.size() == 1U);
    BOOST_TEST(orphans.problems.front().starts_with("provider odd: "));
    BOOST_TEST((orphans.unknown == Names{"web"}));
}

BOOST_AUTO_TEST_CASE(a_cluster_leads_to_the_account_it_was_made_in_after_its_provider_is_gone) {
    OrphanSite site;
    site.save(site.caller, provider_of("cloud", "bob"));
    site.succeed_all();
    site.delete_it();
    site.succeed_all();
    site.forget_provider("cloud");

    BOOST_TEST(site.look().removed.size() == 3U);
}

BOOST_AUTO_TEST_CASE(what_was_given_for_a_cluster_alone_opens_its_account) {
    OrphanSite site;
    // The provider's own password is wrong by now, and was already when the second one was made.
    site.save(site.caller, provider_of("cloud", "carl", "wrong"));
    site.there["carl"] = {"web"};

    const auto refused = site.look();
    BOOST_REQUIRE(refused.problems.size() == 1U);
    BOOST_TEST(refused.problems.front() ==
               "machines of simulated in carl in the cloud: no entry with ********");

    site.make_cluster({{"api_password", "open sesame"}});
    BOOST_TEST((site.look().unknown == Names{"web"}));
}

BOOST_AUTO_TEST_CASE(an_account_nothing_leads_to_is_forgotten_with_what_was_unknown_in_it) {
    OrphanSite site;
    site.there["ann"] = {"web"};
    site.look();

    site.fresh.database.write(
        [](store::Connection& connection) { store::forget_accounts(connection, 1h); });
    BOOST_TEST(site.unknown().size() == 1U);
    site.fresh.database.write(
        [](store::Connection& connection) { store::forget_accounts(connection, 0s); });

    BOOST_TEST(site.unknown().empty());
    BOOST_TEST(site.accounts().empty());
}

BOOST_AUTO_TEST_CASE(an_installation_has_one_id_for_ever) {
    OrphanSite site;
    const auto id = [&] { return site.fresh.database.write(store::installation_id); };

    const std::string first = id();

    BOOST_TEST(first.size() == 32U);
    BOOST_TEST(id() == first);
}

BOOST_AUTO_TEST_SUITE_END()
