#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/providers/digitalocean/fixture.hpp"

using namespace provisioner;
using base::Json;
using providers::Offer;
using providers::Refused;
using tests::DigitalOceanSite;
using tests::says;

namespace {

/// What provisioner/providers/digitalocean/README.md says.
const Json least_scopes =
    Json::array({"droplet:create", "droplet:read", "droplet:delete", "tag:create", "tag:delete",
                 "firewall:create", "firewall:read", "firewall:update", "firewall:delete"});
const Json scopes_for_disks =
    Json::array({"block_storage:create", "block_storage:read", "block_storage:delete"});

Json without(const Json& scopes, const std::string& left_out) {
    Json others = Json::array();
    for (const Json& scope : scopes) {
        if (scope != left_out) others.push_back(scope);
    }
    return others;
}

/// The stand-in, where the token has only some scopes.
struct ScopedSite : DigitalOceanSite {
    void allow(const Json& scopes) {
        Json tokens = Json::object();
        tokens["dop_v1_good"] = scopes;
        set("tokens", tokens);
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(digitalocean_scopes)

BOOST_FIXTURE_TEST_CASE(the_least_scopes_are_enough_for_a_life, ScopedSite) {
    allow(least_scopes);
    set("tag_seconds", 3600);
    const auto machine = spec();

    const std::string id = made(machine);
    const auto confirmed = site.confirm(account, machine, results_of(id));
    BOOST_TEST(std::holds_alternative<providers::Reachable>(confirmed));
    site.control("POST", "/-/change_firewalls", R"({"inbound_rules": []})");
    auto more = spec(1002);
    more.open_ports = {"443/tcp"};
    const std::string other = made(more);
    take_away(machine, id);
    take_away(more, other);

    BOOST_TEST(count("droplets") == 0);
    BOOST_TEST(count("firewalls") == 0);
}

BOOST_FIXTURE_TEST_CASE(disks_need_three_more, ScopedSite) {
    account.fields["digitalocean_volume_size_gb"] = "10";
    Json scopes = least_scopes;
    scopes.insert(scopes.end(), scopes_for_disks.begin(), scopes_for_disks.end());
    allow(scopes);

    take_away(spec(), made(spec()));

    BOOST_TEST(count("volumes") == 0);
}

BOOST_FIXTURE_TEST_CASE(a_scope_that_is_missing_is_named, ScopedSite) {
    auto machine = spec();
    for (const char* scope :
         {"droplet:create", "droplet:read", "tag:create", "firewall:read", "firewall:create"}) {
        // Each has a cluster of its own, because a firewall is looked at once a minute.
        machine.cluster.back() += 1;
        machine.name = machine.cluster + "-1001";
        allow(without(least_scopes, scope));
        BOOST_TEST(says(refusal(machine), scope));
    }
    BOOST_TEST(count("droplets") == 0);
}

BOOST_FIXTURE_TEST_CASE(a_scope_that_is_missing_for_repairs_and_deletions_is_named, ScopedSite) {
    set("boot_seconds", 0);
    const std::string id = made(spec());
    site.control("POST", "/-/change_firewalls", R"({"inbound_rules": []})");
    auto more = spec(1002);
    more.open_ports = {"443/tcp"};
    allow(without(least_scopes, "firewall:update"));
    BOOST_TEST(says(refusal(more), "firewall:update"));

    for (const char* scope : {"droplet:delete", "firewall:delete", "tag:delete"}) {
        allow(without(least_scopes, scope));
        const auto destroyed = site.take_away(account, spec(), results_of(id));
        BOOST_REQUIRE(std::holds_alternative<Refused>(destroyed));
        BOOST_TEST(says(std::get<Refused>(destroyed).message, scope));
    }
    allow(least_scopes);
    take_away(spec(), id);
    BOOST_TEST(count("tags") == 1);
}

BOOST_FIXTURE_TEST_CASE(a_wrong_token_is_refused_in_the_words_of_coopr, DigitalOceanSite) {
    account.fields["api_password"] = "dop_v1_wrong";

    BOOST_TEST(refusal(spec()) ==
               "Provider credentials invalid/unauthorized: Unable to authenticate you");
    const auto tested = site.answer(site.provider().test(account));
    BOOST_REQUIRE(std::holds_alternative<Refused>(tested));
    BOOST_TEST(says(std::get<Refused>(tested).message, "invalid/unauthorized"));
}

BOOST_FIXTURE_TEST_CASE(names_that_do_not_exist_are_refused_with_near_ones, DigitalOceanSite) {
    auto wrong_image = spec();
    wrong_image.image = "debain-12-x64";
    BOOST_TEST(says(refusal(wrong_image), "there is no image \"debain-12-x64\"; near: debian-1"));
    auto wrong_size = spec();
    wrong_size.flavor = "s-1vcpu-1g";
    BOOST_TEST(says(refusal(wrong_size), "there is no size \"s-1vcpu-1g\"; near: s-1vcpu-1gb"));
    account.fields["digitalocean_region"] = "ny3";
    BOOST_TEST(says(refusal(spec()), "there is no region \"ny3\"; near: nyc3"));
    account.fields["digitalocean_region"] = "nyc2";
    BOOST_TEST(says(refusal(spec()), "the region nyc2 takes no new droplets now; open are nyc1"));
    account.fields["digitalocean_region"] = "sgp1";
    auto elsewhere = spec();
    elsewhere.flavor = "s-1vcpu-1gb-intel";
    BOOST_TEST(says(refusal(elsewhere), "they can be made in nyc1, nyc3, fra1, lon1"));
    auto private_image = spec();
    private_image.image = "900001";
    BOOST_TEST(says(refusal(private_image), "not in the region sgp1, only in nyc3"));
    account.fields["digitalocean_region"] = "nyc3";
    BOOST_TEST(says(refusal(private_image), "needs a disk of 50 GB, and droplets of size"));
    BOOST_TEST(count("droplets") == 0);
}

BOOST_FIXTURE_TEST_CASE(another_region_or_size_is_taken_where_there_is_no_room, DigitalOceanSite) {
    account.fields["digitalocean_region"] = "nyc2";
    auto machine = spec();
    machine.hardware["availability_zones"] = "sgp1, fra1";
    machine.flavor = "s-1vcpu-1gb-intel";
    // A slug of the hardware type and another region for it: sgp1 has no such size.
    made(machine);

    const Json droplet = site.state()["droplets"][0];
    BOOST_TEST(droplet["region"]["slug"] == "fra1");
}

BOOST_FIXTURE_TEST_CASE(the_limit_of_droplets_is_told_with_numbers, DigitalOceanSite) {
    set("droplet_limit", 1);
    made(spec());

    const auto created = site.make(account, spec(1002));

    const auto& refused = std::get<Refused>(created);
    BOOST_TEST(refused.message ==
               "DigitalOcean's limit of droplets is reached: the account may have 1 and has 1; "
               "delete some, or ask DigitalOcean for a higher limit");
    BOOST_TEST(refused.worth_retrying);
    BOOST_TEST(refused.nothing_created);
}

BOOST_FIXTURE_TEST_CASE(user_data_that_are_too_long_are_refused_before_the_call, DigitalOceanSite) {
    account.files["user_data_resource"] = "#!/bin/sh\n" + std::string(64 * 1024, '#');

    BOOST_TEST(says(refusal(spec()), "bytes, and DigitalOcean takes 65536"));
    BOOST_TEST(calls_of("droplets_create") == 0);
}

BOOST_FIXTURE_TEST_CASE(a_test_of_the_account_offers_what_there_is, DigitalOceanSite) {
    const auto tested = site.answer(site.provider().test(account));

    BOOST_REQUIRE(std::holds_alternative<Offer>(tested));
    const auto& offer = std::get<Offer>(tested);
    BOOST_TEST(offer.choices.at("digitalocean_region").size() == 11);
    BOOST_TEST(offer.choices.at("digitalocean_vpc").size() == 2);
    BOOST_TEST(offer.choices.at("image").size() == 9);
    BOOST_TEST(offer.choices.at("flavor").size() == 22);
    BOOST_TEST(offer.choices.at("flavor")[0].label ==
               "1 CPU, 512 MB, 10 GB disk, $0.00595 an hour");
    BOOST_TEST(offer.notes == (std::vector<std::string>{"the account may have 25 droplets"}),
               boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_test_of_the_account_refuses_what_does_not_exist, DigitalOceanSite) {
    const auto refused = [&] {
        const auto tested = site.answer(site.provider().test(account));
        const auto* refusal = std::get_if<Refused>(&tested);
        return refusal == nullptr ? std::string("not refused") : refusal->message;
    };
    account.fields["digitalocean_region"] = "nyc2";
    BOOST_TEST(says(refused(), "digitalocean_region: the region nyc2 takes no new droplets"));
    account.fields["digitalocean_region"] = "nyc3";
    account.fields["ssh_keypair"] = "mine";
    BOOST_TEST(refused() == "ssh_keypair: there is no SSH key \"mine\"");
    account.fields["ssh_keypair"] = "";
    account.fields["digitalocean_vpc"] = "5a4981aa-9653-4bd1-bef5-d6bff52042e4";
    BOOST_TEST(says(refused(), "digitalocean_vpc: there is no VPC network in this region"));
}

BOOST_FIXTURE_TEST_CASE(a_test_with_few_scopes_notes_what_it_could_not_see, ScopedSite) {
    allow(least_scopes);

    const auto tested = site.answer(site.provider().test(account));

    BOOST_REQUIRE(std::holds_alternative<Offer>(tested));
    const auto& notes = std::get<Offer>(tested).notes;
    BOOST_TEST(notes.size() == 7);
    BOOST_TEST(says(notes.at(0), "account:read"));
    BOOST_TEST(says(notes.at(1), "regions:read"));
}

BOOST_AUTO_TEST_SUITE_END()
