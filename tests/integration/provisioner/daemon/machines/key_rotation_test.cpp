#include "provisioner/daemon/machines/key_rotation.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/integration/provisioner/daemon/machines/rotation_site.hpp"

using namespace provisioner;
using tests::RotationSite;

BOOST_AUTO_TEST_SUITE(key_rotation)

BOOST_AUTO_TEST_CASE(nodes_get_a_new_key_and_take_no_older_one) {
    RotationSite site;
    site.rotation->run();
    BOOST_TEST(site.machines.actions == 0, "nobody connects while there is no key of the vault");

    const auto first = site.rotate();
    site.go_on();

    BOOST_TEST(site.progress(first).done == 3);
    const auto known = site.stored_keys();
    for (const auto& [address, keys] : site.machines.keys) {
        BOOST_TEST(keys.size() == 1U);
        BOOST_TEST(!keys.contains(site.installation.private_key.reveal()));
        BOOST_TEST(known.contains(*keys.begin()));
    }
    const auto second = site.rotate();
    BOOST_TEST(site.states() == "replaced current");
    site.go_on();
    BOOST_TEST(site.progress(second).done == 3);
    BOOST_TEST(site.states() == "retired current");
    BOOST_TEST(site.one("SELECT private_key AS value FROM login_key WHERE state = 'retired'") ==
               "");
    BOOST_TEST(site.one("SELECT GROUP_CONCAT(action ORDER BY number SEPARATOR ' ') AS value FROM "
                        "audit_event WHERE action LIKE 'login-key.%'") ==
               "login-key.rotate login-key.spread login-key.rotate login-key.spread "
               "login-key.retire");
}

BOOST_AUTO_TEST_CASE(a_node_that_is_down_keeps_the_older_key_alive_and_is_tried_again) {
    RotationSite site;
    site.rotate();
    site.go_on();
    const std::string lost = site.addresses().front();
    site.machines.down = {lost};

    const auto key = site.rotate();
    site.go_on();
    site.go_on();

    BOOST_TEST(site.progress(key).done == 2);
    BOOST_TEST(site.progress(key).failed == 1);
    BOOST_TEST(site.states() == "replaced current");
    BOOST_TEST(site.all_can_be_reached());
    BOOST_TEST(site.one("SELECT message AS value FROM node_login_key WHERE step <> 'done'") ==
               lost + ": no route to host");
    BOOST_TEST(site.one("SELECT tries AS value FROM node_login_key WHERE step <> 'done'") == "2");

    site.machines.down.clear();
    site.go_on();

    BOOST_TEST(site.progress(key).done == 3);
    BOOST_TEST(site.states() == "retired current");
}

BOOST_AUTO_TEST_CASE(a_key_is_not_taken_away_because_a_table_knows_less) {
    RotationSite site;
    site.rotate();
    site.go_on();
    // Nothing says of this type that its machines have keys of the vault, as after the start of a
    // daemon of an earlier version.
    site.sql("UPDATE cluster SET snapshot = JSON_SET(snapshot, '$.provider.providertype', 'aws')");

    site.rotate();
    site.go_on();

    BOOST_TEST(site.states() == "replaced current");
    BOOST_TEST(site.all_can_be_reached());
}

BOOST_AUTO_TEST_CASE(a_daemon_that_is_killed_anywhere_leaves_nodes_that_another_brings_on) {
    int killed = 0;
    for (int at = 1; at < 40; ++at) {
        RotationSite site;
        site.rotate();
        site.go_on();
        const auto key = site.rotate();
        site.machines.actions = 0;
        site.machines.killed_at = at;

        site.go_on();

        BOOST_TEST(site.all_can_be_reached(), "killed at action " << at);
        if (site.machines.actions < at) break;
        ++killed;
        for (int again = 0; again < 2; ++again) site.go_on();
        BOOST_TEST(site.progress(key).done == 3, "killed at action " << at);
        BOOST_TEST(site.states() == "retired current");
    }
    BOOST_TEST(killed > 10);
}

BOOST_AUTO_TEST_CASE(nodes_that_are_made_meanwhile_hold_older_keys_back_until_they_are_looked_at) {
    RotationSite site;
    site.rotate();
    site.go_on();
    const std::string late = site.addresses().front();
    site.sql(
        "UPDATE node SET addresses = '{}' WHERE nodenum = (SELECT MIN(nodenum) FROM (SELECT "
        "nodenum FROM node) AS all_nodes)");
    site.sql(
        "DELETE FROM node_login_key WHERE node_id NOT IN (SELECT id FROM node WHERE addresses "
        "<> '{}')");
    BOOST_TEST(site.one("SELECT status AS value FROM cluster") == "pending");

    const auto key = site.rotate();
    site.go_on();
    BOOST_TEST(site.progress(key).done == 2);
    BOOST_TEST(site.states() == "replaced current");

    site.sql("UPDATE node SET addresses = JSON_OBJECT('access_v4', '" + late +
             "') WHERE addresses = '{}'");
    site.go_on();
    BOOST_TEST(site.progress(key).done == 3);
    BOOST_TEST(site.states() == "retired current");
}

BOOST_AUTO_TEST_CASE(a_third_key_waits_until_the_first_is_needed_no_more) {
    RotationSite site;
    for (const std::string& address : site.addresses()) site.machines.down.insert(address);
    site.rotate();
    site.rotate();
    site.rotate();

    const auto refused =
        operations::rotate_login_key(site.db(), site.site.caller, "", base::SystemClock().now());

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == operations::Refusal::Kind::conflict));
}

BOOST_AUTO_TEST_CASE(a_provider_whose_machines_carry_other_keys_is_refused) {
    RotationSite site;
    site.type.login_keys = false;
    site.db().write([&](store::Connection& connection) {
        store::save_plugin_type(connection, site.type, base::SystemClock().now());
    });

    const auto refused = operations::rotate_login_key(site.db(), site.site.caller, "cloud",
                                                      base::SystemClock().now());
    const auto unknown = operations::rotate_login_key(site.db(), site.site.caller, "nobody",
                                                      base::SystemClock().now());

    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().kind == operations::Refusal::Kind::conflict));
    BOOST_REQUIRE(!unknown.has_value());
    BOOST_TEST((unknown.error().kind == operations::Refusal::Kind::not_found));
}

BOOST_AUTO_TEST_SUITE_END()
