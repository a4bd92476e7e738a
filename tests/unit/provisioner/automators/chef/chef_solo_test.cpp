#include "provisioner/automators/chef/chef_solo.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/automators/chef/chef_solo_scripts.hpp"
#include "tests/unit/provisioner/automators/steps_text.hpp"

using namespace provisioner::automators;
using provisioner::base::Json;
using provisioner::model::Action;

BOOST_AUTO_TEST_SUITE(chef_solo)

namespace {

std::string problems_of(const AutomatorTask& task) {
    return problems_for<ChefSoloAutomator>(task);
}

/// A document whose cluster has this configuration.
Json document_with(const std::string& cluster) {
    Json document = document_of_two_nodes();
    document["config"]["cluster"] = Json::parse(cluster);
    return document;
}

Json attributes(const std::string& own, const std::string& cluster) {
    return chef_attributes(Json::parse(own), document_with(cluster));
}

const std::string file = "/var/cache/coopr/00000001-002-011.json";

}  // namespace

BOOST_AUTO_TEST_CASE(bootstrap_installs_chef_and_brings_cookbooks_data_bags_and_roles) {
    AutomatorTask task = task_of_two_nodes(Action::bootstrap);
    task.resources = shared({resource("cookbooks", "app"), resource("data_bags", "app"),
                             resource("roles", "web.json")});

    const auto steps = ChefSoloAutomator().compile(task);

    BOOST_REQUIRE_MESSAGE(steps.has_value(), problems_of(task));
    BOOST_TEST(drawn(*steps) ==
               "run make directories\n"
               "run install Chef\n"
               "put /var/cache/cooperage/chef-solo/lib/run-chef 0755\n"
               "put /var/cache/cooperage/chef-solo/lib/solo.rb 0644\n"
               "bring 3 files\n"
               "  /var/cache/cooperage/chef-solo/archives/cookbooks/app.tar.gz 0644 sum\n"
               "  /var/cache/cooperage/chef-solo/archives/data_bags/app.tar.gz 0644 sum\n"
               "  /var/chef/roles/web.json 0644 sum\n"
               "run unpack 2 archives\n");
    BOOST_TEST(upload_at(*steps, 2).content == run_chef_script());
    BOOST_TEST(upload_at(*steps, 3).content == solo_configuration());
    BOOST_TEST(run_at(*steps, 5).script.ends_with(
        "unpack app /var/cache/cooperage/chef-solo/archives/cookbooks/app.tar.gz sum "
        "/var/chef/cookbooks\n"
        "unpack app /var/cache/cooperage/chef-solo/archives/data_bags/app.tar.gz sum "
        "/var/chef/data_bags\n"));
}

BOOST_AUTO_TEST_CASE(an_old_chef_of_the_distribution_is_left_alone) {
    const auto steps = ChefSoloAutomator().compile(task_of_two_nodes(Action::bootstrap)).value();

    BOOST_TEST(run_at(steps, 1).script.find(" ge 12.5 2>/dev/null &&") != std::string::npos);
    BOOST_TEST(run_at(steps, 1).script.find("-v 12.21.3") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_action_runs_its_run_list_without_blanks) {
    const auto task = task_of_two_nodes(Action::install, {{"run_list", "recipe[a], role[b]\n"}});

    const auto steps = ChefSoloAutomator().compile(task);

    BOOST_REQUIRE_MESSAGE(steps.has_value(), problems_of(task));
    BOOST_TEST(drawn(*steps) == "run install app\n");
    const std::string& script = run_at(*steps, 0).script;
    BOOST_TEST(
        script.starts_with("give_up() {\nrm -f " + file + "\nexit 1\n}\numask 077\nprintf %s '{"));
    BOOST_TEST(after_files(script).ends_with("/var/cache/cooperage/chef-solo/lib/run-chef " + file +
                                             " 'recipe[a],role[b]'\nstatus=$?\nrm -f " + file +
                                             "\nexit $status\n"));
    BOOST_TEST(content_of(script, file) ==
               chef_attributes(Json::object(), document_of_two_nodes()).dump() + "\n");
}

BOOST_AUTO_TEST_CASE(the_configuration_is_at_top_level_and_the_actions_attributes_win) {
    const Json all = attributes(R"({"a":{"x":2,"l":[3]},"own":true})",
                                R"({"a":{"x":1,"y":1,"l":[1,2]},"b":"c"})");

    BOOST_TEST(all.at("a").dump() == R"({"x":2,"y":1,"l":[3]})");
    BOOST_TEST(all.at("own") == true);
    BOOST_TEST(all.at("b") == "c");
    BOOST_TEST(all.at("nodes") == document_of_two_nodes().at("config").at("nodes"));
}

BOOST_AUTO_TEST_CASE(coopr_tells_about_cluster_and_node_beside_the_actions_own) {
    const Json coopr = attributes(R"({"coopr":{"own":1}})", R"({"b":"c"})").at("coopr");

    BOOST_TEST(coopr.at("own") == 1);
    BOOST_TEST(coopr.at("cluster").at("b") == "c");
    BOOST_TEST(coopr.at("cluster").contains("nodes"));
    BOOST_TEST(coopr.at("services").dump() == R"(["app"])");
    BOOST_TEST(coopr.at("hostname") == "c-1001.local");
    BOOST_TEST(coopr.at("clusterId") == "00000001");
    BOOST_TEST(coopr.at("ipaddresses").at("access_v4") == "10.0.0.2");
}

BOOST_AUTO_TEST_CASE(a_configuration_with_a_coopr_of_its_own_replaces_it) {
    BOOST_TEST(attributes("{}", R"({"coopr":{"mine":1}})").at("coopr").dump() == R"({"mine":1})");
}

BOOST_AUTO_TEST_CASE(attributes_of_a_cluster_without_configuration_are_still_attributes) {
    const Json all = chef_attributes(Json::object(), Json::object());

    BOOST_TEST(all.dump() == R"({"nodes":{},"coopr":{"cluster":{"nodes":{}}}})");
}

BOOST_AUTO_TEST_CASE(every_wrong_field_is_named) {
    BOOST_TEST(problems_of(task_of_two_nodes(Action::start, {{"run_list", " "}})) ==
               "run_list: must be given");
    BOOST_TEST(problems_of(task_of_two_nodes(Action::start, {{"json_attributes", "{"}})) ==
               "run_list: must be given; json_attributes: is no JSON; it must be an object, like "
               "{\"key\": \"value\"}");
}

BOOST_AUTO_TEST_CASE(the_type_is_as_coopr_described_it) {
    const auto json = to_json(ChefSoloAutomator().type());

    BOOST_TEST(json.at("parameters").at("admin").at("required").dump() == R"([["run_list"]])");
    BOOST_TEST(json.at("resourceTypes").dump() ==
               R"({"cookbooks":{"format":"archive"},"data_bags":{"format":"archive"},)"
               R"("roles":{"format":"file"}})");
}

BOOST_AUTO_TEST_SUITE_END()
