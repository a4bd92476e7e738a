#include "provisioner/operations/catalogue/references.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

#include "provisioner/operations/catalogue/edit.hpp"

using namespace provisioner::operations;
using provisioner::base::Json;
using provisioner::model::CatalogueKind;

namespace {

CatalogueEntries some_catalogue() {
    CatalogueEntries all;
    all[CatalogueKind::provider] = {Json{{"name", "cloud"}}};
    all[CatalogueKind::hardware_type] = {
        Json::parse(R"({"name":"small","providermap":{"cloud":{"flavor":"s"}}})")};
    all[CatalogueKind::service] = {
        Json::parse(R"({"name":"mariadb","dependencies":{"provides":["sql"]}})"),
        Json::parse(
            R"({"name":"shop","dependencies":{"runtime":{"requires":["sql"],"uses":["cache"]}}})")};
    all[CatalogueKind::cluster_template] = {
        Json::parse(R"({"name":"web","defaults":{"provider":"cloud","services":["shop"]},
            "compatibility":{"services":["shop","mariadb"],"hardwaretypes":["small"]},
            "constraints":{"services":{"mariadb":{"hardwaretypes":["small"]}}},"includes":[{"name":"tls"}]})"),
        Json::parse(R"({"name":"big","extends":{"name":"web"}})")};
    all[CatalogueKind::partial_template] = {Json{{"name", "tls"}}};
    return all;
}

std::string told(CatalogueKind kind, const std::string& name) {
    std::string text;
    for (const auto& [from, how, blocks] : references_to(some_catalogue(), {kind, name})) {
        text += said(from.kind) + ' ' + from.name + ' ' + how + (blocks ? "!\n" : "\n");
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_entry_is_used_by_those_that_name_it) {
    BOOST_TEST(told(CatalogueKind::provider, "cloud") ==
               "hardware type small has settings for it\n"
               "cluster template web uses it by default!\n");
    BOOST_TEST(told(CatalogueKind::hardware_type, "small") ==
               "cluster template web allows it\n"
               "cluster template web has a rule about it\n");
    BOOST_TEST(told(CatalogueKind::service, "mariadb") ==
               "service shop needs it to run!\n"
               "cluster template web allows it\n"
               "cluster template web has a rule about it\n");
    BOOST_TEST(told(CatalogueKind::cluster_template, "web") ==
               "cluster template big extends it!\n");
    BOOST_TEST(told(CatalogueKind::partial_template, "tls") ==
               "cluster template web includes it!\n");
    BOOST_TEST(told(CatalogueKind::service, "unknown") == "");
}

BOOST_AUTO_TEST_CASE(the_numbers_of_uses_are_those_of_the_references) {
    CatalogueEntries all = some_catalogue();
    all[CatalogueKind::service].push_back(
        Json::parse(R"({"name":"postgres","dependencies":{"provides":["sql"],
            "install":{"requires":["postgres"]},"conflicts":["mariadb","shop"]}})"));
    for (const auto& [kind, entries] : all) {
        for (const auto& [name, number] : numbers_of_uses(all, kind)) {
            std::set<std::string> from;
            for (const auto& reference : references_to(all, {kind, name})) {
                from.insert(said(reference.from.kind) + ' ' + reference.from.name);
            }
            BOOST_TEST(static_cast<std::size_t>(number) == from.size(), name);
        }
        BOOST_TEST(numbers_of_uses(all, kind).size() == entries.size());
    }
    const auto services = numbers_of_uses(all, CatalogueKind::service);
    BOOST_TEST(services.at("mariadb") == 3);   // shop, postgres and web
    BOOST_TEST(services.at("postgres") == 1);  // shop, by what it provides
    BOOST_TEST(services.at("shop") == 2);      // postgres and web
}

BOOST_AUTO_TEST_CASE(a_service_blocks_when_any_name_that_only_it_provides_is_needed) {
    CatalogueEntries all;
    all[CatalogueKind::service] = {
        Json::parse(R"({"name":"mariadb","dependencies":{"provides":["sql"]}})"),
        Json::parse(R"({"name":"postgres","dependencies":{"provides":["sql"]}})"),
        Json::parse(
            R"({"name":"shop","dependencies":{"runtime":{"requires":["sql","mariadb"]}}})")};
    const auto references = references_to(all, {CatalogueKind::service, "mariadb"});
    BOOST_REQUIRE_EQUAL(references.size(), 1U);
    BOOST_TEST(references.front().blocks);
    BOOST_TEST(!references_to(all, {CatalogueKind::service, "postgres"}).front().blocks);
}

BOOST_AUTO_TEST_CASE(relatives_are_named_in_the_form_in_which_templates_are_stored) {
    CatalogueEntries all;
    all[CatalogueKind::partial_template] = {Json{{"name", "tls"}}, Json{{"name", "backup"}}};
    for (const char* text :
         {R"({"name":"web"})",
          R"({"name":"shop","extends":{"name":"web"},"includes":[{"name":"tls"}]})"}) {
        const auto stored = canonical_entry(CatalogueKind::cluster_template, Json::parse(text));
        BOOST_REQUIRE(stored);
        all[CatalogueKind::cluster_template].push_back(*stored);
    }

    BOOST_TEST(references_to(all, {CatalogueKind::cluster_template, "web"}).size() == 1);
    BOOST_TEST(references_to(all, {CatalogueKind::partial_template, "tls"}).size() == 1);
    BOOST_TEST(references_to(all, {CatalogueKind::partial_template, "backup"}).empty());
    BOOST_TEST(blockers(all, {{CatalogueKind::cluster_template, "web"},
                              {CatalogueKind::partial_template, "tls"}})
                   .size() == 2);
}

BOOST_AUTO_TEST_CASE(a_feature_that_another_service_provides_does_not_block) {
    auto all = some_catalogue();
    all[CatalogueKind::service].push_back(
        Json::parse(R"({"name":"postgres","dependencies":{"provides":["sql"]}})"));

    BOOST_TEST(blockers(all, {{CatalogueKind::service, "mariadb"}}).empty());
    BOOST_TEST(
        blockers(all, {{CatalogueKind::service, "mariadb"}, {CatalogueKind::service, "postgres"}})
            .size() == 2);
}

BOOST_AUTO_TEST_CASE(what_goes_too_does_not_block) {
    const auto all = some_catalogue();

    const auto alone = blockers(all, {{CatalogueKind::cluster_template, "web"}});
    BOOST_REQUIRE(alone.size() == 1);
    BOOST_TEST(alone.front().field == "cluster_template.web");
    BOOST_TEST(alone.front().message == "cluster template web: cluster template big extends it.");
    BOOST_TEST(blockers(all, {{CatalogueKind::cluster_template, "web"},
                              {CatalogueKind::cluster_template, "big"}})
                   .empty());
}

BOOST_AUTO_TEST_CASE(only_what_stays_is_named_when_several_entries_go) {
    const auto all = some_catalogue();

    const auto references = references_that_stay(
        all, {{CatalogueKind::service, "mariadb"}, {CatalogueKind::service, "shop"}});

    BOOST_REQUIRE(references.size() == 2);
    for (const Reference& reference : references[0]) {
        BOOST_TEST((reference.from.kind == CatalogueKind::cluster_template));
    }
    BOOST_TEST(references[0].size() == 2);
    BOOST_TEST(!references[1].empty());
}

BOOST_AUTO_TEST_CASE(names_without_a_service_are_found) {
    const auto all = some_catalogue();
    const Json service = Json::parse(
        R"({"name":"x","dependencies":{"provides":["own"],"conflicts":["gone"],"install":{"requires":["sql","own","a"]},
        "runtime":{"uses":["b","a"]}}})");

    const std::vector<UnprovidedName> expected{{"a", true}, {"b", false}};
    BOOST_TEST((unprovided_names(all, service) == expected));
}

BOOST_AUTO_TEST_CASE(
    what_services_require_is_lost_when_the_last_that_provides_it_does_not_any_more) {
    const auto service = [](const char* name, const char* dependencies) {
        return Json{{"name", name}, {"dependencies", Json::parse(dependencies)}};
    };
    CatalogueEntries before;
    before[CatalogueKind::service] = {
        service("k1", R"({"provides":["kv","log"]})"), service("k0", R"({"provides":["log"]})"),
        service("k3", R"({"runtime":{"requires":["kv","never","log"],"uses":["kv"]}})"),
        service("k2", R"({"install":{"requires":["kv"]}})"),
        service("k4", R"({"runtime":{"uses":["kv"]},"conflicts":["kv"]})")};
    auto after = before;
    BOOST_TEST(requirements_lost(before, after).empty());

    after[CatalogueKind::service][0] = service("k1", "{}");

    const std::vector<UnmetRequirement> expected{{"k2", "kv"}, {"k3", "kv"}};
    BOOST_TEST((requirements_lost(before, after) == expected));
    // What was so before is no loss.
    BOOST_TEST(requirements_lost(after, after).empty());
    BOOST_TEST(requirements_lost(after, before).empty());
}
