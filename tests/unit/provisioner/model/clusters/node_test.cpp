#include "provisioner/model/clusters/node.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/builders.hpp"
#include "tests/unit/provisioner/model/wire.hpp"

using namespace provisioner::model;

BOOST_AUTO_TEST_CASE(the_properties_of_a_node_are_in_the_order_of_the_contract) {
    Node node;
    node.nodenum = 1000;
    node.hostname = "c11-1000.example.com";
    node.hardware_type = "tiny";
    node.image_type = "deb12";
    node.flavor = "1";
    node.image = "img-1";
    node.ssh_user = "debian";
    node.services = {"hosts", "db"};
    node.automators = {"shell"};
    node.addresses = {{"bind_v4", "10.0.0.1"}, {"access_v4", "203.0.113.1"}};

    const auto json = properties_json(node);

    BOOST_TEST(provisioner::base::to_text(json) ==
               tests::compact(
                   R"({'ipaddresses':{'access_v4':'203.0.113.1','bind_v4':'10.0.0.1'},
                       'hostname':'c11-1000.example.com','nodenum':1000,'hardwaretype':'tiny',
                       'imagetype':'deb12','flavor':'1','image':'img-1','sshuser':'debian',
                       'services':['hosts','db'],'automators':['shell']})"));
}

BOOST_AUTO_TEST_CASE(a_node_that_is_not_confirmed_has_an_empty_object_of_addresses) {
    BOOST_TEST(properties_json(Node{}).at("ipaddresses").dump() == "{}");
    BOOST_TEST(properties_json(Node{}).at("sshuser") == "root");
}

BOOST_AUTO_TEST_CASE(a_machine_is_called_by_its_cluster_and_the_number_of_its_node) {
    const MachineName name{ClusterId{12}, 1003};

    BOOST_TEST(to_text(name) == "00000012-1003");
    BOOST_TEST((machine_name_in("00000012-1003") == name));
}

BOOST_AUTO_TEST_CASE(what_is_spelled_otherwise_is_no_name_of_a_machine) {
    for (const char* text : {"", "web", "-", "12-1003", "00000012-", "-1003", "00000012-01003",
                             "00000012-1003-1", "00000012-99999999999", " 00000012-1003"}) {
        BOOST_TEST(!machine_name_in(text).has_value(), text);
    }
}

BOOST_AUTO_TEST_CASE(automators_are_those_of_the_named_services_each_once_and_sorted) {
    Service web = tests::a_service("web", {Action::install, Action::start});
    web.actions[Action::configure].type = "chef-solo";
    Service other = tests::a_service("other", {Action::install});
    other.actions[Action::install].type = "docker";

    const auto types = automators_of({"web", "absent"}, {web, other});

    const std::vector<std::string> expected{"chef-solo", "shell"};
    BOOST_TEST(types == expected, boost::test_tools::per_element());
}
