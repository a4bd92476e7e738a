#include <boost/test/unit_test.hpp>

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdio>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "provisioner/base/json.hpp"
#include "provisioner/inventory/inventory.hpp"

using namespace provisioner;

// Ansible itself reads the same files: both must see the same hosts, addresses, ports, users and
// groups.
BOOST_AUTO_TEST_SUITE(ansible_itself)

namespace {

base::Json what_ansible_says(const std::string& text) {
    std::string path = "/tmp/cooperage-inventory-XXXXXX";
    const int file = ::mkstemp(path.data());
    BOOST_REQUIRE(file >= 0);
    ::close(file);
    std::ofstream(path) << text;
    const std::string command = "tests/support/ansible_inventory.py " + path + " 2>/dev/null";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::string said;
    std::array<char, 4096> piece{};
    while (const auto size = std::fread(piece.data(), 1, piece.size(), pipe)) {
        said.append(piece.data(), size);
    }
    ::pclose(pipe);
    std::remove(path.c_str());
    const auto json = base::parse_json(said);
    BOOST_REQUIRE_MESSAGE(json.has_value(), "ansible-inventory says: " + said);
    return *json;
}

/// Group -> hosts in it, those of its children included.
std::set<std::string> hosts_of(const base::Json& said, const std::string& group) {
    std::set<std::string> hosts;
    const base::Json* found = base::member(said, group);
    if (found == nullptr) return hosts;
    for (const auto& host : base::strings_of(base::member(*found, "hosts"))) hosts.insert(host);
    for (const auto& child : base::strings_of(base::member(*found, "children"))) {
        hosts.merge(hosts_of(said, child));
    }
    return hosts;
}

std::string text_of(const base::Json& variables, const std::string& name) {
    const base::Json* value = base::member(variables, name);
    if (value == nullptr) return "";
    return value->is_string() ? value->get<std::string>() : base::to_text(*value);
}

/// A line for each host, sorted.
std::set<std::string> drawn_by_ansible(const std::string& text) {
    const base::Json said = what_ansible_says(text);
    std::map<std::string, std::string> lines;
    for (const std::string& host : hosts_of(said, "all")) {
        const base::Json& known = said.at("_meta").at("hostvars");
        const base::Json variables = known.value(host, base::Json::object());
        const std::string address = text_of(variables, "ansible_host");
        const std::string port = text_of(variables, "ansible_port");
        lines[host] = host + " " + text_of(variables, "ansible_user") + "@" +
                      (address.empty() ? host : address) + ":" + (port.empty() ? "22" : port) +
                      " " + text_of(variables, "cooperage_flavor");
    }
    for (const auto& [group, content] : said.items()) {
        if (group == "_meta" || group == "all" || group == "ungrouped") continue;
        for (const std::string& host : hosts_of(said, group)) lines.at(host) += " " + group;
    }
    std::set<std::string> sorted;
    for (const auto& [host, line] : lines) sorted.insert(line);
    return sorted;
}

std::set<std::string> drawn_by_us(const std::string& text) {
    const auto machines =
        inventory::read_inventory(text, {.needs_host_key = false, .needs_controller = false});
    BOOST_REQUIRE_MESSAGE(machines.has_value(), (machines ? "" : base::to_text(machines.error())));
    std::set<std::string> lines;
    for (const auto& machine : *machines) {
        std::string line = machine.name + " " + machine.user + "@" + machine.address + ":" +
                           std::to_string(machine.port) + " " +
                           (machine.flavors.empty() ? "" : machine.flavors.front());
        auto groups = machine.tags;
        std::sort(groups.begin(), groups.end());
        for (const std::string& group : groups) line += " " + group;
        lines.insert(line);
    }
    return lines;
}

const std::vector<std::string> inventories{
    R"(
; machines of the cellar
10.0.0.9

[web]
web-[1:2] ansible_user=www   # two of them
web-3:2222 ansible_host=10.0.0.3 cooperage_flavor="very-large"
[web:vars]
ansible_user = root
cooperage_flavor = large
[rack7]
web-1 ansible_host=10.0.0.1
web-2 ansible_host='10.0.0.2' cooperage_flavor=small
[cellar:children]
web
rack7
[all:vars]
ansible_port=2200
)",
    R"(
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
)",
    R"(
[low]
10.0.0.[1:9:4]
[high]
10.0.0.5
[low:vars]
cooperage_flavor=low
ansible_group_priority=10
[high:vars]
cooperage_flavor=high
)",
    R"(---
all:
  vars: {ansible_port: 2200}
  hosts:
    10.0.0.9:
  children:
    cellar:
      children:
        web:
          vars: {ansible_user: root, cooperage_flavor: large}
          hosts:
            web-[1:2]: {ansible_user: www}
            web-3: &three
              ansible_host: 10.0.0.3
              ansible_port: 2222
            web-4:
              <<: *three
              ansible_host: 10.0.0.4
        rack7:
          hosts:
            web-1: {ansible_host: 10.0.0.1}
            web-2: {ansible_host: 10.0.0.2, cooperage_flavor: small}
)",
};

}  // namespace

BOOST_AUTO_TEST_CASE(sees_the_same_in_every_inventory) {
    for (const std::string& text : inventories) {
        BOOST_TEST_CONTEXT(text) {
            BOOST_TEST(drawn_by_us(text) == drawn_by_ansible(text),
                       boost::test_tools::per_element());
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
