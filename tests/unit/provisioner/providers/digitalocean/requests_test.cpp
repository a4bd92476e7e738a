#include "provisioner/providers/digitalocean/requests.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/base/json.hpp"

using namespace provisioner;
using namespace provisioner::providers;
using namespace provisioner::providers::digitalocean;
using base::Json;

BOOST_AUTO_TEST_SUITE(digitalocean_requests)

struct Place {
    Place() {
        account.installation = "0123456789abcdef";
        spec.name = "00000001-1001";
        spec.cluster = "00000001";
        spec.image = "debian-12-x64";
        spec.task = 10;
    }
    cloud::Order order() const {
        cloud::Order order{.account = account, .spec = spec};
        order.placement = {.flavor = "s-1vcpu-1gb", .zone = "nyc3"};
        order.mark = cloud::mark_of(account, spec);
        order.user_data = "#cloud-config\n";
        return order;
    }
    std::string body(const Parts& parts = {}) const {
        return base::to_text(create_droplet(order(), parts).body);
    }

    Account account;
    MachineSpec spec;
};

BOOST_AUTO_TEST_CASE(a_droplet_is_ordered_by_name_place_and_tags) {
    const Place place;

    const Call call = create_droplet(place.order(), {});

    BOOST_TEST(call.method == "POST");
    BOOST_TEST(call.path == "/v2/droplets");
    BOOST_TEST(call.makes_droplet);
    BOOST_TEST(base::to_text(call.body) ==
               R"({"name":"cooperage-01234567-00000001-1001-t10-1","region":"nyc3",)"
               R"("size":"s-1vcpu-1gb","image":"debian-12-x64",)"
               R"("tags":["cooperage-installation:0123456789abcdef",)"
               R"("cooperage-cluster:01234567-00000001"],"user_data":"#cloud-config\n"})");
}

BOOST_AUTO_TEST_CASE(an_image_of_digits_is_the_number_of_one) {
    Place place;
    place.spec.image = "900001";
    BOOST_TEST(place.body().find(R"("image":900001)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_the_fields_ask_for_is_ordered) {
    Place place;
    place.account.fields["digitalocean_vpc"] = "5a4981aa-9653-4bd1-bef5-d6bff52042e4";
    place.account.fields["digitalocean_ipv6"] = true;
    place.account.fields["digitalocean_monitoring"] = "yes";
    place.account.fields["digitalocean_backups"] = "false";
    place.account.fields["digitalocean_public_address"] = "false";
    place.account.fields["digitalocean_tags"] = "one, two";

    const std::string body = place.body({.key = 7717, .volume = "506f78a4"});

    for (const char* member :
         {R"("ssh_keys":[7717])", R"("volumes":["506f78a4"])", R"("ipv6":true)",
          R"("monitoring":true)", R"("public_networking":false)", R"("tags":["one","two",)",
          R"("vpc_uuid":"5a4981aa-9653-4bd1-bef5-d6bff52042e4")"}) {
        BOOST_TEST(body.find(member) != std::string::npos, member << " in " << body);
    }
    BOOST_TEST(body.find("backups") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_firewall_lets_in_who_may_log_in_clients_and_the_cluster) {
    Place place;
    place.account.fields["ssh_ranges"] = "192.0.2.0/24";
    place.spec.open_ports = {"80/tcp", "8000-8100/udp"};

    const Json body = firewall_body(place.account, place.spec);

    std::string lines;
    for (const Json& rule : body["inbound_rules"]) lines += base::to_text(rule) + "\n";
    BOOST_TEST(lines ==
               R"({"protocol":"tcp","ports":"22","sources":{"addresses":["192.0.2.0/24"]}})"
               "\n"
               R"({"protocol":"tcp","ports":"80","sources":{"addresses":["0.0.0.0/0","::/0"]}})"
               "\n"
               R"({"protocol":"udp","ports":"8000-8100",)"
               R"("sources":{"addresses":["0.0.0.0/0","::/0"]}})"
               "\n"
               R"({"protocol":"tcp","ports":"0",)"
               R"("sources":{"tags":["cooperage-cluster:01234567-00000001"]}})"
               "\n"
               R"({"protocol":"udp","ports":"0",)"
               R"("sources":{"tags":["cooperage-cluster:01234567-00000001"]}})"
               "\n"
               R"({"protocol":"icmp","ports":"0",)"
               R"("sources":{"tags":["cooperage-cluster:01234567-00000001"]}})"
               "\n");
    BOOST_TEST(base::to_text(body["tags"]) == R"(["cooperage-cluster:01234567-00000001"])");
}

BOOST_AUTO_TEST_CASE(firewalls_are_compared_by_what_they_let_through) {
    const Place place;
    const Json wanted = firewall_body(place.account, place.spec);
    Json there = wanted;
    there["id"] = "bb4b2611";
    there["status"] = "succeeded";
    std::reverse(there["inbound_rules"].begin(), there["inbound_rules"].end());
    there["outbound_rules"][0]["ports"] = "all";
    there["outbound_rules"][1]["ports"] = "1-65535";
    BOOST_TEST(is_as_wanted(there, wanted));

    for (const char* change :
         {R"({"tags": []})", R"({"inbound_rules": null})", R"({"outbound_rules": []})"}) {
        Json changed = there;
        changed.update(*base::parse_json(change));
        BOOST_TEST(!is_as_wanted(changed, wanted), change);
    }
    Json opened = there;
    opened["inbound_rules"].push_back(*base::parse_json(
        R"({"protocol": "tcp", "ports": "3306", "sources": {"addresses": ["0.0.0.0/0"]}})"));
    BOOST_TEST(!is_as_wanted(opened, wanted));
}

BOOST_AUTO_TEST_CASE(a_data_disk_is_made_for_the_machine_and_mounted_on_data) {
    Place place;
    place.account.fields["digitalocean_volume_size_gb"] = "50";
    const auto mark = cloud::mark_of(place.account, place.spec);

    BOOST_TEST(base::to_text(create_volume(place.account, mark, "nyc3").body) ==
               R"({"name":"cooperage-01234567-00000001-1001","region":"nyc3",)"
               R"("size_gigabytes":50,"filesystem_type":"ext4",)"
               R"("tags":["cooperage-installation:0123456789abcdef",)"
               R"("cooperage-cluster:01234567-00000001"]})");
    BOOST_TEST(base::to_text(mounts_of_volume(mark)) ==
               R"({"mounts":[["/dev/disk/by-id/scsi-0DO_Volume_cooperage-01234567-00000001-1001",)"
               R"("/data","ext4","defaults,nofail,discard","0","2"]]})");
}

BOOST_AUTO_TEST_CASE(tags_are_made_put_on_and_deleted) {
    BOOST_TEST(base::to_text(create_tag("a:b").body) == R"({"name":"a:b"})");
    const Call call = tag_droplets("a:b", {"7", "8"});
    BOOST_TEST(call.path == "/v2/tags/a%3Ab/resources");
    BOOST_TEST(base::to_text(call.body) ==
               R"({"resources":[{"resource_id":"7","resource_type":"droplet"},)"
               R"({"resource_id":"8","resource_type":"droplet"}]})");
    BOOST_TEST(delete_tag("a:b").method + delete_tag("a:b").path == "DELETE/v2/tags/a%3Ab");
    BOOST_TEST(destroy_droplet("7").path == "/v2/droplets/7");
    // An id that a person typed in leads to no other call.
    BOOST_TEST(destroy_droplet("7/actions").path == "/v2/droplets/7%2Factions");
}

BOOST_AUTO_TEST_SUITE_END()
