#include "provisioner/operations/changes/lost_machines.hpp"

#include "provisioner/operations/changes/change.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/machines/sighting_store.hpp"
#include "tests/integration/provisioner/daemon/machines/orphan_site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(lost_machines)

namespace {

/// A cluster of three nodes that is active, whose machines the account lists.
struct LostSite : tests::OrphanSite {
    explicit LostSite(bool may_be_reclaimed = true) : reclaimable(may_be_reclaimed) {
        make_machines();
        look();
    }

    /// Lets everything in the queue succeed; each machine is listed from then on.
    void make_machines() {
        for (auto claims = claim(); !claims.empty(); claims = claim()) {
            for (const queue::Claim& claim : claims) finish(claim, end_of(claim));
        }
    }

    std::vector<model::LostMachine> lost() {
        return fresh.database.read([&](store::Connection& connection) {
            return store::list_lost_machines(connection, {}, {}, 100);
        });
    }

    operations::Replacements replace(bool all = false) {
        return operations::replace_lost_machines(fresh.database, all, now);
    }

    /// "1000 1001 ...", those that leave in brackets.
    std::string numbers() {
        std::string text;
        for (const auto& node : fresh.database.read([&](store::Connection& connection) {
                 return store::nodes_of(connection, cluster);
             })) {
            const std::string number = std::to_string(node.nodenum);
            text += (text.empty() ? "" : " ") + (node.leaves ? "[" + number + "]" : number);
        }
        return text;
    }

    bool reclaimable;

 private:
    queue::Outcome end_of(const queue::Claim& claim) {
        queue::Succeeded done;
        if (claim.action != model::Action::create) return done;
        const auto context = fresh.database.read(
            [&](store::Connection& connection) { return store::nodes_of(connection, cluster); });
        for (const model::Node& node : context) {
            if (node.id != claim.node) continue;
            done.facts["providerid"] = "i-" + machine(node.nodenum);
            if (reclaimable) done.facts[model::may_be_reclaimed_fact] = true;
            there["ann"].insert(machine(node.nodenum));
        }
        return done;
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_machine_that_two_looks_do_not_list_is_lost_and_told_once) {
    LostSite site;
    site.there["ann"].erase(site.machine(1001));

    BOOST_TEST(site.look().lost.empty());
    BOOST_TEST(site.lost().empty());
    const auto told = site.look().lost;
    BOOST_TEST(site.look().lost.empty());

    BOOST_REQUIRE(told.size() == 1U);
    BOOST_TEST(told.front().nodenum == 1001);
    BOOST_TEST(told.front().machine == "i-" + site.machine(1001));
    BOOST_TEST(told.front().tenant_name == "acme");
    BOOST_TEST(told.front().may_be_reclaimed);
    BOOST_TEST((site.lost() == told));
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_listed_again_is_not_lost) {
    LostSite site;
    site.there["ann"].erase(site.machine(1001));
    site.look();
    site.there["ann"].insert(site.machine(1001));
    site.look();
    site.there["ann"].erase(site.machine(1001));

    BOOST_TEST(site.look().lost.empty());
    BOOST_TEST(site.look().lost.size() == 1U);
    site.there["ann"].insert(site.machine(1001));
    site.look();

    BOOST_TEST(site.lost().empty());
}

BOOST_AUTO_TEST_CASE(looks_that_fail_lose_nothing) {
    LostSite site;
    site.cloud->is_away = true;
    for (int looks = 0; looks < 3; ++looks) site.look();

    BOOST_TEST(site.lost().empty());
}

BOOST_AUTO_TEST_CASE(a_machine_that_its_account_never_listed_is_not_lost) {
    tests::OrphanSite site;
    site.there["ann"].clear();
    for (auto claims = site.claim(); !claims.empty(); claims = site.claim()) {
        for (const queue::Claim& claim : claims) {
            queue::Succeeded done;
            done.facts["providerid"] = "i-elsewhere";
            site.finish(claim, done);
        }
    }
    for (int looks = 0; looks < 3; ++looks) BOOST_TEST(site.look().lost.empty());
}

BOOST_AUTO_TEST_CASE(machines_of_a_cluster_in_work_are_not_judged) {
    LostSite site;
    site.delete_it();
    site.there["ann"].clear();

    for (int looks = 0; looks < 3; ++looks) BOOST_TEST(site.look().lost.empty());
    site.succeed_all();
    for (int looks = 0; looks < 3; ++looks) BOOST_TEST(site.look().lost.empty());
    BOOST_TEST(site.lost().empty());
}

BOOST_AUTO_TEST_CASE(a_machine_in_the_account_of_another_tenant_is_none_of_the_node) {
    LostSite site;
    auto stranger = tests::a_caller(site.fresh.database, "rival");
    site.save(stranger, tests::provider_of("cloud", "eve"));
    site.there["eve"].insert(site.machine(1001));
    site.look();
    site.there["eve"].clear();

    for (int looks = 0; looks < 3; ++looks) BOOST_TEST(site.look().lost.empty());
}

BOOST_AUTO_TEST_CASE(machines_that_were_taken_back_are_replaced_in_one_job) {
    LostSite site;
    site.there["ann"].erase(site.machine(1000));
    site.there["ann"].erase(site.machine(1002));
    site.look();
    BOOST_TEST(site.replace().queued.empty());
    site.look();

    const auto replaced = site.replace();

    BOOST_TEST(replaced.problems.empty());
    BOOST_TEST(replaced.queued.size() == 2U);
    BOOST_TEST(site.numbers() == "[1000] 1001 [1002] 1003 1004");
    BOOST_TEST(
        (site.summary().latest_job->asked_by == model::Asker{{}, model::asked_by_lost_machine}));
    BOOST_TEST(site.lost().empty());
    BOOST_TEST(site.replace().queued.empty());
    site.make_machines();
    for (int looks = 0; looks < 3; ++looks) BOOST_TEST(site.look().lost.empty());
    BOOST_TEST(site.numbers() == "1001 1003 1004");
}

BOOST_AUTO_TEST_CASE(a_machine_that_was_not_to_be_taken_back_waits_for_a_person) {
    LostSite site(false);
    site.there["ann"].erase(site.machine(1000));
    site.look();
    site.look();

    const auto refused = site.replace();
    BOOST_TEST(refused.queued.empty());
    BOOST_REQUIRE(refused.problems.size() == 1U);
    BOOST_TEST(refused.problems.front() ==
               "cluster " + model::wire_id(site.cluster) +
                   ": A machine is gone that its provider had no right to take back. A person has "
                   "to replace it.");
    // Told once in ten minutes.
    BOOST_TEST(site.replace(true).problems.empty());
    BOOST_TEST(site.numbers() == "1000 1001 1002");
}

BOOST_AUTO_TEST_CASE(all_lost_machines_are_replaced_where_the_settings_say_so) {
    LostSite site(false);
    site.there["ann"].erase(site.machine(1000));
    site.look();
    site.look();

    BOOST_TEST(site.replace(true).queued.size() == 1U);
    BOOST_TEST(site.numbers() == "[1000] 1001 1002 1003");
}

BOOST_AUTO_TEST_SUITE_END()
