#include "provisioner/automators/node_files.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/automators/task_fields.hpp"
#include "provisioner/automators/tool_packages.hpp"
#include "tests/unit/provisioner/automators/steps_text.hpp"

using namespace provisioner::automators;
using provisioner::model::Action;

BOOST_AUTO_TEST_SUITE(node_files)

BOOST_AUTO_TEST_CASE(a_workspace_is_made_for_its_files_and_taken_away_with_them) {
    NodeAction action;
    action.label = "start app";
    action.directory = "/somewhere";
    action.workspace = "/place/it's";
    action.files = {{.path = "/place/it's/a/b.json", .content = "x y"}};
    action.command = "true\n";

    const auto steps = steps_of(action);

    BOOST_TEST(drawn(steps) == "run start app\n");
    BOOST_TEST(run_at(steps, 0).script ==
               "umask 077\n"
               "mkdir -p '/place/it'\\''s' '/place/it'\\''s/a' || exit 1\n"
               "printf %s 'x y' >'/place/it'\\''s/a/b.json' || exit 1\n"
               "umask 022\n"
               "cd /somewhere || exit 1\n"
               "trap : TERM\n"
               "true\n"
               "status=$?\n"
               "rm -rf '/place/it'\\''s'\n"
               "exit $status\n");
}

BOOST_AUTO_TEST_CASE(large_files_are_uploaded_into_a_workspace_only_root_may_enter) {
    NodeAction action;
    action.label = "start app";
    action.directory = "/somewhere";
    action.workspace = "/place";
    action.files = {{.path = "/place/big", .content = std::string(300'000, 'x')}};
    action.command = "true\n";
    action.limit = std::chrono::hours(2);

    const auto steps = steps_of(action);

    BOOST_TEST(drawn(steps) == "run make a place for files\nput /place/big 0600\nrun start app\n");
    BOOST_TEST(run_at(steps, 0).script == "umask 077\nmkdir -p /place || exit 1\n");
    // The limit is the action's, not that of what is made ready for it.
    BOOST_TEST((run_at(steps, 0).limit == file_work));
    BOOST_TEST((run_at(steps, 2).limit == action.limit));
}

BOOST_AUTO_TEST_CASE(an_action_without_files_leaves_nothing_to_take_away) {
    NodeAction action;
    action.label = "stop app";
    action.directory = "/";
    action.command = "true\n";

    BOOST_TEST(run_at(steps_of(action), 0).script ==
               "cd / || exit 1\ntrap : TERM\ntrue\nstatus=$?\nexit $status\n");
}

BOOST_AUTO_TEST_CASE(a_comma_list_has_no_blanks_and_no_empty_elements) {
    const std::vector<std::string> expected{"a", "b c"};
    BOOST_TEST((comma_list(" a ,, b c,\n") == expected));
    BOOST_TEST(comma_list("").empty());
    BOOST_TEST(comma_list(" , ").empty());
}

BOOST_AUTO_TEST_CASE(a_tool_is_looked_for_before_packages_and_its_absence_says_what_to_do) {
    const auto run = install_step({.is_there = "command -v tool",
                                   .name = "Tool",
                                   .apt = "tool tool-classic",
                                   .yum = "tool",
                                   .otherwise = "echo another way\n",
                                   .afterwards = "echo installed\n",
                                   .advice = "put it into the image"});

    BOOST_TEST(run.label == "install Tool");
    BOOST_TEST(run.script.starts_with(
        "there() { command -v tool >/dev/null 2>&1; }\nready() {\necho installed\nexit 0\n}\n"
        "there && exit 0\n"));
    BOOST_TEST(run.script.find("packages='tool tool-classic'\n") != std::string::npos);
    BOOST_TEST(run.script.ends_with(
        "echo another way\nthere && ready\n"
        "echo 'Tool is not on this node and could not be installed: put it into the image' >&2\n"
        "exit 1\n"));
}

BOOST_AUTO_TEST_SUITE_END()
