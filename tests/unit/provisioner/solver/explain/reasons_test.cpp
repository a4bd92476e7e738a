#include "provisioner/solver/explain/reasons.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/solver/solve.hpp"
#include "tests/unit/provisioner/solver/problems.hpp"

using namespace provisioner::solver;

BOOST_AUTO_TEST_SUITE(reasons_of_layouts)

namespace {

// Group by group, a line each.
std::string reasons(const LayoutProblem& problem) {
    const auto layout = solve(problem);
    if (!layout) return "there is no layout";
    std::string text;
    for (const auto& group : reasons_for(problem, *layout)) {
        for (const auto& reason : group.services) text += reason.sentence + "\n";
        text += group.machine + "\n\n";
    }
    return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_service_is_explained_on_every_kind_of_node) {
    auto problem = tests::a_problem({"db", "web", "hosts", "cache"}, 4);
    tests::use_types(problem, {"large", "medium", "small"}, {"centos6"});
    auto& rules = problem.cluster_template.constraints;
    rules.cant_coexist = {{"db", "web"}};
    rules.must_coexist = {{"cache", "web"}};
    tests::set_quantities(rules, "db", 1, 1);
    rules.services.back().second.hardware_types = {"large"};
    tests::set_quantities(rules, "web", 1);
    rules.services.back().second.hardware_types = {"small", "medium"};

    BOOST_TEST(
        reasons(problem) ==
        "A machine takes every service it may have, and cache may be here. It comes together "
        "with web.\n"
        "db is not here: db and web must not share a machine.\n"
        "hosts is on every machine: no rule of the template is about it.\n"
        "A machine takes every service it may have, and web may be here. It comes together "
        "with cache.\n"
        "medium comes first of the hardware types these services may run on: medium and "
        "small. centos6 is the only image type this cluster can have.\n"
        "\n"
        "cache is not here: cache and web come together, and db and web must not share a "
        "machine.\n"
        "db needs at least 1 machine and is on no more than that.\n"
        "hosts is on every machine: no rule of the template is about it.\n"
        "web is not here: cache and web come together, and db and web must not share a "
        "machine.\n"
        "large is the only hardware type db may run on. centos6 is the only image type this "
        "cluster can have.\n"
        "\n");
}

BOOST_AUTO_TEST_CASE(a_service_that_is_on_as_many_nodes_as_it_may_be_is_on_no_more) {
    auto problem = tests::a_problem({"db", "hosts"}, 3);
    tests::set_quantities(problem.cluster_template.constraints, "db", 0, 1);
    BOOST_TEST(reasons(problem).find("db is not here: db may be on at most 1 machine, and is.") !=
               std::string::npos);
}

// reasons_for throws when it finds no reason.
BOOST_AUTO_TEST_CASE(whatever_is_absent_has_a_reason_on_random_problems) {
    int layouts = 0;
    for (unsigned seed = 0; seed < 5000; ++seed) {
        const auto problem = tests::random_problem(seed);
        const auto layout = solve(problem);
        if (!layout) continue;
        ++layouts;
        BOOST_CHECK_NO_THROW(reasons_for(problem, *layout));
    }
    BOOST_TEST(layouts > 1000);
}

BOOST_AUTO_TEST_SUITE_END()
