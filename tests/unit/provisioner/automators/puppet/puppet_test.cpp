#include "provisioner/automators/puppet/puppet.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/automators/puppet/puppet_scripts.hpp"
#include "tests/unit/provisioner/automators/steps_text.hpp"

using namespace provisioner::automators;
using provisioner::base::Json;
using provisioner::model::Action;

BOOST_AUTO_TEST_SUITE(puppet)

namespace {

std::string problems_of(const AutomatorTask& task) {
    return problems_for<PuppetAutomator>(task);
}

std::string script_of(const AutomatorTask& task) {
    const auto steps = PuppetAutomator().compile(task);
    BOOST_REQUIRE_MESSAGE(steps.has_value(), problems_of(task));
    BOOST_REQUIRE(steps->size() == 1u);
    return run_at(*steps, 0).script;
}

const std::string workspace = "/var/cache/cooperage/puppet/tasks/00000001-002-011";

Json file_of(const std::string& script, const std::string& name) {
    return Json::parse(content_of(script, workspace + "/" + name));
}

AutomatorTask with_classes(std::map<std::string, std::string> fields = {}) {
    fields.emplace("classes", "app, app::server");
    return task_of_two_nodes(Action::configure, std::move(fields));
}

}  // namespace

BOOST_AUTO_TEST_CASE(bootstrap_installs_the_tool_and_brings_modules_manifests_and_data) {
    AutomatorTask task = task_of_two_nodes(Action::bootstrap);
    auto archive = resource("hiera", "data");
    archive.is_gzip = true;
    task.resources = shared({resource("modules", "app"), resource("manifests", "site.pp"),
                             resource("hiera", "common.yaml"), archive});

    const auto steps = PuppetAutomator().compile(task);

    BOOST_REQUIRE_MESSAGE(steps.has_value(), problems_of(task));
    BOOST_TEST(drawn(*steps) ==
               "run make directories\n"
               "run install Puppet\n"
               "put /var/cache/cooperage/puppet/lib/apply-manifest 0755\n"
               "bring 4 files\n"
               "  /var/cache/cooperage/puppet/archives/modules/app.tar.gz 0644 sum\n"
               "  /var/cache/cooperage/puppet/manifests/site.pp 0644 sum\n"
               "  /var/cache/cooperage/puppet/hiera/common.yaml 0600 sum\n"
               "  /var/cache/cooperage/puppet/archives/hiera/data.tar.gz 0644 sum\n"
               "run unpack 2 archives\n");
    BOOST_TEST(upload_at(*steps, 2).content == apply_manifest_script());
    BOOST_TEST(run_at(*steps, 4).script.ends_with(" sum /var/cache/cooperage/puppet/hiera\n"));
}

BOOST_AUTO_TEST_CASE(classes_are_included_in_their_order) {
    const std::string script = script_of(with_classes());

    BOOST_TEST(content_of(script, workspace + "/classes.pp") ==
               "include app\ninclude app::server\n");
    BOOST_TEST(after_files(script).find("export COOPERAGE_IP_BIND=''\n"
                                        "/var/cache/cooperage/puppet/lib/apply-manifest " +
                                        workspace + " --environment=production " + workspace +
                                        "/classes.pp\nstatus=$?\nrm -rf " + workspace +
                                        "\nexit $status\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_manifest_runs_among_the_manifests_in_its_environment) {
    AutomatorTask task =
        task_of_two_nodes(Action::start, {{"manifest", "site.pp"}, {"environment", "staging"}});
    task.resources = shared({resource("manifests", "site.pp")});

    const std::string script = script_of(task);

    BOOST_TEST(after_files(script).starts_with("cd /var/cache/cooperage/puppet/manifests || "));
    BOOST_TEST(script.find(" --environment=staging ./site.pp\n") != std::string::npos);
    BOOST_TEST(content_of(script, workspace + "/environments/staging/environment.conf") ==
               "modulepath = /var/cache/cooperage/puppet/modules:$basemodulepath\n");
}

BOOST_AUTO_TEST_CASE(the_cluster_is_a_fact_and_its_configuration_is_data) {
    const std::string script = script_of(with_classes());

    const Json fact = file_of(script, "facts.d/cooperage.json").at("cooperage");
    BOOST_TEST(fact.at("action") == "configure");
    BOOST_TEST(fact.at("service") == "app");
    BOOST_TEST(fact.at("hostname") == "c-1001.local");
    BOOST_TEST(fact.at("nodes").at("c-1000.local").at("ipaddresses").at("access_v4") == "10.0.0.1");
    BOOST_TEST(!fact.contains("cluster"));
    const Json data = file_of(script, "cluster.json");
    BOOST_TEST(data.at("web").at("port") == 80);
    BOOST_TEST(data.at("cooperage").at("cluster").at("web").at("port") == 80);
    BOOST_TEST(data.at("cooperage").at("nodes").size() == 2u);
}

BOOST_AUTO_TEST_CASE(data_of_the_action_win_over_the_clusters_and_those_over_uploaded_data) {
    const std::string script = script_of(with_classes({{"hiera_data", R"({"app::port": 81})"}}));

    BOOST_TEST(content_of(script, workspace + "/action.json") == "{\"app::port\":81}\n");
    std::string order;
    const Json config = file_of(script, "hiera.yaml");
    for (const Json& level : config.at("hierarchy"))
        order += level.at("name").get<std::string>() + " ";
    BOOST_TEST(order == "action cluster node service everybody ");
    BOOST_TEST(config.at("hierarchy").at(1).at("datadir") == workspace);
    BOOST_TEST(config.at("hierarchy").at(4).at("datadir") == "/var/cache/cooperage/puppet/hiera");
}

BOOST_AUTO_TEST_CASE(the_configuration_says_nothing_of_how_values_are_converted) {
    AutomatorTask task = with_classes();
    task.document = [] {
        Json document = document_of_two_nodes();
        document["config"]["cluster"] = {
            {"lookup_options",
             {{"app::heading", {{"convert_to", {"Deferred", {"/bin/sh", "-c", "id"}}}}}}},
            {"app::heading", "x"}};
        return document;
    };

    const Json data = file_of(script_of(task), "cluster.json");

    BOOST_TEST(!data.contains("lookup_options"));
    BOOST_TEST(data.at("app::heading") == "x");
}

BOOST_AUTO_TEST_CASE(a_percent_sign_with_a_brace_in_the_configuration_is_text) {
    AutomatorTask task = with_classes();
    task.document = [] {
        Json document = document_of_two_nodes();
        document["config"]["cluster"] = {{"list", {"50% {x}", "%{facts.os} %%{"}}};
        return document;
    };

    const Json data = file_of(script_of(task), "cluster.json");

    BOOST_TEST(data.at("list").dump() ==
               R"(["50% {x}","%{literal('%')}{facts.os} %%{literal('%')}{"])");
}

BOOST_AUTO_TEST_CASE(so_is_one_in_the_name_of_a_member_that_hiera_would_read) {
    AutomatorTask task = with_classes();
    task.document = [] {
        Json document = document_of_two_nodes();
        document["config"]["cluster"] = {
            {"app::settings", {{"%{lookup('root_password')}", {{{"%{facts.os}", 1}}}}}}};
        return document;
    };

    const Json data = file_of(script_of(task), "cluster.json");

    const char* const wanted =
        R"({"%{literal('%')}{lookup('root_password')}":[{"%{literal('%')}{facts.os}":1}]})";
    BOOST_TEST(data.at("app::settings").dump() == wanted);
    BOOST_TEST(data.at("cooperage").at("cluster").at("app::settings").dump() == wanted);
}

BOOST_AUTO_TEST_CASE(every_wrong_field_is_named) {
    BOOST_TEST(problems_of(task_of_two_nodes(Action::start)) ==
               "manifest: must be given, or classes");
    BOOST_TEST(problems_of(with_classes({{"manifest", "site.pp"}})) ==
               "classes: cannot be given together with manifest; manifest: there is no live "
               "resource \"site.pp\" of type manifests; upload it, stage it and sync");
    BOOST_TEST(problems_of(with_classes({{"hiera_data", "[1]"}, {"environment", "a-b"}})) ==
               "hiera_data: must be a JSON object, like {\"key\": \"value\"}; "
               "environment: must consist of a-z, 0-9 and _ only");
    for (const char* name : {"App", "a-b", "a::", "::::a", "a:b", "1a", "a b", "a::1"}) {
        BOOST_TEST(problems_of(task_of_two_nodes(Action::start, {{"classes", name}})) ==
                   "classes: \"" + std::string(name) + "\" is no name of a class");
    }
    for (const char* name : {"a", "::a", "a_1::b2::c"}) {
        BOOST_TEST(problems_of(task_of_two_nodes(Action::start, {{"classes", name}})) == "none");
    }
}

BOOST_AUTO_TEST_SUITE_END()
