#include "fcgi/pages/catalogue/builder/clashes.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/operations/catalogue/template_relatives.hpp"

using namespace fcgi::pages;
using namespace provisioner::model;
using provisioner::operations::CatalogueEntries;
using provisioner::operations::relatives_of;
using provisioner::solver::TemplatePart;
using provisioner::solver::Unsatisfiable;

BOOST_AUTO_TEST_SUITE(rules_of_a_family)

namespace {

ClusterTemplate named(const std::string& name, const std::string& parent = "") {
    ClusterTemplate made;
    made.header.name = name;
    if (!parent.empty()) made.extends = parent;
    return made;
}

/// "child" extends "middle", which includes "part" and extends "root".
TemplateSurroundings family() {
    auto root = named("root");
    root.constraints.must_coexist = {{"cache", "web"}};
    root.constraints.services = {{"db", {.hardware_types = {}, .image_types = {}, .max = 3}}};
    root.compatibility.hardware_types = {"large"};
    auto middle = named("middle", "root");
    middle.includes = {"part"};
    middle.constraints.services = {{"db", {.hardware_types = {}, .image_types = {}, .max = 2}}};
    auto part = named("part");
    part.immutable = false;
    part.defaults.hardware_type = "tiny";
    CatalogueEntries entries;
    entries[CatalogueKind::service] = {{{"name", "cache"}, {"label", "Redis"}}};
    entries[CatalogueKind::cluster_template] = {to_json(root), to_json(middle)};
    entries[CatalogueKind::partial_template] = {to_json(part)};
    return surroundings_in(std::move(entries));
}

TemplateForm child() {
    auto own = named("child", "middle");
    own.constraints.cant_coexist = {{"db", "web"}};
    return template_form_of(CatalogueKind::cluster_template, own);
}

std::string drawn(const std::vector<ClashingRule>& rules) {
    std::string text;
    for (const auto& [words, href, source] : rules) {
        text += words + " | " + href + " | " + source + '\n';
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(relatives_come_in_the_order_in_which_they_are_merged) {
    const auto around = family();
    std::string names;
    for (const auto& [kind, own] : relatives_of(around.entries, named("child", "middle"))) {
        names += own.header.name + ' ';
    }
    BOOST_TEST(names == "root part middle ");
    BOOST_TEST(relatives_of(around.entries, named("child", "gone")).empty());
}

BOOST_AUTO_TEST_CASE(a_rule_says_whose_it_is_and_where_it_can_be_changed) {
    Unsatisfiable why;
    why.clash = {{.kind = TemplatePart::Kind::apart, .services = {"web", "db"}},
                 {.kind = TemplatePart::Kind::together, .services = {"web", "cache"}},
                 {.kind = TemplatePart::Kind::at_most, .services = {"db"}},
                 {.kind = TemplatePart::Kind::at_least, .services = {"queue"}}};

    BOOST_TEST(drawn(rules_that_clash(why, child(), family())) ==
               "web and db are never all on one machine | #group-0 | \n"
               "web and Redis share a machine | /builder/clustertemplates/root#group-0 | "
               "cluster template root\n"
               "Maximum of db | /builder/clustertemplates/middle#limit-0-max | "
               "cluster template middle\n"
               "Minimum of queue |  | \n");
}

BOOST_AUTO_TEST_CASE(a_default_that_a_parent_does_not_allow_leads_to_both) {
    Unsatisfiable why;
    why.field = "hardwaretype";

    BOOST_TEST(drawn(rules_that_clash(why, child(), family())) ==
               "Default hardware type | /builder/partialtemplates/part#t-defaults.hardwaretype | "
               "partial template part\n"
               "Compatible hardware types | "
               "/builder/clustertemplates/root#t-compatibility.hardwaretypes | "
               "cluster template root\n");

    auto form = child();
    form.hardware_type = "large";
    // It is allowed, so what is wrong is the type itself.
    BOOST_TEST(drawn(rules_that_clash(why, form, family())) ==
               "Default hardware type | #t-defaults.hardwaretype | \n");
    why.field = "numMachines";
    BOOST_TEST(rules_that_clash(why, form, family()).empty());
}

BOOST_AUTO_TEST_CASE(a_template_that_is_edited_as_json_has_no_controls_to_lead_to) {
    auto form = child();
    BOOST_REQUIRE(press(form, "json").empty());
    Unsatisfiable why;
    why.clash = {{.kind = TemplatePart::Kind::apart, .services = {"db", "web"}},
                 {.kind = TemplatePart::Kind::at_most, .services = {"db"}}};

    BOOST_TEST(drawn(rules_that_clash(why, form, family())) ==
               "db and web are never all on one machine |  | \n"
               "Maximum of db | /builder/clustertemplates/middle#limit-0-max | "
               "cluster template middle\n");
}

BOOST_AUTO_TEST_SUITE_END()
