#include "fcgi/pages/catalogue/misfits.hpp"
#include "fcgi/pages/catalogue/template_services.hpp"
#include "provisioner/operations/catalogue/template_relatives.hpp"

#include <boost/test/unit_test.hpp>

#include "fcgi/pages/catalogue/editors/edit_page.hpp"
#include "provisioner/model/catalogue/template_family.hpp"

using namespace fcgi::pages;
using provisioner::base::Json;
using provisioner::model::CatalogueKind;
using provisioner::operations::CatalogueEntries;
using provisioner::operations::heirs_of;
using provisioner::operations::inherited_uses;
using provisioner::operations::relatives_of;
using Sentences = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(misfits)

namespace {

/// At "sim" machines are of the hardware type "small" and the image type "debian".
CatalogueEntries site_with(const char* cluster_template) {
    CatalogueEntries all;
    all[CatalogueKind::provider] = {Json{{"name", "sim"}}, Json{{"name", "cloud"}}};
    all[CatalogueKind::hardware_type] = {
        Json::parse(R"({"name":"small","providermap":{"sim":{"flavor":"s"}}})"),
        Json::parse(R"({"name":"large","providermap":{"cloud":{"flavor":"l"},"sim":{}}})")};
    all[CatalogueKind::image_type] = {
        Json::parse(R"({"name":"debian","providermap":{"sim":{"image":"d"}}})")};
    all[CatalogueKind::cluster_template] = {Json::parse(cluster_template)};
    return all;
}

Sentences misfits_of(const char* cluster_template) {
    const auto all = site_with(cluster_template);
    return misfits_of_template(all, all.at(CatalogueKind::cluster_template).front());
}

Json service(const char* name, const char* dependencies, const char* label = "") {
    Json made{{"name", name},
              {"dependencies", Json::parse(dependencies)},
              {"provisioner", {{"actions", Json::object()}}}};
    for (const char* list : {"provides", "conflicts"}) {
        if (!made["dependencies"].contains(list)) made["dependencies"][list] = Json::array();
    }
    if (*label != '\0') made["label"] = label;
    return made;
}

void check(const Sentences& found, const Sentences& expected) {
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_template_whose_types_have_its_provider_works) {
    check(misfits_of(R"({"name":"web","defaults":{"provider":"sim"}})"), {});
    check(misfits_of(R"({"name":"web","defaults":{"provider":"sim","hardwaretype":"small",
                         "imagetype":"debian"}})"),
          {});
    check(misfits_of(R"({"name":"web"})"), {});
    check(misfits_of(R"({"name":"web","defaults":{"provider":"gone"}})"), {});
}

BOOST_AUTO_TEST_CASE(a_service_that_the_services_of_a_template_require_is_named_and_can_be_added) {
    const char* const shop = R"({"name":"shop","defaults":{"services":["web"]},
                                 "compatibility":{"services":["web","maria"]}})";
    auto all = site_with(shop);
    all[CatalogueKind::service] = {
        service("disk", "{}"), service("big", R"({"provides":["sql"]})"),
        service("maria", R"({"provides":["sql"],"install":{"requires":["disk"]}})", "Maria"),
        service("web", R"({"install":{"uses":["cache"]},"runtime":{"requires":["sql"]}})", "Web")};
    const Json& stored = all.at(CatalogueKind::cluster_template).front();

    const auto lacking = services_lacking_in(all, stored);

    check(lacking.sentences, {"Web requires sql, which is not among its default services."});
    check(lacking.to_add, {"maria", "disk"});
    BOOST_TEST(words_on_adding(lacking, all) == "Add Maria and disk to the template");
    // Without a default provider, too.
    check(misfits_of_template(all, stored), lacking.sentences);
    BOOST_TEST(templates_that_do_not_work(all).contains("shop"));
}

BOOST_AUTO_TEST_CASE(a_template_that_names_what_is_missing_does_not_work) {
    const auto all = site_with(R"({"name":"web","defaults":{"services":["gone"]}})");

    check(templates_that_do_not_work(all).at("web"),
          {"It names service gone, which is not in the catalogue."});
    BOOST_TEST(templates_that_do_not_work(site_with(R"({"name":"web"})")).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_template_that_gives_no_services_does_not_work_unless_others_extend_it) {
    auto all = site_with(R"({"name":"base","defaults":{"provider":"sim"}})");
    all[CatalogueKind::service] = {service("db", "{}")};

    check(templates_that_do_not_work(all).at("base"), {words_on_lacking_services()});

    all[CatalogueKind::cluster_template].push_back(
        Json::parse(R"({"name":"shop","extends":{"name":"base"},"defaults":{"services":["db"]}})"));
    BOOST_TEST(templates_that_do_not_work(all).empty());
}

BOOST_AUTO_TEST_CASE(what_others_take_from_a_template_or_a_part_may_break_them) {
    auto all = site_with(R"({"name":"base","defaults":{"services":["db"]}})");
    all[CatalogueKind::cluster_template].push_back(
        Json::parse(R"({"name":"shop","label":"Shop","extends":{"name":"base"},
                        "includes":[{"name":"part"}],
                        "defaults":{"provider":"sim","hardwaretype":"large"}})"));
    all[CatalogueKind::partial_template] = {Json::parse(R"({"name":"part","immutable":false})")};
    all[CatalogueKind::service] = {service("db", "{}"),
                                   service("web", R"({"runtime":{"requires":["sql"]}})", "Web")};
    const auto base = Json::parse(R"({"name":"base","defaults":{"services":["web"]}})");
    const auto part =
        Json::parse(R"({"name":"part","immutable":false,"defaults":{"services":["web"]}})");

    // That its hardware type has no flavor is its own affair.
    check(misfits_of_heirs(all, CatalogueKind::cluster_template,
                           all.at(CatalogueKind::cluster_template).front()),
          {});
    check(misfits_of_heirs(all, CatalogueKind::cluster_template, base),
          {"Cluster template Shop: Web requires sql, which is not among its default services."});
    check(misfits_of_heirs(all, CatalogueKind::partial_template, part),
          {"Cluster template Shop: Web requires sql, which is not among its default services."});
    check(misfits_of_heirs(all, CatalogueKind::service, base), {});
}

BOOST_AUTO_TEST_CASE(all_generations_take_from_a_template_and_it_not_from_itself) {
    const auto made = [](const std::string& name, const std::string& parent) {
        return Json{{"name", name}, {"extends", {{"name", parent}}}};
    };
    auto all = site_with(R"({"name":"base","extends":{"name":"leaf"}})");
    auto& templates = all[CatalogueKind::cluster_template];
    templates.push_back(made("leaf", "middle"));
    templates.push_back(Json::parse(R"({"name":"other","includes":[{"name":"middle"}]})"));
    templates.push_back(made("middle", "base"));
    const auto names = [&](CatalogueKind kind, const std::string& name) {
        std::string joined;
        for (const Json* heir : heirs_of(all, kind, name)) {
            joined += heir->at("name").get<std::string>() + ' ';
        }
        return joined;
    };

    BOOST_TEST(names(CatalogueKind::cluster_template, "base") == "leaf middle ");
    BOOST_TEST(names(CatalogueKind::partial_template, "middle") == "other ");
    BOOST_TEST(names(CatalogueKind::service, "base") == "");
    templates.push_back(Json::parse(R"({"name":"part","includes":[{"name":"part"}]})"));
    BOOST_TEST(names(CatalogueKind::partial_template, "part") == "part ");
}

BOOST_AUTO_TEST_CASE(a_family_that_no_cluster_is_made_of_is_not_read_to_its_end) {
    provisioner::operations::CatalogueEntries all;
    auto& templates = all[CatalogueKind::cluster_template];
    constexpr std::size_t generations = 1200;
    for (std::size_t i = 0; i <= generations; ++i) {
        templates.push_back(Json{{"name", "t" + std::to_string(i)},
                                 {"extends", {{"name", "t" + std::to_string(i + 1)}}}});
    }
    const auto own = provisioner::model::cluster_template_from_json(templates.front());
    BOOST_REQUIRE(own.has_value());

    const auto relatives = relatives_of(all, *own);

    BOOST_TEST(relatives.size() == provisioner::model::most_names_of_a_family / 100);
    BOOST_TEST(relatives.back().own.header.name == "t1");
}

BOOST_AUTO_TEST_CASE(what_a_template_has_from_others_is_used_by_it_too) {
    auto all =
        site_with(R"({"name":"base","defaults":{"services":["db"],"hardwaretype":"small"}})");
    all[CatalogueKind::cluster_template].push_back(Json::parse(
        R"({"name":"shop","extends":{"name":"base"},"defaults":{"services":["web"]}})"));
    const std::map<std::string, Sentences> services{{"db", {"shop"}}};
    const std::map<std::string, Sentences> hardware{{"small", {"shop"}}};

    BOOST_TEST((inherited_uses(all, CatalogueKind::service) == services));
    BOOST_TEST((inherited_uses(all, CatalogueKind::hardware_type) == hardware));
    BOOST_TEST(inherited_uses(all, CatalogueKind::image_type).empty());
}

BOOST_AUTO_TEST_CASE(a_service_names_the_templates_that_lack_what_it_requires) {
    auto all = site_with(R"({"name":"shop","label":"Shop","defaults":{"services":["web"]}})");
    all[CatalogueKind::cluster_template].push_back(
        Json::parse(R"({"name":"full","defaults":{"services":["web","maria"]}})"));
    all[CatalogueKind::cluster_template].push_back(
        Json::parse(R"({"name":"other","defaults":{"services":["maria"]}})"));
    const Json stored = service("web", "{}");
    all[CatalogueKind::service] = {service("maria", "{}", "Maria"), stored};

    check(misfits_of_service(all, stored), {});
    // As it would be saved.
    check(misfits_of_service(all, service("web", R"({"runtime":{"requires":["maria"]}})")),
          {"Cluster template Shop has it among its default services, but not what it requires: "
           "Maria."});
}

BOOST_AUTO_TEST_CASE(services_that_conflict_are_told_of_a_template_and_of_a_service) {
    auto all = site_with(R"({"name":"shop","label":"Shop","defaults":{"services":["web","db"]}})");
    const Json web = service("web", R"({"conflicts":["db"]})", "Web");
    all[CatalogueKind::service] = {service("db", R"({"conflicts":["web"]})"), web};

    // Once, though each says so of the other.
    check(misfits_of_template(all, all.at(CatalogueKind::cluster_template).front()),
          {"db conflicts with Web, and both are among its default services."});
    check(misfits_of_service(all, web),
          {"Cluster template Shop has it among its default services, and what it conflicts with: "
           "db."});
    all[CatalogueKind::service].front() = service("db", "{}");
    check(misfits_of_template(all, all.at(CatalogueKind::cluster_template).front()),
          {"Web conflicts with db, and both are among its default services."});
}

BOOST_AUTO_TEST_CASE(a_service_that_conflicts_with_what_it_requires_says_so) {
    auto all = site_with(R"({"name":"shop"})");
    all[CatalogueKind::service] = {service("db", "{}", "Database"),
                                   service("other", R"({"conflicts":["web"]})")};
    const Sentences said{"It requires Database, and the two conflict: no cluster can have both."};

    check(contradictions_of_service(
              all, service("web", R"({"conflicts":["db"],"install":{"requires":["db"]},
                                      "runtime":{"requires":["db"]}})")),
          said);
    check(contradictions_of_service(all, service("web", R"({"runtime":{"requires":["other"]}})")),
          {"It requires other, and the two conflict: no cluster can have both."});
    check(contradictions_of_service(all, service("web", R"({"runtime":{"requires":["db"]}})")), {});
    check(contradictions_of_service(all, service("web", R"({"runtime":{"requires":["web"]},
                                                            "install":{"requires":["web"]}})")),
          {"It requires itself, which is a circle. Take it out of what it requires."});
}

BOOST_AUTO_TEST_CASE(a_service_of_a_parent_or_of_a_partial_template_is_there) {
    auto all = site_with(R"({"name":"shop","extends":{"name":"base"},
                             "defaults":{"services":["web"]}})");
    all[CatalogueKind::cluster_template].push_back(
        Json::parse(R"({"name":"base","defaults":{"services":["sql"]}})"));
    all[CatalogueKind::service] = {service("sql", "{}"),
                                   service("web", R"({"runtime":{"requires":["sql"]}})")};

    check(services_lacking_in(all, all.at(CatalogueKind::cluster_template).front()).sentences, {});
}

BOOST_AUTO_TEST_CASE(a_requirement_that_nobody_meets_is_said_without_a_remedy) {
    auto all = site_with(R"({"name":"shop","defaults":{"services":["web"]}})");
    all[CatalogueKind::service] = {service("web", R"({"runtime":{"requires":["sql"]}})")};

    const auto lacking = services_lacking_in(all, all.at(CatalogueKind::cluster_template).front());

    check(lacking.sentences, {"web requires sql, which is not among its default services."});
    BOOST_TEST(words_on_adding(lacking, all) == "");
}

BOOST_AUTO_TEST_CASE(a_default_that_the_provider_does_not_have_is_named) {
    check(misfits_of(R"({"name":"web","defaults":{"provider":"sim","hardwaretype":"large"}})"),
          {"Its default hardware type large has no flavor at its provider sim."});
    check(misfits_of(R"({"name":"web","defaults":{"provider":"cloud","hardwaretype":"large",
                         "imagetype":"debian"}})"),
          {"Its default image type debian has no image at its provider cloud."});
}

BOOST_AUTO_TEST_CASE(without_defaults_one_of_the_allowed_types_must_work) {
    check(misfits_of(R"({"name":"web","defaults":{"provider":"sim"},
                         "compatibility":{"hardwaretypes":["large"]}})"),
          {"No hardware type that it allows has a flavor at its provider sim."});
    check(misfits_of(R"({"name":"web","defaults":{"provider":"cloud"}})"),
          {"No image type that it allows has an image at its provider cloud."});
}

BOOST_AUTO_TEST_CASE(what_a_template_inherits_counts) {
    auto all =
        site_with(R"({"name":"child","extends":{"name":"base"},"includes":[{"name":"part"}]})");
    all[CatalogueKind::cluster_template].push_back(
        Json::parse(R"({"name":"base","defaults":{"provider":"sim"}})"));
    all[CatalogueKind::partial_template] = {
        Json::parse(R"({"name":"part","immutable":false,"defaults":{"hardwaretype":"large"}})")};

    const auto found = templates_that_do_not_work(all);

    BOOST_TEST_REQUIRE(found.size() == 1U);
    check(found.at("child"), {"Its default hardware type large has no flavor at its provider sim.",
                              words_on_lacking_services()});
}

BOOST_AUTO_TEST_CASE(what_an_included_partial_template_sets_in_vain_is_said) {
    const Json part = Json::parse(R"({"name":"part","label":"Part","immutable":true,
        "administration":{"leaseduration":{"initial":259200000,"max":0,"step":0}}})");
    auto all = site_with(R"({"name":"web","defaults":{"provider":"sim"},
                             "includes":[{"name":"part"},{"name":"plain"}]})");
    all[CatalogueKind::partial_template] = {
        part, Json::parse(R"({"name":"plain","immutable":true,"defaults":{"provider":"sim"}})")};
    const Sentences said{
        "The lease and constraints of its partial template Part have no effect: those of cluster "
        "templates are in force."};

    check(parts_without_effect(all, all.at(CatalogueKind::cluster_template).front()), said);
    // It is no reason why clusters would not work, nor one to ask.
    check(templates_that_do_not_work(all).at("web"), {words_on_lacking_services()});
    check(warnings_about(CatalogueKind::cluster_template,
                         all.at(CatalogueKind::cluster_template).front(), {.entries = all}),
          {words_on_lacking_services()});
    check(warnings_about(CatalogueKind::partial_template, part, {.entries = all}), {});
    check(misfits_of_template(all, all.at(CatalogueKind::cluster_template).front()), {});
    BOOST_TEST(words_on_partial_without_effect(part) ==
               "Its lease and constraints have no effect: templates that include it have their "
               "own.");
    BOOST_TEST(words_on_partial_without_effect(all.at(CatalogueKind::partial_template).back()) ==
               "");
}

BOOST_AUTO_TEST_CASE(a_type_without_what_a_template_needs_of_it_names_the_template) {
    const auto all =
        site_with(R"({"name":"web","defaults":{"provider":"sim","hardwaretype":"small"}})");
    const EditContext context{.entries = all};
    const Json emptied = Json::parse(R"({"name":"small","providermap":{}})");

    check(misfits_of_type(all, CatalogueKind::hardware_type,
                          all.at(CatalogueKind::hardware_type).front()),
          {});
    check(misfits_of_type(all, CatalogueKind::image_type, emptied), {});
    check(warnings_about(CatalogueKind::hardware_type, emptied, context),
          {"Cluster template web uses it by default with the provider sim, for which it has no "
           "flavor."});
}

BOOST_AUTO_TEST_CASE(what_does_not_work_is_called_by_its_label) {
    auto all = site_with(
        R"({"name":"web","label":"Web site","defaults":{"provider":"sim","hardwaretype":"large"}})");
    all[CatalogueKind::provider].front()["label"] = "Simulated";
    all[CatalogueKind::hardware_type].back()["label"] = "Large, 8 cores";

    check(misfits_of_template(all, all.at(CatalogueKind::cluster_template).front()),
          {"Its default hardware type Large, 8 cores has no flavor at its provider Simulated."});
    check(misfits_of_type(all, CatalogueKind::hardware_type,
                          all.at(CatalogueKind::hardware_type).back()),
          {"Cluster template Web site uses it by default with the provider Simulated, for which it "
           "has no flavor."});
}

// Completing the services of each template took minutes here.
BOOST_AUTO_TEST_CASE(templates_that_lack_long_chains_of_services_are_listed_at_once) {
    auto all = site_with(R"({"name":"t0","defaults":{"services":["s499"]}})");
    all[CatalogueKind::service] = {service("s0", "{}")};
    for (int i = 1; i < 500; ++i) {
        Json needs{{"runtime", {{"requires", {"s" + std::to_string(i - 1)}}}}};
        all[CatalogueKind::service].push_back(
            service(("s" + std::to_string(i)).c_str(), needs.dump().c_str()));
    }
    auto& templates = all[CatalogueKind::cluster_template];
    for (int i = 1; i < 300; ++i) {
        templates.push_back(templates.front());
        templates.back()["name"] = "t" + std::to_string(i);
    }

    const auto misfits = templates_that_do_not_work(all);

    BOOST_TEST(misfits.size() == 300U);
    BOOST_TEST(misfits.at("t299").front() ==
               "s499 requires s498, which is not among its default services.");
}

BOOST_AUTO_TEST_SUITE_END()
