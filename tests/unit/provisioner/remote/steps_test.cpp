#include "provisioner/remote/steps.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::remote;

BOOST_AUTO_TEST_SUITE(steps)

namespace {

Run a_run(const char* label, const char* script = "true", bool fixed = false) {
    Run run;
    run.label = label;
    run.script = script;
    run.script_is_fixed = fixed;
    return run;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_run_has_a_kind_of_its_own_and_keeps_it) {
    const Steps steps{a_run("a"), Upload{.path = "/x", .content = "1"}, a_run("a")};

    const auto kinds = kinds_of(steps);

    BOOST_REQUIRE(kinds.size() == 2U);
    BOOST_TEST(kinds[0] != kinds[1]);
    BOOST_TEST((kinds_of(steps) == kinds));
}

BOOST_AUTO_TEST_CASE(what_a_script_or_a_file_says_of_others_changes_no_kind) {
    const Steps first{Upload{.path = "/x", .content = "1"}, a_run("a", "echo 1")};
    const Steps later{Upload{.path = "/x", .content = "2"}, a_run("a", "echo 2")};

    BOOST_TEST((kinds_of(first) == kinds_of(later)));
}

BOOST_AUTO_TEST_CASE(a_fixed_script_is_part_of_its_kind) {
    const Steps first{a_run("a", "echo 1", true), a_run("b")};
    const Steps later{a_run("a", "echo 2", true), a_run("b")};

    BOOST_TEST(kinds_of(first)[0] != kinds_of(later)[0]);
    BOOST_TEST(kinds_of(first)[1] == kinds_of(later)[1]);
}

BOOST_AUTO_TEST_CASE(a_step_more_or_less_anywhere_makes_all_of_them_others) {
    const Steps before{a_run("a"), a_run("b")};

    for (const Steps& after :
         {Steps{a_run("a"), a_run("b"), a_run("c")},
          Steps{a_run("a"), Upload{.path = "/x", .content = ""}, a_run("b")},
          Steps{a_run("a"), Delivery{.label = "bring 1 file", .files = {}}, a_run("b")}}) {
        BOOST_TEST(kinds_of(before)[0] != kinds_of(after)[0]);
        BOOST_TEST(kinds_of(before)[1] != kinds_of(after)[1]);
    }
}

BOOST_AUTO_TEST_SUITE_END()
