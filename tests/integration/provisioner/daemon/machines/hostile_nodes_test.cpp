#include <boost/test/unit_test.hpp>

#include "provisioner/daemon/machines/key_rotation.hpp"
#include "tests/integration/provisioner/daemon/machines/rotation_site.hpp"

using namespace provisioner;
using tests::RotationSite;

// What nodes, rows, daemons and people do that must not stop a rotation.
BOOST_AUTO_TEST_SUITE(key_rotation_among_hostile_nodes)

namespace {

constexpr auto first_node = "id = (SELECT MIN(id) FROM (SELECT id FROM node) AS all_nodes)";

operations::Result<int> give_up(RotationSite& site, const model::LoginKeyRow& key,
                                const std::vector<std::string>& nodes) {
    return operations::give_up_older_keys(site.db(), site.site.caller, key.id, nodes);
}

std::vector<model::NodeLogin> nodes_of(RotationSite& site, const model::LoginKeyRow& key) {
    return site.db().read([&](store::Connection& connection) {
        return store::nodes_for_key(connection, key.id, 100);
    });
}

/// What the server says about how it reads, a line for each table.
std::string plan_of(RotationSite& site, const std::string& statement) {
    const auto connection = queue::connect(site.site.fresh.root);
    const auto row = queue::select(*connection, "EXPLAIN " + statement);
    std::string plan;
    while (row->next()) {
        plan += row->getString("table") + "|" + row->getString("type") + "|" +
                row->getString("key") + "|" + row->getString("Extra") + "\n";
    }
    return plan;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_node_without_a_machine_does_not_keep_a_rotation_open) {
    RotationSite site;
    site.rotate();
    site.go_on();
    // Nothing makes its machine any more, and nothing was made.
    site.sql("UPDATE cluster SET status = 'incomplete'");
    site.sql(std::string("UPDATE node SET addresses = '{}', results = '{}' WHERE ") + first_node);
    site.sql(
        "DELETE FROM node_login_key WHERE node_id IN (SELECT id FROM node WHERE addresses = '{}')");

    const auto key = site.rotate();
    site.go_on();

    const auto progress = site.progress(key);
    BOOST_TEST(progress.nodes == 2);
    BOOST_TEST(progress.done == 2);
    BOOST_TEST(progress.without_machine == 1);
    BOOST_TEST(site.states() == "retired current");
    BOOST_TEST((nodes_of(site, key).front().standing == model::LoginStanding::without_machine));
}

BOOST_AUTO_TEST_CASE(a_machine_that_was_made_and_has_no_address_counts) {
    RotationSite site;
    site.rotate();
    site.go_on();
    site.sql("UPDATE cluster SET status = 'incomplete'");
    site.sql(std::string("UPDATE node SET addresses = '{}', results = JSON_OBJECT('providerid', "
                         "'i-7') WHERE ") +
             first_node);
    site.sql(
        "DELETE FROM node_login_key WHERE node_id IN (SELECT id FROM node WHERE addresses = '{}')");

    const auto key = site.rotate();
    site.go_on();

    BOOST_TEST(site.progress(key).nodes == 3);
    BOOST_TEST(site.states() == "replaced current");
    BOOST_TEST((nodes_of(site, key).front().standing == model::LoginStanding::without_address));

    BOOST_TEST(give_up(site, key, site.uuids(first_node)).value() == 1);
    site.go_on();
    BOOST_TEST(site.states() == "retired current");
}

BOOST_AUTO_TEST_CASE(a_node_whose_removal_failed_gets_the_key) {
    RotationSite site;
    site.rotate();
    site.go_on();
    site.site.succeed_all();
    site.sql("UPDATE job SET status = 'running', finished_at = NULL");
    site.sql(std::string("UPDATE node SET leaves_job_id = (SELECT MAX(id) FROM job) WHERE ") +
             first_node);
    const auto key = site.rotate();
    site.go_on();
    BOOST_TEST(site.progress(key).done == 2, "nobody touches a node while a job removes it");
    BOOST_TEST((nodes_of(site, key).front().standing == model::LoginStanding::leaving));

    site.sql("UPDATE job SET status = 'failed', finished_at = created_at");
    site.go_on();

    BOOST_TEST(site.progress(key).done == 3);
    BOOST_TEST(site.states() == "retired current");
}

BOOST_AUTO_TEST_CASE(an_administrator_gives_the_older_keys_of_nodes_up) {
    RotationSite site;
    site.rotate();
    site.go_on();
    const std::string lost = site.addresses().front();
    site.machines.down = {lost};
    site.rotate();
    site.go_on();
    const auto key = site.rotate();
    site.go_on();
    BOOST_TEST(site.states() == "replaced replaced current");
    BOOST_TEST(
        !operations::rotate_login_key(site.db(), site.site.caller, "", base::SystemClock().now())
             .has_value());
    const auto lost_nodes = site.uuids("addresses LIKE '%" + lost + "%'");
    BOOST_REQUIRE(lost_nodes.size() == 1U);

    BOOST_TEST(give_up(site, key, lost_nodes).value() == 1);
    site.go_on();

    BOOST_TEST(site.states() == "retired retired current");
    BOOST_TEST(site.progress(key).given_up == 1);
    BOOST_TEST(site.progress(key).nodes == 2);
    BOOST_TEST(site.one("SELECT after_value AS value FROM audit_event WHERE action = "
                        "'login-key.give-up'")
                   .find(lost_nodes.front()) != std::string::npos);
    // It comes back, with a key that was given up: it stays as it is, and is tried again.
    site.machines.down.clear();
    site.go_on();
    BOOST_TEST(site.progress(key).given_up == 1);
    // The next key asks again.
    const auto next = site.rotate();
    site.go_on();
    BOOST_TEST(site.progress(next).given_up == 0);
    BOOST_TEST(site.states() == "retired retired replaced current");
}

BOOST_AUTO_TEST_CASE(only_nodes_on_their_way_can_be_given_up_and_all_others_are_named) {
    RotationSite site;
    const auto old = site.rotate();
    site.go_on();
    const auto key = site.rotate();
    const auto nodes = site.uuids("1 = 1");

    const auto none = give_up(site, key, {});
    const auto stale = give_up(site, old, nodes);
    const auto unknown = give_up(site, {.id = model::LoginKeyId{999}}, nodes);
    site.go_on();
    const auto wrong = give_up(site, key, {nodes[0], nodes[1], "nobody"});

    BOOST_TEST((none.error().kind == operations::Refusal::Kind::invalid));
    BOOST_TEST((stale.error().kind == operations::Refusal::Kind::conflict));
    BOOST_TEST((unknown.error().kind == operations::Refusal::Kind::not_found));
    BOOST_REQUIRE(!wrong.has_value());
    BOOST_TEST(wrong.error().problems.size() == 3U);

    auto other = tests::a_caller(site.db(), "others");
    const auto foreign = operations::give_up_older_keys(site.db(), other, key.id, nodes);
    BOOST_TEST((foreign.error().kind == operations::Refusal::Kind::not_found));
}

BOOST_AUTO_TEST_CASE(a_daemon_leaves_a_node_alone_that_another_one_holds_for_an_earlier_key) {
    RotationSite site;
    site.rotate();
    site.go_on();
    site.rotate();
    const auto other = site.a_daemon();
    const std::string address = site.addresses().front();
    bool is_first = true;
    model::LoginKeyRow third;
    site.machines.on_connect = [&](const std::string& at) {
        if (at != address || !is_first) return;
        is_first = false;
        // In the middle of the first daemon's try.
        third = site.rotate();
        other->run();
        BOOST_TEST(site.machines.connections[address] == 4,
                   "3 of the first key, 1 of the second, and none of another daemon");
    };
    site.machines.connections.clear();
    site.machines.connections[address] = 3;
    site.go_on();
    site.machines.on_connect = {};
    BOOST_TEST(!is_first);
    BOOST_TEST(site.one("SELECT COUNT(*) AS value FROM node_login_key WHERE step = 'done' AND "
                        "key_id <> " +
                        std::to_string(third.id.value)) == "0");

    site.go_on();
    BOOST_TEST(site.progress(third).done == 3);
    const auto known = site.stored_keys();
    for (const auto& [at, keys] : site.machines.keys) {
        BOOST_TEST(keys.size() == 1U);
        BOOST_TEST(known.contains(*keys.begin()));
    }
    BOOST_TEST(site.states() == "retired retired current");
}

BOOST_AUTO_TEST_CASE(a_daemon_that_was_slower_than_its_hold_changes_nothing_any_more) {
    RotationSite site;
    site.rotate();
    site.go_on();
    const auto key = site.rotate();
    const auto other = site.a_daemon();
    bool is_first = true;
    site.machines.on_connect = [&](const std::string&) {
        if (!is_first) return;
        is_first = false;
        site.sql(
            "UPDATE node_login_key SET held_until = NULL, due_at = UTC_TIMESTAMP(6) - "
            "INTERVAL 1 SECOND WHERE step <> 'done'");
        other->run();
        BOOST_TEST(site.progress(key).done == 3);
    };
    const auto message =
        "SELECT COALESCE(GROUP_CONCAT(message, tries SEPARATOR ''), '') AS value "
        "FROM node_login_key";

    site.rotation->run();

    BOOST_TEST(site.progress(key).done == 3);
    BOOST_TEST(site.one(message) == "000");
    BOOST_TEST(site.lines.str().find("login_key.node_lost") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(nodes_that_hang_cost_their_own_time_and_no_others) {
    RotationSite site;
    site.patience = std::chrono::seconds{2};
    site.slots = 1;
    site.start();
    const auto addresses = site.addresses();
    site.machines.hanging = {addresses[0]};
    const auto key = site.rotate();
    const auto began = std::chrono::steady_clock::now();

    site.go_on();

    BOOST_TEST(site.progress(key).done == 2);
    BOOST_TEST(site.progress(key).failed == 1);
    BOOST_TEST((std::chrono::steady_clock::now() - began < std::chrono::seconds{15}));
    BOOST_TEST(site.one("SELECT message AS value FROM node_login_key WHERE step <> 'done'") ==
               "the node did not answer in time");
}

BOOST_AUTO_TEST_CASE(a_damaged_snapshot_is_noted_on_its_node_and_the_others_go_on) {
    RotationSite site;
    const std::string type = site.provider_type();
    // A second cluster of the same kind, which is sound.
    site.sql(
        "INSERT INTO cluster (tenant_id, owner, name, description, status, message, "
        "created_at, services, config, snapshot, headers, node_count) SELECT tenant_id, "
        "owner, 'sound', '', 'active', '', created_at, services, config, snapshot, headers, 1 "
        "FROM cluster LIMIT 1");
    site.sql(
        "UPDATE node SET cluster_id = (SELECT MAX(id) FROM cluster) WHERE nodenum = (SELECT "
        "MAX(nodenum) FROM (SELECT nodenum FROM node) AS all_nodes)");
    site.sql("UPDATE cluster SET snapshot = JSON_OBJECT('provider', JSON_OBJECT('providertype', '" +
             type + "')) WHERE name <> 'sound'");
    const auto key = site.rotate();

    site.go_on();

    BOOST_TEST(site.progress(key).nodes == 3);
    BOOST_TEST(site.progress(key).done == 1);
    BOOST_TEST(site.progress(key).failed == 2);
    BOOST_TEST(site.one("SELECT MIN(message) <> '' AS value FROM node_login_key WHERE step <> "
                        "'done'") == "1");
}

BOOST_AUTO_TEST_CASE(a_damaged_older_key_does_not_stop_the_way_to_a_newer_one) {
    RotationSite site;
    site.rotate();
    const auto key = site.rotate();
    site.sql("UPDATE login_key SET private_key = 'damaged' WHERE state = 'replaced'");

    site.go_on();

    BOOST_TEST(site.progress(key).done == 3);
    BOOST_TEST(site.states() == "retired current");
}

BOOST_AUTO_TEST_CASE(what_is_due_is_asked_of_an_index) {
    RotationSite site;
    site.rotate();
    site.go_on();
    const auto is_due = [&] {
        return site.db().look(
            [](store::Connection& connection) { return store::is_login_key_due(connection); });
    };
    BOOST_TEST(!is_due(), "all nodes have it");
    const std::string plan =
        plan_of(site,
                "SELECT COALESCE((SELECT MIN(due_at) FROM node_login_key) <= "
                "UTC_TIMESTAMP(6), 0) OR EXISTS (SELECT 1 FROM login_key WHERE "
                "state = 'current' AND enlisted_at IS NULL) AS is_due");
    BOOST_TEST(plan.find("Select tables optimized away") != std::string::npos, plan);
    BOOST_TEST(plan.find("login_key|ref|login_key_unlisted|") != std::string::npos, plan);
    BOOST_TEST(plan.find("|ALL|") == std::string::npos, plan);
    BOOST_TEST(plan.find("cluster|") == std::string::npos, plan);

    site.rotate();
    BOOST_TEST(is_due(), "a key was made");
}

BOOST_AUTO_TEST_SUITE_END()
