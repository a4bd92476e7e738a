#include "provisioner/automators/shell/shell.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "provisioner/automators/shell/shell_scripts.hpp"
#include "tests/unit/provisioner/automators/steps_text.hpp"

using namespace provisioner::automators;
namespace remote = provisioner::remote;
using provisioner::base::Json;
using provisioner::model::Action;

BOOST_AUTO_TEST_SUITE(shell)

namespace {

AutomatorTask a_task(Action action) {
    AutomatorTask task;
    task.action = action;
    task.id = "00000001-002-011";
    if (action != Action::bootstrap) task.fields = {{"script", "hello.sh"}, {"args", "start it"}};
    if (action != Action::bootstrap) task.service = "web";
    task.document = [] {
        return Json::parse(R"({"taskId":"00000001-002-011","clusterId":"00000001",
        "config":{"cluster":{"port":80},"service":{"name":"web"},"hostname":"it's.example",
                  "nodenum":1002,"ipaddresses":{"access_v4":"203.0.113.3"}}})");
    };
    return task;
}

std::string problems_of(const AutomatorTask& task) {
    return problems_for<ShellAutomator>(task);
}

/// The text that runs `script` with `args`, both of the task's fields.
std::string script_for(const std::string& script, const std::string& args) {
    AutomatorTask task = a_task(Action::start);
    task.fields = {{"script", script}, {"args", args}};
    return run_at(ShellAutomator().compile(task).value(), 0).script;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_limit_of_the_action_is_that_of_its_script) {
    AutomatorTask task = a_task(Action::start);
    task.limit = std::chrono::minutes(90);

    const auto steps = ShellAutomator().compile(task);

    BOOST_REQUIRE_MESSAGE(steps.has_value(), problems_of(task));
    BOOST_TEST((run_at(*steps, 0).limit == std::chrono::minutes(90)));
}

BOOST_AUTO_TEST_CASE(bootstrap_brings_the_wrapper_and_the_live_resources) {
    AutomatorTask task = a_task(Action::bootstrap);
    task.resources = shared({resource("scripts", "hello.sh", "sum-of-hello"),
                             resource("archives", "example", "sum-of-example"),
                             resource("elsewhere", "ignored")});

    const auto steps = ShellAutomator().compile(task);

    BOOST_REQUIRE_MESSAGE(steps.has_value(), problems_of(task));
    BOOST_TEST(drawn(*steps) ==
               "run make directories\n"
               "put /var/cache/cooperage/shell/lib/wrapper.sh 0755\n"
               "put /var/cache/cooperage/shell/lib/coopr_lookup_key 0755\n"
               "bring 2 files\n"
               "  /var/cache/cooperage/shell/scripts/hello.sh 0755 sum-of-hello\n"
               "  /var/cache/cooperage/shell/archives/example.tar.gz 0644 sum-of-example\n"
               "run unpack 1 archive\n");
    BOOST_TEST(upload_at(*steps, 1).content == wrapper_script());
    BOOST_TEST(upload_at(*steps, 2).content == lookup_script());
}

BOOST_AUTO_TEST_CASE(bootstrap_makes_the_directories_and_keeps_the_old_name_of_them) {
    const auto steps = ShellAutomator().compile(a_task(Action::bootstrap)).value();

    BOOST_TEST(run_at(steps, 0).script.starts_with(
        "set -e\n"
        "umask 022\n"
        "mkdir -p /var/cache/cooperage/shell/scripts /var/cache/cooperage/shell/archives "
        "/var/cache/cooperage/shell/lib /var/cache/coopr\n"
        "if [ -d /var/cache/cooperage/texts ]; then find /var/cache/cooperage/texts -type f "
        "-mtime +0 -exec rm -f {} +; fi\n"
        "old=/var/cache/coopr/shell_automator\n"
        "[ -e $old ] || [ -L $old ] || ln -s /var/cache/cooperage/shell $old\n"
        "brought=/var/cache/cooperage/shell/brought\n"));
}

BOOST_AUTO_TEST_CASE(an_action_writes_its_document_for_the_owners_eyes_and_runs_the_script) {
    const AutomatorTask task = a_task(Action::start);

    const auto steps = ShellAutomator().compile(task);

    BOOST_REQUIRE_MESSAGE(steps.has_value(), problems_of(task));
    BOOST_TEST(drawn(*steps) == "run start web\n");
    const auto& script = run_at(*steps, 0).script;
    BOOST_TEST(
        script.starts_with("give_up() {\nrm -f /var/cache/cooperage/shell/00000001-002-011.json "
                           "/var/cache/cooperage/shell/00000001-002-011.values\nexit 1\n}\numask "
                           "077\nprintf %s '{\"taskId\":\"00000001-002-011\","));
    BOOST_TEST(script.find("\"hostname\":\"it'\\''s.example\"") != std::string::npos);
    BOOST_TEST(script.find("}\n' >/var/cache/cooperage/shell/00000001-002-011.json || give_up\n") !=
               std::string::npos);
    BOOST_TEST(script.find("config/cluster/port\t80\n") != std::string::npos);
    BOOST_TEST(script.find(" >/var/cache/cooperage/shell/00000001-002-011.values || give_up\n"
                           "umask 022\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_a_task_costs_does_not_grow_with_the_cluster) {
    const auto script_in_a_cluster_of = [](int nodes) {
        AutomatorTask task = a_task(Action::start);
        task.document = [&task, nodes, small = task.document] {
            Json document = small();
            document["config"]["nodes"] = task.shared->refer_to("nodes", [nodes] {
                Json all = Json::object();
                for (int i = 0; i < nodes; ++i) {
                    all["n" + std::to_string(i)] = {{"hostname", "host.example"}};
                }
                return all;
            });
            return document;
        };
        return run_at(ShellAutomator().compile(task).value(), 0);
    };

    const remote::Run some = script_in_a_cluster_of(500);
    const remote::Run many = script_in_a_cluster_of(5000);

    BOOST_TEST(many.script.size() == some.script.size());
    BOOST_TEST(many.needs.size() == 2U);
    BOOST_TEST(many.needs.at(0).size > 150'000U);
    BOOST_TEST(many.needs.at(1).size > 150'000U);
}

BOOST_AUTO_TEST_CASE(the_script_runs_among_the_scripts_with_its_variables_and_leaves_no_secrets) {
    const auto steps = ShellAutomator().compile(a_task(Action::start)).value();

    BOOST_TEST(after_files(run_at(steps, 0).script) ==
               "cd /var/cache/cooperage/shell/scripts || give_up\n"
               "trap : TERM\n"
               "export COOPERAGE_ACTION=start\n"
               "export COOPERAGE_TASK_ID=00000001-002-011\n"
               "export COOPERAGE_CLUSTER_ID=00000001\n"
               "export COOPERAGE_SERVICE=web\n"
               "export COOPERAGE_HOSTNAME='it'\\''s.example'\n"
               "export COOPERAGE_NODENUM=1002\n"
               "export COOPERAGE_IP_ACCESS=203.0.113.3\n"
               "export COOPERAGE_IP_BIND=''\n"
               "sh -c 'shell=sh; command -v bash >/dev/null 2>&1 && shell=bash; "
               "$shell /var/cache/cooperage/shell/lib/wrapper.sh "
               "/var/cache/cooperage/shell/00000001-002-011.json hello.sh start it'\n"
               "status=$?\n"
               "rm -f /var/cache/cooperage/shell/00000001-002-011.json "
               "/var/cache/cooperage/shell/00000001-002-011.values\n"
               "exit $status\n");
}

BOOST_AUTO_TEST_CASE(script_and_arguments_reach_the_command_line_unquoted) {
    BOOST_TEST(script_for("service", "nginx \"$HOME\" > /dev/null # later")
                   .find(".json service nginx \"$HOME\" > /dev/null # later'\nstatus=$?\n") !=
               std::string::npos);
    BOOST_TEST(script_for("hello.sh", "").find(".json hello.sh'\nstatus=$?\n") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(nothing_in_the_arguments_can_swallow_what_comes_after) {
    const std::string script = script_for("hello.sh", "it's \\");

    BOOST_TEST(script.find("hello.sh it'\\''s \\'\nstatus=$?\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_action_needs_a_script) {
    AutomatorTask task = a_task(Action::install);
    task.fields = {{"args", "x"}};
    BOOST_TEST(problems_of(task) == "script: must be given");
    task.fields["script"] = "";
    BOOST_TEST(problems_of(task) == "script: must be given");
}

BOOST_AUTO_TEST_CASE(actions_of_machines_are_not_for_an_automator) {
    for (const Action action : {Action::create, Action::confirm, Action::delete_machine}) {
        BOOST_TEST(problems_of(a_task(action)) == "action: the shell automator does not " +
                                                      provisioner::base::to_word(action) +
                                                      " machines");
    }
}

BOOST_AUTO_TEST_CASE(names_that_could_leave_their_directory_are_refused) {
    AutomatorTask task = a_task(Action::bootstrap);
    task.resources = shared({resource("scripts", ".."), resource("archives", "a/b")});

    BOOST_TEST(problems_of(task) ==
               "scripts...: must be the name of a file; archives.a/b: invalid name. Name must be "
               "specified and consist of only [a-zA-Z0-9_.-].");
    task.resources = shared({});
    task.id = "../../etc/passwd";
    BOOST_TEST(problems_of(task).starts_with("id: invalid name."));
}

BOOST_AUTO_TEST_CASE(the_type_asks_for_a_script) {
    const auto json = to_json(ShellAutomator().type());

    BOOST_TEST(json.at("name") == "shell");
    BOOST_TEST(json.at("parameters").at("admin").at("required").dump() == R"([["script"]])");
    BOOST_TEST(
        json.at("resourceTypes").dump() ==
        R"({"scripts":{"format":"file","permissions":"0755"},"archives":{"format":"archive"}})");
}

BOOST_AUTO_TEST_SUITE_END()
