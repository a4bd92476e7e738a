#include "provisioner/automators/docker/docker.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/automators/docker/docker_scripts.hpp"
#include "tests/unit/provisioner/automators/steps_text.hpp"

using namespace provisioner::automators;
using provisioner::base::Json;
using provisioner::model::Action;

BOOST_AUTO_TEST_SUITE(docker)

namespace {

std::string problems_of(const AutomatorTask& task) {
    return problems_for<DockerAutomator>(task);
}

AutomatorTask with_image(Action action, std::map<std::string, std::string> fields = {}) {
    fields.emplace("image_name", "registry.example:5000/team/web:1.2");
    return task_of_two_nodes(action, std::move(fields));
}

std::string script_of(const AutomatorTask& task) {
    const auto steps = DockerAutomator().compile(task);
    BOOST_REQUIRE_MESSAGE(steps.has_value(), problems_of(task));
    BOOST_REQUIRE(steps->size() == 1u);
    return run_at(*steps, 0).script;
}

/// The environment file of a start with these fields.
std::string environment_of(const AutomatorTask& task) {
    return content_of(script_of(task),
                      "/var/cache/cooperage/docker/tasks/00000001-002-011/environment");
}

/// What a script does after the variables every task has.
std::string after_exports(const std::string& script) {
    const std::string last = "export COOPERAGE_IP_BIND=''\n";
    return script.substr(script.find(last) + last.size());
}

const std::string container = "/var/cache/cooperage/docker/lib/container";
const std::string image = "export CONTAINER_IMAGE=registry.example:5000/team/web:1.2\n";

}  // namespace

BOOST_AUTO_TEST_CASE(bootstrap_installs_an_engine_asks_it_and_brings_the_images) {
    AutomatorTask task = task_of_two_nodes(Action::bootstrap);
    task.resources = shared({resource("images", "web-1.2")});

    const auto steps = DockerAutomator().compile(task);

    BOOST_REQUIRE_MESSAGE(steps.has_value(), problems_of(task));
    BOOST_TEST(drawn(*steps) ==
               "run make directories\n"
               "run install Docker\n"
               "put /var/cache/cooperage/docker/lib/container 0755\n"
               "run ask the container engine\n"
               "bring 1 file\n"
               "  /var/cache/cooperage/docker/images/web-1.2.tar.gz 0644 sum\n");
    BOOST_TEST(upload_at(*steps, 2).content == container_script());
    BOOST_TEST(run_at(*steps, 3).script == container + " check\n");
}

BOOST_AUTO_TEST_CASE(install_makes_the_directories_of_volumes_and_pulls_the_image) {
    BOOST_TEST(after_exports(script_of(
                   with_image(Action::install, {{"volumes", "/srv/it's:/data, named:/more"}}))) ==
               image + "mkdir -p '/srv/it'\\''s' && " + container +
                   " pull\nstatus=$?\nexit $status\n");
}

BOOST_AUTO_TEST_CASE(install_loads_an_archive_instead_when_one_is_named) {
    AutomatorTask task = with_image(Action::install, {{"image_archive", "web-1.2"}});
    task.resources = shared({resource("images", "web-1.2")});

    BOOST_TEST(after_exports(script_of(task)) ==
               image +
                   "export CONTAINER_ARCHIVE=/var/cache/cooperage/docker/images/web-1.2.tar.gz\n" +
                   container + " load\nstatus=$?\nexit $status\n");
}

BOOST_AUTO_TEST_CASE(configure_and_initialize_do_nothing) {
    for (const Action action : {Action::configure, Action::initialize}) {
        const auto steps = DockerAutomator().compile(with_image(action));
        BOOST_REQUIRE(steps.has_value());
        BOOST_TEST(steps->empty());
    }
}

BOOST_AUTO_TEST_CASE(start_runs_the_image_with_its_options_and_the_command_as_written) {
    const std::string workspace = "/var/cache/cooperage/docker/tasks/00000001-002-011";

    const std::string script =
        script_of(with_image(Action::start, {{"publish_ports", "80, 127.0.0.1:8443:443/tcp"},
                                             {"links", "coopr-db:db"},
                                             {"volumes", "/srv:/data"},
                                             {"command", "serve --name 'a b' $HOME"}}));

    BOOST_TEST(after_exports(script) ==
               image +
                   "export CONTAINER_NAME=coopr-web\n"
                   "export CONTAINER_ENVIRONMENT=" +
                   workspace +
                   "/environment\n"
                   "export CONTAINER_PORTS='80 8443'\n"
                   "export CONTAINER_LINKS=coopr-db:db\n"
                   "sh -c 'exec " +
                   container +
                   " start -p 80:80 -p 127.0.0.1:8443:443/tcp --link coopr-db:db -v /srv:/data "
                   "registry.example:5000/team/web:1.2 serve --name '\\''a b'\\'' $HOME'\n"
                   "status=$?\nrm -rf " +
                   workspace + "\nexit $status\n");
}

BOOST_AUTO_TEST_CASE(ports_volumes_links_and_a_command_may_be_left_out) {
    const std::string script = script_of(with_image(Action::start));

    BOOST_TEST(script.find("export CONTAINER_PORTS=''\nexport CONTAINER_LINKS=''\n") !=
               std::string::npos);
    BOOST_TEST(script.find(" start registry.example:5000/team/web:1.2'\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(stop_and_remove_know_the_container_by_its_labels) {
    BOOST_TEST(after_exports(script_of(with_image(Action::stop))) ==
               image + container + " stop\nstatus=$?\nexit $status\n");
    BOOST_TEST(after_exports(script_of(with_image(Action::remove))) ==
               image + container + " remove\nstatus=$?\nexit $status\n");
    BOOST_TEST(container_script().find("label=cooperage.service=$COOPERAGE_SERVICE") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_environment_tells_of_the_cluster_and_the_actions_variables_win) {
    BOOST_TEST(
        environment_of(with_image(Action::start, {{"environment_variables", "A=b c, D="}})) ==
        "COOPERAGE_CLUSTER_ID=00000001\n"
        "COOPERAGE_SERVICE=app\n"
        "COOPERAGE_HOSTNAME=c-1001.local\n"
        "COOPERAGE_NODENUM=1001\n"
        "COOPERAGE_IP_ACCESS=10.0.0.2\n"
        "COOPERAGE_IP_BIND=\n"
        "COOPERAGE_NODES={\"c-1000.local\":{\"nodenum\":1000,\"ipaddresses\":{\"access_v4\":"
        "\"10.0.0.1\"},\"services\":[\"db\"]},\"c-1001.local\":{\"nodenum\":1001,"
        "\"ipaddresses\":{\"access_v4\":\"10.0.0.2\"},\"services\":[\"app\"]}}\n"
        "COOPERAGE_CONFIG={\"web\":{\"title\":\"it's {{ mine }}\",\"port\":80}}\n"
        "COOPERAGE_CONFIG_WEB_TITLE=it's {{ mine }}\n"
        "COOPERAGE_CONFIG_WEB_PORT=80\n"
        "A=b c\n"
        "D=\n");
}

BOOST_AUTO_TEST_CASE(secrets_are_in_no_argument_and_the_environment_is_the_same_at_every_start) {
    AutomatorTask task = with_image(Action::start, {{"environment_variables", "PASSWORD=s3cret"}});
    const std::string first = environment_of(task);

    BOOST_TEST(after_files(script_of(task)).find("s3cret") == std::string::npos);
    BOOST_TEST(first.find(task.id) == std::string::npos);
    BOOST_TEST(first.find("start") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_an_environment_cannot_hold_is_left_out) {
    AutomatorTask task = with_image(Action::start);
    task.document = [] {
        Json document = document_of_two_nodes();
        document["config"]["cluster"] = {{"text", "two\nlines"},
                                         {"long", std::string(100'001, 'x')},
                                         {"list", {"a", Json{{"k-y", true}}}}};
        return document;
    };

    const std::string environment = environment_of(task);

    const auto config = environment.find("COOPERAGE_CONFIG");
    BOOST_TEST(environment.substr(config) ==
               "COOPERAGE_CONFIG_LIST_0=a\nCOOPERAGE_CONFIG_LIST_1_K_Y=true\n");
}

BOOST_AUTO_TEST_CASE(every_wrong_field_is_named) {
    const auto wrong = [](const char* field, const char* value) {
        return problems_of(with_image(Action::start, {{field, value}}));
    };

    BOOST_TEST(problems_of(task_of_two_nodes(Action::stop)) == "image_name: must be given");
    for (const char* name : {"-v", "a b;c", "$(id)", "a\"b"}) {
        BOOST_TEST(problems_of(task_of_two_nodes(Action::stop, {{"image_name", name}})) ==
                   "image_name: must be like [repository/]name[:tag]");
    }
    for (const char* port : {"0", "65536", "web", "80:", ":80", "1:2:3", "80:80/sctp", "a:80:80"}) {
        BOOST_TEST(wrong("publish_ports", port) ==
                   "publish_ports: must be a comma list of port, host:container or "
                   "address:host:container, not \"" +
                       std::string(port) + "\"");
    }
    BOOST_TEST(wrong("environment_variables", "A=1,B") ==
               "environment_variables: must be a comma list of NAME=value, each on one line, "
               "not \"B\"");
    BOOST_TEST(wrong("volumes", "/data") ==
               "volumes: must be a comma list of host:/container, not \"/data\"");
    BOOST_TEST(wrong("links", "--privileged") ==
               "links: must be a comma list of container or container:alias, not "
               "\"--privileged\"");
    BOOST_TEST(wrong("image_archive", "gone") ==
               "image_archive: there is no live resource \"gone\" of type images; upload it, "
               "stage it and sync");
}

BOOST_AUTO_TEST_CASE(what_starts_and_stops_tells_of_containers_ports_and_the_image) {
    const auto facts_of = [](const AutomatorTask& task) {
        return run_at(*DockerAutomator().compile(task), 0).facts;
    };
    const std::vector<std::string> all{"containers", "ports", "registry.example:5000/team/web:1.2"};

    for (const Action action : {Action::start, Action::stop, Action::remove}) {
        BOOST_TEST(facts_of(with_image(action)) == all, boost::test_tools::per_element());
    }
    BOOST_TEST(facts_of(with_image(Action::install)).empty());
}

BOOST_AUTO_TEST_CASE(an_image_named_like_a_fact_of_a_provider_tells_nothing_by_its_name) {
    const auto steps =
        DockerAutomator().compile(task_of_two_nodes(Action::start, {{"image_name", "providerid"}}));

    const std::vector<std::string> rest{"containers", "ports"};
    BOOST_TEST(run_at(*steps, 0).facts == rest, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
