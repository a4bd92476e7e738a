#include <boost/test/unit_test.hpp>

#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/cluster_use_store.hpp"
#include "provisioner/store/database/statement.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using model::CatalogueKind;

BOOST_AUTO_TEST_SUITE(catalogue_store)

namespace {

base::Json a_provider(const std::string& description) {
    return {{"name", "p1"}, {"description", description}, {"providertype", "joyent"}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_write_is_a_version_and_the_newest_is_read) {
    tests::FreshDatabase fresh;
    const auto caller = tests::a_caller(fresh.database);
    const auto now = tests::some_time();

    operations::create_entry(fresh.database, caller, CatalogueKind::provider, a_provider("a"), now);
    operations::replace_entry(fresh.database, caller, CatalogueKind::provider, "p1",
                              a_provider("b <'\"\\ ü"), now);

    fresh.database.read([&](store::Connection& connection) {
        const auto tenant = caller.tenant.id;
        const auto newest = store::find_entry(connection, tenant, CatalogueKind::provider, "p1");
        const auto first = store::find_entry(connection, tenant, CatalogueKind::provider, "p1", 1);
        BOOST_REQUIRE((newest && first));
        BOOST_TEST(newest->at("version") == 2);
        BOOST_TEST(newest->at("description") == "b <'\"\\ ü");
        BOOST_TEST(first->at("description") == "a");
        BOOST_TEST(store::list_entries(connection, tenant, CatalogueKind::provider).size() == 1);
    });
}

BOOST_AUTO_TEST_CASE(current_clusters_are_counted_by_what_they_were_made_of) {
    tests::ClusterSite site;
    const auto uses = [&](CatalogueKind kind) {
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::uses_by_clusters(connection, site.caller.tenant.id, kind);
        });
    };
    const auto cluster = site.details();
    const std::string& provider = cluster.snapshot.provider.header.name;

    const auto templates = uses(CatalogueKind::cluster_template);
    BOOST_REQUIRE(templates.size() == 1U);
    BOOST_TEST(templates.at("pair").clusters == 1);
    BOOST_TEST(templates.at("pair").machines == 3);
    BOOST_TEST(uses(CatalogueKind::provider).at(provider).clusters == 1);
    BOOST_TEST(uses(CatalogueKind::service).empty());

    site.fresh.database.write([&](store::Connection& connection) {
        connection.sql("UPDATE cluster SET status = 'terminated' WHERE id = ?")
            << cluster.id.value << store::exec;
    });
    BOOST_TEST(uses(CatalogueKind::cluster_template).empty());
}

BOOST_AUTO_TEST_CASE(clusters_with_a_service_say_when_all_their_machines_were_set_up) {
    tests::ClusterSite site;
    const auto with = [&](const std::vector<std::string>& services) {
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::clusters_with_services(connection, site.caller.tenant.id, services, 10);
        });
    };
    const auto count = [&](const std::vector<std::string>& services) {
        return site.fresh.database.read([&](store::Connection& connection) {
            return store::count_clusters_with_services(connection, site.caller.tenant.id, services);
        });
    };
    const auto cluster = site.details();

    BOOST_TEST(count({"nothing", "web"}) == 1U);
    BOOST_TEST(count({"nothing"}) == 0U);
    BOOST_TEST(count({}) == 0U);
    const auto found = with({"nothing", "web"});
    BOOST_REQUIRE(found.size() == 1U);
    BOOST_TEST(found[0].name == cluster.name);
    BOOST_TEST(found[0].owner == cluster.owner);
    BOOST_TEST((found[0].status == model::ClusterStatus::pending));
    // Its creation is under way.
    BOOST_TEST(!found[0].set_up_at.has_value());
    site.succeed_all();
    BOOST_TEST((with({"web"}).front().set_up_at == site.now));
    BOOST_TEST(with({"we", "nothing"}).empty());
    BOOST_TEST(with({}).empty());

    site.fresh.database.write([&](store::Connection& connection) {
        connection.sql("UPDATE job SET operation = 'restart_services' WHERE cluster_id = ?")
            << cluster.id.value << store::exec;
    });
    BOOST_TEST(!with({"db"}).front().set_up_at.has_value());
    site.fresh.database.write([&](store::Connection& connection) {
        connection.sql("UPDATE cluster SET status = 'terminated' WHERE id = ?")
            << cluster.id.value << store::exec;
    });
    BOOST_TEST(with({"web"}).empty());
    BOOST_TEST(count({"web"}) == 0U);
}

BOOST_AUTO_TEST_CASE(labels_are_those_of_the_newest_versions) {
    tests::FreshDatabase fresh;
    const auto caller = tests::a_caller(fresh.database);
    const auto now = tests::some_time();
    base::Json labelled = a_provider("a");
    labelled["label"] = "Old";
    operations::create_entry(fresh.database, caller, CatalogueKind::provider, labelled, now);
    labelled["label"] = "Ours \"here\" ü";
    operations::replace_entry(fresh.database, caller, CatalogueKind::provider, "p1", labelled, now);
    base::Json plain = a_provider("b");
    plain["name"] = "p2";
    operations::create_entry(fresh.database, caller, CatalogueKind::provider, plain, now);

    fresh.database.read([&](store::Connection& connection) {
        const auto tenant = caller.tenant.id;
        const auto labels = store::entry_labels(connection, tenant,
                                                {CatalogueKind::service, CatalogueKind::provider});
        BOOST_REQUIRE(labels.size() == 2U);
        BOOST_TEST(labels[0].name == "p1");
        BOOST_TEST(labels[0].label == "Ours \"here\" ü");
        BOOST_TEST((labels[0].kind == CatalogueKind::provider));
        BOOST_TEST(labels[1].name == "p2");
        BOOST_TEST(labels[1].label == "");
        BOOST_TEST(store::entry_labels(connection, tenant, {}).empty());
        BOOST_TEST(store::entry_labels(connection, tenant, {CatalogueKind::service}).empty());
    });
}

BOOST_AUTO_TEST_CASE(a_name_that_is_taken_is_a_conflict) {
    tests::FreshDatabase fresh;
    const auto caller = tests::a_caller(fresh.database);
    const auto now = tests::some_time();
    operations::create_entry(fresh.database, caller, CatalogueKind::provider, a_provider("a"), now);

    const auto second = operations::create_entry(fresh.database, caller, CatalogueKind::provider,
                                                 a_provider("b"), now);

    BOOST_REQUIRE(!second.has_value());
    BOOST_TEST((second.error().kind == operations::Refusal::Kind::conflict));
    BOOST_TEST(second.error().problems.front().message == "provider p1 already exists");
}

BOOST_AUTO_TEST_CASE(numbering_begins_again_after_all_versions_are_deleted) {
    tests::FreshDatabase fresh;
    const auto caller = tests::a_caller(fresh.database);
    const auto now = tests::some_time();
    operations::create_entry(fresh.database, caller, CatalogueKind::provider, a_provider("a"), now);
    operations::delete_entry(fresh.database, caller, CatalogueKind::provider, "p1", std::nullopt);

    const auto again = operations::create_entry(fresh.database, caller, CatalogueKind::provider,
                                                a_provider("b"), now);

    BOOST_REQUIRE(again.has_value());
    BOOST_TEST(*again == 1);
}

BOOST_AUTO_TEST_CASE(one_tenant_does_not_see_the_catalogue_of_another) {
    tests::FreshDatabase fresh;
    const auto acme = tests::a_caller(fresh.database, "acme");
    const auto other = tests::a_caller(fresh.database, "other");
    operations::create_entry(fresh.database, acme, CatalogueKind::provider, a_provider("a"),
                             tests::some_time());

    const auto seen = fresh.database.read([&](store::Connection& connection) {
        return store::find_entry(connection, other.tenant.id, CatalogueKind::provider, "p1");
    });

    BOOST_TEST(!seen.has_value());
}

BOOST_AUTO_TEST_CASE(whoever_closes_a_circle_of_services_is_told_and_nothing_is_stored) {
    tests::FreshDatabase fresh;
    const auto caller = tests::a_caller(fresh.database);
    const auto save = [&](CatalogueKind kind, const char* text) {
        const base::Json json = *base::parse_json(text);
        return operations::replace_entry(fresh.database, caller, kind,
                                         json.at("name").get<std::string>(), json,
                                         tests::some_time());
    };
    // A service may be saved before the one it needs.
    BOOST_REQUIRE(save(CatalogueKind::service, R"({"name":"a",
        "dependencies":{"provides":[],"conflicts":[],"runtime":{"requires":["b"]}},
        "provisioner":{"actions":{"start":{"type":"shell","fields":{}}}}})"));

    const auto closing = save(CatalogueKind::service, R"({"name":"b",
        "dependencies":{"provides":[],"conflicts":[],"runtime":{"uses":["a"]}},
        "provisioner":{"actions":{"start":{"type":"shell","fields":{}}}}})");

    BOOST_REQUIRE(!closing.has_value());
    BOOST_TEST((closing.error().kind == operations::Refusal::Kind::invalid));
    BOOST_TEST(closing.error().problems.front().message ==
               "a needs b and b needs a: a circle of runtime dependencies leaves no order to work "
               "in");
    fresh.database.read([&](store::Connection& connection) {
        BOOST_TEST(!store::find_entry(connection, caller.tenant.id, CatalogueKind::service, "b"));
    });
    BOOST_TEST(save(CatalogueKind::service, R"({"name":"b",
        "provisioner":{"actions":{"start":{"type":"shell","fields":{}}}}})")
                   .has_value());
    BOOST_TEST(save(CatalogueKind::cluster_template, R"({"name":"t",
        "defaults":{"services":["a","b","unknown"],"provider":"p"}})")
                   .has_value());
}

BOOST_AUTO_TEST_CASE(a_template_with_services_in_a_circle_is_refused) {
    tests::FreshDatabase fresh;
    const auto caller = tests::a_caller(fresh.database);
    const auto now = tests::some_time();
    // As an older version may have left them.
    fresh.database.write([&](store::Connection& connection) {
        for (
            const char* text :
            {R"({"name":"a","dependencies":{"provides":[],"conflicts":[],"runtime":{"requires":["b"]}},
                  "provisioner":{"actions":{"stop":{"type":"shell","fields":{}}}}})",
             R"({"name":"b","dependencies":{"provides":[],"conflicts":[],"runtime":{"requires":["a"]}},
                  "provisioner":{"actions":{"stop":{"type":"shell","fields":{}}}}})"}) {
            store::insert_entry(connection, caller.tenant.id, CatalogueKind::service,
                                *base::parse_json(text), now);
        }
    });

    const auto refused = operations::create_entry(
        fresh.database, caller, CatalogueKind::cluster_template,
        *base::parse_json(R"({"name":"t","defaults":{"services":["a"],"provider":"p"},
                              "compatibility":{"services":["a","b"]}})"),
        now);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().problems.front().message.find("a needs b and b needs a") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
