#include <boost/test/unit_test.hpp>

#include "provisioner/base/problem.hpp"
#include "provisioner/inventory/inventory.hpp"

using namespace provisioner::inventory;

// The reader is made by hand; tests/integration/provisioner/inventory asks Ansible itself.
namespace {

const Rules any{.needs_host_key = false, .needs_controller = false};

/// A line for each machine.
std::string read(const std::string& text) {
    const auto machines = read_inventory(text, any);
    std::string all;
    if (!machines) {
        for (const auto& problem : machines.error()) all += problem.message + "\n";
        return all;
    }
    for (const ListedMachine& machine : *machines) {
        all += machine.name + " " + machine.user + "@" + machine.address + ":" +
               std::to_string(machine.port);
        for (const std::string& flavor : machine.flavors) all += " flavor " + flavor;
        for (const std::string& tag : machine.tags) all += " " + tag;
        all += "\n";
    }
    return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_ini_inventory_gives_hosts_with_what_their_groups_say) {
    BOOST_TEST(read(R"(
; machines of the cellar
10.0.0.9

[web]
web-[1:2] ansible_user=www   # two of them
web-3:2222 ansible_host=10.0.0.3 cooperage_tags="ssd,fast"

[web:vars]
ansible_user = root
cooperage_flavor = large

[rack7]
web-1 ansible_host=10.0.0.1
web-2 ansible_host='10.0.0.2' cooperage_flavors="['small', 'large']"

[cellar:children]
web
rack7

[all:vars]
ansible_port=2200
)") == "10.0.0.9 @10.0.0.9:2200\n"
       "web-1 www@10.0.0.1:2200 flavor large cellar rack7 web\n"
       "web-2 www@10.0.0.2:2200 flavor small flavor large cellar rack7 web\n"
       "web-3 root@10.0.0.3:2222 flavor large ssd fast cellar web\n");
}

BOOST_AUTO_TEST_CASE(a_yaml_inventory_says_the_same) {
    BOOST_TEST(read(R"(---
all:
  vars:
    ansible_port: 2200
    http_proxy: {any: [thing]}
  hosts:
    10.0.0.9:
  children:
    cellar:
      children:
        web:
          vars: {ansible_user: root, cooperage_flavor: large}
          hosts:
            web-[1:2]:
              ansible_user: www
            web-3:
              ansible_host: 10.0.0.3
              ansible_port: 2222
              cooperage_tags: [ssd, fast]
        rack7:
          hosts:
            web-1: {ansible_host: 10.0.0.1}
            web-2:
              ansible_host: 10.0.0.2
              cooperage_flavors: [small, large]
)") == "10.0.0.9 @10.0.0.9:2200\n"
       "web-1 www@10.0.0.1:2200 flavor large cellar rack7 web\n"
       "web-2 www@10.0.0.2:2200 flavor small flavor large cellar rack7 web\n"
       "web-3 root@10.0.0.3:2222 flavor large ssd fast cellar web\n");
}

BOOST_AUTO_TEST_CASE(the_nearest_group_wins_then_priority_then_the_later_name) {
    BOOST_TEST(read(R"(
[parent:children]
a
b
[parent:vars]
ansible_user=parent
ansible_port=1
[b]
h ansible_host=10.0.0.1
[a]
h
[a:vars]
ansible_user=a
cooperage_flavor=a
[b:vars]
ansible_user=b
cooperage_flavor=b
[c]
h
[c:vars]
cooperage_flavor=c
[a:vars]
ansible_group_priority=10
)") == "h a@10.0.0.1:1 flavor a c parent b a\n");
}

BOOST_AUTO_TEST_CASE(anchors_and_merge_keys_are_followed) {
    BOOST_TEST(read(R"(
web:
  hosts:
    one: &one
      ansible_host: 10.0.0.1
      ansible_user: root
    two:
      <<: *one
      ansible_host: 10.0.0.2
)") == "one root@10.0.0.1:22 web\ntwo root@10.0.0.2:22 web\n");
}

BOOST_AUTO_TEST_CASE(what_only_ansible_could_work_out_is_refused_where_it_matters) {
    BOOST_TEST(
        read("h ansible_host=\"{{ ip }}\" other=\"{{ x }}\"\n") ==
        "line 1: h: address holds a template or a vault's text, which only Ansible can read: "
        "write the value itself\n"
        "line 1: h: address \"h\" is no IPv4 or IPv6 address of a machine (names are not "
        "looked up: a name server could lead elsewhere)\n");
    BOOST_TEST(
        read("all:\n  hosts:\n    10.0.0.1:\n      ansible_user: !vault |\n        $A;1\n") ==
        "line 4: 10.0.0.1: user holds a template or a vault's text, which only Ansible can "
        "read: write the value itself\n");
    BOOST_TEST(read("10.0.0.1 ansible_connection=winrm\n") ==
               "line 1: 10.0.0.1: is reached by ansible_connection=winrm; only ssh is possible\n");
    BOOST_TEST(read("10.0.0.1 cooperage_flavour=x\n") ==
               "line 1: 10.0.0.1: there is no variable cooperage_flavour\n");
}

BOOST_AUTO_TEST_CASE(mistakes_in_ini_are_told_with_their_lines) {
    BOOST_TEST(
        read("[web\n10.0.0.1\n[web:hosts]\n[x]\n10.0.0.1 'a\n10.0.0.2 b\nw[1:\n[x:vars]\nc\n") ==
        "line 1: the name of a group is not closed by ]\n"
        "line 3: [web:hosts] is no section: there are [group], [group:vars] and "
        "[group:children]\n"
        "line 5: a quote is not closed\n"
        "line 6: 10.0.0.2: \"b\" is no variable: name=value is expected\n"
        "line 7: w[1:: a range is not closed by ]\n"
        "line 9: \"c\" is no variable: name=value is expected\n");
    BOOST_TEST(read("[a:children]\nb\n[b:children]\na\n[b]\n10.0.0.1\n") ==
               "line 1: group a is its own descendant\n"
               "line 2: group b is its own descendant\n");
}

BOOST_AUTO_TEST_CASE(mistakes_in_yaml_are_told_with_their_lines) {
    BOOST_TEST(read("web:\n  host:\n    10.0.0.1:\n  hosts:\n    - 10.0.0.1\ndb: 7\n") ==
               "line 3: group web has \"host\": there are hosts, vars and children\n"
               "line 5: hosts of group web must be a map, each name with a colon behind it\n"
               "line 6: group db must have hosts, vars or children\n");
}
