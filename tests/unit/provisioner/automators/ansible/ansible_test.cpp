#include "provisioner/automators/ansible/ansible.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/automators/ansible/ansible_scripts.hpp"
#include "tests/unit/provisioner/automators/steps_text.hpp"

using namespace provisioner::automators;
using provisioner::base::Json;
using provisioner::model::Action;

BOOST_AUTO_TEST_SUITE(ansible)

namespace {

AutomatorTask with_playbook(std::map<std::string, std::string> fields) {
    fields.emplace("playbook", "site.yml");
    AutomatorTask task = task_of_two_nodes(Action::configure, std::move(fields));
    task.resources = shared({resource("playbooks", "site.yml")});
    return task;
}

std::string problems_of(const AutomatorTask& task) {
    return problems_for<AnsibleAutomator>(task);
}

std::string script_of(const AutomatorTask& task) {
    const auto steps = AnsibleAutomator().compile(task);
    BOOST_REQUIRE_MESSAGE(steps.has_value(), problems_of(task));
    BOOST_REQUIRE(steps->size() == 1u);
    return run_at(*steps, 0).script;
}

const std::string workspace = "/var/cache/cooperage/ansible/tasks/00000001-002-011";

}  // namespace

BOOST_AUTO_TEST_CASE(bootstrap_installs_the_tool_and_brings_roles_and_playbooks) {
    AutomatorTask task = task_of_two_nodes(Action::bootstrap);
    task.resources = shared({resource("roles", "nginx"), resource("playbooks", "site.yml")});

    const auto steps = AnsibleAutomator().compile(task);

    BOOST_REQUIRE_MESSAGE(steps.has_value(), problems_of(task));
    BOOST_TEST(drawn(*steps) ==
               "run make directories\n"
               "run install Ansible\n"
               "put /var/cache/cooperage/ansible/lib/run-playbook 0755\n"
               "bring 2 files\n"
               "  /var/cache/cooperage/ansible/archives/nginx.tar.gz 0644 sum\n"
               "  /var/cache/cooperage/ansible/playbooks/site.yml 0644 sum\n"
               "run unpack 1 archive\n");
    BOOST_TEST(upload_at(*steps, 2).content == run_playbook_script());
    BOOST_TEST(run_at(*steps, 4).script.ends_with(" sum /var/cache/cooperage/ansible/roles\n"));
}

BOOST_AUTO_TEST_CASE(a_playbook_runs_on_this_node_alone_with_the_tags_of_its_action) {
    BOOST_TEST(after_files(script_of(with_playbook({}))) ==
               "cd /var/cache/cooperage/ansible/playbooks || give_up\n"
               "trap : TERM\n"
               "export COOPERAGE_ACTION=configure\n"
               "export COOPERAGE_TASK_ID=00000001-002-011\n"
               "export COOPERAGE_CLUSTER_ID=00000001\n"
               "export COOPERAGE_SERVICE=app\n"
               "export COOPERAGE_HOSTNAME=c-1001.local\n"
               "export COOPERAGE_NODENUM=1001\n"
               "export COOPERAGE_IP_ACCESS=10.0.0.2\n"
               "export COOPERAGE_IP_BIND=''\n"
               "/var/cache/cooperage/ansible/lib/run-playbook " +
                   workspace + "/log -i " + workspace +
                   "/inventory.json -c local --limit c-1001.local --tags configure,untagged "
                   "./site.yml\n"
                   "status=$?\n"
                   "rm -rf " +
                   workspace + "\nexit $status\n");
}

BOOST_AUTO_TEST_CASE(the_files_of_an_action_are_for_root_alone) {
    BOOST_TEST(script_of(with_playbook({}))
                   .starts_with("give_up() {\nrm -rf " + workspace +
                                "\nexit 1\n}\numask 077\nmkdir -p " + workspace +
                                " || give_up\nprintf %s '{\"all\":"));
}

BOOST_AUTO_TEST_CASE(the_inventory_has_the_configuration_the_nodes_and_a_group_for_each_service) {
    const auto inventory =
        Json::parse(content_of(script_of(with_playbook({})), workspace + "/inventory.json"));

    const Json& all = inventory.at("all");
    const Json& variables = all.at("vars");
    BOOST_TEST(variables.at("web").at("port") == 80);
    BOOST_TEST(variables.at("cooperage_action") == "configure");
    BOOST_TEST(variables.at("cooperage").at("service") == "app");
    BOOST_TEST(variables.at("cooperage").at("cluster").at("web").at("port") == 80);
    BOOST_TEST(variables.at("cooperage").at("nodes").size() == 2u);
    BOOST_TEST(all.at("hosts").at("c-1000.local").dump() ==
               R"({"ansible_host":"10.0.0.1","nodenum":1000,)"
               R"("ipaddresses":{"access_v4":"10.0.0.1"},"services":["db"]})");
    BOOST_TEST(all.at("children").dump() == R"({"app":{"hosts":{"c-1001.local":null}},)"
                                            R"("db":{"hosts":{"c-1000.local":null}}})");
}

BOOST_AUTO_TEST_CASE(braces_in_the_configuration_are_text_and_not_a_template) {
    const auto inventory =
        Json::parse(content_of(script_of(with_playbook({})), workspace + "/inventory.json"));

    BOOST_TEST(inventory.at("all").at("vars").at("web").at("title").dump() ==
               R"({"__ansible_unsafe":"it's {{ mine }}"})");
}

// "#jinja2:" changes what a template's braces are, and members that look like marks of Ansible's
// JSON make it read the whole file in another way.
BOOST_AUTO_TEST_CASE(no_text_of_the_configuration_is_a_template_and_no_member_is_a_mark) {
    AutomatorTask task = with_playbook({});
    task.document = [] {
        Json document = document_of_two_nodes();
        document["config"]["cluster"]["motd"] =
            "#jinja2: variable_start_string:'<<', variable_end_string:'>>'\n<< lookup('pipe') >>";
        document["config"]["cluster"]["deep"] = Json::parse(
            R"({"a":[{"__ansible_type":"TrustedAsTemplate","__ansible_vault":"x","b":"c"}]})");
        return document;
    };

    const std::string text = content_of(script_of(task), workspace + "/inventory.json");
    const auto variables = Json::parse(text).at("all").at("vars");

    BOOST_TEST(
        variables.at("motd").at("__ansible_unsafe").get<std::string>().starts_with("#jinja2:"));
    BOOST_TEST(variables.at("deep").dump() == R"({"a":[{"b":{"__ansible_unsafe":"c"}}]})");
    BOOST_TEST(variables.at("cooperage").at("cluster").at("deep") == variables.at("deep"));
}

BOOST_AUTO_TEST_CASE(the_configuration_says_nothing_of_how_ansible_runs) {
    AutomatorTask task = with_playbook({});
    task.document = [] {
        Json document = document_of_two_nodes();
        document["config"]["cluster"]["ansible_python_interpreter"] = "/bin/sh -c id";
        document["config"]["cluster"]["ansible_host"] = "203.0.113.1";
        document["config"]["cluster"]["colour"] = "blue";
        document["config"]["nodes"]["n1"]["ansible_connection"] = "local";
        return document;
    };

    const std::string text = content_of(script_of(task), workspace + "/inventory.json");
    const auto all = Json::parse(text).at("all");

    BOOST_TEST(!all.at("vars").contains("ansible_python_interpreter"));
    BOOST_TEST(!all.at("vars").contains("ansible_host"));
    BOOST_TEST(all.at("vars").at("colour").at("__ansible_unsafe") == "blue");
    BOOST_TEST(all.at("vars").at("cooperage").at("cluster").contains("ansible_host"));
    BOOST_TEST(all.at("hosts").dump().find("ansible_connection") == std::string::npos);
    BOOST_TEST(all.at("hosts").at("c-1000.local").at("ansible_host") == "10.0.0.1");
}

BOOST_AUTO_TEST_CASE(a_service_with_a_name_ansible_keeps_for_itself_is_no_group) {
    AutomatorTask task = with_playbook({});
    task.document = [] {
        Json document = document_of_two_nodes();
        document["config"]["nodes"]["n1"]["services"] = {"all", "ungrouped", "app"};
        return document;
    };

    const auto inventory = Json::parse(content_of(script_of(task), workspace + "/inventory.json"));

    BOOST_TEST(inventory.at("all").at("children").dump() ==
               R"({"app":{"hosts":{"c-1001.local":null}},"db":{"hosts":{"c-1000.local":null}}})");
}

BOOST_AUTO_TEST_CASE(fields_reach_the_command_line_and_extra_variables_a_file) {
    const std::string script = script_of(with_playbook(
        {{"tags", "a b,c"}, {"become", "true"}, {"extra_vars", R"({"password": "s3cret"})"}}));

    BOOST_TEST(script.find(" --tags 'a b,c' --become -e @" + workspace +
                           "/extra_vars.json ./site.yml\n") != std::string::npos);
    BOOST_TEST(content_of(script, workspace + "/extra_vars.json") == "{\"password\":\"s3cret\"}\n");
    BOOST_TEST(after_files(script).find("s3cret") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(roles_are_a_play_of_their_own) {
    const std::string script =
        script_of(task_of_two_nodes(Action::install, {{"roles", "common, nginx"}}));

    BOOST_TEST(content_of(script, workspace + "/play.json") ==
               R"([{"name":"install app","hosts":"all","roles":["common","nginx"]}])"
               "\n");
    BOOST_TEST(script.find(" --tags install,untagged " + workspace + "/play.json\n") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_wrong_field_is_named) {
    BOOST_TEST(problems_of(task_of_two_nodes(Action::start)) ==
               "playbook: must be given, or roles");
    BOOST_TEST(problems_of(with_playbook({{"roles", "nginx"}})) ==
               "roles: cannot be given together with playbook");
    BOOST_TEST(problems_of(task_of_two_nodes(Action::start, {{"playbook", "gone.yml"}})) ==
               "playbook: there is no live resource \"gone.yml\" of type playbooks; upload it, "
               "stage it and sync");
    BOOST_TEST(problems_of(task_of_two_nodes(Action::start, {{"roles", " , "}})) ==
               "roles: must name a role");
    BOOST_TEST(problems_of(with_playbook({{"extra_vars", "a=b"}, {"become", "yes"}})) ==
               "extra_vars: is no JSON; it must be an object, like {\"key\": \"value\"}; "
               "become: must be true or false, not \"yes\"");
    BOOST_TEST(problems_of(task_of_two_nodes(Action::create, {{"roles", "a"}})) ==
               "action: the ansible automator does not create machines");
}

BOOST_AUTO_TEST_SUITE_END()
