#include "provisioner/operations/prices/price_lists.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/model/machines/price_list.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/clusters/preview.hpp"
#include "provisioner/operations/daemons/retention.hpp"
#include "provisioner/operations/machines/unknown_machines.hpp"
#include "provisioner/operations/prices/costs.hpp"
#include "provisioner/operations/tenants/usage_costs.hpp"
#include "provisioner/store/machines/unknown_machine_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "tests/integration/provisioner/operations/prices/priced_site.hpp"

using namespace provisioner;
using namespace std::chrono_literals;
using operations::PriceListOwner;
using operations::Refusal;
using tests::PricedSite;

BOOST_AUTO_TEST_SUITE(price_lists)

namespace {

struct Site : PricedSite {
    std::optional<operations::ClusterCost> cost(base::Timestamp at) {
        return fresh.database.read([&](store::Connection& connection) {
            const auto found = store::find_cluster(connection, caller, cluster);
            return operations::cluster_cost(connection, *found,
                                            store::nodes_of(connection, cluster), at);
        });
    }

    std::string so_far(base::Timestamp at) { return to_text(cost(at)->so_far.amounts); }

    operations::ClusterPreview preview() {
        operations::CreateCluster wanted;
        wanted.name = "c2";
        wanted.cluster_template = "pair";
        wanted.machines = 2;
        wanted.lease = 90min;
        return *operations::preview_cluster(fresh.database, caller, wanted, now);
    }

    void prune() {
        operations::prune(fresh.database, operations::retention_from(fresh.config),
                          base::SystemClock().now(), [] { return false; });
    }

    model::MeteredCost totals() {
        return fresh.database.read([&](store::Connection& connection) {
            return store::cost_totals(connection, {.tenant = caller.tenant.id});
        });
    }

    /// 12:00:00 on the day.
    base::Timestamp noon = std::chrono::floor<std::chrono::hours>(now);
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_new_list_ends_prices_and_begins_others_and_leaves_the_rest_alone) {
    Site site;
    site.load("simulated,s,USD,0.1,\nsimulated,m,USD,0.2,\nsimulated,l,USD,0.4,\n", site.noon);

    const auto changes = site.load(
        "simulated,m,USD,0.20,\nsimulated,l,USD,0.5,\nsimulated,xl,USD,0.8,\n", site.noon + 1h);

    BOOST_TEST(changes.added == 1);
    BOOST_TEST(changes.changed == 1);
    BOOST_TEST(changes.removed == 1);
    BOOST_TEST(changes.unchanged == 1);
    const auto list =
        operations::read_price_list(site.fresh.database, site.caller, PriceListOwner::tenant);
    BOOST_TEST(model::to_csv(list) ==
               "provider_type,provider,region,flavor,image,currency,per_hour\r\n"
               "simulated,,,l,,USD,0.50\r\n"
               "simulated,,,m,,USD,0.20\r\n"
               "simulated,,,xl,,USD,0.80\r\n");
    BOOST_TEST((list.at(1).valid_from == site.noon));
    BOOST_TEST((list.at(0).valid_from == site.noon + 1h));
    BOOST_TEST(site.value("SELECT COUNT(*) FROM price WHERE valid_until IS NOT NULL") == "2");
}

BOOST_AUTO_TEST_CASE(only_admins_write_their_list_and_only_superadmins_that_of_everybody) {
    Site site;
    model::Caller user = site.caller;
    user.user.role = model::Role::user;
    const auto kind = [&](const model::Caller& caller, PriceListOwner owner) {
        return operations::replace_price_list(site.fresh.database, caller, owner, {}, site.now)
            .error()
            .kind;
    };

    BOOST_TEST((kind(user, PriceListOwner::tenant) == Refusal::Kind::forbidden));
    BOOST_TEST((kind(site.caller, PriceListOwner::everybody) == Refusal::Kind::forbidden));
}

BOOST_AUTO_TEST_CASE(of_two_who_replace_the_list_that_they_have_seen_the_second_is_refused) {
    Site site;
    site.load("simulated,s,USD,0.1,\n", site.noon);
    const auto list = [&] {
        return operations::read_price_list(site.fresh.database, site.caller,
                                           PriceListOwner::tenant);
    };
    const auto seen = list();
    const auto replace = [&](std::int64_t micros) {
        return operations::replace_price_list(
            site.fresh.database, site.caller, PriceListOwner::tenant,
            {{.of = {"simulated", "", "", "s", ""}, .per_hour = {"USD", micros}}}, site.noon + 1h,
            std::nullopt, seen);
    };
    BOOST_REQUIRE(replace(200'000).has_value());

    const auto second = replace(300'000);

    BOOST_REQUIRE(!second.has_value());
    BOOST_TEST((second.error().kind == Refusal::Kind::conflict));
    BOOST_TEST(list().front().per_hour.micros == 200'000);
}

BOOST_AUTO_TEST_CASE(superadmins_alone_write_the_list_of_another_tenant) {
    Site site;
    const auto other = tests::a_caller(site.fresh.database, "other");
    model::Caller superadmin = other;
    superadmin.user.role = model::Role::superadmin;
    const std::vector<model::Price> list{
        {.of = {"simulated", "", "", "s", ""}, .per_hour = {"USD", 100'000}}};
    const auto replace = [&](const model::Caller& caller) {
        return operations::replace_price_list(site.fresh.database, caller, PriceListOwner::tenant,
                                              list, site.now, site.caller.tenant);
    };

    const auto refused = replace(other);
    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().kind == Refusal::Kind::forbidden));
    BOOST_REQUIRE(replace(superadmin).has_value());

    const auto size = [&](const model::Caller& caller) {
        return operations::read_price_list(site.fresh.database, caller, PriceListOwner::tenant)
            .size();
    };
    BOOST_TEST(size(site.caller) == 1U);
    BOOST_TEST(size(other) == 0U);
}

BOOST_AUTO_TEST_CASE(the_list_of_a_tenant_comes_before_that_of_everybody_and_is_its_own) {
    Site site;
    const auto other = tests::a_caller(site.fresh.database, "other");
    site.load("simulated,*,USD,0.3,\n", site.noon, true);
    const auto hourly = [&](const model::Caller& caller) {
        return site.fresh.database.read([&](store::Connection& connection) {
            const auto cost =
                operations::hourly_cost(connection, caller.tenant.id,
                                        {{{"simulated", "cloud", "", "s", "d"}, 2}}, site.now);
            return to_text(cost.value().per_hour);
        });
    };
    BOOST_TEST(hourly(site.caller) == "0.60 USD");

    site.load("simulated,s,EUR,0.1,\n", site.noon);

    BOOST_TEST(hourly(site.caller) == "0.20 EUR");
    BOOST_TEST(hourly(other) == "0.60 USD");
}

BOOST_AUTO_TEST_CASE(without_any_price_list_nothing_is_said_about_costs) {
    Site site;

    BOOST_TEST(!site.cost(site.now).has_value());
    BOOST_TEST(!site.preview().cost.has_value());

    site.load("aws,s,USD,0.1,\n", site.noon);

    BOOST_TEST(model::unpriced_sentences(site.preview().cost.value().unpriced).at(0) ==
               "There is no price for flavor s of provider cloud (2 machines).");
}

BOOST_AUTO_TEST_CASE(a_preview_says_what_the_machines_would_cost) {
    Site site;
    site.load("simulated,s,USD,0.1,\n", site.noon);

    const auto preview = site.preview();

    BOOST_TEST(to_text(preview.cost.value().per_hour) == "0.20 USD");
    BOOST_TEST(to_text(preview.cost_of_lease) == "0.30 USD");
    BOOST_TEST(preview.warnings.empty());
}

BOOST_AUTO_TEST_CASE(a_changed_price_does_not_change_what_was_metered) {
    Site site;
    site.load("simulated,s,USD,0.1,\n", site.noon - 10h);
    site.machines_since(site.noon - 8h);
    BOOST_TEST(site.so_far(site.noon) == "2.40 USD");

    site.load("simulated,s,USD,1,\n", site.noon);

    BOOST_TEST(site.so_far(site.noon) == "2.40 USD");
    BOOST_TEST(site.so_far(site.noon + 1h) == "5.40 USD");
    BOOST_TEST(to_text(site.cost(site.noon + 1h)->hourly.per_hour) == "3.00 USD");

    site.load("", site.noon + 2h);

    BOOST_TEST(!site.cost(site.noon + 3h).has_value());
    site.load("aws,s,USD,1,\n", site.noon + 3h);
    BOOST_TEST(site.so_far(site.noon + 4h) == "8.40 USD");
    BOOST_TEST(site.cost(site.noon + 4h)->so_far.unpriced_seconds == 3 * 2 * 3600);
}

BOOST_AUTO_TEST_CASE(costs_of_a_cluster_are_as_of_the_last_whole_minute) {
    Site site;
    site.load("simulated,s,USD,1.2,\n", site.noon - 1h);
    site.machines_since(site.noon);

    BOOST_TEST(site.so_far(site.noon + 119s) == "0.06 USD");
    BOOST_TEST(site.so_far(site.noon + 120s) == "0.12 USD");
}

BOOST_AUTO_TEST_CASE(machines_have_the_price_of_the_region_their_provider_says) {
    Site site;
    site.fresh.database.write([&](store::Connection& connection) {
        const auto type = model::plugin_type_from_json(
            model::PluginKind::provider,
            *base::parse_json(R"({"name": "simulated", "regionField": "place", "parameters": {
                "admin": {"fields": {"place": {"label": "P", "type": "text", "override": true}}}}})"));
        store::save_plugin_type(connection, *type, site.now);
    });
    site.load("simulated,s,USD,0.1,north\nsimulated,s,USD,0.2,south\nsimulated,s,USD,9,\n",
              site.noon);
    operations::CreateCluster wanted;
    wanted.name = "c2";
    wanted.cluster_template = "pair";
    wanted.machines = 2;
    wanted.provider_fields = {{"place", "south"}};

    const auto preview =
        operations::preview_cluster(site.fresh.database, site.caller, wanted, site.now);
    site.cluster = *operations::create_cluster(site.fresh.database, site.caller, wanted, site.now);
    site.machines_since(site.noon - 1h);

    BOOST_TEST(to_text(preview->cost.value().per_hour) == "0.40 USD");
    BOOST_TEST(site.details().region == "south");
    BOOST_TEST(to_text(site.cost(site.now)->hourly.per_hour) == "0.40 USD");
    BOOST_TEST(site.value("SELECT DISTINCT CONCAT_WS(' ', provider_type, provider, region, flavor, "
                          "image) FROM machine_span WHERE cluster_id = " +
                          std::to_string(site.cluster.value)) == "simulated cloud south s d");
}

BOOST_AUTO_TEST_CASE(
    costs_of_machines_that_are_gone_are_added_up_once_by_the_prices_of_their_time) {
    Site site;
    site.load("simulated,s,USD,0.1,\n", site.noon - 10h);
    site.load("simulated,s,EUR,0.2,\n", site.noon - 5h);
    site.machines_since(site.noon - 11h);
    site.run("UPDATE machine_span SET ended_at = '" + base::to_sql(site.noon) + "'");

    site.prune();
    site.prune();

    BOOST_TEST(to_text(site.totals().amounts) == "3.00 EUR and 1.50 USD");
    BOOST_TEST(site.totals().unpriced_seconds == 3 * 3600);
}

BOOST_AUTO_TEST_CASE(a_machine_of_another_flavor_than_asked_for_costs_what_it_is) {
    Site site;
    for (const queue::Claim& claim : site.claim()) {
        queue::Succeeded made;
        made.facts = {{"providerid", "i-1"}, {"flavor", "bigger"}};
        site.finish(claim, made);
    }

    BOOST_TEST(site.value("SELECT GROUP_CONCAT(DISTINCT flavor) FROM machine_span") == "bigger");
    BOOST_TEST(site.value("SELECT GROUP_CONCAT(DISTINCT flavor) FROM node") == "s");
}

BOOST_AUTO_TEST_CASE(a_report_of_usage_says_what_each_period_has_cost) {
    Site site;
    site.load("simulated,s,USD,0.1,\n", site.noon - 3h);
    site.load("simulated,s,EUR,0.2,\n", site.noon - 90min);
    site.machines_since(site.noon - 4h);
    const auto seconds = [](base::Timestamp at) { return base::to_millis(at) / 1000; };
    operations::UsageQuestion question{
        .start = seconds(site.noon - 4h), .end = seconds(site.noon), .period = 3600, .unit = 1h};
    const auto csv = [&](const store::UsageFilter& filter) {
        return to_csv(
            operations::read_costed_usage(site.fresh.database, filter, question, site.noon + 1h)
                .value());
    };
    const std::string first = std::to_string(*question.start);
    const auto later = [&](int hours) { return std::to_string(*question.start + 3600 * hours); };

    BOOST_TEST(csv({.cluster = site.cluster}) ==
               "time,value,EUR,USD,unpriced_seconds\r\n" + first + ",3,0.00,0.00,10800\r\n" +
                   later(1) + ",3,0.00,0.30,0\r\n" + later(2) + ",3,0.30,0.15,0\r\n" + later(3) +
                   ",3,0.60,0.00,0\r\n");
    BOOST_TEST(csv({.owner = "nobody"}) == "time,value,unpriced_seconds\r\n" + first + ",0,0\r\n");
}

BOOST_AUTO_TEST_CASE(a_report_of_all_time_costs_the_same_before_and_after_spans_are_added_up) {
    Site site;
    site.load("simulated,s,USD,0.1,\n", site.noon - 10h);
    site.machines_since(site.noon - 8h);
    site.run("UPDATE machine_span SET ended_at = '" + base::to_sql(site.noon) + "'");
    const auto csv = [&] {
        return to_csv(operations::read_costed_usage(site.fresh.database,
                                                    {.tenant = site.caller.tenant.id}, {},
                                                    site.noon + 1h)
                          .value());
    };
    const std::string before = csv();

    site.prune();

    BOOST_TEST(before.ends_with(",86400,2.40,0\r\n"));
    BOOST_TEST(csv() == before);
    BOOST_TEST(site.value("SELECT MIN(added_up) FROM machine_span") == "1");
}

BOOST_AUTO_TEST_CASE(an_unknown_machine_costs_what_its_node_was_made_as) {
    Site site;
    site.load("simulated,s,USD,0.1,\n", site.noon);
    site.run(
        "INSERT INTO provider_account (tenant_id, provider_type, name, provider, known_at, "
        "next_look_at, failures, error) VALUES (" +
        std::to_string(site.caller.tenant.id.value) +
        ", 'simulated', 'a', 'cloud', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), 0, '')");
    const std::string wire = model::wire_id(site.cluster);
    for (const std::string& name : {wire + "-1001", wire + "-1999", std::string("1; DROP-2")}) {
        site.run(
            "INSERT INTO unknown_machine (account_id, tenant_id, machine_id, name, addresses, "
            "first_seen_at, last_seen_at) VALUES (1, " +
            std::to_string(site.caller.tenant.id.value) + ", 'i-" + name + "', '" + name +
            "', '{}', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))");
    }

    const auto machines = site.fresh.database.read([&](store::Connection& connection) {
        auto list = store::list_unknown_machines(connection, site.caller.tenant.id, 0, 100);
        operations::add_costs(connection, list, site.now);
        return list;
    });

    BOOST_REQUIRE(machines.size() == 3U);
    BOOST_TEST(to_text(machines[0].cost.value().per_hour) == "0.10 USD");
    BOOST_TEST(machines[0].kind.flavor == "s");
    BOOST_TEST(!machines[1].cost.has_value());
    BOOST_TEST(!machines[2].cost.has_value());
    site.fresh.database.read([&](store::Connection& connection) {
        const auto tenant = site.caller.tenant.id;
        const auto page = store::list_unknown_machines_by_account(connection, tenant, 1, 1);
        BOOST_REQUIRE(page.size() == 1U);
        BOOST_TEST(page[0].id == machines[1].id);
        const auto counts = store::count_unknown_machines_by_account(connection, tenant);
        BOOST_REQUIRE(counts.size() == 1U);
        BOOST_TEST(counts.begin()->second == 3);
        const model::TenantId other{tenant.value + 1000};
        BOOST_TEST(store::count_unknown_machines_by_account(connection, other).empty());
    });
}

BOOST_AUTO_TEST_CASE(what_is_left_of_a_machine_costs_by_its_size_and_not_as_the_machine) {
    Site site;
    site.load("simulated,s,USD,0.1,\nsimulated,disk-gb,USD,0.002,\n", site.noon);
    site.run(
        "INSERT INTO provider_account (tenant_id, provider_type, name, provider, known_at, "
        "next_look_at, failures, error) VALUES (" +
        std::to_string(site.caller.tenant.id.value) +
        ", 'simulated', 'a', 'cloud', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), 0, '')");
    const std::string of_node = model::wire_id(site.cluster) + "-1001";
    const auto part = [](const std::string& name, const std::string& what, int size_gb) {
        model::UnknownMachine machine;
        machine.machine = what + " of " + name;
        machine.name = name;
        machine.part = what;
        machine.size_gb = size_gb;
        return machine;
    };
    std::vector<model::UnknownMachine> seen{
        part(of_node, "disk", 40), part("somebody", "disk", 10), part(of_node, "address", 0),
        part(of_node, "security group", 0), part(of_node, "disk", 0)};
    seen.back().machine = "disk of unknown size";
    for (auto& machine : seen) machine.tenant = site.caller.tenant.id;

    const auto machines = site.fresh.database.write([&](store::Connection& connection) {
        store::save_unknown_machines(connection, model::ProviderAccountId{1}, seen);
        auto list = store::list_unknown_machines(connection, site.caller.tenant.id, 0, 100);
        operations::add_costs(connection, list, site.now);
        return list;
    });

    BOOST_REQUIRE(machines.size() == 5U);
    BOOST_TEST(to_text(machines[0].cost.value().per_hour) == "0.08 USD");
    BOOST_TEST(to_text(machines[1].cost.value().per_hour) == "0.02 USD");
    for (std::size_t i = 2; i < 5; ++i) BOOST_TEST(!machines[i].cost.has_value());
}

BOOST_AUTO_TEST_CASE(old_prices_stay_as_long_as_machines_that_had_them) {
    Site site;
    site.load("simulated,s,USD,0.1,\n", site.noon - 24h * 3000);
    site.load("simulated,s,USD,0.2,\n", site.noon - 24h * 2000);
    site.machines_since(site.noon - 24h * 2500);

    site.prune();
    BOOST_TEST(site.value("SELECT COUNT(*) FROM price") == "2");

    site.run("UPDATE machine_span SET ended_at = UTC_TIMESTAMP(6)");
    site.prune();
    BOOST_TEST(site.value("SELECT COUNT(*) FROM price") == "1");
    BOOST_TEST(!site.totals().amounts.empty());
}

BOOST_AUTO_TEST_SUITE_END()
