#include "provisioner/solver/layout/selection.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>

#include "provisioner/solver/sentences.hpp"
#include "tests/unit/provisioner/solver/problems.hpp"

using namespace provisioner::solver;
using tests::Names;

BOOST_AUTO_TEST_SUITE(selection)

namespace {

provisioner::model::Service& service_of(LayoutProblem& problem, const std::string& name) {
    for (auto& service : problem.all_services) {
        if (service.header.name == name) return service;
    }
    throw std::logic_error("the problem has no service " + name);
}

std::string drawn(const Selection& selection) {
    return joined(selection.services, ",") + " on " + joined(selection.hardware_types, ",") +
           " with " + joined(selection.image_types, ",");
}

// Text, reasons and field in one, as they are compared.
std::string drawn(const Unsatisfiable& wrong) {
    return wrong.field + ": " + wrong.text + " | " + joined(wrong.reasons, " ");
}

std::string outcome(const LayoutProblem& problem) {
    const auto selection = select(problem);
    return selection ? drawn(*selection) : drawn(selection.error());
}

LayoutProblem webapp() {
    auto problem = tests::a_problem({"web", "db"}, 3);
    tests::use_types(problem, {"small", "medium", "large"}, {"ubuntu12", "centos6"});
    return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(request_and_template_settle_services_and_types) {
    struct Row {
        std::function<void(LayoutProblem&)> change;
        std::string expected;
    };
    const std::vector<Row> table{
        {[](LayoutProblem&) {}, "db,web on large,medium,small with centos6,ubuntu12"},
        {[](LayoutProblem& p) {
             p.services = {"web", "web"};
         },
         "web on large,medium,small with centos6,ubuntu12"},
        {[](LayoutProblem& p) { p.cluster_template.defaults.hardware_type = "medium"; },
         "db,web on medium with centos6,ubuntu12"},
        {[](LayoutProblem& p) {
             p.cluster_template.defaults.hardware_type = "medium";
             p.hardware_type = "small";
             p.image_type = "ubuntu12";
         },
         "db,web on small with ubuntu12"},
        {[](LayoutProblem& p) {
             p.hardware_type = "";
             p.image_type = "";
             p.cluster_template.defaults.image_type = "centos6";
         },
         "db,web on large,medium,small with centos6"},
        {[](LayoutProblem& p) {
             p.cluster_template.compatibility.hardware_types = {"small", "huge"};
             p.image_types[0].provider_map.clear();
         },
         "db,web on small with centos6"},
    };

    for (const auto& row : table) {
        auto problem = webapp();
        row.change(problem);
        BOOST_TEST(outcome(problem) == row.expected);
    }
}

BOOST_AUTO_TEST_CASE(types_that_cannot_be_used_are_named) {
    struct Row {
        std::function<void(LayoutProblem&)> change;
        std::string field;
        std::string kind;
        std::string reason;
    };
    const std::vector<Row> table{
        {[](LayoutProblem& p) { p.hardware_type = "huge"; }, "hardwaretype", "hardware",
         "There is no hardware type huge."},
        {[](LayoutProblem& p) {
             p.hardware_type = "small";
             p.cluster_template.compatibility.hardware_types = {"medium"};
         },
         "hardwaretype", "hardware", "Template webapp does not allow hardware type small."},
        {[](LayoutProblem& p) {
             p.hardware_type = "small";
             p.provider = "moon";
         },
         "hardwaretype", "hardware", "Hardware type small has no flavor for provider moon."},
        {[](LayoutProblem& p) { p.provider = "moon"; }, "hardwaretype", "hardware",
         "Template webapp allows no hardware type that provider moon has a flavor for."},
        {[](LayoutProblem& p) { p.image_types.clear(); }, "imagetype", "image",
         "Template webapp allows no image type that provider cloud has an image for."},
        {[](LayoutProblem& p) { p.cluster_template.defaults.image_type = "sl6"; }, "imagetype",
         "image", "There is no image type sl6."},
    };

    for (const auto& row : table) {
        auto problem = webapp();
        row.change(problem);
        BOOST_TEST(outcome(problem) ==
                   row.field + ": no " + row.kind +
                       " types are available to use with template webapp and provider " +
                       problem.provider + " | " + row.reason);
    }
}

BOOST_AUTO_TEST_CASE(services_must_be_allowed_and_exist) {
    auto problem = webapp();
    problem.cluster_template.compatibility.services = {"web", "db", "ghost"};

    problem.services = {"web", "nope", "neither", "nope"};
    BOOST_TEST(outcome(problem) ==
               "services: nope,neither are incompatible with the cluster | "
               "Template webapp does not allow nope or neither.");
    problem.services = {"web", "ghost"};
    BOOST_TEST(outcome(problem) ==
               "services: service ghost does not exist | Service ghost does not exist.");
}

BOOST_AUTO_TEST_CASE(each_unmet_requirement_is_a_line) {
    auto problem = webapp();
    auto& web = service_of(problem, "web").dependencies;
    web.install.required = {"sql", "cache"};
    web.runtime.required = {"sql"};
    web.install.used = {"never-there"};
    web.conflicts = {"db"};

    const auto selection = select(problem);

    BOOST_REQUIRE(!selection);
    BOOST_TEST(
        selection.error().text ==
        "web requires sql, which is not on the cluster or in the list of services to add.\n"
        "web requires cache, which is not on the cluster or in the list of services to add.");
    BOOST_TEST(selection.error().reasons.size() == 2);
}

BOOST_AUTO_TEST_CASE(a_provided_name_meets_a_requirement_but_is_no_conflict) {
    auto problem = webapp();
    service_of(problem, "db").dependencies.provides = {"sql"};
    service_of(problem, "web").dependencies.runtime.required = {"sql"};
    service_of(problem, "web").dependencies.conflicts = {"sql"};

    BOOST_TEST(outcome(problem) == "db,web on large,medium,small with centos6,ubuntu12");
}

BOOST_AUTO_TEST_CASE(services_that_conflict_are_named) {
    auto problem = webapp();
    service_of(problem, "db").dependencies.conflicts = {"web"};
    service_of(problem, "web").dependencies.conflicts = {"db", "absent"};

    BOOST_TEST(outcome(problem) ==
               "services: web conflicts with db.\ndb conflicts with web. | "
               "web conflicts with db. db conflicts with web.");
}

BOOST_AUTO_TEST_CASE(services_to_add_are_checked_with_those_present) {
    auto problem = tests::a_problem({"myapp-1", "myapp-2", "web", "mysql", "extra"}, 3);
    auto& made = problem.cluster_template;
    made.compatibility.services = {"myapp-1", "myapp-2", "web", "mysql"};
    service_of(problem, "myapp-2").dependencies.conflicts = {"myapp-1"};
    service_of(problem, "web").dependencies.install.required = {"mysql"};
    const auto adding = [&](const Names& asked, const Names& present) {
        const auto wrong =
            check_services(made, {.services = asked, .present = present}, problem.all_services);
        return wrong ? wrong->text : "fine";
    };

    BOOST_TEST(adding({"web"}, {"mysql"}) == "fine");
    BOOST_TEST(adding({"web", "mysql"}, {"extra", "unknown"}) == "fine");
    BOOST_TEST(
        adding({"web"}, {"myapp-1"}) ==
        "web requires mysql, which is not on the cluster or in the list of services to add.");
    BOOST_TEST(adding({"myapp-2"}, {"myapp-1"}) == "myapp-2 conflicts with myapp-1.");
    BOOST_TEST(adding({"extra"}, {"myapp-1"}) == "extra are incompatible with the cluster");
    BOOST_TEST(adding({"web"}, {"mysql", "web"}) == "fine");
}

BOOST_AUTO_TEST_CASE(a_service_to_add_that_is_not_there_is_told_before_what_the_template_allows) {
    auto problem = webapp();
    problem.cluster_template.compatibility.services = {"web"};
    const auto adding = [&](const std::string& service, bool existence_first) {
        const auto wrong = check_services(
            problem.cluster_template,
            {.services = {service}, .present = {}, .existence_first = existence_first},
            problem.all_services);
        return wrong ? wrong->text : "fine";
    };

    BOOST_TEST(adding("nope", true) == "service nope does not exist");
    BOOST_TEST(adding("nope", false) == "nope are incompatible with the cluster");
    BOOST_TEST(adding("db", true) == "db are incompatible with the cluster");
}

BOOST_AUTO_TEST_SUITE_END()
