#include <boost/test/unit_test.hpp>

#include "provisioner/base/json.hpp"
#include "provisioner/providers/cloud/user_data.hpp"
#include "tests/integration/provisioner/providers/digitalocean/fixture.hpp"

using namespace provisioner;
using base::Json;
using providers::Reachable;
using tests::DigitalOceanSite;

namespace {

const std::string tag_of_cluster = "cooperage-cluster:01234567-00000001";

bool has(const Json& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(digitalocean_life)

BOOST_FIXTURE_TEST_CASE(a_machine_is_made_reached_and_gone_with_all_its_cluster_had,
                        DigitalOceanSite) {
    const auto machine = spec();

    const std::string id = made(machine);
    const auto confirmed = site.confirm(account, machine, results_of(id));

    BOOST_REQUIRE(std::holds_alternative<Reachable>(confirmed));
    const auto& reachable = std::get<Reachable>(confirmed);
    const Json state = site.state();
    const Json& droplet = state["droplets"][0];
    BOOST_TEST(droplet["name"] == "cooperage-01234567-00000001-1001-t10-1");
    BOOST_TEST(droplet["networks"]["v4"][0]["ip_address"] == reachable.addresses.at("bind_v4"));
    BOOST_TEST(droplet["networks"]["v4"][1]["ip_address"] == reachable.addresses.at("access_v4"));
    BOOST_TEST(droplet["firewalls"] == Json::array({"cooperage-01234567-00000001"}));
    BOOST_TEST(has(droplet["tags"], tag_of_cluster));
    const auto key =
        providers::cloud::host_key_for(machine, providers::cloud::mark_of(account, machine));
    BOOST_TEST(reachable.host_key == key->public_key);
    BOOST_TEST(droplet["user_data"].get<std::string>().find(key->public_key) != std::string::npos);

    take_away(machine, id);

    for (const char* kind : {"droplets", "firewalls", "volumes", "keys"}) {
        BOOST_TEST(count(kind) == 0);
    }
    // The tag of the installation stays, that of the cluster goes.
    BOOST_TEST(site.state()["tags"] ==
               Json::array({"cooperage-installation:0123456789abcdef0123456789abcdef"}));
}

BOOST_FIXTURE_TEST_CASE(creating_again_finds_the_machine, DigitalOceanSite) {
    const std::string id = made(spec());

    BOOST_TEST(made(spec()) == id);
    BOOST_TEST(made(spec(1001, 11)) == id);
    BOOST_TEST(count("droplets") == 1);
}

BOOST_FIXTURE_TEST_CASE(the_machines_of_the_installation_are_listed_and_no_others,
                        DigitalOceanSite) {
    const std::string id = made(spec());
    auto other = account;
    other.installation = "ffff0000ffff0000ffff0000ffff0000";

    BOOST_TEST(site.answer(site.provider().machines(other)).empty());
    const auto seen = site.answer(site.provider().machines(account));

    BOOST_REQUIRE(seen.size() == 1);
    BOOST_TEST(seen[0].id == id);
    BOOST_TEST(seen[0].name == "00000001-1001");
}

BOOST_FIXTURE_TEST_CASE(two_installations_share_an_account_with_equal_names_of_machines,
                        DigitalOceanSite) {
    auto other = account;
    other.installation = "ffff0000ffff0000ffff0000ffff0000";
    const auto own = made(spec());
    const auto foreign = std::get<providers::Machine>(site.make(other, spec())).id;
    BOOST_TEST(own != foreign);

    take_away(spec(), own);

    const Json state = site.state();
    BOOST_REQUIRE(state["droplets"].size() == 1);
    BOOST_TEST(base::to_text(state["droplets"][0]["id"]) == foreign);
    BOOST_TEST(state["firewalls"].size() == 1);
    BOOST_TEST(has(state["droplets"][0]["tags"], "cooperage-cluster:ffff0000-00000001"));
    site.take_away(other, spec(), results_of(foreign));
    BOOST_TEST(count("firewalls") == 0);
}

BOOST_FIXTURE_TEST_CASE(a_machine_made_for_a_later_task_is_left_alone, DigitalOceanSite) {
    const std::string id = made(spec(1001, 20));

    take_away(spec(1001, 19), id);
    BOOST_TEST(count("droplets") == 1);

    take_away(spec(1001, 21), id);
    BOOST_TEST(count("droplets") == 0);
}

BOOST_FIXTURE_TEST_CASE(a_list_of_many_pages_is_read_whole, DigitalOceanSite) {
    set("largest_page", 2);
    set("boot_seconds", 0);
    for (int number = 1001; number <= 1005; ++number) made(spec(number));

    BOOST_TEST(site.answer(site.provider().machines(account)).size() == 5);
    BOOST_TEST(made(spec(1005)) == made(spec(1005)));
    BOOST_TEST(count("droplets") == 5);
}

// DigitalOcean makes at most ten droplets in one call, and each of ours has user data of its own.
BOOST_FIXTURE_TEST_CASE(more_than_ten_machines_are_ordered_one_by_one, DigitalOceanSite) {
    for (int number = 1001; number <= 1012; ++number) made(spec(number));

    BOOST_TEST(count("droplets") == 12);
    BOOST_TEST(calls_of("droplets_create") == 12);
}

BOOST_FIXTURE_TEST_CASE(a_machine_is_made_in_the_network_that_the_fields_name, DigitalOceanSite) {
    const auto tested = site.answer(site.provider().test(account));
    const auto& networks = std::get<providers::Offer>(tested).choices.at("digitalocean_vpc");
    const auto own = std::find_if(networks.begin(), networks.end(), [](const auto& network) {
        return network.label.starts_with("own,");
    });
    BOOST_REQUIRE(own != networks.end());
    account.fields["digitalocean_vpc"] = own->value;

    made(spec());

    BOOST_TEST(site.state()["droplets"][0]["vpc_uuid"] == own->value);
}

BOOST_FIXTURE_TEST_CASE(the_choices_of_the_fields_reach_the_droplet, DigitalOceanSite) {
    account.fields["digitalocean_ipv6"] = "true";
    account.fields["digitalocean_monitoring"] = "true";
    account.fields["digitalocean_backups"] = "true";
    account.fields["digitalocean_tags"] = "bill:7, ours";
    const auto machine = spec();

    const std::string id = made(machine);
    const auto confirmed = site.confirm(account, machine, results_of(id));

    BOOST_REQUIRE(std::holds_alternative<Reachable>(confirmed));
    BOOST_TEST(std::get<Reachable>(confirmed).addresses.contains("access_v6"));
    const Json droplet = site.state()["droplets"][0];
    for (const char* feature : {"ipv6", "monitoring", "backups"}) {
        BOOST_TEST(has(droplet["features"], feature));
    }
    BOOST_TEST(has(droplet["tags"], "bill:7"));
    BOOST_TEST(has(droplet["tags"], "ours"));
}

BOOST_FIXTURE_TEST_CASE(a_machine_without_a_public_address_is_reached_inside, DigitalOceanSite) {
    account.fields["digitalocean_public_address"] = "false";
    const auto machine = spec();

    const auto confirmed = site.confirm(account, machine, results_of(made(machine)));

    BOOST_REQUIRE(std::holds_alternative<Reachable>(confirmed));
    const auto& addresses = std::get<Reachable>(confirmed).addresses;
    BOOST_TEST(addresses.at("access_v4").starts_with("10.132."));
    BOOST_TEST(addresses.at("bind_v4") == addresses.at("access_v4"));
}

BOOST_AUTO_TEST_SUITE_END()
