#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/overview/home_store.hpp"
#include "provisioner/store/overview/search_store.hpp"
#include "provisioner/store/overview/tenant_overview.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/usage_store.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using store::Tenants;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(overview)

namespace {

template <class Work>
auto read(tests::ClusterSite& site, Work&& work) {
    return site.fresh.database.read(std::forward<Work>(work));
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_home_page_counts_the_clusters_of_the_tenant_only) {
    tests::ClusterSite site(3);
    const auto other = tests::a_caller(site.fresh.database, "other");

    const auto own = read(site, [&](auto& c) { return store::count_clusters(c, site.caller); });
    const auto others = read(site, [&](auto& c) { return store::count_clusters(c, other); });

    BOOST_TEST(own.pending == 1);
    BOOST_TEST(own.active == 0);
    BOOST_TEST(own.nodes == 3);
    BOOST_TEST(others.pending == 0);
}

BOOST_AUTO_TEST_CASE(only_superadmins_count_the_clusters_of_all_tenants) {
    tests::ClusterSite site(3);
    auto other = tests::a_caller(site.fresh.database, "other");
    const auto count = [&] {
        return read(site, [&](auto& c) { return store::count_all_clusters(c, other); });
    };
    BOOST_TEST(count().pending == 0);

    other.user.role = model::Role::superadmin;

    BOOST_TEST(count().pending == 1);
    BOOST_TEST(count().nodes == 3);
    site.fresh.database.write([&](store::Connection& connection) {
        connection.sql("UPDATE tenant SET deleted_id = id WHERE name = ?")
            << site.caller.tenant.name << store::exec;
    });
    BOOST_TEST(count().pending == 0);
}

BOOST_AUTO_TEST_CASE(queues_that_were_not_read_are_not_taken_for_none) {
    tests::ClusterSite site;
    const auto queues_of = [&](std::int64_t tenant) {
        return read(site,
                    [&](auto& c) { return store::queue_metrics(c, model::TenantId{tenant}); });
    };

    BOOST_TEST(queues_of(site.caller.tenant.id.value).size() == 1U);
    BOOST_CHECK_THROW(queues_of(site.caller.tenant.id.value + 1000), store::DatabaseUnavailable);
}

BOOST_AUTO_TEST_CASE(leases_that_end_soon_are_found_in_order) {
    tests::ClusterSite site;
    const auto cluster = site.summary();

    const auto found = read(site, [&](auto& c) {
        return store::list_expiring(c, site.caller, site.now + std::chrono::hours{24 * 3650}, 5);
    });

    BOOST_TEST(found.size() == (cluster.expires_at ? 1U : 0U));
}

BOOST_AUTO_TEST_CASE(clusters_machines_and_entries_are_found_in_both_cases_and_literally) {
    tests::ClusterSite site;
    const auto find = [&](const std::string& text) {
        return read(site, [&](auto& c) {
            return std::array{
                store::search_clusters(c, site.caller, Tenants::own, text, 10).size(),
                store::search_machines(c, site.caller, Tenants::own, text, 10).size(),
                store::search_entries(c, site.caller, {model::CatalogueKind::cluster_template},
                                      text, 10)
                    .size()};
        });
    };

    BOOST_TEST(find("C1")[0] == 1U);
    BOOST_TEST(find("C1")[1] == 3U);
    BOOST_TEST(find("PAI")[2] == 1U);
    BOOST_TEST(find("%")[0] == 0U);
    BOOST_TEST(find("_")[0] == 0U);
    BOOST_TEST(find("192.0.2.1")[1] == 0U);
    BOOST_TEST(find(std::to_string(site.cluster.value))[0] == 1U);

    BOOST_TEST(find("fair")[0] == 0U);
    site.fresh.database.write([&](store::Connection& c) {
        store::update_description(c, site.cluster, "For the Fair in May");
    });
    BOOST_TEST(find("fair")[0] == 1U);
    BOOST_TEST(find("F_ir")[0] == 0U);
    const auto listed = read(site, [&](auto& c) {
        return store::list_clusters(c, site.caller,
                                    {.statuses = {model::ClusterStatus::pending}, .text = "fair"});
    });
    BOOST_TEST(listed.size() == 1U);
}

BOOST_AUTO_TEST_CASE(machines_of_a_cluster_are_found_in_their_order_and_up_to_a_limit) {
    tests::ClusterSite site;
    const auto numbers = [&](int limit) {
        std::vector<int> found;
        for (const auto& machine : read(site, [&](auto& c) {
                 return store::search_machines(c, site.caller, Tenants::own, "c1", limit);
             })) {
            found.push_back(machine.nodenum);
        }
        return found;
    };

    const auto all = numbers(10);
    BOOST_TEST(all.size() == 3U);
    BOOST_TEST(std::ranges::is_sorted(all));
    BOOST_TEST(numbers(2).size() == 2U);
}

BOOST_AUTO_TEST_CASE(owners_find_their_machines_and_administrators_those_of_all) {
    tests::ClusterSite site;
    model::Caller owner = site.caller;
    owner.user.role = model::Role::user;
    model::Caller admin = site.caller;
    admin.user.role = model::Role::admin;
    admin.user.id = model::UserId{999'999};
    const auto count = [&](const model::Caller& caller) {
        return read(site,
                    [&](auto& c) {
                        return store::search_machines(c, caller, Tenants::own, "c1", 10);
                    })
            .size();
    };
    const auto set_status = [&](const std::string& status) {
        site.fresh.database.write([&](store::Connection& c) {
            c.sql("UPDATE cluster SET status = ? WHERE id = ?")
                << status << site.cluster.value << store::exec;
        });
    };

    for (const model::Caller& caller : {owner, admin}) {
        set_status("active");
        BOOST_TEST(count(caller) == 3U);
        set_status("terminated");
        BOOST_TEST(count(caller) == 0U);
    }
}

BOOST_AUTO_TEST_CASE(nothing_of_another_tenant_or_another_user_is_found) {
    tests::ClusterSite site;
    const auto other = tests::a_caller(site.fresh.database, "other");
    model::Caller colleague = site.caller;
    colleague.user.id = model::UserId{999'999};
    colleague.user.role = model::Role::user;

    const auto job = site.details().latest_job;
    for (const model::Caller& caller : {other, colleague}) {
        read(site, [&](auto& c) {
            BOOST_TEST(store::search_clusters(c, caller, Tenants::own, "c1", 10).empty());
            BOOST_TEST(store::search_machines(c, caller, Tenants::own, "c1", 10).empty());
            BOOST_TEST(!store::has_job(c, caller, site.cluster, job));
        });
    }
    BOOST_TEST(read(site, [&](auto& c) {
                   return store::search_users(c, other, Tenants::own, "ann", 10);
               }).size() == 1U);
}

BOOST_AUTO_TEST_CASE(only_superadmins_find_what_is_of_other_tenants) {
    tests::ClusterSite site;
    model::Caller far = tests::a_caller(site.fresh.database, "other");
    far.user.role = model::Role::admin;
    model::Caller superadmin = far;
    superadmin.user.role = model::Role::superadmin;
    const auto counts = [&](const model::Caller& caller) {
        return read(site, [&](auto& c) {
            return std::array{store::search_clusters(c, caller, Tenants::others, "c1", 10).size(),
                              store::search_clusters(c, caller, Tenants::others,
                                                     std::to_string(site.cluster.value), 10)
                                  .size(),
                              store::search_machines(c, caller, Tenants::others, "c1", 10).size(),
                              store::search_users(c, caller, Tenants::others, "ann", 10).size(),
                              store::search_entries_of_others(c, caller, "PAIR", 10).size(),
                              store::tenant_of(c, caller, site.cluster).size()};
        });
    };

    BOOST_TEST((counts(far) == std::array<std::size_t, 6>{0, 0, 0, 0, 0, 0}));
    BOOST_TEST((counts(superadmin) == std::array<std::size_t, 6>{1, 1, 3, 1, 1, 4}));
    const auto own = read(site, [&](auto& c) {
        return store::search_clusters(c, superadmin, Tenants::own, "c1", 10);
    });
    BOOST_TEST(own.empty());
    const auto found = read(site, [&](auto& c) {
        return store::search_clusters(c, superadmin, Tenants::others, "c1", 10);
    });
    BOOST_TEST(found.front().tenant == "acme");
    const auto entries = read(
        site, [&](auto& c) { return store::search_entries_of_others(c, superadmin, "air", 10); });
    BOOST_REQUIRE(entries.size() == 1U);
    BOOST_TEST(entries.front().tenant == "acme");
    BOOST_TEST((entries.front().entry.kind == model::CatalogueKind::cluster_template));
    const auto tenants = read(site, [&](auto& c) { return store::search_tenants(c, "CME", 10); });
    BOOST_TEST(tenants == std::vector<std::string>{"acme"});
}

BOOST_AUTO_TEST_CASE(superadmins_find_provisioners_by_any_part_of_their_names) {
    tests::ClusterSite site;
    model::Caller superadmin = tests::a_caller(site.fresh.database, "other");
    superadmin.user.role = model::Role::superadmin;
    site.queue.heartbeat({.instance = "Prov1:/run/x.lock", .pid = 41, .capacity = 10});
    site.queue.heartbeat({.instance = "b:/run/prov.lock", .pid = 42, .capacity = 10});
    const auto found = [&](const model::Caller& caller, const std::string& text) {
        return read(site, [&](auto& c) { return store::search_provisioners(c, caller, text, 10); });
    };

    BOOST_TEST(found(superadmin, "prov1") == std::vector<std::string>{"Prov1:/run/x.lock"});
    BOOST_TEST(found(superadmin, "PROV.lock") == std::vector<std::string>{"b:/run/prov.lock"});
    BOOST_TEST(found(superadmin, "b:/run/prov.lock") ==
               std::vector<std::string>{"b:/run/prov.lock"});
    BOOST_TEST(found(superadmin, "run").size() == 2U);
    BOOST_TEST(found(superadmin, "r_n").empty());
    BOOST_TEST(found(site.caller, "prov").empty());
}

BOOST_AUTO_TEST_CASE(nothing_of_a_deleted_tenant_is_found) {
    tests::ClusterSite site;
    model::Caller superadmin = tests::a_caller(site.fresh.database, "other");
    superadmin.user.role = model::Role::superadmin;
    site.fresh.database.write([&](auto& c) { store::delete_tenant(c, site.caller.tenant.id); });

    read(site, [&](auto& c) {
        BOOST_TEST(store::search_clusters(c, superadmin, Tenants::others, "c1", 10).empty());
        const std::string number = std::to_string(site.cluster.value);
        BOOST_TEST(store::search_clusters(c, superadmin, Tenants::others, number, 10).empty());
        BOOST_TEST(store::search_machines(c, superadmin, Tenants::others, "c1", 10).empty());
        BOOST_TEST(store::search_users(c, superadmin, Tenants::others, "ann", 10).empty());
        BOOST_TEST(store::search_entries_of_others(c, superadmin, "pair", 10).empty());
    });
}

BOOST_AUTO_TEST_CASE(entries_are_found_by_label_and_description_in_their_newest_version) {
    tests::ClusterSite site;
    const auto store_one = [&](const char* label, const char* description) {
        site.fresh.database.write([&](auto& c) {
            store::insert_entry(c, site.caller.tenant.id, model::CatalogueKind::service,
                                {{"name", "db-7"}, {"label", label}, {"description", description}},
                                site.now);
        });
    };
    store_one("Old label", "A store of rows");
    store_one("Relational database", "Keeps ROWS on disks");
    const auto find = [&](const std::string& text) {
        return read(site, [&](auto& c) {
            return store::search_entries(c, site.caller, {model::CatalogueKind::service}, text, 10);
        });
    };

    BOOST_REQUIRE(find("relational").size() == 1U);
    BOOST_TEST(find("relational").front().label == "Relational database");
    BOOST_TEST(find("rows ON").size() == 1U);
    BOOST_TEST(find("Old label").empty());
    BOOST_TEST(find("DB-7").size() == 1U);
}

BOOST_AUTO_TEST_CASE(tenants_are_listed_with_their_failing_clusters) {
    tests::ClusterSite site(3);
    for (const auto& claim : site.claim(3)) site.finish(claim, tests::a_failure(std::nullopt));

    const auto tenants = read(site, [](auto& c) { return store::list_tenant_overviews(c); });

    const auto acme =
        std::ranges::find_if(tenants, [](const auto& one) { return one.tenant.name == "acme"; });
    BOOST_REQUIRE((acme != tenants.end()));
    BOOST_TEST(acme->failing == 1);
    BOOST_TEST(acme->use.clusters == 1);
}

BOOST_AUTO_TEST_CASE(tenants_are_listed_with_their_use_and_their_queue) {
    tests::ClusterSite site(3);
    site.queue.claim("a:/x.lock/41-beef", 1, 60s);

    const auto tenants = read(site, [](auto& c) { return store::list_tenant_overviews(c); });
    const auto queues = read(site, [](auto& c) { return store::list_tenant_queues(c); });
    const auto waiting = read(site, [](auto& c) { return store::list_waiting_tasks(c, 10); });
    const auto keys =
        read(site, [&](auto& c) { return store::key_uses(c, site.caller.tenant.id); });

    const auto acme =
        std::ranges::find_if(tenants, [](const auto& one) { return one.tenant.name == "acme"; });
    BOOST_REQUIRE((acme != tenants.end()));
    BOOST_TEST(acme->use.clusters == 1);
    BOOST_TEST(acme->use.nodes == 3);
    BOOST_TEST(acme->users == 1);
    BOOST_TEST(read(site, [&](auto& c) {
                   return store::count_tenant_users(c, site.caller.tenant.id);
               }) == 1);
    BOOST_TEST(acme->failing == 0);
    BOOST_REQUIRE(queues.size() == 1U);
    BOOST_TEST(queues[0].running == 1);
    BOOST_TEST(queues[0].due == 2);
    BOOST_REQUIRE(waiting.size() == 2U);
    const auto later = read(site, [](auto& c) { return store::list_waiting_tasks(c, 10, 1); });
    BOOST_REQUIRE(later.size() == 1U);
    BOOST_TEST(later[0].task.value == waiting[1].task.value);
    BOOST_TEST(waiting[1].nodenum > 0);
    BOOST_TEST(queues[0].oldest_needs == waiting[0].needs, boost::test_tools::per_element());
    BOOST_TEST(keys.empty());
}

BOOST_AUTO_TEST_SUITE_END()
