#include "provisioner/providers/openstack/servers.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(openstack_servers)

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::openstack;
using State = cloud::CloudMachine::State;

struct Wanted {
    Wanted() {
        account.installation = "0123456789abcdef0123456789abcdef";
        spec.name = "00000001-1001";
        spec.cluster = "00000001";
        spec.task = 10;
        spec.hostname = "web1.example.org";
    }
    cloud::Order order() const {
        cloud::Order order{.account = account, .spec = spec};
        order.mark = cloud::mark_of(account, spec);
        order.user_data = "#cloud-config\n";
        return order;
    }

    Account account;
    MachineSpec spec;
};

base::Json server(const std::string& text) {
    return *base::parse_json(text);
}

std::string addresses(const std::string& networks) {
    std::string text;
    const auto found = addresses_in(server("{\"addresses\": " + networks + "}"));
    for (const auto& [type, address] : found) text += type + " " + address + " ";
    return text;
}

BOOST_AUTO_TEST_CASE(a_server_is_asked_for_with_its_mark_and_its_ports) {
    const Wanted wanted;
    ServerParts parts;
    parts.flavor_id = "2";
    parts.image_id = "i";
    parts.ports = {"p1", "p2"};
    parts.zone = "nova";
    parts.key_pair = "k";
    parts.server_group = "g";

    BOOST_TEST(base::to_text(server_body(wanted.order(), parts)) ==
               R"({"server":{"name":"web1.example.org","flavorRef":"2","imageRef":"i","metadata":{)"
               R"("cooperage-cluster":"00000001",)"
               R"("cooperage-installation":"0123456789abcdef0123456789abcdef",)"
               R"("cooperage-machine":"00000001-1001","cooperage-task":"10-1"},"tags":[)"
               R"("cooperage-cluster=00000001",)"
               R"("cooperage-installation=0123456789abcdef0123456789abcdef",)"
               R"("cooperage-machine=00000001-1001","cooperage-task=10-1"],"key_name":"k",)"
               R"("availability_zone":"nova","user_data":"I2Nsb3VkLWNvbmZpZwo=",)"
               R"("networks":[{"port":"p1"},{"port":"p2"}]},"os:scheduler_hints":{"group":"g"}})");
}

BOOST_AUTO_TEST_CASE(a_server_boots_from_a_volume_that_goes_with_it) {
    const Wanted wanted;
    ServerParts parts;
    parts.image_id = "i";
    parts.volume_size = 20;
    parts.auto_network = true;

    const auto body = server_body(wanted.order(), parts).at("server");

    BOOST_TEST(!body.contains("imageRef"));
    BOOST_TEST(body.at("networks") == "auto");
    BOOST_TEST(base::to_text(body.at("block_device_mapping_v2")) ==
               R"([{"boot_index":0,"uuid":"i","source_type":"image","destination_type":"volume",)"
               R"("volume_size":20,"delete_on_termination":true}])");
}

BOOST_AUTO_TEST_CASE(user_data_may_have_65535_characters_of_base64) {
    const Wanted wanted;
    cloud::Order order = wanted.order();
    order.user_data = std::string(49'149, 'x');
    BOOST_TEST(server_body(order, {}).at("server").at("user_data").get<std::string>().size() ==
               65'532U);

    order.user_data += "xx";

    BOOST_CHECK_THROW(server_body(order, {}), cloud::Refusal);
}

BOOST_AUTO_TEST_CASE(tags_fit_into_what_nova_allows) {
    const Wanted wanted;
    const auto tags = server_tags(wanted.order().mark);

    BOOST_TEST(tags.size() == 4U);
    for (const auto& tag : tags) {
        BOOST_TEST(tag.size() <= 60U);
        BOOST_TEST(tag.find_first_of(",/") == std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(the_floating_address_is_for_logins_and_the_fixed_one_for_services) {
    BOOST_TEST(addresses(R"({"net": [{"addr": "10.0.0.5", "version": 4, "OS-EXT-IPS:type": "fixed"},
        {"addr": "203.0.113.9", "version": 4, "OS-EXT-IPS:type": "floating"}]})") ==
               "access_v4 203.0.113.9 bind_v4 10.0.0.5 ");
    BOOST_TEST(addresses(R"({"net": [{"addr": "10.0.0.5", "OS-EXT-IPS:type": "floating"},
        {"addr": "192.168.0.5", "OS-EXT-IPS:type": "fixed"}]})") ==
               "access_v4 10.0.0.5 bind_v4 192.168.0.5 ");
}

BOOST_AUTO_TEST_CASE(a_provider_network_is_open_and_wins_over_a_private_one) {
    BOOST_TEST(addresses(R"({"a": [{"addr": "172.31.255.1"}, {"addr": "2001:db8::5"}],
        "b": [{"addr": "198.51.100.7"}]})") == "access_v4 198.51.100.7 bind_v4 172.31.255.1 ");
    BOOST_TEST(addresses(R"({"a": [{"addr": "198.51.100.7"}]})") ==
               "access_v4 198.51.100.7 bind_v4 198.51.100.7 ");
    BOOST_TEST(addresses(R"({"a": [{"addr": "2001:db8::5"}]})") == "access_v4 2001:db8::5 ");
    BOOST_TEST(addresses(R"({"a": [{"addr": "nonsense"}, {}]})") == "");
}

BOOST_AUTO_TEST_CASE(private_ranges_are_known) {
    for (const char* address :
         {"10.255.0.1", "172.16.0.1", "172.31.9.9", "192.168.1.1", "100.64.0.1", "169.254.1.1"}) {
        BOOST_TEST(is_private(address), address);
    }
    for (const char* address : {"172.32.0.1", "11.0.0.1", "100.128.0.1", "198.51.100.7", "x", ""}) {
        BOOST_TEST(!is_private(address), address);
    }
}

BOOST_AUTO_TEST_CASE(states_of_nova_are_ours) {
    const auto state = [](const std::string& status, const std::string& task) {
        return machine_in({{"id", "s"}, {"status", status}, {"OS-EXT-STS:task_state", task}}).state;
    };

    BOOST_TEST((state("BUILD", "spawning") == State::starting));
    BOOST_TEST((state("ACTIVE", "") == State::running));
    BOOST_TEST((state("ACTIVE", "deleting") == State::leaving));
    BOOST_TEST((state("ERROR", "deleting") == State::leaving));
    BOOST_TEST((state("ERROR", "") == State::failed));
    BOOST_TEST((state("SHUTOFF", "") == State::starting));
    BOOST_TEST((state("DELETED", "") == State::gone));
    BOOST_TEST(machine_in({{"id", "s"}, {"status", "SHUTOFF"}}).reason == "it is SHUTOFF");
}

// As Nova 26 lists a server for which there is no host.
BOOST_AUTO_TEST_CASE(a_fault_is_told_in_words) {
    const auto machine = machine_in(server(
        R"({"id": "s", "status": "ERROR", "OS-EXT-STS:task_state": null, "addresses": {},
            "metadata": {"cooperage-machine": "00000001-1001", "cooperage-task": "10-2"},
            "fault": {"code": 500, "created": "2026-11-22T19:00:00Z",
                      "message": "No valid host was found. There are not enough hosts available."},
            "os-extended-volumes:volumes_attached": [
                {"id": "v1", "delete_on_termination": true},
                {"id": "v2", "delete_on_termination": false}]})"));

    BOOST_TEST((machine.state == State::failed));
    BOOST_TEST(machine.reason.starts_with("the cloud has no host with room for this flavor"));
    BOOST_TEST(machine.mark.name == "00000001-1001");
    BOOST_TEST(machine.mark.attempt == 2);
    BOOST_TEST(base::to_text(machine.details) == R"({"volumes":["v1"]})");
}

BOOST_AUTO_TEST_CASE(servers_of_any_form_are_read_without_harm) {
    for (const char* text :
         {"{}", R"({"addresses": null, "metadata": null, "fault": null, "status": null})",
          R"({"addresses": {"n": null}, "metadata": {"cooperage-task": 7}})",
          R"({"os-extended-volumes:volumes_attached": [null, {"delete_on_termination": null}]})"}) {
        BOOST_TEST_CONTEXT(text) BOOST_CHECK_NO_THROW(machine_in(server(text)));
    }
}

BOOST_AUTO_TEST_CASE(a_server_knows_whether_it_gets_a_floating_address) {
    const Wanted wanted;
    for (const auto& [floats, text] : {std::pair(true, "yes"), std::pair(false, "no")}) {
        ServerParts parts;
        parts.floating = floats;

        const base::Json made = server_body(wanted.order(), parts).at("server");

        BOOST_TEST(made.at("metadata").at("cooperage-floating") == text);
        BOOST_TEST(machine_in(made).details.at("floating") == floats);
        BOOST_TEST((machine_in(made).mark == wanted.order().mark));
    }
    const base::Json plain = server_body(wanted.order(), {}).at("server");
    BOOST_TEST(!machine_in(plain).details.contains("floating"));
}

BOOST_AUTO_TEST_SUITE_END()
