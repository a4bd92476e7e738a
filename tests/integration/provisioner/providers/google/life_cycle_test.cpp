#include <boost/test/unit_test.hpp>

#include <thread>

#include "tests/integration/provisioner/providers/google/google_site.hpp"

using namespace tests;

BOOST_AUTO_TEST_SUITE(google_life_cycle)
using Names = std::vector<std::string>;

namespace {

const std::string first = "cooperage-01234567-00000001-1001-10-1";

}  // namespace

BOOST_AUTO_TEST_CASE(a_machine_lives_and_leaves_nothing) {
    GoogleSite site;
    const auto account = site.account();
    const auto reachable = site.start(account, GoogleSite::small());
    BOOST_TEST((site.names("instances") == Names{first}));
    BOOST_TEST((site.names("disks") == Names{first, first + "-data"}));
    const Json machine = site.only_machine();
    BOOST_TEST(reachable.host_key == base::text_at(machine, "host_key"));
    BOOST_TEST(reachable.host_key_travelled);
    BOOST_TEST(reachable.addresses.at("access_v4").starts_with("34.66."));
    BOOST_TEST(reachable.addresses.at("bind_v4").starts_with("10."));

    site.end(account, GoogleSite::small());
    Json left = site.state();
    // The deletion of a firewall rule is asked for, not waited for.
    for (int look = 0; look < 100 && !left.at("running_operations").empty(); ++look) {
        std::this_thread::sleep_for(std::chrono::milliseconds{100});
        left = site.state();
    }
    for (const char* list : {"instances", "disks", "firewalls", "running_operations"}) {
        BOOST_TEST(left.at(list).empty(), list);
    }
}

BOOST_AUTO_TEST_CASE(a_machine_is_made_once_and_confirmed_by_its_name_alone) {
    GoogleSite site;
    const auto account = site.account();
    site.make(account, GoogleSite::small());
    site.make(account, GoogleSite::small());
    BOOST_TEST(site.calls_of("instances.insert") == 1);
    const auto confirmed = site.confirm(account, GoogleSite::small(), Json::object());
    BOOST_TEST(std::holds_alternative<providers::Reachable>(confirmed));
}

BOOST_AUTO_TEST_CASE(the_request_id_of_a_machine_that_is_gone_makes_another_one) {
    GoogleSite site;
    site.hurry();
    const auto account = site.account();
    for (int life = 0; life < 3; ++life) {
        site.start(account, GoogleSite::small());
        BOOST_TEST((site.names("instances") == Names{first}));
        site.end(account, GoogleSite::small());
    }
}

BOOST_AUTO_TEST_CASE(images_without_cloud_init_tell_their_host_key_by_guest_attributes) {
    GoogleSite site;
    auto spec = GoogleSite::small();
    spec.image = "debian-12";
    const auto reachable = site.start(site.account(), spec);
    const Json machine = site.only_machine();
    BOOST_TEST(reachable.host_key == base::text_at(machine, "host_key"));
    BOOST_TEST(!reachable.host_key_travelled);
    std::map<std::string, std::string> metadata;
    for (const Json& item : machine.at("metadata").at("items")) {
        metadata[base::text_at(item, "key")] = base::text_at(item, "value");
    }
    BOOST_TEST(metadata["ssh-keys"] == "admin:" + spec.authorized_key + " admin");
    BOOST_TEST(has(metadata["startup-script"], "mkfs.ext4"));
    BOOST_TEST(!metadata.contains("user-data"));
}

BOOST_AUTO_TEST_CASE(spot_machines_are_asked_for_and_one_that_is_taken_back_says_so) {
    GoogleSite site;
    const auto account = site.account();
    auto spec = GoogleSite::small();
    spec.hardware["spot"] = "true";
    site.start(account, spec);
    BOOST_TEST(base::text_at(site.only_machine().at("scheduling"), "provisioningModel") == "SPOT");

    site.control("POST", "/-/preempt", R"({"project": "acme-1", "instance": ")" + first + "\"}");
    // Listings may be a second old.
    std::this_thread::sleep_for(std::chrono::milliseconds{1200});
    BOOST_TEST(refusal_of(site.confirm(account, spec, Json{{"providerid", first}})) ==
               "the machine " + first + " is gone: Google took the spot machine back");
    BOOST_TEST(site.answer(site.provider().machines(account)).size() == 5U, "firewall rules");
    site.end(account, spec);
    BOOST_TEST(site.names("disks").empty());
}

BOOST_AUTO_TEST_CASE(a_machine_without_a_public_address_is_reached_by_its_own) {
    GoogleSite site;
    const auto inner = site.start(site.account({{"external_ip", "false"}}), GoogleSite::small());
    BOOST_TEST(inner.addresses.at("access_v4") == inner.addresses.at("bind_v4"));
    BOOST_TEST(inner.addresses.at("access_v4").starts_with("10."));
    const auto chosen =
        site.start(site.account({{"bootstrap_interface", "bind_v4"}}), GoogleSite::small(1002, 11));
    BOOST_TEST(chosen.addresses.at("access_v4").starts_with("10."));
    BOOST_TEST(site.state().at("instances").size() == 2U);
}

BOOST_AUTO_TEST_CASE(the_public_name_replaces_the_hostname_where_it_is_wanted) {
    GoogleSite site;
    const auto reachable =
        site.start(site.account({{"provider_hostname", true}}), GoogleSite::small());
    BOOST_TEST(reachable.hostname.ends_with(".66.34.bc.googleusercontent.com"));
}

BOOST_AUTO_TEST_CASE(a_listing_shows_ours_over_all_pages_and_zones_and_no_others) {
    GoogleSite site;
    site.hurry();
    site.set({{"page", 2}});
    const auto account = site.account();
    auto others = account;
    others.installation = "fedcba9876543210fedcba9876543210";
    for (int number = 1; number <= 5; ++number) {
        auto spec = GoogleSite::small(1000 + number, number);
        if (number > 3) spec.hardware["zone_name"] = "europe-west1-b";
        site.start(account, spec);
    }
    site.start(others, GoogleSite::small());
    BOOST_TEST(site.state().at("instances").size() == 6U);
    const auto seen = site.answer(site.provider().machines(account));
    BOOST_TEST(seen.size() == 5U);
    for (const auto& machine : seen) BOOST_TEST(machine.name.starts_with("00000001-100"));
}

BOOST_AUTO_TEST_CASE(a_machine_made_for_a_later_task_is_left_alone) {
    GoogleSite site;
    const auto account = site.account();
    site.start(account, GoogleSite::small(1001, 20));
    site.end(account, GoogleSite::small(1001, 10));
    BOOST_TEST(site.names("instances").size() == 1U);
    BOOST_TEST(site.names("disks").size() == 2U);
}

BOOST_AUTO_TEST_CASE(disks_that_are_left_are_listed_and_deleted_on_a_repeated_deletion) {
    GoogleSite site;
    const auto account = site.account();
    const auto spec = GoogleSite::small();
    site.start(account, spec);
    // Somebody takes the machine away by hand and keeps its disks.
    site.control("POST", "/-/abandon", R"({"project": "acme-1", "instance": ")" + first + "\"}");
    BOOST_TEST(site.names("disks").size() == 2U);
    const auto seen = site.answer(site.provider().machines(account));
    const auto is_disk = [](const auto& machine) { return machine.id.starts_with("disk "); };
    BOOST_TEST(std::count_if(seen.begin(), seen.end(), is_disk) == 2);
    site.end(account, spec);
    BOOST_TEST(site.names("disks").empty());
}

BOOST_AUTO_TEST_SUITE_END()
