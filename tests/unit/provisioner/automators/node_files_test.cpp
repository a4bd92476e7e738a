#include "provisioner/automators/node_files.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/automators/task_fields.hpp"
#include "provisioner/automators/tool_packages.hpp"
#include "tests/unit/provisioner/automators/steps_text.hpp"

using namespace provisioner::automators;
namespace remote = provisioner::remote;
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
               "give_up() {\n"
               "rm -rf '/place/it'\\''s'\n"
               "exit 1\n"
               "}\n"
               "umask 077\n"
               "mkdir -p '/place/it'\\''s' '/place/it'\\''s/a' || give_up\n"
               "printf %s 'x y' >'/place/it'\\''s/a/b.json' || give_up\n"
               "umask 022\n"
               "cd /somewhere || give_up\n"
               "trap : TERM\n"
               "true\n"
               "status=$?\n"
               "rm -rf '/place/it'\\''s'\n"
               "exit $status\n");
}

BOOST_AUTO_TEST_CASE(large_texts_are_brought_and_the_files_put_together_of_them) {
    const auto shared = std::make_shared<const SharedText>(
        SharedText{.text = std::string(10'000, 'x'), .sha256 = "sum-of-shared"});
    PiecedText text("own, ");
    text.add(shared);
    text.add("it's over");
    NodeAction action;
    action.label = "start app";
    action.directory = "/somewhere";
    action.files = {{.path = "/place/one", .content = text},
                    {.path = "/place/two", .content = text}};
    action.command = "true\n";

    const auto steps = steps_of(action);

    BOOST_TEST(drawn(steps) == "run start app\n");
    const remote::Run& run = run_at(steps, 0);
    BOOST_REQUIRE(run.needs.size() == 1U);
    const remote::DeliveredFile& need = run.needs.front();
    BOOST_TEST(need.path == "/var/cache/cooperage/texts/sum-of-shared");
    BOOST_TEST(octal(need.mode) == "0600");
    BOOST_TEST(need.size == 10'000U);
    BOOST_TEST(need.stays);
    // The text itself, not a copy.
    BOOST_TEST(need.content.get() == &shared->text);
    BOOST_TEST(run.script.starts_with(
        "give_up() {\nrm -f /place/one /place/two\nexit 1\n}\n"
        "umask 077\n"
        "touch -c /var/cache/cooperage/texts/sum-of-shared\n"
        "{ : && printf %s 'own, ' && cat /var/cache/cooperage/texts/sum-of-shared && "
        "printf %s 'it'\\''s over'; } >/place/one || give_up\n"
        "{ : && printf %s 'own, ' && "));
}

BOOST_AUTO_TEST_CASE(a_large_text_of_its_own_is_brought_and_does_not_stay) {
    NodeAction action;
    action.label = "start app";
    action.directory = "/somewhere";
    action.files = {{.path = "/place/big", .content = std::string(300'000, 'x')}};
    action.command = "true\n";

    const remote::Run run = run_at(steps_of(action), 0);

    BOOST_REQUIRE(run.needs.size() == 1U);
    BOOST_TEST(!run.needs.front().stays);
    BOOST_TEST(*run.needs.front().content == std::string(300'000, 'x'));
    const std::string path = run.needs.front().path;
    BOOST_TEST(path == "/var/cache/cooperage/texts/" + run.needs.front().sha256);
    BOOST_TEST(run.script.starts_with("give_up() {\nrm -f /place/big\nrm -f " + path +
                                      "\nexit 1\n}\numask 077\ncat " + path +
                                      " >/place/big || give_up\nrm -f " + path + "\numask 022\n"));
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
