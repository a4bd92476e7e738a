#include "provisioner/operations/prices/budgets.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>

#include "provisioner/operations/changes/change.hpp"
#include "provisioner/operations/clusters/lease.hpp"
#include "provisioner/operations/clusters/preview.hpp"
#include "provisioner/operations/prices/unpriced.hpp"
#include "provisioner/operations/tenants/tenants.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "tests/integration/provisioner/operations/prices/priced_site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using operations::Refusal;
using tests::PricedSite;

BOOST_AUTO_TEST_SUITE(budgets)

namespace {

constexpr std::int64_t dollar = model::micros_per_unit;

/// Three machines for 0.30 USD per hour, on 20 November, 12:00.
struct Site : PricedSite {
    Site() { load("simulated,s,USD,0.1,\n", now - 24h * 30); }

    operations::Result<void> grow(int machines) {
        return operations::change_cluster(fresh.database, caller, cluster,
                                          {.change = operations::GrowCluster{.machines = machines}},
                                          now);
    }

    template <class Result>
    std::string refusal(const Result& result) {
        BOOST_REQUIRE(!result.has_value());
        BOOST_TEST((result.error().kind == Refusal::Kind::conflict));
        return result.error().problems.front().message;
    }

    operations::BudgetState state() {
        return *fresh.database.read([&](store::Connection& connection) {
            return operations::budget_state(connection, caller.tenant, now);
        });
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_budget_lacks_prices_if_none_is_in_its_currency) {
    Site site;
    const auto unpriced = [&] {
        return site.fresh.database.read([&](store::Connection& connection) {
            return operations::unpriced_currency(connection, site.caller.tenant);
        });
    };
    BOOST_TEST(unpriced() == "", "without a budget");
    site.save_budget(dollar / 2, -1);
    BOOST_TEST(unpriced() == "");

    site.load("simulated,s,EUR,0.1,\n", site.now);

    BOOST_TEST(unpriced() == "USD");
    const auto types = site.fresh.database.read([&](store::Connection& connection) {
        return operations::unpriced_types(connection, site.caller.tenant, site.now);
    });
    BOOST_TEST(!types.empty());
}

BOOST_AUTO_TEST_CASE(of_two_submissions_for_the_last_of_a_budget_exactly_one_passes) {
    Site site;
    site.save_budget(dollar / 2, -1);
    for (int round = 0; round < 5; ++round) {
        std::atomic<int> made{0};
        std::atomic<int> refused{0};

        std::vector<std::thread> threads;
        for (int i = 0; i < 2; ++i) {
            threads.emplace_back([&] { ++(site.create(2).has_value() ? made : refused); });
        }
        for (std::thread& thread : threads) thread.join();

        BOOST_TEST(made == 1);
        BOOST_TEST(refused == 1);
        site.run("UPDATE cluster SET status = 'terminated' WHERE name = 'c2'");
    }
}

BOOST_AUTO_TEST_CASE(a_growth_and_a_new_cluster_share_what_is_left) {
    Site site;
    site.succeed_all();
    site.save_budget(dollar / 2, -1);
    std::atomic<int> done{0};

    std::vector<std::thread> threads;
    threads.emplace_back([&] { done += site.create(2).has_value() ? 1 : 0; });
    threads.emplace_back([&] { done += site.grow(2).has_value() ? 1 : 0; });
    for (std::thread& thread : threads) thread.join();

    BOOST_TEST(done == 1);
    BOOST_TEST(site.state().use.machines.hourly.per_hour.of("USD") == dollar / 2);
}

BOOST_AUTO_TEST_CASE(a_refusal_has_the_numbers_and_the_preview_says_the_same) {
    Site site;
    site.succeed_all();
    site.save_budget(dollar / 2, 1000 * dollar);
    const std::string sentence =
        "The tenant's budget allows 0.50 USD per hour: its machines cost 0.30 USD now, and these "
        "would cost 0.30 USD more.";
    operations::CreateCluster wanted;
    wanted.name = "c2";
    wanted.cluster_template = "pair";
    wanted.machines = 3;

    BOOST_TEST(site.refusal(site.create(3)) == sentence);
    BOOST_TEST(site.refusal(operations::preview_cluster(site.fresh.database, site.caller, wanted,
                                                        site.now)) == sentence);
    BOOST_TEST(site.refusal(site.grow(3)) == sentence);
    BOOST_TEST(site.refusal(operations::preview_change(
                   site.fresh.database, site.caller, site.cluster,
                   {.change = operations::GrowCluster{.machines = 3}}, site.now)) == sentence);
    BOOST_TEST(site.value("SELECT COUNT(*) FROM cluster") == "1");
    BOOST_TEST(site.value("SELECT COUNT(*) FROM node") == "3");
}

BOOST_AUTO_TEST_CASE(a_month_counts_what_was_spent_in_it_and_what_leases_promise) {
    Site site;
    // From 31 October on: 468 hours in November until now, 252 are left.
    site.machines_since(base::from_sql("2026-10-31 00:00:00"));
    const std::int64_t spent = 468 * 300'000;
    const std::int64_t promised = 252 * 300'000;

    site.save_budget(-1, spent + promised + 252 * 200'000);
    BOOST_TEST((site.state().use.spent.amounts.of("USD") == spent));
    // The rest of the hour that has begun: 0.123456 s of it are over.
    BOOST_TEST(promised - site.state().use.machines.committed.of("USD") < 100);
    BOOST_TEST(site.state().use.month.name == "2026-11");

    BOOST_TEST(site.refusal(site.create(3))
                   .starts_with("The tenant's budget allows 266.40 USD in 2026-11: 140.40 USD are "
                                "spent, its machines "
                                "will cost 75.60 USD"));
    BOOST_TEST(site.create(3, 1h).has_value());
    BOOST_TEST(site.state().warnings.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_lease_that_is_longer_than_the_budget_lasts_is_refused) {
    Site site;
    site.machines_since(site.now);
    site.run("UPDATE cluster SET expires_at = '" + base::to_sql(site.now + 10h) + "'");
    site.save_budget(-1, 6 * dollar);
    const auto prolong = [&](std::chrono::hours lease) {
        return operations::change_expiry(site.fresh.database, site.caller, site.cluster,
                                         base::to_millis(site.now + lease), site.now);
    };

    BOOST_TEST(site.refusal(prolong(21h)).find("would cost 3.") != std::string::npos);
    BOOST_TEST(prolong(20h).has_value());
    BOOST_TEST(prolong(5h).has_value());
}

BOOST_AUTO_TEST_CASE(machines_without_a_price_are_refused_to_a_tenant_with_a_budget) {
    Site site;
    site.load("simulated,other,USD,0.1,\n", site.now);
    BOOST_TEST(site.create(2).has_value());

    site.save_budget(dollar, -1);

    BOOST_TEST(site.refusal(site.create(2)) ==
               "There is no price for flavor s of provider cloud (2 machines). A tenant with a "
               "budget needs one.");
    const auto warnings = site.state().warnings;
    BOOST_REQUIRE(warnings.size() == 1U);
    BOOST_TEST(warnings.front() ==
               "There is no price for flavor s of provider cloud (5 machines).");
}

BOOST_AUTO_TEST_CASE(a_budget_is_the_tenants_own) {
    Site site;
    const auto other = tests::a_caller(site.fresh.database, "other");
    tests::save_small_catalogue(site.fresh.database, other);
    site.load("simulated,s,USD,0.1,\n", site.now, true);
    site.save_budget(0, 0);
    operations::CreateCluster wanted;
    wanted.name = "c2";
    wanted.cluster_template = "pair";
    wanted.machines = 20;

    BOOST_TEST(!site.create(2).has_value());
    BOOST_TEST(
        operations::create_cluster(site.fresh.database, other, wanted, site.now).has_value());
}

BOOST_AUTO_TEST_CASE(a_dead_machine_is_replaced_although_the_budget_is_used_up) {
    Site site;
    site.succeed_all();
    site.save_budget(0, 0);

    const auto replaced = operations::change_cluster(
        site.fresh.database, site.caller, site.cluster,
        {.change = operations::ReplaceNodes{.nodes = {"1001"}}}, site.now);

    BOOST_TEST(replaced.has_value());
}

BOOST_AUTO_TEST_CASE(people_are_warned_before_they_create) {
    Site site;
    site.save_budget(600'000, -1);
    operations::CreateCluster wanted;
    wanted.name = "c2";
    wanted.cluster_template = "pair";
    wanted.machines = 2;

    const auto preview =
        operations::preview_cluster(site.fresh.database, site.caller, wanted, site.now);

    BOOST_REQUIRE(preview->warnings.size() == 1U);
    BOOST_TEST(preview->warnings.front() ==
               "83 % of the tenant's budget of 0.60 USD per hour is used.");
}

BOOST_AUTO_TEST_CASE(a_budget_stays_when_clients_that_do_not_know_it_write_the_tenant) {
    Site site;
    const auto budget = [&] {
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::find_tenant(connection, "acme")->budget;
        });
    };
    operations::TenantSpec wanted{.name = "acme",
                                  .description = "",
                                  .budget = model::Budget{.currency = "EUR", .per_hour = dollar}};
    const auto replace = [&] {
        BOOST_REQUIRE(operations::replace_tenant(site.fresh.database, {}, "acme", wanted, site.now)
                          .has_value());
    };

    replace();
    BOOST_TEST((budget() == wanted.budget));
    wanted.budget = std::nullopt;
    replace();
    BOOST_TEST(budget().value().per_hour.value() == dollar);
    BOOST_TEST(!budget().value().per_month.has_value());
    wanted.budget = std::optional<model::Budget>{};
    replace();
    BOOST_TEST(!budget().has_value());
}

BOOST_AUTO_TEST_SUITE_END()
