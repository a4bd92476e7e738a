#include "provisioner/providers/digitalocean/replies.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/base/json.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::digitalocean;
using base::Json;
using State = cloud::CloudMachine::State;

BOOST_AUTO_TEST_SUITE(digitalocean_replies)

const std::string installation = "0123456789abcdef0123456789abcdef";

/// A droplet as GET /v2/droplets shows it, shortened to what is read.
Json droplet(const std::string& more = "{}") {
    Json json = *base::parse_json(R"({
        "id": 3164444, "name": "cooperage-01234567-00000001-1001-t10-1", "locked": false,
        "status": "active",
        "networks": {
            "v4": [{"ip_address": "10.124.0.2", "netmask": "255.255.240.0", "gateway": "<nil>",
                    "type": "private"},
                   {"ip_address": "128.199.13.158", "netmask": "255.255.240.0",
                    "gateway": "128.199.0.1", "type": "public"}],
            "v6": [{"ip_address": "2604:a880:4:1d0::142:9000", "netmask": 64,
                    "gateway": "2604:a880:4:1d0::1", "type": "public"}]},
        "tags": ["cooperage-installation:0123456789abcdef0123456789abcdef",
                 "cooperage-cluster:01234567-00000001", "web"]})");
    json.update(*base::parse_json(more));
    return json;
}

BOOST_AUTO_TEST_CASE(a_droplet_is_a_machine_with_its_mark_and_addresses) {
    const auto machine = machine_in(droplet(), true);

    BOOST_TEST(machine.id == "3164444");
    BOOST_TEST((machine.state == State::running));
    BOOST_TEST(machine.mark.installation == installation);
    BOOST_TEST(machine.mark.name == "00000001-1001");
    BOOST_TEST(machine.mark.task == 10);
    BOOST_TEST(machine.addresses.at("access_v4") == "128.199.13.158");
    BOOST_TEST(machine.addresses.at("bind_v4") == "10.124.0.2");
    BOOST_TEST(machine.addresses.at("access_v6") == "2604:a880:4:1d0::142:9000");
    BOOST_TEST(machine.details["locked"] == false);
}

BOOST_AUTO_TEST_CASE(a_private_address_is_for_logins_only_where_there_is_no_public_one) {
    const std::string inner =
        R"({"networks": {"v4": [{"ip_address": "10.1.0.2", "type": "private"}], "v6": []}})";

    BOOST_TEST(!machine_in(droplet(inner), true).addresses.contains("access_v4"));
    BOOST_TEST(machine_in(droplet(inner), false).addresses.at("access_v4") == "10.1.0.2");
    BOOST_TEST(machine_in(droplet(R"({"networks": {}})"), true).addresses.empty());
}

BOOST_AUTO_TEST_CASE(every_status_is_a_state) {
    const auto state = [](const char* status) {
        return machine_in(droplet(std::string(R"({"status": ")") + status + "\"}"), true);
    };
    BOOST_TEST((state("new").state == State::starting));
    BOOST_TEST((state("active").state == State::running));
    BOOST_TEST((state("off").state == State::failed));
    BOOST_TEST(state("off").reason == "it is switched off");
    BOOST_TEST((state("archive").state == State::failed));
    BOOST_TEST(state("archive").reason == "its status is archive");
}

BOOST_AUTO_TEST_CASE(a_droplet_is_ours_by_its_tag_or_else_by_its_name) {
    BOOST_TEST(is_ours(droplet(), installation));
    BOOST_TEST(is_ours(droplet(R"({"tags": []})"), installation));
    BOOST_TEST(is_ours(droplet(R"({"tags": null})"), installation));
    BOOST_TEST(is_ours(droplet(R"({"name": "renamed"})"), installation));
    BOOST_TEST(!is_ours(droplet(R"({"name": "renamed", "tags": []})"), installation));
    BOOST_TEST(!is_ours(droplet(R"({"tags": ["cooperage-installation:0123456700000000"]})"),
                        installation));
    BOOST_TEST(!is_ours(droplet(R"({"name": "cooperage-ffffffff-00000001-1001-t1-1", "tags": []})"),
                        installation));
}

BOOST_AUTO_TEST_CASE(a_droplet_that_was_renamed_is_still_of_its_cluster_and_of_no_node) {
    const auto machines =
        machines_in(Json::array({droplet(R"({"name": "renamed"})")}), installation, true);

    BOOST_REQUIRE(machines.size() == 1);
    BOOST_TEST(machines[0].mark.cluster == "00000001");
    BOOST_TEST(machines[0].mark.name == "");
}

BOOST_AUTO_TEST_CASE(machines_known_by_their_names_have_the_whole_mark) {
    const auto machines = machines_in(
        Json::array({droplet(R"({"tags": []})"), droplet(R"({"name": "x", "tags": []})")}),
        installation, true);

    BOOST_REQUIRE(machines.size() == 1);
    BOOST_TEST(machines[0].mark.installation == installation);
}

BOOST_AUTO_TEST_CASE(an_answer_without_an_id_is_no_answer) {
    BOOST_CHECK_THROW(machine_in(droplet(R"({"id": null})"), true), cloud::Lost);
    BOOST_CHECK_THROW(made_droplet(Json::object()), cloud::Lost);
    BOOST_CHECK_THROW(made_droplet(*base::parse_json(R"({"droplet": {"id": "7"}})")), cloud::Lost);
    BOOST_TEST(made_droplet(*base::parse_json(R"({"droplet": {"id": 7}})")) == "7");
}

BOOST_AUTO_TEST_SUITE_END()
