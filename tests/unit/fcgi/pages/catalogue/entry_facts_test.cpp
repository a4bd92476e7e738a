#include "fcgi/pages/catalogue/entry_facts.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/catalogue/editors/parts.hpp"
#include "fcgi/pages/catalogue/template_facts.hpp"

using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::base::Json;

namespace {

std::string lines(const EntryFacts& all) {
    std::string text;
    for (const auto& [heading, facts, is_folded] : all.groups) {
        text += heading + (is_folded ? ", folded\n" : "\n");
        for (const Fact& fact : facts) {
            text += "  " + fact.label + ": " + fact.value;
            const auto origin = origins_in_words(fact);
            if (!origin.empty()) text += " (" + origin + ')';
            text += '\n';
        }
    }
    for (const auto& [step, automator, fields, limit] : all.actions) {
        text += step + " by " + automator;
        for (const Fact& fact : fields) text += ", " + fact.label + ' ' + fact.value;
        text += (limit.empty() ? "" : ", at most " + limit) + '\n';
    }
    return text;
}

std::string facts_of(CatalogueKind kind, const char* entry) {
    return lines(entry_facts(kind, Json::parse(entry), {}));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(facts_of_an_entry)

BOOST_AUTO_TEST_CASE(a_template_says_its_rules_in_words_and_leaves_out_what_it_does_not_say) {
    BOOST_TEST(
        facts_of(CatalogueKind::cluster_template, R"({"name":"shop","extends":{"name":"base"},
        "defaults":{"services":["db","web"],"provider":"local"},
        "compatibility":{"hardwaretypes":["small"]},
        "constraints":{"layout":{"mustcoexist":[],"cantcoexist":[["db","web"]]},"size":{"min":2,"max":9},
            "services":{"db":{"hardwaretypes":["large"],"imagetypes":[],"quantities":{"min":1,"max":1}}}},
        "administration":{"leaseduration":{"initial":"0","max":"0","step":"0"}}})") ==
        "What it makes\n"
        "  Size: 2 to 9 machines\n"
        "  Services: db and web\n"
        "Inherits from\n"
        "  Extends: base\n"
        "Defaults\n"
        "  Provider: local\n"
        "Compatibility\n"
        "  Hardware types: small\n"
        "Constraints\n"
        "  Never all on one machine: db and web\n"
        "  Limits of db: 1 machine and hardware types large\n");
    BOOST_TEST(facts_of(CatalogueKind::cluster_template, R"({"name":"alone",
        "administration":{"leaseduration":{"initial":"1d","max":"30d","step":"7d"}}})") ==
               "What it makes\n"
               "  Size: 1 machine or more\n"
               "  Lease: 1 day\n"
               "  Longest lease: 30 days\n"
               "  Longest extension: 7 days\n");
    BOOST_TEST(facts_of(CatalogueKind::partial_template,
                        R"({"name":"part","immutable":true,"defaults":{"provider":"local"}})") ==
               "Inherits from\n  Immutable: yes\nDefaults\n  Provider: local\n");
}

namespace {

TemplateSurroundings family_of_shops() {
    provisioner::operations::CatalogueEntries entries;
    entries[CatalogueKind::service] = {{{"name", "db"}, {"label", "Database"}}, {{"name", "web"}}};
    entries[CatalogueKind::cluster_template] = {Json::parse(R"({"name":"base","label":"Base",
        "defaults":{"services":["web"],"provider":"local","config":{"port":80,"tier":"a"}},
        "constraints":{"layout":{"mustcoexist":[],"cantcoexist":[["db","web"]]},
            "size":{"min":2,"max":9},"services":{}},
        "administration":{"leaseduration":{"initial":"3d","max":"0","step":"0"}}})")};
    entries[CatalogueKind::partial_template] = {Json::parse(R"({"name":"part","immutable":true,
        "defaults":{"services":["db"],"config":{"pool":5}},
        "administration":{"leaseduration":{"initial":"1d","max":"0","step":"0"}}})")};
    return surroundings_in(std::move(entries));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_template_says_what_is_in_force_and_from_whom_it_has_it) {
    const auto around = family_of_shops();
    const auto shop = Json::parse(R"({"name":"shop","extends":{"name":"base"},
        "includes":[{"name":"part"}],"defaults":{"services":["cache"],"config":{"tier":"b"}}})");

    const auto facts = entry_facts(CatalogueKind::cluster_template, shop, {}, around);
    const auto columns = column_facts(CatalogueKind::cluster_template, shop, around);

    BOOST_TEST(lines(facts) ==
               "What it makes\n"
               "  Size: 2 to 9 machines (inherited from Base)\n"
               "  Services: web, Database and cache (Database: from the partial template part"
               "; web: inherited from Base)\n"
               "  Lease: 3 days (inherited from Base)\n"
               "Inherits from\n"
               "  Extends: Base\n"
               "  Includes: part\n"
               "Defaults\n"
               "  Provider: local (inherited from Base)\n"
               "  Keys of the configuration: port, tier and pool (pool: from the partial template "
               "part; port: inherited from Base)\n"
               "Constraints\n"
               "  Never all on one machine: Database and web (inherited from Base)\n");
    BOOST_REQUIRE(columns.size() == 2U);
    BOOST_TEST(columns[0].value == "2 to 9 machines");
    BOOST_TEST(columns[1].value == "web, Database and cache");
    BOOST_TEST(columns[1].taken.size() == 2U);
}

namespace {

/// The pieces of each value that has some: "Services: <web /catalogue/services/web> and cache".
std::string links_in(const EntryFacts& all) {
    std::string text;
    for (const FactGroup& group : all.groups) {
        for (const Fact& fact : group.facts) {
            if (fact.pieces.empty()) continue;
            text += fact.label + ": ";
            for (const auto& [words, href] : fact.pieces) {
                text += href.empty() ? words : '<' + words + ' ' + href + '>';
            }
            BOOST_TEST(text_of(fact.pieces) == fact.value);
            text += '\n';
        }
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_an_entry_names_leads_to_its_page_where_it_is_there) {
    const auto around = family_of_shops();
    const auto service = Json::parse(R"({"name":"app","dependencies":{"provides":[],"conflicts":[],
        "install":{"requires":[],"uses":[]},"runtime":{"requires":["gone","db"],"uses":["web"]}},
        "provisioner":{"actions":{}}})");
    const auto shop = Json::parse(R"({"name":"shop","extends":{"name":"base"},
        "includes":[{"name":"part"}],"defaults":{"services":["cache"],"hardwaretype":"small"},
        "constraints":{"layout":{"mustcoexist":[["cache","web"]],"cantcoexist":[]}}})");

    BOOST_TEST(links_in(entry_facts(CatalogueKind::service, service, {}, around)) ==
               "Required to run: gone and <Database /catalogue/services/db>\n"
               "Starts after: <web /catalogue/services/web>\n");
    BOOST_TEST(links_in(entry_facts(CatalogueKind::cluster_template, shop, {}, around)) ==
               "Services: <web /catalogue/services/web>, <Database /catalogue/services/db> and "
               "cache\n"
               "Extends: <Base /catalogue/clustertemplates/base>\n"
               "Includes: <part /catalogue/partialtemplates/part>\n"
               "Provider: local\n"
               "Hardware type: small\n"
               "Share a machine: cache and <web /catalogue/services/web>\n"
               "Never all on one machine: <Database /catalogue/services/db> and <web "
               "/catalogue/services/web>\n");
}

BOOST_AUTO_TEST_CASE(a_type_leads_to_its_providers) {
    provisioner::operations::CatalogueEntries entries;
    entries[CatalogueKind::provider] = {{{"name", "cloud"}}};
    const auto around = surroundings_in(std::move(entries));
    const auto type = Json::parse(R"({"name":"small","providermap":{"cloud":{"flavor":"m1.small"},
        "gone":{"flavor":"s"}}})");

    const auto facts = entry_facts(CatalogueKind::hardware_type, type, {}, around);

    BOOST_REQUIRE(facts.groups.size() == 1U);
    BOOST_TEST(facts.groups[0].facts.at(0).label_href == "/catalogue/providers/cloud");
    BOOST_TEST(facts.groups[0].facts.at(1).label_href == "");
}

BOOST_AUTO_TEST_CASE(the_parts_of_the_builder_say_what_a_template_has_from_others) {
    const auto taken = taken_by_part(Json::parse(R"({"name":"shop","extends":{"name":"base"},
            "administration":{"leaseduration":{"initial":"1d","max":"0","step":"0"}}})"),
                                     family_of_shops());

    BOOST_TEST(taken.at("defaults").front() == "Services: web, inherited from Base");
    BOOST_TEST(taken.at("constraints").front() == "Size: 2 to 9 machines, inherited from Base");
    BOOST_TEST(!taken.contains("lease"));
}

BOOST_AUTO_TEST_CASE(a_service_says_what_it_needs_and_what_its_actions_run) {
    BOOST_TEST(facts_of(CatalogueKind::service, R"({"name":"web",
        "dependencies":{"provides":["http"],"conflicts":[],"install":{"requires":[],"uses":[]},
            "runtime":{"requires":["sql"],"uses":["cache"]}},
        "provisioner":{"actions":{"install":{"type":"shell","limit":7200000,
            "fields":{"script":"web.sh","data":""}}}}})") ==
               "Dependencies\n"
               "  Required to run: sql\n"
               "  Starts after: cache\n"
               "  Provides: http\n"
               "Install by shell, script web.sh, at most 2 hours\n");
}

BOOST_AUTO_TEST_CASE(fields_of_a_provider_have_the_labels_of_its_type_and_long_values_are_cut) {
    Json provider = Json::parse(R"({"name":"cloud","providertype":"openstack",
        "provisioner":{"auth_url":"https://cloud","tags":"a"}})");
    provider["provisioner"]["tags"] = std::string(1000, 'x');

    const auto facts =
        entry_facts(CatalogueKind::provider, provider, {{"auth_url", {.label = "Auth URL"}}});

    BOOST_TEST(lines(facts) == "Account\n  Type: openstack\n  Auth URL: https://cloud\n  tags: " +
                                   std::string(200, 'x') + "…\n");
}

BOOST_AUTO_TEST_CASE(what_was_chosen_of_a_provider_comes_first_and_its_defaults_are_folded) {
    const auto provider = Json::parse(R"({"name":"sim","providertype":"simulated",
        "provisioner":{"seed":"0","boot_seconds":"5","region":"north"}})");

    const auto facts =
        entry_facts(CatalogueKind::provider, provider,
                    {{"seed", {.label = "Seed", .standard = "0"}},
                     {"boot_seconds", {.label = "Boot time", .standard = "2"}},
                     {"region", {.label = "Region", .standard = "north", .is_required = true}}});

    BOOST_TEST(lines(facts) ==
               "Account\n  Type: simulated\n  Boot time: 5\n  Region: north\n"
               "Settings at their defaults, folded\n  Seed: 0\n");
}

BOOST_AUTO_TEST_CASE(a_hardware_type_says_what_each_provider_calls_it) {
    BOOST_TEST(facts_of(CatalogueKind::hardware_type,
                        R"({"name":"small","providermap":{"cloud":{"flavor":"m1.small"}}})") ==
               "At each provider\n  cloud: flavor m1.small\n");
    BOOST_TEST(facts_of(CatalogueKind::hardware_type, R"({"providermap":5})") == "");
}

BOOST_AUTO_TEST_CASE(a_set_of_fields_that_asks_more_than_another_is_not_said) {
    PluginParameters parameters;
    parameters.required = {{"user", "key", "region", "network"}, {"user", "key"}, {"profile"}};

    BOOST_TEST(required_words(parameters) == "Fill in user and key, or profile.");
}

BOOST_AUTO_TEST_SUITE_END()
