#include "provisioner/solver/explain/remedies.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/solver/solve.hpp"
#include "tests/unit/provisioner/solver/problems.hpp"

using namespace provisioner::solver;
using tests::Names;

BOOST_AUTO_TEST_SUITE(remedies_of_layouts)

namespace {

std::vector<Remedy> remedies_of(const LayoutProblem& problem) {
    const auto layout = solve(problem);
    return layout ? std::vector<Remedy>{} : layout.error().remedies;
}

// A line each; what the template's author has to do begins with a star.
std::string remedies(const LayoutProblem& problem) {
    std::string text;
    for (const auto& [is_in_request, sentence, changes] : remedies_of(problem)) {
        text += (is_in_request ? "" : "* ") + sentence + "\n";
    }
    return text;
}

// The words after `beginning` up to the full stop; nothing when the sentence begins otherwise.
std::string rest_of(const std::string& sentence, const std::string& beginning) {
    if (!sentence.starts_with(beginning)) return "";
    return sentence.substr(beginning.size(), sentence.size() - beginning.size() - 1);
}

provisioner::model::Service& service_of(LayoutProblem& problem, const std::string& name) {
    for (auto& service : problem.all_services) {
        if (service.header.name == name) return service;
    }
    throw std::logic_error("no service " + name);
}

}  // namespace

BOOST_AUTO_TEST_CASE(too_few_machines_need_the_smallest_number_that_is_enough) {
    auto problem = tests::a_problem({"db", "web", "hosts"}, 2);
    auto& rules = problem.cluster_template.constraints;
    rules.cant_coexist = {{"db", "web"}};
    tests::set_quantities(rules, "db", 1, 4);
    tests::set_quantities(rules, "web", 2);
    BOOST_TEST(remedies(problem) ==
               "Ask for 3 machines.\n"
               "Leave out db.\n"
               "Leave out web.\n"
               "* Drop the rule that db and web must not share a machine.\n"
               "* Drop the minimum of db.\n"
               "* Let 1 machine be enough for web.\n");
}

BOOST_AUTO_TEST_CASE(too_many_machines_need_the_largest_number_there_is_something_for) {
    auto problem = tests::a_problem({"db", "web"}, 9);
    auto& rules = problem.cluster_template.constraints;
    rules.must_coexist = {{"db", "web"}};
    tests::set_quantities(rules, "db", 1, 3);
    BOOST_TEST(
        remedies(problem) ==
        "Ask for 3 machines.\n"
        "Leave out db.\n"
        "* Drop the rule that db and web must be together on a machine or not be there at all.\n"
        "* Let db be on up to 9 machines.\n");
}

BOOST_AUTO_TEST_CASE(a_clash_and_its_remedies_name_the_parts_of_the_template) {
    using Kind = TemplatePart::Kind;
    auto problem = tests::a_problem({"db", "web"}, 1);
    auto& rules = problem.cluster_template.constraints;
    rules.cant_coexist = {{"hosts", "web"}, {"db", "web"}};
    tests::set_quantities(rules, "db", 1, 4);
    tests::set_quantities(rules, "web", 1, 4);
    const auto layout = solve(problem);
    BOOST_REQUIRE(!layout.has_value());
    const std::vector<TemplatePart> clash{{.kind = Kind::apart, .services = {"db", "web"}}};
    BOOST_TEST(std::ranges::count(layout.error().clash, clash.front()) == 1);
    bool drops = false;
    bool leaves_out = false;
    for (const Remedy& remedy : layout.error().remedies) {
        drops = drops || remedy.changes == clash;
        leaves_out = leaves_out ||
                     remedy.changes ==
                         std::vector<TemplatePart>{{.kind = Kind::services, .services = {"web"}}};
    }
    BOOST_TEST(drops);
    BOOST_TEST(leaves_out);
}

BOOST_AUTO_TEST_CASE(a_size_the_template_does_not_allow_is_to_be_allowed_first) {
    auto problem = tests::a_problem({"zookeeper", "hosts"}, 3);
    tests::set_quantities(problem.cluster_template.constraints, "zookeeper", 5);
    problem.cluster_template.constraints.size_max = 4;
    BOOST_TEST(remedies(problem) ==
               "Leave out zookeeper.\n"
               "* Let clusters of the template have up to 5 machines and ask for 5 machines.\n"
               "* Let 3 machines be enough for zookeeper.\n");
    const auto refused = solve(problem);
    BOOST_REQUIRE(!refused.has_value());
    using Kind = TemplatePart::Kind;
    const std::vector<TemplatePart> size{{.kind = Kind::machines_at_least, .bound = 1},
                                         {.kind = Kind::machines_at_most, .bound = 5}};
    BOOST_TEST(std::ranges::any_of(refused.error().remedies,
                                   [&](const Remedy& remedy) { return remedy.changes == size; }));
}

BOOST_AUTO_TEST_CASE(
    a_type_nobody_can_run_on_is_replaced_in_the_request_or_allowed_in_the_template) {
    auto problem = tests::a_problem({"db", "hosts"}, 1);
    tests::use_types(problem, {"large", "medium", "small"}, {"centos6"});
    problem.hardware_type = "small";
    auto& rules = problem.cluster_template.constraints;
    tests::set_quantities(rules, "db", 1);
    rules.services.back().second.hardware_types = {"large", "medium"};
    BOOST_TEST(remedies(problem) ==
               "Ask for hardware type large or medium.\n"
               "Leave out db.\n"
               "* Let db run on hardware type small as well.\n"
               "* Drop the minimum of db.\n");
}

BOOST_AUTO_TEST_CASE(what_no_single_change_mends_needs_several_rules_dropped) {
    auto problem = tests::a_problem({"a", "b", "c", "d"}, 3);
    auto& rules = problem.cluster_template.constraints;
    rules.must_coexist = {{"a", "b"}, {"c", "d"}};
    rules.cant_coexist = {{"a", "b"}, {"c", "d"}};
    for (const auto* service : {"a", "b", "c", "d"}) tests::set_quantities(rules, service, 1);
    BOOST_TEST(remedies(problem) ==
               "* Drop the rules that c and d must be together on a machine or not be there at all "
               "and that a and b must be together on a machine or not be there at all.\n");
}

BOOST_AUTO_TEST_CASE(what_services_require_is_to_be_added_with_what_that_requires) {
    auto problem = tests::a_problem({"web", "db", "disk"}, 1);
    problem.services = {"web"};
    service_of(problem, "web").dependencies.runtime.required = {"database"};
    service_of(problem, "db").dependencies.provides = {"database"};
    service_of(problem, "db").dependencies.install.required = {"disk"};
    BOOST_TEST(remedies(problem) == "Add db and disk to the services.\n");
}

BOOST_AUTO_TEST_CASE(services_that_conflict_or_that_nobody_knows_are_to_be_left_out) {
    auto problem = tests::a_problem({"apache", "nginx"}, 1);
    service_of(problem, "apache").dependencies.conflicts = {"nginx"};
    BOOST_TEST(remedies(problem) == "Leave out apache.\nLeave out nginx.\n");

    auto strange = tests::a_problem({"web"}, 1);
    strange.services = {"web", "wbe", "bwe"};
    BOOST_TEST(remedies(strange) == "Leave out wbe and bwe.\n");
}

BOOST_AUTO_TEST_CASE(a_type_that_does_not_exist_is_replaced_by_any_that_does) {
    auto problem = tests::a_problem({"web"}, 1);
    tests::use_types(problem, {"large", "medium"}, {"centos6"});
    problem.hardware_type = "huge";
    BOOST_TEST(remedies(problem) == "Ask for hardware type large or medium.\n");
}

BOOST_AUTO_TEST_CASE(nodes_to_add_are_called_more) {
    auto problem = tests::a_problem({"db"}, 5);
    tests::set_quantities(problem.cluster_template.constraints, "db", 1, 4);
    problem.present = {{"medium", "centos6", {"db"}, 2}};
    BOOST_TEST(remedies(problem) ==
               "Ask for 2 machines more.\n"
               "* Let db be on up to 7 machines.\n");
}

// What a remedy in words says is done here by hand, apart from the code that verified it.
BOOST_AUTO_TEST_CASE(what_is_promised_of_random_problems_is_true) {
    int kept = 0;
    for (unsigned seed = 0; seed < 3000; ++seed) {
        const auto problem = tests::random_problem(seed);
        if (solve(problem)) continue;
        const auto remedies = remedies_of(problem);
        BOOST_TEST(!remedies.empty(), "seed " << seed << " has no remedy");
        for (const auto& remedy : remedies) {
            auto changed = problem;
            const auto machines = rest_of(remedy.sentence, "Ask for ");
            const auto service = rest_of(remedy.sentence, "Leave out ");
            if (std::isdigit(static_cast<unsigned char>(machines[0])) != 0) {
                changed.machines = std::stoi(machines);
            } else if (!service.empty()) {
                changed.services = changed.cluster_template.defaults.services;
                std::erase(changed.services, service);
            } else {
                continue;
            }
            ++kept;
            BOOST_TEST(solve(changed).has_value(), "seed " << seed << ": " << remedy.sentence);
        }
    }
    BOOST_TEST(kept > 500);
}

BOOST_AUTO_TEST_SUITE_END()
