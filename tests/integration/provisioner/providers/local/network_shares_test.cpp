#include <signal.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "provisioner/providers/local/host/network/addresses.hpp"
#include "provisioner/providers/local/host/network/network.hpp"
#include "provisioner/providers/local/host/network/rules.hpp"
#include "provisioner/providers/local/host/system.hpp"
#include "tests/integration/provisioner/providers/local/fixture.hpp"

using namespace provisioner::providers;
using namespace std::chrono_literals;
using tests::LocalHosts;
namespace fs = std::filesystem;

// What a tenant's script can take, as root of a node, of what all hosts and the machine share in
// its network: the kernel's memory of connections, of neighbours and of fragments. Each test fills
// it from a real host.
BOOST_AUTO_TEST_SUITE(network_shares)

namespace {

/// So many that each may begin few: attempts are quick.
constexpr long most_hosts = 1000;

std::string address_of(const Reachable& host) {
    return host.addresses.at("access_v4");
}

int network_of(const LocalHosts& hosts) {
    return local::claimed_network(local::StateDir(hosts.settings.state_dir));
}

std::string machine_in(const LocalHosts& hosts) {
    return local::address_of({network_of(hosts), 1});
}

long room_of_machine() {
    const fs::path setting = "/proc/sys/net/netfilter/nf_conntrack_max";
    return std::stol(local::read_file(setting).value());
}

/// A setting that is another one for the time of a test.
class Changed {
 public:
    Changed(const fs::path& setting, const std::string& value)
        : setting_(setting), before_(local::read_file(setting).value()) {
        local::write_into(setting, value);
    }
    ~Changed() { local::write_into(setting_, before_); }
    Changed(const Changed&) = delete;
    Changed& operator=(const Changed&) = delete;

 private:
    fs::path setting_;
    std::string before_;
};

/// What the machine remembers of these ends; those of SSH, which the tests use, are left out.
std::vector<std::string> remembered(const std::string& from, const std::string& to) {
    std::vector<std::string> found;
    std::istringstream lines(local::run_tool({"conntrack", "-L"}));
    for (std::string line; std::getline(lines, line);) {
        const bool is_meant = line.find("src=" + from + " dst=" + to + " ") != std::string::npos;
        if (is_meant && line.find("port=22 ") == std::string::npos) found.push_back(line);
    }
    return found;
}

long count_of(const std::string& from, const std::string& to) {
    return static_cast<long>(remembered(from, to).size());
}

/// Takes connections on port 7000 and closes none, answers "udp" there to what it writes to
/// /tmp/got.
void listen(const LocalHosts& hosts, const Reachable& host) {
    hosts.ssh(host, R"(cat >/tmp/listen <<'END'
use IO::Socket::INET;
my $tcp = IO::Socket::INET->new(Listen => 2000, LocalPort => 7000, ReuseAddr => 1) or die;
my $udp = IO::Socket::INET->new(Proto => "udp", LocalPort => 7000) or die;
if (!fork) { my @kept; while (my $c = $tcp->accept) { push @kept, $c; } }
if (!fork) {
    while ($udp->recv(my $text, 100)) { open F, ">>/tmp/got"; print F $text; close F; $udp->send("udp"); }
}
END
setsid bash -c 'ulimit -n 8192; exec perl /tmp/listen' </dev/null >/dev/null 2>&1 &
for i in $(seq 50); do [ $(ss -Hltn | grep -c ':7000') -ge 1 ] && break; sleep 0.1; done)");
}

/// Tries to connect so many times, and keeps what it gets until "let_go" is made. Prints how many
/// it got.
std::string connecting(const std::string& address, int tries) {
    return R"(rm -f /tmp/let_go; cat >/tmp/connect <<'END'
use IO::Socket::INET; $| = 1; my @all;
for (1 .. $ARGV[1]) {
    my $s = IO::Socket::INET->new(PeerAddr => $ARGV[0], PeerPort => 7000, Timeout => 0.1);
    if ($s) { push @all, $s } elsif (++$failed > 5) { last }
}
open F, ">/tmp/connected"; print F scalar @all; close F;
sleep 1 until -e "/tmp/let_go" or $waited++ > 60;
END
rm -f /tmp/connected; setsid bash -c 'ulimit -n 8192; exec perl /tmp/connect )" +
           address + " " + std::to_string(tries) + R"(' </dev/null >/dev/null 2>&1 &
until [ -s /tmp/connected ]; do sleep 0.1; done; cat /tmp/connected)";
}

/// Sends from so many ports.
std::string sending(const std::string& address, int port, int tries) {
    return "ulimit -n 8192; perl -MIO::Socket::INET -e 'for (1 .. $ARGV[2]) { my $s = "
           "IO::Socket::INET->new(Proto => \"udp\", PeerAddr => $ARGV[0], PeerPort => $ARGV[1]) or "
           "die; $s->send(\"x\"); push @all, $s }' " +
           address + " " + std::to_string(port) + " " + std::to_string(tries);
}

/// Echo requests of so many numbers, each a connection of its own to the kernel.
std::string calling(const std::string& address, int tries) {
    return R"(perl -MSocket -e 'socket(S, PF_INET, SOCK_RAW, 1) or die; my $n = 0;
for my $id (1 .. $ARGV[1]) {
    my $sum = 0x0800 + $id + 1; $sum = ($sum & 0xffff) + ($sum >> 16);
    send(S, pack("CCnnn", 8, 0, ~$sum & 0xffff, $id, 1), 0, sockaddr_in(0, inet_aton($ARGV[0]))) or die;
}' )" + address +
           " " + std::to_string(tries);
}

/// A host of a cluster that declares port 7000.
Reachable open_host(LocalHosts& hosts, const std::string& cluster, const std::string& name) {
    MachineSpec open = hosts.spec_in(cluster, name);
    open.open_ports = {"7000/tcp", "7000/udp"};
    const Reachable host = hosts.reach(open);
    listen(hosts, host);
    return host;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_cluster_says_to_itself_is_not_remembered) {
    LocalHosts hosts;
    const Reachable speaker = hosts.reach(hosts.spec("speaker"));
    const Reachable friendly = hosts.reach(hosts.spec("friend"));
    listen(hosts, friendly);
    // There the kernel shows frames between ports of a bridge to nftables.
    const fs::path shown = "/proc/sys/net/bridge/bridge-nf-call-iptables";
    const std::optional<Changed> on =
        fs::exists(shown) ? std::optional<Changed>(std::in_place, shown, "1") : std::nullopt;
    BOOST_WARN_MESSAGE(on, "this kernel shows no bridged frames to nftables");

    BOOST_TEST(hosts.ssh(speaker, connecting(address_of(friendly), 300)) == "300");
    hosts.ssh(speaker, sending(address_of(friendly), 7000, 300));
    hosts.ssh(speaker, calling(address_of(friendly), 300));
    hosts.ssh(
        speaker,
        "perl -MIO::Socket::INET -e 'for (1 .. 300) { my $s = IO::Socket::INET->new(Proto => "
        "\"udp\", Broadcast => 1, PeerAddr => \"255.255.255.255\", PeerPort => 7000) or die; "
        "$s->send(\"x\") }'; ip -6 route show >/dev/null; for i in $(seq 20); do ping -6 -c 1 "
        "-W 1 -q ff02::1%eth0 >/dev/null; done; sleep 0.3");

    // A busy machine loses datagrams. More than 300: of both kinds some have arrived.
    const int got = std::stoi(hosts.ssh(friendly, "stat -c %s /tmp/got"));
    BOOST_TEST(got > 300);
    BOOST_TEST(got <= 600);
    BOOST_TEST(count_of(address_of(speaker), address_of(friendly)) == 0);
    BOOST_TEST(count_of(address_of(speaker), "255.255.255.255") == 0);
    BOOST_TEST(local::run_tool({"conntrack", "-L", "-f", "ipv6"}).find("ff02::1") ==
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_hosts_begin_with_the_machine_counts) {
    LocalHosts hosts;
    hosts.settings.max_hosts = most_hosts;
    auto command = hosts.start_command(hosts.spec("a"));
    command.insert(command.end(), {"--machine-ports", "7103/udp"});
    local::run_tool(command);
    const Reachable host = hosts.reach(hosts.spec("a"));
    const auto each = local::connections_of_host(room_of_machine(), most_hosts);

    hosts.ssh(host, sending(machine_in(hosts), 7103, 400));
    const long by_port = count_of(address_of(host), machine_in(hosts));
    hosts.ssh(host, calling(machine_in(hosts), 400));

    BOOST_TEST(by_port >= each.at_once - 3);
    BOOST_TEST(count_of(address_of(host), machine_in(hosts)) <= each.at_once + 3);
}

BOOST_AUTO_TEST_CASE(all_hosts_together_leave_room_for_others) {
    LocalHosts hosts;
    hosts.settings.max_hosts = most_hosts;
    const auto each = local::connections_of_host(room_of_machine(), most_hosts);
    BOOST_REQUIRE(2 * each.at_once * most_hosts <= room_of_machine() / 4 * 3);
    MachineSpec open = hosts.spec_in("c2", "open");
    open.open_ports = {"7000/tcp"};
    for (const auto& spec : {open, hosts.spec("guest")}) {
        local::run_tool(hosts.start_command(spec));
    }
    const Reachable host = hosts.reach(open);
    const Reachable guest = hosts.reach(hosts.spec("guest"));
    listen(hosts, host);

    const long made = std::stol(hosts.ssh(guest, connecting(address_of(host), 400)));

    BOOST_TEST(made >= each.at_once - 3);
    BOOST_TEST(made <= each.at_once + 3);
}

BOOST_AUTO_TEST_CASE(connections_that_are_over_take_no_more_room_than_others) {
    LocalHosts hosts;
    hosts.settings.max_hosts = most_hosts;
    MachineSpec open = hosts.spec_in("c2", "open");
    open.open_ports = {"7000/tcp"};
    for (const auto& spec : {open, hosts.spec("guest")}) {
        local::run_tool(hosts.start_command(spec));
    }
    const Reachable host = hosts.reach(open);
    const Reachable guest = hosts.reach(hosts.spec("guest"));
    listen(hosts, host);
    const auto each = local::connections_of_host(room_of_machine(), most_hosts);
    const auto began = std::chrono::steady_clock::now();

    // Each is given up (RST) before the next one.
    const std::string made = hosts.ssh(
        guest,
        "perl -MIO::Socket::INET -e 'for (1 .. 600) { my $s = IO::Socket::INET->new(PeerAddr => "
        "$ARGV[0], PeerPort => 7000, Timeout => 0.01) or next; ++$made; "
        "setsockopt($s, SOL_SOCKET, SO_LINGER, pack(\"ii\", 1, 0)); close $s } print $made' " +
            address_of(host));

    const long seconds =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - began)
            .count() +
        1;
    BOOST_TEST(std::stol(made) >= each.at_once - 3);
    BOOST_TEST(std::stol(made) <= each.at_once + each.per_second * seconds + 3);
    const auto kept = remembered(address_of(guest), address_of(host));
    // For seconds, where the kernel's own limit is two minutes for TIME_WAIT.
    const std::regex closed(" (\\d+) (TIME_WAIT|CLOSE) ");
    long longest = 0;
    for (const std::string& line : kept) {
        std::smatch found;
        if (std::regex_search(line, found, closed))
            longest = std::max(longest, std::stol(found[1]));
    }
    BOOST_TEST(longest <= 2);
    BOOST_TEST(static_cast<long>(kept.size()) <= 2 * each.at_once + each.per_second * seconds + 3);
}

BOOST_AUTO_TEST_CASE(who_has_many_connections_gets_no_more_when_rules_change) {
    LocalHosts hosts;
    hosts.settings.max_hosts = most_hosts;
    MachineSpec open = hosts.spec_in("c2", "open");
    open.open_ports = {"7000/tcp"};
    for (const auto& spec : {open, hosts.spec("guest")}) {
        local::run_tool(hosts.start_command(spec));
    }
    const Reachable host = hosts.reach(open);
    const Reachable guest = hosts.reach(hosts.spec("guest"));
    listen(hosts, host);
    const auto each = local::connections_of_host(room_of_machine(), most_hosts);
    BOOST_TEST(std::stol(hosts.ssh(guest, connecting(address_of(host), 400))) >= each.at_once - 3);
    const long before = count_of(address_of(guest), address_of(host));

    // A cluster that declares other ports, as every tenant can make one.
    MachineSpec other = hosts.spec_in("c3", "other");
    other.open_ports = {"7005/tcp"};
    local::run_tool(hosts.start_command(other));
    BOOST_REQUIRE(
        local::run_tool({"nft", "list", "table", "inet", local::table_of(network_of(hosts))})
            .find("7005") != std::string::npos);
    const long more = std::stol(hosts.ssh(guest, connecting(address_of(host), 400)));

    // As many as come back in these seconds.
    BOOST_TEST(more <= 15);
    BOOST_TEST(count_of(address_of(guest), address_of(host)) <= before + 15);
    // Where somebody removed the table, nobody knows who has how many: all begin anew.
    hosts.end_oldest_helper(SIGTERM);
    local::run_tool({"nft", "delete", "table", "inet", local::table_of(network_of(hosts))});
    local::run_tool(hosts.start_command(hosts.spec_in("c3", "next")));
    BOOST_TEST(count_of(address_of(guest), address_of(host)) == 0);
}

BOOST_AUTO_TEST_CASE(a_reused_address_is_not_reached_by_what_was_open_to_its_last_host) {
    LocalHosts hosts;
    const Reachable guest = hosts.reach(hosts.spec("guest"));
    const std::string address = address_of(open_host(hosts, "c2", "victim"));
    const auto send = [&](const std::string& text) {
        return hosts.ssh(guest,
                         "perl -MIO::Socket::INET -e '$SIG{ALRM} = sub { exit }; alarm 1; my $s = "
                         "IO::Socket::INET->new(Proto => \"udp\", LocalPort => 5000, PeerAddr => "
                         "$ARGV[0], PeerPort => 7000) or die; $s->send($ARGV[1]); $s->recv($_, 9); "
                         "print' " +
                             address + " " + text + "; true");
    };
    BOOST_TEST(send("first") == "udp");
    BOOST_TEST(count_of(address_of(guest), address) == 1);

    hosts.destroy(hosts.spec_in("c2", "victim"));
    BOOST_TEST(count_of(address_of(guest), address) == 0);
    // As if it had been left there: by an earlier version, say, or by a host that died.
    local::run_tool({"conntrack", "-I", "-p", "udp", "-s", address_of(guest), "-d", address,
                     "--sport", "5000", "--dport", "7000", "--timeout", "600", "--status",
                     "SEEN_REPLY,ASSURED"});
    BOOST_TEST(count_of(address_of(guest), address) == 1);
    const Reachable next = hosts.reach(hosts.spec_in("c3", "victim"));
    listen(hosts, next);
    BOOST_REQUIRE(address_of(next) == address);

    BOOST_TEST(send("second") == "");
    BOOST_TEST(hosts.ssh(next, "cat /tmp/got 2>/dev/null; true") == "");
}

BOOST_AUTO_TEST_CASE(bridges_learn_no_addresses_that_a_host_invents) {
    LocalHosts hosts;
    const Reachable inventor = hosts.reach(hosts.spec("inventor"));
    const Reachable friendly = hosts.reach(hosts.spec("friend"));
    const auto place = local::place_of(address_of(inventor)).value();
    const std::string bridge = local::bridge_of(network_of(hosts), 0);
    const auto known = [&] {
        std::set<std::string> all;
        std::istringstream lines(local::run_tool({"bridge", "fdb", "show", "br", bridge}));
        for (std::string line; std::getline(lines, line);) all.insert(line);
        return all;
    };
    const auto taken = [&] {
        return std::stol(
            local::read_file("/sys/class/net/" + local::cable_of(place) + "/statistics/rx_packets")
                .value());
    };
    const auto before = known();
    const long taken_before = taken();
    const std::string theirs = local::mac_of(local::place_of(address_of(friendly)).value());

    // Beside invented ones that of its neighbour, whose frames it would get.
    hosts.ssh(inventor, R"(perl -e 'socket(S, 17, 3, 0x0300) or die;
my $index = `cat /sys/class/net/eth0/ifindex 2>/dev/null` || `ip -o link show eth0`; $index =~ s/\D.*//s;
my $to = pack("SnlSCCa8", 17, 0x0800, $index, 1, 0, 6, "\xff" x 6);
my $theirs = pack("H*", $ARGV[0] =~ s/://gr);
for (1 .. 2000) {
    my $from = $_ % 10 ? pack("CCN", 2, rand 256, rand 4294967295) : $theirs;
    send(S, ("\xff" x 6) . $from . "\x88\xb5" . ("x" x 46), 0, $to) or die $!;
}' )" + theirs);

    BOOST_TEST(taken() >= taken_before + 2000);
    BOOST_TEST(known() == before, boost::test_tools::per_element());
    for (const Reachable& host : {inventor, friendly}) {
        const auto at = local::place_of(address_of(host)).value();
        bool is_static = false;
        for (const std::string& line : before) {
            is_static =
                is_static ||
                (line.starts_with(local::mac_of(at) + " dev " + local::cable_of(at) + " ") &&
                 line.find("static") != std::string::npos);
        }
        BOOST_TEST(is_static, address_of(host));
    }
}

BOOST_AUTO_TEST_CASE(fragments_are_put_together_within_a_cluster_only) {
    LocalHosts hosts;
    const Reachable host = hosts.reach(hosts.spec("a"));
    const Reachable friendly = hosts.reach(hosts.spec("friend"));
    const auto pings = [&](const std::string& address, const std::string& size) {
        return hosts.ssh(host, "ping -c 1 -W 1 -q -s " + size + " " + address +
                                   " >/dev/null && echo reached || echo not reached");
    };

    BOOST_TEST(pings(address_of(friendly), "4000") == "reached\n");
    BOOST_TEST(pings(machine_in(hosts), "1000") == "reached\n");
    BOOST_TEST(pings(machine_in(hosts), "4000") == "not reached\n");
}

BOOST_AUTO_TEST_SUITE_END()
