#include <signal.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <thread>

#include "provisioner/providers/local/host/network/addresses.hpp"
#include "provisioner/providers/local/host/network/bridges.hpp"
#include "provisioner/providers/local/host/network/firewall.hpp"
#include "provisioner/providers/local/host/network/network.hpp"
#include "provisioner/providers/local/host/network/rules.hpp"
#include "provisioner/providers/local/host/system.hpp"
#include "tests/integration/provisioner/providers/local/fixture.hpp"

using namespace provisioner::providers;
using namespace std::chrono_literals;
using tests::LocalHosts;
namespace fs = std::filesystem;

// What becomes of rules, bridges and settings that somebody else changes, and where there are none.
BOOST_AUTO_TEST_SUITE(network_rules)

namespace {

int network_of(const LocalHosts& hosts) {
    return local::claimed_network(local::StateDir(hosts.settings.state_dir));
}

std::vector<std::string> of_table(const LocalHosts& hosts, std::vector<std::string> words) {
    const std::vector<std::string> table = {"table", "inet", local::table_of(network_of(hosts))};
    words.insert(words.begin(), "nft");
    words.insert(words.end(), table.begin(), table.end());
    return words;
}

/// What is reached by ping: both are printed, so that a test is never silent because ping is not
/// there.
std::string pings(const LocalHosts& hosts, const Reachable& host, const std::string& address) {
    return hosts.ssh(
        host, "ping -c 1 -W 1 -q " + address + " >/dev/null && echo reached || echo not reached");
}

std::string address_of(const Reachable& host) {
    return host.addresses.at("access_v4");
}

std::string failure_of(const std::vector<std::string>& command) {
    try {
        return "no failure: " + local::run_tool(command);
    } catch (const local::Failure& failure) {
        return failure.what();
    }
}

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// The command where there is no nftables.
std::vector<std::string> without_nft(std::vector<std::string> command) {
    const std::vector<std::string> around = {
        "unshare",
        "--mount",
        "sh",
        "-c",
        "mount --bind /bin/false $(command -v nft) && exec \"$@\"",
        "sh"};
    command.insert(command.begin(), around.begin(), around.end());
    return command;
}

std::vector<std::string> of_tenant(const LocalHosts& hosts, const MachineSpec& spec,
                                   const std::string& tenant) {
    auto command = hosts.start_command(spec);
    command.insert(command.end(), {"--tenant", tenant});
    return command;
}

/// Puts the hosts on one bridge, as earlier versions did.
void put_on_one_bridge(const LocalHosts& hosts) {
    const int network = network_of(hosts);
    const std::string bridge = local::name_of(network);
    std::string lines = "link add name " + bridge + " type bridge\n";
    for (const std::string& name : local::interfaces_of(network)) {
        if (name.starts_with(bridge + "-")) {
            lines += "link set dev " + name + " master " + bridge + "\n";
        }
    }
    for (const std::string& name : local::interfaces_of(network)) {
        if (name.starts_with(local::bridges_of(network))) lines += "link del dev " + name + "\n";
    }
    lines += "addr add " + local::address_of({network, 1}) + "/22 dev " + bridge +
             "\nlink set dev " + bridge + " up\nroute del unreachable " + local::range_of(network) +
             "\n";
    local::run_tool({"ip", "-batch", "-"}, lines);
    fs::remove(fs::path(hosts.settings.state_dir) / "cluster-networks");
}

}  // namespace

BOOST_AUTO_TEST_CASE(rules_that_somebody_removed_or_emptied_are_back_with_the_next_start) {
    LocalHosts hosts;
    hosts.reach(hosts.spec("a"));
    const std::string before = local::run_tool(of_table(hosts, {"--terse", "list"}));
    BOOST_TEST(mentions(before, "drop"));
    hosts.end_oldest_helper(SIGTERM);
    int number = 0;
    for (const char* what : {"delete", "flush"}) {
        local::run_tool(of_table(hosts, {what}));

        local::run_tool(hosts.start_command(hosts.spec("b" + std::to_string(++number))));

        BOOST_TEST(local::run_tool(of_table(hosts, {"--terse", "list"})) == before, what);
    }
}

BOOST_AUTO_TEST_CASE(the_helper_sees_what_somebody_changes_within_seconds) {
    LocalHosts hosts;
    hosts.reach(hosts.spec("a"));
    const std::string before = local::run_tool(of_table(hosts, {"--terse", "list"}));
    const std::string setting =
        "/proc/sys/net/ipv4/conf/" + local::bridge_of(network_of(hosts), 0) + "/forwarding";
    const auto now = [&] {
        try {
            return local::run_tool(of_table(hosts, {"--terse", "list"}));
        } catch (const local::Failure&) {
            return std::string("none");
        }
    };

    local::write_into(setting, "0");
    local::run_tool(of_table(hosts, {"delete"}));
    for (int tries = 0; tries < 100 && now() != before; ++tries) {
        std::this_thread::sleep_for(100ms);
    }

    BOOST_TEST(now() == before);
    std::this_thread::sleep_for(200ms);
    BOOST_TEST(local::read_file(setting).value() == "1\n");
}

BOOST_AUTO_TEST_CASE(a_start_that_changes_nothing_loads_no_rules) {
    LocalHosts hosts;
    hosts.reach(hosts.spec("a"));
    const auto handle = [&] { return local::run_tool(of_table(hosts, {"--handle", "list"})); };
    const std::string before = handle();

    hosts.create(hosts.spec("b"));
    hosts.create(hosts.spec_in("c2", "c"));

    BOOST_TEST(handle() == before);
}

BOOST_AUTO_TEST_CASE(forwarding_that_somebody_switched_off_is_on_again_with_the_next_start) {
    LocalHosts hosts;
    hosts.reach(hosts.spec("a"));
    const std::string setting =
        "/proc/sys/net/ipv4/conf/" + local::bridge_of(network_of(hosts), 0) + "/forwarding";
    hosts.end_oldest_helper(SIGTERM);
    local::write_into(setting, "0");

    local::run_tool(hosts.start_command(hosts.spec_in("c2", "b")));

    BOOST_TEST(local::read_file(setting).value() == "1\n");
}

/// A network namespace stands for a machine whose owner has rules.
constexpr const char* with_rules_of_the_owner = R"(
    ip link set lo up
    nft add table inet owner
    nft add chain inet owner input '{ type filter hook input priority 0; policy accept; }'
    nft add rule inet owner input tcp dport 22 counter accept
    nft add table ip cooperage_elsewhere
    nft list ruleset >"$owners"
    "$@" >&2 || exit 1
    nft list ruleset | grep -c 'table inet cooperage_'
    "$1" stop "$3" --state "$5" >&2
    nft list ruleset | diff "$owners" - && echo as before)";

BOOST_AUTO_TEST_CASE(rules_of_the_machines_owner_are_left_alone) {
    LocalHosts hosts;
    std::vector<std::string> command = {
        "env",
        "owners=" + (hosts.folder() / "owners").string(),
        "unshare",
        "--net",
        "sh",
        "-c",
        std::string("{ ") + with_rules_of_the_owner + "\n} 2>/dev/null",
        "sh"};
    const auto start = hosts.start_command(hosts.spec("a"));
    command.insert(command.end(), start.begin(), start.end());

    BOOST_TEST(local::run_tool(command) == "1\nas before\n");
}

BOOST_AUTO_TEST_CASE(without_nftables_a_second_tenant_is_refused_with_the_reason) {
    LocalHosts hosts;
    local::run_tool(without_nft(of_tenant(hosts, hosts.spec_in("c1", "a"), "1")));
    local::run_tool(without_nft(of_tenant(hosts, hosts.spec_in("c2", "b"), "1")));

    const std::string refused =
        failure_of(without_nft(of_tenant(hosts, hosts.spec_in("c3", "c"), "2")));

    BOOST_TEST(mentions(refused, "\"error\":\"tenant\""), refused);
    BOOST_TEST(mentions(refused, "package nftables"), refused);
    BOOST_TEST(mentions(refused, "local.mix_tenants"), refused);
    BOOST_TEST(!fs::exists(hosts.settings.state_dir + "/machines/c"));
    // Bridges keep clusters apart even so.
    const Reachable first = hosts.reach(hosts.spec("a"));
    const Reachable second = hosts.reach(hosts.spec_in("c2", "b"));
    BOOST_TEST(pings(hosts, first, address_of(second)) == "not reached\n");
    // Where nftables has come since, there is nothing in the way.
    local::run_tool(of_tenant(hosts, hosts.spec_in("c3", "c"), "2"));
}

BOOST_AUTO_TEST_CASE(hosts_of_an_earlier_version_get_the_networks_of_their_clusters) {
    LocalHosts hosts;
    const Reachable first = hosts.reach(hosts.spec("a"));
    const Reachable friendly = hosts.reach(hosts.spec("b"));
    const Reachable stranger = hosts.reach(hosts.spec_in("c2", "c"));
    put_on_one_bridge(hosts);
    BOOST_TEST(pings(hosts, first, address_of(stranger)) == "reached\n");

    const Reachable next = hosts.reach(hosts.spec("next"));

    for (const Reachable& host : {friendly, next}) {
        BOOST_TEST(pings(hosts, first, address_of(host)) == "reached\n");
    }
    BOOST_TEST(pings(hosts, first, address_of(stranger)) == "not reached\n");
    BOOST_TEST(!fs::exists("/sys/class/net/" + local::name_of(network_of(hosts))));
}

BOOST_AUTO_TEST_CASE(a_helper_that_starts_keeps_hosts_of_an_earlier_version_apart) {
    LocalHosts hosts;
    const Reachable first = hosts.reach(hosts.spec("a"));
    const Reachable friendly = hosts.reach(hosts.spec("b"));
    MachineSpec open = hosts.spec_in("c2", "c");
    open.open_ports = {"22/tcp"};
    const Reachable stranger = hosts.reach(open);
    const auto greets = [&] {
        return hosts.ssh(first, "timeout 2 bash -c 'head -c 4 </dev/tcp/" + address_of(stranger) +
                                    "/22' 2>/dev/null; true");
    };
    hosts.end_oldest_helper(SIGTERM);
    const int network = network_of(hosts);
    put_on_one_bridge(hosts);
    local::drop_rules(network);
    BOOST_TEST(pings(hosts, first, address_of(stranger)) == "reached\n");

    hosts.start_helper();

    BOOST_TEST(pings(hosts, first, address_of(stranger)) == "not reached\n");
    BOOST_TEST(pings(hosts, first, address_of(friendly)) == "reached\n");
    // What its cluster declares is open as soon as the old neighbour is forgotten: the kernel asks
    // again after at most 45 s, and gives up on the old one some seconds later.
    std::string greeting = greets();
    for (int tries = 0; tries < 40 && greeting.empty(); ++tries) {
        std::this_thread::sleep_for(1s);
        greeting = greets();
    }
    BOOST_TEST(greeting == "SSH-");
    const auto place = local::place_of(address_of(first)).value();
    BOOST_TEST(
        mentions(local::run_tool({"bridge", "-d", "link", "show", "dev", local::cable_of(place)}),
                 "learning off"));
}

BOOST_AUTO_TEST_CASE(a_helper_that_starts_puts_rules_back_that_are_gone) {
    LocalHosts hosts;
    hosts.reach(hosts.spec("a"));
    const std::string before = local::run_tool(of_table(hosts, {"--terse", "list"}));
    hosts.end_oldest_helper(SIGTERM);
    local::run_tool(of_table(hosts, {"delete"}));

    hosts.start_helper();

    BOOST_TEST(local::run_tool(of_table(hosts, {"--terse", "list"})) == before);
}

BOOST_AUTO_TEST_CASE(a_cluster_whose_last_host_goes_leaves_no_bridge_and_no_open_port) {
    LocalHosts hosts;
    hosts.reach(hosts.spec("stays"));
    MachineSpec goes = hosts.spec_in("c2", "goes");
    goes.open_ports = {"7000/tcp"};
    hosts.reach(goes);
    const std::string bridge = local::bridge_of(network_of(hosts), 1);
    BOOST_TEST(fs::exists("/sys/class/net/" + bridge));

    hosts.destroy(goes);

    BOOST_TEST(!fs::exists("/sys/class/net/" + bridge));
    hosts.create(hosts.spec_in("c3", "next"));
    BOOST_TEST(!mentions(local::run_tool(of_table(hosts, {"list"})), "7000"));
}

BOOST_AUTO_TEST_SUITE_END()
