#include "provisioner/operations/catalogue/import_draft.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/operations/catalogue/named_entries.hpp"
#include "provisioner/operations/catalogue/unknown_members.hpp"

using namespace provisioner::operations;
using provisioner::base::Json;
using provisioner::model::CatalogueKind;
using provisioner::model::EntryName;

namespace {

std::string unknown_in(CatalogueKind kind, const char* text) {
    const Json written = Json::parse(text);
    std::string paths;
    for (const auto& path : unknown_members(written, canonical_entry(kind, written).value())) {
        paths += path + '\n';
    }
    return paths;
}

CatalogueEntries catalogue_in_force() {
    CatalogueEntries all;
    all[CatalogueKind::provider] = {Json{{"name", "cloud"}}};
    all[CatalogueKind::hardware_type] = {
        Json::parse(R"({"name":"small","version":1,"providermap":{"cloud":{"flavor":"s"}}})")};
    all[CatalogueKind::service] = {
        Json::parse(R"({"name":"mariadb","version":1,"dependencies":{"provides":["sql"],
            "conflicts":[],"install":{"requires":[],"uses":[]},
            "runtime":{"requires":[],"uses":[]}}})")};
    return all;
}

std::string told(const std::vector<EntryName>& names) {
    std::string text;
    for (const auto& [kind, name] : names) text += said(kind) + ' ' + name + '\n';
    return text;
}

std::string missing_in(const char* import) {
    std::string text;
    for (const auto& entry : draft_beside(catalogue_in_force(), Json::parse(import))) {
        text += told(entry.missing);
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(members_that_no_entry_has_are_found_at_every_depth) {
    BOOST_TEST(unknown_in(CatalogueKind::service, R"({"name":"db","lable":"Data",
        "dependencies":{"provides":[],"conflicts":[],"instal":{"requires":["os"]}},
        "links":[{"label":"Docs","url":"http://x","ulr":"http://y"}]})") ==
               "lable\ndependencies.instal\nlinks.0.ulr\n");
    BOOST_TEST(
        unknown_in(CatalogueKind::cluster_template,
                   R"({"name":"web","descripton":"Web","constraints":{"size":{"mim":2}}})") ==
        "descripton\nconstraints.size.mim\n");
    BOOST_TEST(unknown_in(CatalogueKind::image_type, R"({"name":"debian","immutable":true})") ==
               "immutable\n");
}

BOOST_AUTO_TEST_CASE(what_an_entry_may_have_is_not_unknown_however_it_is_written) {
    BOOST_TEST(unknown_in(CatalogueKind::cluster_template, R"({"name":"web","version":3,
        "label":"Web","description":"","icon":"web.png","extends":{"name":"base"},
        "includes":[{"name":"tls"},{"name":"tls"}],"links":[{"label":"Docs","url":"http://x"}],
        "defaults":{"services":[{"name":"php","config":{"a":1}},"db"],"provider":"cloud",
            "dnsSuffix":"x.org","config":{"any":{"thing":1}}},
        "compatibility":{"services":["php"]},
        "constraints":{"services":{"php":{"quantities":{"min":"1","max":2}}},
            "size":{"min":1,"max":3},"layout":{"mustcoexist":[["php","db"]]}},
        "administration":{"leaseduration":{"initial":"2d","max":0,"step":0}}})") == "");
    BOOST_TEST(unknown_in(CatalogueKind::service, R"({"name":"db","label":"Data","icon":null,
        "ports":["80/tcp"],"links":[],
        "provisioner":{"actions":{"install":{"type":"shell","fields":{"script":"a.sh"},
            "limit":"2h"}}}})") == "");
    BOOST_TEST(unknown_in(CatalogueKind::provider, R"({"name":"cloud","providertype":"sim",
        "provisioner":{"anything":"goes"},"note":null})") == "");
    BOOST_TEST(unknown_in(CatalogueKind::hardware_type, R"({"name":"small",
        "providermap":{"cloud":{"flavor":"s","disk":"5"}}})") == "");
}

BOOST_AUTO_TEST_CASE(the_draft_of_an_import_names_members_that_are_left_out) {
    const auto draft = draft_beside(
        {}, Json::parse(R"({"services":[{"name":"db","lable":"Data"},{"name":"web"}]})"));

    BOOST_REQUIRE(draft.size() == 2);
    BOOST_TEST(draft[0].unknown == std::vector<std::string>{"lable"});
    BOOST_TEST(draft[1].unknown.empty());
}

BOOST_AUTO_TEST_CASE(the_draft_of_an_import_names_what_neither_it_nor_the_catalogue_has) {
    BOOST_TEST(missing_in(R"({"clustertemplates":[{"name":"web","extends":{"name":"base"},
        "includes":[{"name":"tls"}],
        "defaults":{"services":["php","mariadb"],"provider":"other","hardwaretype":"small"},
        "compatibility":{"imagetypes":["a1-noimg"]},
        "constraints":{"services":{"php":{"hardwaretypes":["big"],
            "quantities":{"min":1,"max":2}}}}}]})") ==
               "provider other\nhardware type big\nimage type a1-noimg\nservice php\n"
               "cluster template base\npartial template tls\n");
}

BOOST_AUTO_TEST_CASE(what_the_catalogue_has_or_the_import_brings_is_not_missing) {
    BOOST_TEST(missing_in(R"({"services":[{"name":"php","dependencies":{"provides":[],
            "conflicts":[],"runtime":{"requires":["sql"]}}}],
        "hardwaretypes":[{"name":"big","providermap":{"cloud":{"flavor":"l"},"gone":{}}}],
        "clustertemplates":[{"name":"web","defaults":{"services":["php","mariadb"],
            "provider":"cloud","hardwaretype":"big"},
            "compatibility":{"hardwaretypes":["small"]}}]})") == "");
}

BOOST_AUTO_TEST_CASE(what_names_an_incomplete_entry_of_the_import_is_incomplete) {
    const auto draft = draft_beside(catalogue_in_force(), Json::parse(R"({"services":[
        {"name":"php","dependencies":{"provides":[],"conflicts":[],
            "runtime":{"requires":["gone"]}}}],
        "clustertemplates":[{"name":"base","defaults":{"services":["php"]}},
            {"name":"web","extends":{"name":"base"}},{"name":"other"}]})"));

    BOOST_REQUIRE(draft.size() == 4U);
    BOOST_TEST(told(draft[0].missing) == "service gone\n");
    BOOST_TEST(told(draft[1].incomplete) == "service php\n");
    BOOST_TEST(told(draft[2].incomplete) == "cluster template base\n");
    BOOST_TEST(draft[3].is_complete());
}

BOOST_AUTO_TEST_CASE(services_that_need_each_other_are_told_with_the_import) {
    const auto service = [](const std::string& name, const std::string& needed) {
        return Json::parse(R"({"name":")" + name +
                           R"(","dependencies":{"provides":[],"conflicts":[],
            "install":{"requires":[],"uses":[]},"runtime":{"requires":[")" +
                           needed +
                           R"("],"uses":[]}},"provisioner":{"actions":{
            "start":{"type":"shell","fields":{}},"stop":{"type":"shell","fields":{}}}}})");
    };
    auto in_force = catalogue_in_force();
    in_force[CatalogueKind::service].push_back(service("old", "new"));
    in_force[CatalogueKind::service].back()["version"] = 1;
    const auto circles_beside = [&](const CatalogueEntries& all) {
        std::string text;
        const Json import{
            {"services",
             {service("a", "b"), service("b", "a"), service("new", "old"), service("web", "a")}}};
        for (const auto& entry : draft_beside(all, import)) {
            text += entry.name + ": " + std::to_string(entry.circles.size()) + ", ";
        }
        return text;
    };

    BOOST_TEST(circles_beside(in_force) == "a: 1, b: 1, new: 1, web: 0, ");
    in_force[CatalogueKind::service].back() = service("old", "mariadb");
    in_force[CatalogueKind::service].back()["version"] = 2;
    BOOST_TEST(circles_beside(in_force) == "a: 1, b: 1, new: 0, web: 0, ");
}

BOOST_AUTO_TEST_CASE(what_a_service_requires_and_nothing_provides_is_missing) {
    BOOST_TEST(missing_in(R"({"services":[{"name":"php","dependencies":{"provides":["own"],
        "conflicts":["x"],"install":{"requires":["os","own"]},
        "runtime":{"requires":["cache"],"uses":["y"]}}}]})") == "service cache\nservice os\n");
}

BOOST_AUTO_TEST_CASE(a_type_without_any_provider_that_is_there_is_missing_them) {
    BOOST_TEST(missing_in(R"({"hardwaretypes":[
        {"name":"big","providermap":{"gone":{"flavor":"l"}}}]})") == "provider gone\n");
}

BOOST_AUTO_TEST_CASE(an_entry_that_is_not_changed_by_an_import_is_not_warned_about) {
    CatalogueEntries all;
    const Json entry = canonical_entry(CatalogueKind::cluster_template,
                                       Json::parse(R"({"name":"web","extends":{"name":"gone"}})"))
                           .value();
    all[CatalogueKind::cluster_template] = {entry};
    all[CatalogueKind::cluster_template].front()["version"] = 1;

    const auto draft = draft_beside(all, Json{{"clustertemplates", Json::array({entry})}});

    BOOST_REQUIRE(draft.size() == 1);
    BOOST_TEST((draft[0].state == DraftEntry::State::same));
    BOOST_TEST(draft[0].missing.empty());
}

BOOST_AUTO_TEST_CASE(entries_are_chosen_with_all_that_they_need) {
    auto all = catalogue_in_force();
    all[CatalogueKind::cluster_template] = {
        Json::parse(R"({"name":"web","defaults":{"services":["php"],"hardwaretype":"small",
            "imagetype":"gone"}})"),
        Json::parse(R"({"name":"shop","extends":{"name":"web"}})")};
    all[CatalogueKind::service].push_back(
        Json::parse(R"({"name":"php","dependencies":{"provides":[],"conflicts":[],
            "runtime":{"requires":["sql"]}}})"));
    all[CatalogueKind::service].push_back(Json{{"name", "unused"}});

    const auto needed = with_needed_entries(all, {{CatalogueKind::cluster_template, "shop"}});

    BOOST_TEST(told({needed.begin(), needed.end()}) ==
               "hardware type small\nservice mariadb\nservice php\ncluster template shop\n"
               "cluster template web\n");
}
