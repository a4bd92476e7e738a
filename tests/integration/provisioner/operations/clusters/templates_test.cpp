#include <boost/test/unit_test.hpp>

#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/exchange.hpp"
#include "provisioner/operations/changes/sync_template.hpp"
#include "provisioner/operations/clusters/create.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/database/statement.hpp"
#include "tests/integration/provisioner/site.hpp"

using namespace provisioner;
using model::CatalogueKind;
using operations::Refusal;

BOOST_AUTO_TEST_SUITE(templates)

namespace {

void save(tests::ClusterSite& site, CatalogueKind kind, const std::string& text) {
    const base::Json json = *base::parse_json(text);
    const auto saved = operations::replace_entry(
        site.fresh.database, site.caller, kind, json.at("name").get<std::string>(), json, site.now);
    BOOST_REQUIRE(saved.has_value());
}

std::string pair_of(int longest, const char* more = "") {
    return R"({"name":"pair","defaults":{"services":["web","db"],"provider":"cloud"},
        "constraints":{"layout":{"cantcoexist":[["web","db"]]},
          "services":{"db":{"quantities":{"min":1,"max":1}},"web":{"quantities":{"min":1}}},
          "size":{"min":1,"max":)" +
           std::to_string(longest) + "}}" + more + "}";
}

/// "done", or the text of the wire contract.
std::string sync(tests::ClusterSite& site) {
    const auto done = operations::sync_template(site.fresh.database, site.caller, site.cluster);
    if (done) return "done";
    const auto& refusal = done.error();
    return refusal.wire_message.empty() ? refusal.problems.front().message : refusal.wire_message;
}

/// Why the newest version of its template does not fit a cluster.
std::string first_misfit(tests::ClusterSite& site) {
    const auto done = operations::sync_template(site.fresh.database, site.caller, site.cluster);
    const auto newest = operations::preview_sync(site.fresh.database, site.caller, site.cluster);
    BOOST_REQUIRE(!done);
    BOOST_REQUIRE(newest);
    BOOST_TEST((done.error().problems == newest->misfits));
    return newest->misfits.front().message;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_active_cluster_takes_the_newest_version_of_its_template) {
    tests::ClusterSite site;
    save(site, CatalogueKind::cluster_template, pair_of(30));
    BOOST_TEST(sync(site) == "Cluster is not in a state where the template can by synced");
    site.succeed_all();

    BOOST_TEST(sync(site) == "done");

    BOOST_TEST(site.details().snapshot.cluster_template.constraints.size_max == 30);
    BOOST_TEST(site.details().snapshot.cluster_template.header.version == 2);
    BOOST_TEST(site.summary().cluster_template.version == 2);
    BOOST_TEST((site.summary().status == model::ClusterStatus::active));
}

BOOST_AUTO_TEST_CASE(a_cluster_is_behind_when_its_template_says_something_else) {
    tests::ClusterSite site;
    const auto use = [&] {
        const auto uses = site.fresh.database.read([&](store::Connection& connection) {
            return operations::uses_of_template(connection, site.caller.tenant.id, "pair", 10);
        });
        BOOST_REQUIRE(uses.size() == 1U);
        return std::to_string(uses[0].cluster.version) + (uses[0].is_behind ? " behind" : "");
    };
    site.succeed_all();
    save(site, CatalogueKind::cluster_template, pair_of(20));
    BOOST_TEST(sync(site) == "done");
    BOOST_TEST(use() == "2");

    save(site, CatalogueKind::cluster_template, pair_of(30));
    BOOST_TEST(use() == "2 behind");
    // Back as it was: only the number is another one.
    save(site, CatalogueKind::cluster_template, pair_of(20));
    BOOST_TEST(use() == "2");
    // Of a template that is gone nothing is newer.
    operations::delete_entry(site.fresh.database, site.caller, CatalogueKind::cluster_template,
                             "pair", std::nullopt);
    BOOST_TEST(use() == "2");
}

BOOST_AUTO_TEST_CASE(a_cluster_is_told_apart_from_those_of_a_template_that_was_made_anew) {
    tests::ClusterSite site;
    const auto use = [&] {
        const auto uses = site.fresh.database.read([&](store::Connection& connection) {
            return operations::uses_of_template(connection, site.caller.tenant.id, "pair", 10);
        });
        BOOST_REQUIRE(uses.size() == 1U);
        return std::to_string(uses[0].cluster.version) + (uses[0].is_behind ? " behind" : "") +
               (uses[0].is_of_earlier ? " earlier" : "");
    };
    const auto remove = [&] {
        operations::delete_entry(site.fresh.database, site.caller, CatalogueKind::cluster_template,
                                 "pair", std::nullopt);
    };
    site.succeed_all();
    save(site, CatalogueKind::cluster_template, pair_of(25));
    BOOST_TEST(use() == "1 behind");

    remove();
    save(site, CatalogueKind::cluster_template, pair_of(30));
    BOOST_TEST(use() == "1 behind earlier");
    BOOST_TEST(sync(site) == "done");
    BOOST_TEST(use() == "1");
    save(site, CatalogueKind::cluster_template, pair_of(40));
    BOOST_TEST(use() == "1 behind");
    BOOST_TEST(sync(site) == "done");

    // The present one has no such version yet.
    remove();
    save(site, CatalogueKind::cluster_template, pair_of(50));
    BOOST_TEST(use() == "2 behind earlier");

    // What it extends has changed, it is the same.
    const std::string extends = R"(,"extends":{"name":"base"})";
    const auto save_base = [&](const char* value) {
        save(site, CatalogueKind::cluster_template,
             R"({"name":"base","defaults":{"services":["web"],"provider":"cloud","config":{"a":)" +
                 std::string(value) + "}}}");
    };
    save_base("1");
    remove();
    save(site, CatalogueKind::cluster_template, pair_of(50, extends.c_str()));
    BOOST_TEST(sync(site) == "done");
    save_base("2");
    BOOST_TEST(use() == "1 behind");
}

BOOST_AUTO_TEST_CASE(no_other_template_is_taken_than_was_shown) {
    tests::ClusterSite site;
    site.succeed_all();
    const std::string extends = R"(,"extends":{"name":"base"})";
    save(site, CatalogueKind::cluster_template,
         R"({"name":"base","defaults":{"services":["web"],"provider":"cloud","config":{"a":1}}})");
    save(site, CatalogueKind::cluster_template, pair_of(30, extends.c_str()));
    const auto shown = [&] {
        return operations::sum_of_template(
            operations::preview_sync(site.fresh.database, site.caller, site.cluster)
                ->cluster_template);
    };
    const auto take = [&](const std::string& sum) {
        const auto done =
            operations::sync_template_as_shown(site.fresh.database, site.caller, site.cluster, sum);
        if (done) return std::string("done");
        BOOST_TEST((done.error().kind == Refusal::Kind::conflict));
        return done.error().problems.front().message;
    };
    constexpr auto changed = "The template was changed meanwhile. Look again at what changes.";
    const std::string first = shown();

    save(site, CatalogueKind::cluster_template, pair_of(40, extends.c_str()));
    BOOST_TEST(take(first) == changed);
    // What it extends has versions of its own.
    const std::string second = shown();
    save(site, CatalogueKind::cluster_template,
         R"({"name":"base","defaults":{"services":["web"],"provider":"cloud","config":{"a":2}}})");
    BOOST_TEST(take(second) == changed);
    BOOST_TEST(take("") == changed);
    BOOST_TEST(site.details().snapshot.cluster_template.header.version == 1);

    BOOST_TEST(take(shown()) == "done");
    BOOST_TEST(site.details().snapshot.cluster_template.constraints.size_max == 40);
}

BOOST_AUTO_TEST_CASE(clusters_that_are_behind_are_found_after_any_number_of_others) {
    tests::ClusterSite site;
    site.succeed_all();
    save(site, CatalogueKind::cluster_template, pair_of(30));
    BOOST_TEST(sync(site) == "done");
    const auto execute = [&](const std::string& statement) {
        site.fresh.database.write([&](store::Connection& connection) {
            connection.sql(statement.c_str()) << store::exec;
        });
    };
    execute(
        "INSERT INTO cluster (tenant_id, owner, name, description, status, message, created_at, "
        "services, config, snapshot, headers, node_count) SELECT tenant_id, owner, "
        "CONCAT('k', seq), '', 'active', '', created_at, services, config, snapshot, headers, 0 "
        "FROM cluster JOIN seq_1_to_405");
    execute(
        "UPDATE cluster SET snapshot = JSON_SET(snapshot, '$.clusterTemplate.description', 'old') "
        "WHERE name IN ('k1', 'k401', 'k404', 'k405')");
    const auto behind = [&](model::ClusterId after, int most) {
        return site.fresh.database.read([&](store::Connection& connection) {
            return operations::clusters_behind(connection, site.caller.tenant.id, "pair", after,
                                               most);
        });
    };
    const auto names = [](const operations::ClustersBehind& found) {
        std::string words;
        for (const auto& cluster : found.clusters) words += cluster.name + ' ';
        return words + (found.has_more ? "and more" : "");
    };

    BOOST_TEST(names(behind({}, 4)) == "k1 k401 k404 k405 ");
    const auto first = behind({}, 2);
    BOOST_TEST(names(first) == "k1 k401 and more");
    BOOST_TEST(names(behind(first.clusters.back().id, 2)) == "k404 k405 ");
    const auto newest = operations::preview_sync(site.fresh.database, site.caller, site.cluster);
    BOOST_TEST(first.newest == operations::sum_of_template(newest->cluster_template));
}

BOOST_AUTO_TEST_CASE(a_template_the_nodes_do_not_keep_is_not_taken) {
    tests::ClusterSite site;
    site.succeed_all();
    constexpr auto invalid = "updating the template would result in an invalid cluster";

    save(site, CatalogueKind::cluster_template, pair_of(2));
    BOOST_TEST(sync(site) == invalid);
    BOOST_TEST(first_misfit(site) ==
               "The cluster has 3 machines; version 2 allows at most 2 machines.");
    save(site, CatalogueKind::cluster_template,
         pair_of(20, R"(,"compatibility":{"services":["web"]})"));
    BOOST_TEST(sync(site) == invalid);
    BOOST_TEST(first_misfit(site) ==
               "Service db of the cluster is not among the compatible services of version 3.");
    save(site, CatalogueKind::cluster_template,
         pair_of(20, R"(,"compatibility":{"imagetypes":["another"]})"));
    BOOST_TEST(sync(site) == invalid);
    save(site, CatalogueKind::cluster_template, pair_of(20, R"(,"extends":{"name":"nope"})"));
    BOOST_TEST(sync(site) == "nope parent template not found.");
    operations::delete_entry(site.fresh.database, site.caller, CatalogueKind::cluster_template,
                             "pair", std::nullopt);
    BOOST_TEST(sync(site) == "template pair no longer exists");
    BOOST_TEST(site.details().snapshot.cluster_template.header.version == 1);
}

BOOST_AUTO_TEST_CASE(a_template_that_is_too_large_with_what_it_extends_is_not_taken) {
    tests::ClusterSite site;
    site.succeed_all();
    const auto six_hundred = [](const std::string& prefix) {
        std::string names;
        for (int i = 0; i < 600; ++i) {
            names += (i > 0 ? ",\"" : "\"") + prefix + std::to_string(i) + "\"";
        }
        return R"(,"compatibility":{"services":["web","db",)" + names + "]}";
    };
    save(site, CatalogueKind::cluster_template,
         R"({"name":"parent","defaults":{"services":["web"],"provider":"cloud"})" +
             six_hundred("one") + "}");

    save(site, CatalogueKind::cluster_template,
         pair_of(20, (six_hundred("other") + R"(,"extends":{"name":"parent"})").c_str()));

    BOOST_TEST(sync(site) ==
               "template pair with what it extends and includes: compatibility.services has 1202 "
               "services; a template may have at most 1000");
}

// Each is within the limits of a template; merging all of them would take long.
BOOST_AUTO_TEST_CASE(a_template_that_extends_and_includes_very_much_is_not_taken) {
    tests::ClusterSite site;
    site.succeed_all();
    const auto groups = [](const std::string& prefix) {
        std::string text;
        for (int i = 0; i < 9000; ++i) {
            text += (i > 0 ? ",[\"" : "[\"") + prefix + std::to_string(i) + "\",\"b\"]";
        }
        return R"(,"constraints":{"layout":{"mustcoexist":[)" + text + "]}}";
    };
    std::string extends;
    for (const std::string name : {"one", "two", "three", "four", "five"}) {
        save(site, CatalogueKind::cluster_template,
             R"({"name":")" + name + R"(","defaults":{"services":["web"],"provider":"cloud"})" +
                 groups(name) + extends + "}");
        extends = R"(,"extends":{"name":")" + name + R"("})";
    }

    save(site, CatalogueKind::cluster_template, pair_of(20, extends.c_str()));

    BOOST_TEST(
        sync(site) ==
        "two: all templates that are extended and included may have 100000 names of services "
        "and groups together, each template counted as 100 more");
}

BOOST_AUTO_TEST_CASE(a_cluster_is_made_of_a_template_with_what_it_extends_and_includes) {
    tests::ClusterSite site;
    save(site, CatalogueKind::partial_template,
         R"({"name":"fixed","immutable":true,"defaults":{"config":{"ssh":{"port":22}}}})");
    save(site, CatalogueKind::cluster_template,
         R"({"name":"child","extends":{"name":"pair"},"includes":[{"name":"fixed"}],
             "defaults":{"config":{"app":1}}})");
    operations::CreateCluster wanted;
    wanted.name = "c2";
    wanted.cluster_template = "child";
    wanted.machines = 2;

    const auto made =
        operations::create_cluster(site.fresh.database, site.caller, wanted, site.now);

    BOOST_REQUIRE(made.has_value());
    site.cluster = *made;
    const auto cluster = site.details();
    BOOST_TEST(cluster.services.size() == 2U);
    BOOST_TEST(cluster.config.dump() == R"({"ssh":{"port":22},"app":1})");
    BOOST_TEST(cluster.snapshot.cluster_template.header.name == "child");
    BOOST_TEST(cluster.snapshot.cluster_template.constraints.size_max == 20);

    save(site, CatalogueKind::cluster_template,
         R"({"name":"child","extends":{"name":"pair"},"includes":[{"name":"fixed"}],
             "defaults":{"config":{"ssh":1}}})");
    const auto refused =
        operations::create_cluster(site.fresh.database, site.caller, wanted, site.now);
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == Refusal::Kind::invalid));
    BOOST_TEST(refused.error().problems.front().message ==
               "ssh can't be overridden due immutability.");
}

BOOST_AUTO_TEST_CASE(a_template_inherits_from_all_generations) {
    tests::ClusterSite site;
    save(site, CatalogueKind::cluster_template,
         R"({"name":"middle","extends":{"name":"pair"},"defaults":{"config":{"from":"middle"}}})");
    save(site, CatalogueKind::cluster_template,
         R"({"name":"child","extends":{"name":"middle"},"defaults":{"config":{"app":1}}})");
    operations::CreateCluster wanted;
    wanted.name = "c2";
    wanted.cluster_template = "child";
    wanted.machines = 2;

    const auto made =
        operations::create_cluster(site.fresh.database, site.caller, wanted, site.now);

    BOOST_REQUIRE(made.has_value());
    site.cluster = *made;
    BOOST_TEST(site.details().services.size() == 2U);
    BOOST_TEST(site.details().config.dump() == R"({"from":"middle","app":1})");
}

BOOST_AUTO_TEST_CASE(a_template_that_closes_a_circle_of_extends_is_not_saved) {
    tests::ClusterSite site;
    const auto refusal_of = [&](const char* text) {
        const base::Json json = *base::parse_json(text);
        const auto saved = operations::replace_entry(
            site.fresh.database, site.caller, CatalogueKind::cluster_template,
            json.at("name").get<std::string>(), json, site.now);
        return saved ? "" : saved.error().problems.front().message;
    };
    const std::string why = ": templates that extend each other in a circle come to nothing";
    save(site, CatalogueKind::cluster_template, R"({"name":"a","extends":{"name":"b"}})");
    save(site, CatalogueKind::cluster_template, R"({"name":"b","extends":{"name":"c"}})");

    BOOST_TEST(refusal_of(R"({"name":"c","extends":{"name":"c"}})") == "c extends c" + why);
    BOOST_TEST(refusal_of(R"({"name":"c","extends":{"name":"a"}})") ==
               "c extends a, a extends b and b extends c" + why);
    BOOST_TEST(refusal_of(R"({"name":"c","extends":{"name":"pair"}})").empty());
    const auto imported = operations::import_catalogue(
        site.fresh.database, site.caller,
        *base::parse_json(R"({"clustertemplates":[{"name":"x","extends":{"name":"y"}},
            {"name":"y","extends":{"name":"z"}},{"name":"z","extends":{"name":"y"}}]})"),
        site.now);
    BOOST_REQUIRE(!imported.has_value());
    BOOST_TEST(to_text(imported.error().problems) == "extends: y extends z and z extends y" + why);
}

BOOST_AUTO_TEST_CASE(a_circle_of_extends_from_before_is_refused_when_it_is_used) {
    tests::ClusterSite site;
    site.fresh.database.write([&](store::Connection& connection) {
        for (const char* text :
             {R"({"name":"a","extends":{"name":"b"}})", R"({"name":"b","extends":{"name":"a"}})"}) {
            store::insert_entry(connection, site.caller.tenant.id, CatalogueKind::cluster_template,
                                *base::parse_json(text), site.now);
        }
    });
    operations::CreateCluster wanted;
    wanted.name = "c2";
    wanted.cluster_template = "a";
    wanted.machines = 2;

    const auto refused =
        operations::create_cluster(site.fresh.database, site.caller, wanted, site.now);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().problems.front().message ==
               "a extends b and b extends a: templates that extend each other in a circle come to "
               "nothing");
}

BOOST_AUTO_TEST_CASE(an_import_whose_collections_are_no_arrays_is_a_syntax_error) {
    tests::ClusterSite site;

    const auto refused = operations::import_catalogue(site.fresh.database, site.caller,
                                                      {{"providers", "x"}}, site.now);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().wire_message == "Json syntax error");
}

BOOST_AUTO_TEST_CASE(an_import_that_is_refused_changes_nothing_and_names_every_problem) {
    tests::ClusterSite site;
    const auto before = operations::export_catalogue(site.fresh.database, site.caller);
    const base::Json wrong = *base::parse_json(
        R"({"providers":[{"name":"ok","providertype":"x"},{"name":"p"}],
            "services":{},"hardwaretypes":[{"name":"a b"}]})");

    const auto refused =
        operations::import_catalogue(site.fresh.database, site.caller, wrong, site.now);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(to_text(refused.error().problems) ==
               "services: must be an array; providers.1.providertype: invalid provider type.; "
               "hardwaretypes.0.name: invalid name. Name must be specified and consist of only "
               "[a-zA-Z0-9_.-].");
    BOOST_TEST(operations::export_catalogue(site.fresh.database, site.caller) == before);
}

BOOST_AUTO_TEST_CASE(services_that_come_in_a_circle_are_not_imported) {
    tests::ClusterSite site;
    const base::Json circle = *base::parse_json(
        R"({"services":[
            {"name":"a","dependencies":{"provides":[],"conflicts":[],"runtime":{"requires":["b"]}},
             "provisioner":{"actions":{"start":{"type":"shell","fields":{}}}}},
            {"name":"b","dependencies":{"provides":[],"conflicts":[],"runtime":{"requires":["a"]}},
             "provisioner":{"actions":{"start":{"type":"shell","fields":{}}}}}]})");

    const auto refused =
        operations::import_catalogue(site.fresh.database, site.caller, circle, site.now);

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().problems.front().message.find("a needs b and b needs a") == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
