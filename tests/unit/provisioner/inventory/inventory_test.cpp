#include "provisioner/inventory/inventory.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/inventory/keys.hpp"

using namespace provisioner::inventory;
using namespace tests::host_keys;
namespace base = provisioner::base;

namespace {

std::vector<ListedMachine> machines_in(const std::string& text, const Rules& rules = {}) {
    const auto machines = read_inventory(text, rules);
    BOOST_REQUIRE_MESSAGE(machines.has_value(), (machines ? "" : base::to_text(machines.error())));
    return *machines;
}

/// The messages of all problems, a line each.
std::string problems_in(const std::string& text, const Rules& rules = {}) {
    const auto machines = read_inventory(text, rules);
    BOOST_REQUIRE(!machines.has_value());
    std::string all;
    for (const base::Problem& problem : machines.error()) {
        BOOST_TEST(problem.field == "machines");
        all += problem.message + "\n";
    }
    return all;
}

const Rules without_keys{.needs_host_key = false, .needs_controller = false};

}  // namespace

BOOST_AUTO_TEST_CASE(a_list_in_json_is_read_with_every_value) {
    const auto machines = machines_in(
        R"([
  {"name": "rack7-1", "address": "10.0.0.11", "bind_address": "192.168.0.11", "port": 2222,
   "user": "admin", "host_keys": [")" +
        ecdsa_key + "\", \"" + first_key + R"( root@rack7-1"],
   "flavor": "large", "images": ["debian12", "debian13"], "tags": ["rack=7", "ssd"],
   "bmc": "https://10.0.1.11/", "bmc_system": "/redfish/v1/Systems/1"}
])");

    BOOST_REQUIRE(machines.size() == 1U);
    const ListedMachine expected{
        .name = "rack7-1",
        .address = "10.0.0.11",
        .bind_address = "192.168.0.11",
        .port = 2222,
        .user = "admin",
        .host_keys = {first_key, ecdsa_key},
        .flavors = {"large"},
        .images = {"debian12", "debian13"},
        .tags = {"rack=7", "ssd"},
        .controller = {.url = "https://10.0.1.11", .system = "/redfish/v1/Systems/1"},
        .line = 2,
    };
    BOOST_TEST((machines.front() == expected));
}

BOOST_AUTO_TEST_CASE(a_list_in_yaml_says_the_same) {
    const auto machines = machines_in(
        "# rack 7\n"
        "- name: rack7-1\n"
        "  address: 10.0.0.11\n"
        "  host_key: " +
        first_key +
        "\n"
        "  tags: [rack=7, ssd]\n"
        "- {name: rack7-2, address: '2001:DB8:0::2', host_key: " +
        second_key + ", flavors: small large}\n");

    BOOST_REQUIRE(machines.size() == 2U);
    BOOST_TEST(machines[0].port == 22);
    BOOST_TEST(machines[0].bind_address == "10.0.0.11");
    BOOST_TEST(machines[0].user == "");
    BOOST_TEST((machines[0].tags == std::vector<std::string>{"rack=7", "ssd"}));
    BOOST_TEST(machines[1].line == 6);
    // Equal addresses are equal texts.
    BOOST_TEST(machines[1].address == "2001:db8::2");
    BOOST_TEST((machines[1].flavors == std::vector<std::string>{"small", "large"}));
}

BOOST_AUTO_TEST_CASE(json_with_tabs_is_read) {
    const auto machines = machines_in(
        "[\n\t{\n\t\t\"name\": \"a\",\n\t\t\"address\":\t\"10.0.0.1\"\n\t}\n]", without_keys);

    BOOST_TEST(machines.front().name == "a");
}

BOOST_AUTO_TEST_CASE(every_mistake_is_named_with_its_line_and_machine_at_once) {
    const std::string problems = problems_in(R"([
  {"name": "a", "adress": "10.0.0.1"},
  {"name": "b b", "address": "b.example", "port": 0, "host_key": "ssh-ed25519 AAAA"},
  {"address": "10.0.0.3", "port": "x", "user": "-o", "host_key": "ssh-rsa AAAAB3Nz"},
  {"name": "d", "address": ["10.0.0.4"], "tags": {"a": 1}, "bmc": "http://10.0.1.1"},
  "e"
])");

    BOOST_TEST(
        problems ==
        "line 2: a: nobody knows \"adress\" of a machine; there are name, address, "
        "bind_address, port, user, host_key, host_keys, flavor, flavors, image, images, tags, "
        "bmc, bmc_system\n"
        "line 5: d: tags must be a text or a list of texts\n"
        "line 6: a machine is an object with name, address and what else it has\n"
        "line 2: a: has no address\n"
        "line 2: a: has no host_key (`ssh-keyscan -t ed25519 ` asks for it; compare it with "
        "the machine's own /etc/ssh/ssh_host_ed25519_key.pub, or let pin_on_first_contact "
        "trust it)\n"
        "line 3: b b: a name consists of at most 255 letters, digits and . _ - :\n"
        "line 3: b b: address \"b.example\" is no IPv4 or IPv6 address of a machine (names "
        "are not looked up: a name server could lead elsewhere)\n"
        "line 3: b b: port must be a number from 1 to 65535\n"
        "line 3: b b: \"ssh-ed25519 AAAA\" is no public host key such as \"ssh-ed25519 "
        "AAAA...\"\n"
        "line 4: a machine has no name\n"
        "line 4: port must be a number from 1 to 65535\n"
        "line 4: user \"-o\" is no name of a user\n"
        "line 4: a host key of type ssh-rsa cannot be checked: give the one of type "
        "ssh-ed25519 or ecdsa-sha2-nistp256\n"
        "line 5: d: address must be one text\n"
        "line 5: d: has no host_key (`ssh-keyscan -t ed25519 ` asks for it; compare it with "
        "the machine's own /etc/ssh/ssh_host_ed25519_key.pub, or let pin_on_first_contact "
        "trust it)\n"
        "line 5: d: bmc must be https://HOST or https://HOST:PORT, without a password\n");
}

BOOST_AUTO_TEST_CASE(no_two_machines_have_the_same_name_address_key_or_controller) {
    const std::string problems =
        problems_in("- {name: a, address: 10.0.0.1, bmc: 'https://bmc', host_key: " + first_key +
                    "}\n"
                    "- {name: a, address: 10.0.0.1, bmc: 'https://bmc/', host_key: " +
                    first_key + " again}\n");

    BOOST_TEST(problems ==
               "line 2: a: has the name of that on line 1 (a)\n"
               "line 2: a: has the address and port of that on line 1 (a)\n"
               "line 2: a: has the host key of that: it is the same machine, or a copy, and each "
               "could pass for the other. Make new keys on one on line 1 (a)\n"
               "line 2: a: has the bmc and system of that on line 1 (a)\n");
}

BOOST_AUTO_TEST_CASE(machines_behind_one_address_differ_by_their_ports) {
    BOOST_TEST(machines_in("- {name: a, address: 10.0.0.1, port: 2201}\n"
                           "- {name: b, address: 10.0.0.1, port: 2202}\n",
                           without_keys)
                   .size() == 2U);
}

BOOST_AUTO_TEST_CASE(metal_needs_a_controller) {
    BOOST_TEST(problems_in("- {name: a, address: 10.0.0.1, bmc_system: Systems/1}",
                           {.needs_host_key = false, .needs_controller = true}) ==
               "line 1: a: has no bmc, the address of its Redfish service\n"
               "line 1: a: bmc_system must be a path as /redfish/v1/Systems/1\n");
}

BOOST_AUTO_TEST_CASE(addresses_that_no_machine_has_are_refused) {
    for (const char* address : {"0.0.0.0", "224.0.0.1", "255.255.255.255", "::", "ff02::1",
                                "::ffff:10.0.0.1", "10.0.0", "10.0.0.1/24", "host", ""}) {
        BOOST_TEST_CONTEXT(address) {
            const auto machines = read_inventory(
                "- {name: a, address: \"" + std::string(address) + "\"}", without_keys);
            BOOST_TEST(!machines.has_value());
        }
    }
}

BOOST_AUTO_TEST_CASE(a_text_that_is_no_list_says_where) {
    BOOST_TEST(problems_in("[\n {\"name\": \"a\",\n  \"address\" \"10.0.0.1\"}\n]")
                   .starts_with("line 3: "));
    BOOST_TEST(problems_in("") == "lists no machine\n");
    BOOST_TEST(problems_in("[]") == "lists no machine\n");
    BOOST_TEST(problems_in("---\njust a text\n") ==
               "line 2: is neither a list of machines nor an inventory of Ansible\n");
    BOOST_TEST(problems_in("- {name: a, name: b, address: 10.0.0.1}") ==
               "line 1: \"name\" stands here twice\n");
    BOOST_TEST(problems_in(std::string(longest_inventory + 1, ' ')) ==
               "must not exceed 4194304 bytes\n");
}

BOOST_AUTO_TEST_CASE(texts_that_try_to_exhaust_the_reader_are_refused) {
    BOOST_TEST(problems_in(std::string(1000, '[') + "{").find("nested too deep") !=
               std::string::npos);
    std::string bomb = "---\nall: {children: {g0: &a0 {hosts: {h: {}}}}}\n";
    for (int i = 1; i < 25; ++i) {
        const std::string before = "*a" + std::to_string(i - 1);
        bomb += "g" + std::to_string(i) + ": &a" + std::to_string(i) + " {children: {x" +
                std::to_string(i) + ": " + before + ", y" + std::to_string(i) + ": " + before +
                "}}\n";
    }
    BOOST_TEST(problems_in(bomb, without_keys).find("names 20000 groups and more") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(aliases_within_aliases_count_as_deep_as_they_are) {
    // To free a tree recurses, too, as deep as the tree is.
    std::string chain = "- &a0 [x]\n";
    for (int i = 1; i < 200'000; ++i) {
        chain += "- &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
    }

    BOOST_TEST(problems_in(chain.substr(0, longest_inventory)).find("line 64: nested too deep") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(directives_without_end_are_refused) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += "%TAG !" + std::to_string(i) + "! x\n";

    BOOST_TEST(problems_in("%YAML 1.1\n" + text + "---\n- {}\n") ==
               "line 1: more than 100 lines begin with %\n");
}

BOOST_AUTO_TEST_CASE(more_machines_than_may_be_are_refused_in_every_form_and_before_they_are_held) {
    const std::string too_many = "must not list more than 10000 machines\n";
    std::string ini;
    std::string yaml = "all:\n  hosts:\n";
    std::string list = "- &a {name: m, address: 10.0.0.1}\n";
    for (int i = 100'000; i < 100'300; ++i) {
        const std::string name = "a" + std::to_string(i) + "x[1:10000]";
        ini += name + "\n";
        yaml += "    " + name + ": {}\n";
    }
    for (int i = 0; i < 100'000; ++i) list += "- *a\n";

    BOOST_TEST(problems_in(ini, without_keys).find("line 2: " + too_many) != std::string::npos);
    BOOST_TEST(problems_in(yaml, without_keys).find("line 4: " + too_many) != std::string::npos);
    BOOST_TEST(problems_in(list, without_keys).find(too_many) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_small_text_that_stands_for_much_is_refused) {
    const std::string much = "the list is too long to read";
    const std::string long_word(100'000, 'x');
    std::string again;
    for (int i = 0; i < 300'000; ++i) again += "a[1:10000]\n";
    std::string aliases = "- {name: a, address: 10.0.0.1, tags: [&t " + long_word;
    for (int i = 0; i < 10'000; ++i) aliases += ", *t";
    std::string maps = "---\nall: {hosts: {a0: &h {cooperage_tags: " + long_word + "}";
    for (int i = 1; i < 10'000; ++i) maps += ", a" + std::to_string(i) + ": *h";

    for (const std::string& text : {again, "a[1:10000] tags=" + long_word + "\n",
                                    "a[1:10000]\n[all:vars]\ncooperage_tags=" + long_word + "\n",
                                    aliases + "]}\n", maps + "}}\n"}) {
        BOOST_TEST(problems_in(text, without_keys).find(much) != std::string::npos,
                   text.substr(0, 40));
    }
}

BOOST_AUTO_TEST_CASE(maps_that_merge_without_end_and_endless_generations_are_refused) {
    std::string merging = "---\na: &a {";
    for (int i = 0; i < 10'000; ++i) merging += "k" + std::to_string(i) + ": 1, ";
    merging += "}\nb: {<<: [*a";
    for (int i = 0; i < 10'000; ++i) merging += ", *a";
    std::string deep;
    for (int i = 0; i < 300; ++i) {
        deep += "[g" + std::to_string(i) + ":children]\ng" + std::to_string(i + 1) + "\n";
    }
    // Names that come in the order of generations, and in the opposite one.
    std::string deeper;
    for (int i = 899; i > 100; --i) {
        deeper += "[g" + std::to_string(i) + ":children]\ng" + std::to_string(i - 1) + "\n";
    }
    std::string long_name = "---\na: &a {? " + std::string(100'000, 'k') + " : 1}\nb: {<<: [*a";
    for (int i = 0; i < 5'000; ++i) long_name += ", *a";

    BOOST_TEST(problems_in(merging + "]}\n").find("merges too much") != std::string::npos);
    for (const std::string& text : {deep, deeper}) {
        BOOST_TEST(problems_in(text).find("is within too many groups: more than 200") !=
                   std::string::npos);
    }
    BOOST_TEST(problems_in(long_name + "]}\n").find("merges too much") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_inventory_of_ten_thousand_machines_in_many_groups_is_read) {
    std::string text = "[all:vars]\ncooperage_tags=\"ssd,fast\"\n[g0]\n";
    for (int i = 0; i < 10'000; ++i) {
        text += "m" + std::to_string(i) + " ansible_host=10.0." + std::to_string(i / 200) + "." +
                std::to_string(i % 200 + 1) + " ansible_user=ops\n";
    }
    for (int i = 1; i < 20; ++i) text += "[g" + std::to_string(i) + "]\nm[0:9999]\n";

    BOOST_TEST(machines_in(text, without_keys).size() == most_machines);
}

BOOST_AUTO_TEST_CASE(more_groups_than_may_be_are_refused_in_both_forms) {
    const std::string too_many = "there must not be more than 1000 groups\n";
    std::string ini;
    std::string yaml = "---\n";
    for (int i = 0; i < 12'000; ++i) {
        ini += "[g" + std::to_string(i) + ":children]\ng" + std::to_string(i + 1) + "\n";
        yaml += "g" + std::to_string(i) + ": {}\n";
    }
    const std::string long_name(256, 'g');

    BOOST_TEST(problems_in(ini + "[g12000]\nm[1:80]\n", without_keys) == "line 2000: " + too_many);
    BOOST_TEST(problems_in(yaml, without_keys) == "line 1002: " + too_many);
    BOOST_TEST(problems_in("[" + long_name + "]\n10.0.0.1\n", without_keys) ==
               "line 1: the name of a group has at most 255 bytes\n");
    BOOST_TEST(problems_in("---\n" + long_name + ": {}\n", without_keys) ==
               "line 2: the name of a group has at most 255 bytes\n");
}

// Takes 18 seconds, and minutes with sanitizers, where each host has all groups above it sorted by
// their names.
BOOST_AUTO_TEST_CASE(as_many_groups_as_may_be_are_read_with_all_that_one_is_above_another) {
    std::string text = "[g000]\nm[1:1200] ansible_host=10.0.0.1\n";
    std::string ports;
    for (int i = 0; i < 1'200; ++i) {
        const std::string number = std::to_string(i + 1);
        ports += "m" + number + " ansible_port=" + number + "\n";
    }
    const auto name = [](int i) { return "g" + std::to_string(1'000 + i).substr(1); };
    for (int i = 1; i < 1'000; ++i) {
        text += "[" + name(i) + ":children]\n";
        // 100 generations of ten groups, each above all of the next generation.
        for (int child = (i - 1) / 10 * 10 - 9; child < (i - 1) / 10 * 10 + 1; ++child) {
            text += (child < 1 ? name(0) : name(child)) + "\n";
            if (child < 1) break;
        }
        if (i % 7 != 0) continue;
        text += "[" + name(i) + ":vars]\nansible_group_priority=" + std::to_string(i % 5) + "\n";
    }

    const auto machines = machines_in(text + "[g000]\n" + ports, without_keys);

    BOOST_TEST(machines.size() == 1'200U);
    BOOST_TEST(machines.front().tags.size() == 1'000U);
    BOOST_TEST(machines.back().tags.back() == "g000");
}

BOOST_AUTO_TEST_CASE(variables_that_aliases_repeat_are_counted_though_they_mean_nothing) {
    std::string text = "---\nall: {vars: &v {";
    for (int i = 0; i < 20'000; ++i) text += "k" + std::to_string(i) + ": 1, ";
    text += "}, hosts: {";
    for (int i = 0; i < 9'000; ++i) text += "m" + std::to_string(i) + ": *v, ";

    BOOST_TEST(problems_in(text + "}}\n", without_keys).find("the list is too long to read") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_machine_with_very_many_tags_is_refused) {
    std::string text = "- {name: a, address: 10.0.0.1, tags: [t";
    for (int i = 0; i < 300'000; ++i) text += ",t" + std::to_string(i);

    BOOST_TEST(problems_in(text + "]}\n", without_keys) ==
               "line 1: a: tags holds more than 1000 words\n");
    std::string words;
    for (int i = 0; i < 30'000; ++i) words += "t" + std::to_string(i) + ",";
    BOOST_TEST(problems_in("[all:vars]\ncooperage_tags=" + words + "\n[g]\nm[1:9999]\n",
                           without_keys) == "line 2: m1: tags holds more than 1000 words\n");
}

BOOST_AUTO_TEST_CASE(of_very_many_problems_a_hundred_are_told) {
    std::string text;
    for (int i = 0; i < 150; ++i) text += "- {name: m" + std::to_string(i) + "}\n";

    const std::string problems = problems_in(text, without_keys);

    BOOST_TEST(std::count(problems.begin(), problems.end(), '\n') == 101);
    BOOST_TEST(problems.find("and ") != std::string::npos);
}
