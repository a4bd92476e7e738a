#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdio>
#include <thread>

#include "provisioner/providers/local/host/network/addresses.hpp"
#include "provisioner/providers/local/host/network/network.hpp"
#include "provisioner/providers/local/host/network/rules.hpp"
#include "provisioner/providers/local/host/processes.hpp"
#include "provisioner/providers/local/host/system.hpp"
#include "tests/integration/provisioner/providers/local/fixture.hpp"

using namespace provisioner::providers;
using namespace std::chrono_literals;
using tests::LocalHosts;

// What a tenant's script can try as root of a node to reach what is not its cluster's. Each test
// tries it from a real host, and tries beside it what must work, with the same commands. A script
// prints what it has reached, so a closed way prints nothing.
BOOST_AUTO_TEST_SUITE(network_escapes)

namespace {

std::string address_of(const Reachable& host) {
    return host.addresses.at("access_v4");
}

std::string got_by(const LocalHosts& hosts, const Reachable& host, const std::string& script) {
    return hosts.ssh(host, "exec 2>/tmp/errors; " + script + "; true");
}

int network_of(const LocalHosts& hosts) {
    return local::claimed_network(local::StateDir(hosts.settings.state_dir));
}

std::string machine_in(const LocalHosts& hosts) {
    return local::address_of({network_of(hosts), 1});
}

/// As frames have it: "0a4d0001".
std::string in_hex(const std::string& address) {
    in_addr number{};
    inet_pton(AF_INET, address.c_str(), &number);
    char text[9];
    std::snprintf(text, sizeof text, "%08x", ntohl(number.s_addr));
    return text;
}

/// Answers "tcp" on each of the ports, and writes what comes by UDP to /tmp/got.
void listen(const LocalHosts& hosts, const Reachable& host, const std::string& ports) {
    hosts.ssh(host, R"(cat >/tmp/listen <<'END'
use IO::Socket::INET;
for my $port (@ARGV) {
    my $tcp = IO::Socket::INET->new(Listen => 2000, LocalPort => $port, ReuseAddr => 1) or die;
    my $udp = IO::Socket::INET->new(Proto => "udp", LocalPort => $port) or die;
    if (!fork) { my @kept; while (my $c = $tcp->accept) { $c->autoflush; print $c "tcp"; push @kept, $c; } }
    if (!fork) {
        while ($udp->recv(my $text, 100)) { open F, ">>/tmp/got"; print F $text; close F; $udp->send("udp"); }
    }
}
END
setsid bash -c 'ulimit -n 8192; exec perl /tmp/listen )" +
                        ports + R"(' </dev/null >/dev/null 2>&1 &
for i in $(seq 50); do [ $(ss -Hltn | grep -c ':70') -ge 1 ] && break; sleep 0.1; done)");
}

/// Prints what answers at the address: by TCP, by UDP, by ICMP. A silent one takes a second.
std::string reaching(const std::string& address, const std::string& port) {
    return "perl -MIO::Socket::INET -e '$SIG{ALRM} = sub { exit }; alarm 2; "
           "my $s = IO::Socket::INET->new(PeerAddr => $ARGV[0], PeerPort => $ARGV[1], "
           "Timeout => 1) or exit; $s->sysread($_, 9); print \"$_ \"' " +
           address + " " + port +
           " >/tmp/tcp & perl -MIO::Socket::INET -e '$SIG{ALRM} = sub { exit }; alarm 1; "
           "my $s = IO::Socket::INET->new(Proto => \"udp\", PeerAddr => $ARGV[0], "
           "PeerPort => $ARGV[1]) or exit; $s->send(\"honest \"); $s->recv($_, 9); print \"$_ "
           "\"' " +
           address + " " + port + " >/tmp/udp & ping -c 1 -W 1 -q " + address +
           " >/tmp/x && echo -n icmp >/tmp/icmp & wait; cat /tmp/tcp /tmp/udp /tmp/icmp; "
           "rm /tmp/tcp /tmp/udp /tmp/icmp";
}

/// A TCP and a UDP socket of this process that wait for others. TCP answers by its backlog.
class Listener {
 public:
    Listener(const std::string& address, int port) {
        sockaddr_in at{};
        at.sin_family = AF_INET;
        at.sin_port = htons(static_cast<std::uint16_t>(port));
        BOOST_REQUIRE(inet_pton(AF_INET, address.c_str(), &at.sin_addr) == 1);
        tcp_ = local::Fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        const int on = 1;
        setsockopt(tcp_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        BOOST_REQUIRE(bind(tcp_.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) == 0);
        BOOST_REQUIRE(::listen(tcp_.get(), 10) == 0);
        udp_ = local::Fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        BOOST_REQUIRE(bind(udp_.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) == 0);
    }

    /// How many have connected or sent something since the last call.
    int guests() {
        int count = 0;
        while (true) {
            const local::Fd one(accept4(tcp_.get(), nullptr, nullptr, SOCK_CLOEXEC));
            if (one.get() < 0) break;
            ++count;
        }
        char text[100];
        while (recv(udp_.get(), text, sizeof text, 0) >= 0) ++count;
        return count;
    }

 private:
    local::Fd tcp_;
    local::Fd udp_;
};

/// Addresses of the machine beside those of hosts and of loopback.
std::vector<std::string> other_addresses() {
    std::vector<std::string> found;
    ifaddrs* list = nullptr;
    BOOST_REQUIRE(getifaddrs(&list) == 0);
    for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
        if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
        if ((one->ifa_flags & IFF_LOOPBACK) != 0) continue;
        char text[INET_ADDRSTRLEN];
        const auto* address = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
        inet_ntop(AF_INET, &address->sin_addr, text, sizeof text);
        if (!local::place_of(text)) found.emplace_back(text);
    }
    freeifaddrs(list);
    return found;
}

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_host_reaches_its_cluster_and_no_host_of_another) {
    LocalHosts hosts;
    const Reachable attacker = hosts.reach(hosts.spec("attacker"));
    const Reachable friendly = hosts.reach(hosts.spec("friend"));
    const Reachable victim = hosts.reach(hosts.spec_in("c2", "victim"));
    for (const Reachable& host : {friendly, victim}) listen(hosts, host, "7000");

    BOOST_TEST(got_by(hosts, attacker, reaching(address_of(friendly), "7000")) == "tcp udp icmp");
    BOOST_TEST(got_by(hosts, attacker, reaching(address_of(victim), "7000")) == "");
    BOOST_TEST(got_by(hosts, attacker, reaching(address_of(victim), "22")) == "");
    BOOST_TEST(hosts.ssh(victim, "cat /tmp/got 2>/dev/null; true") == "");
}

BOOST_AUTO_TEST_CASE(hosts_of_two_installations_do_not_reach_each_other) {
    LocalHosts hosts;
    LocalHosts others;
    const Reachable attacker = hosts.reach(hosts.spec("attacker"));
    MachineSpec open = others.spec("victim");
    open.open_ports = {"7000/tcp", "7000/udp"};
    const Reachable victim = others.reach(open);
    listen(others, victim, "7000");

    BOOST_TEST(got_by(hosts, attacker, reaching(address_of(victim), "7000")) == "");
}

BOOST_AUTO_TEST_CASE(a_way_through_the_machine_by_hand_leads_nowhere) {
    LocalHosts hosts;
    const Reachable attacker = hosts.reach(hosts.spec("attacker"));
    const Reachable victim = hosts.reach(hosts.spec_in("c2", "victim"));
    listen(hosts, victim, "7000");

    const std::string route = "ip route add " + address_of(victim) + " via " + machine_in(hosts);

    BOOST_TEST(got_by(hosts, attacker, route + "; " + reaching(address_of(victim), "7000")) == "");
}

BOOST_AUTO_TEST_CASE(nothing_of_another_cluster_is_heard_or_drawn_to_oneself) {
    LocalHosts hosts;
    const Reachable thief = hosts.reach(hosts.spec("thief"));
    const Reachable victim = hosts.reach(hosts.spec_in("c2", "victim"));
    const std::string own = hosts.ssh(thief, "cat /sys/class/net/eth0/address");
    const std::string theirs = hosts.ssh(victim, "cat /sys/class/net/eth0/address");

    // It takes the other's hardware address and address, and makes both known all the time. At the
    // end it makes its own known again: the machine may have learned the other one for it, and
    // would keep that for up to 45 s.
    hosts.ssh(thief, R"(cat >/tmp/steal <<'END'
perl -e 'socket(S, 17, 3, 0x0300) or die; $SIG{ALRM} = sub { exit }; alarm 6; $| = 1;
         while (sysread(S, $_, 2000)) { print unpack("H*", $_), "\n" }' >/tmp/frames &
ip link set dev eth0 promisc on address )" +
                         local::trimmed(theirs) + R"(
ip addr add )" + address_of(victim) +
                         R"(/32 dev eth0
for i in $(seq 12); do timeout 0.4 ping -n -c 2 -i 0.2 -W 1 -I )" +
                         address_of(victim) + " " + machine_in(hosts) + R"(; done
ip addr del )" + address_of(victim) +
                         R"(/32 dev eth0
ip link set dev eth0 promisc off address )" +
                         local::trimmed(own) + R"(
ip neigh flush dev eth0
ping -n -c 1 -W 1 )" + machine_in(hosts) +
                         R"(
END
setsid bash /tmp/steal </dev/null >/dev/null 2>&1 &)");
    std::this_thread::sleep_for(500ms);
    const auto end = std::chrono::steady_clock::now() + 4s;
    int reached = 0;
    int tried = 0;
    for (; std::chrono::steady_clock::now() < end; ++tried) {
        reached += hosts.ssh(victim, "hostname") == "victim\n" ? 1 : 0;
    }
    std::this_thread::sleep_for(2500ms);
    const std::string heard = hosts.ssh(thief, "cat /tmp/frames");

    BOOST_TEST(tried > 3);
    BOOST_TEST(reached == tried);
    // Its own forged echo requests show that it listened.
    BOOST_TEST(mentions(heard, in_hex(address_of(victim)) + in_hex(machine_in(hosts))));
    BOOST_TEST(!mentions(heard, in_hex(machine_in(hosts)) + in_hex(address_of(victim))));
}

BOOST_AUTO_TEST_CASE(a_forged_sender_is_not_let_through) {
    LocalHosts hosts;
    const Reachable attacker = hosts.reach(hosts.spec("attacker"));
    const Reachable other = hosts.reach(hosts.spec_in("c2", "other"));
    MachineSpec open = hosts.spec_in("c3", "victim");
    open.open_ports = {"7000/udp"};
    const Reachable victim = hosts.reach(open);
    listen(hosts, victim, "7000");
    const std::string send =
        "send() { perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(Proto => \"udp\", "
        "LocalAddr => $ARGV[0], PeerAddr => $ARGV[1], PeerPort => 7000) or exit; "
        "$s->send($ARGV[2])' $1 " +
        address_of(victim) + " $2; }; ";

    // The first one makes the way known, so that the forged ones are sent and not only asked for.
    std::string forge = send + "send " + address_of(attacker) + " honest; sleep 0.5; ";
    for (const std::string& sender :
         {address_of(other), machine_in(hosts), std::string("192.0.2.7")}) {
        forge += "ip addr add " + sender + "/32 dev eth0; send " + sender + " forged; " +
                 "ip addr del " + sender + "/32 dev eth0; ";
    }
    got_by(hosts, attacker, forge + "send " + address_of(attacker) + " again; sleep 0.5");

    BOOST_TEST(hosts.ssh(victim, "cat /tmp/got") == "honestagain");
}

BOOST_AUTO_TEST_CASE(by_ipv6_a_host_reaches_its_cluster_and_nobody_else) {
    LocalHosts hosts;
    const Reachable attacker = hosts.reach(hosts.spec("attacker"));
    const Reachable friendly = hosts.reach(hosts.spec("friend"));
    const Reachable victim = hosts.reach(hosts.spec_in("c2", "victim"));
    const auto of = [&](const Reachable& host) {
        return local::trimmed(
            hosts.ssh(host, "ip -6 -o addr show dev eth0 scope link | grep -o 'fe80[^/]*'"));
    };
    const auto answers = [&](const std::string& address) {
        return got_by(hosts, attacker,
                      "ping -n -c 2 -W 1 " + address +
                          "%eth0 | grep -o 'from fe80[^%]*' | "
                          "sort -u | cut -d' ' -f2");
    };
    const std::string theirs = of(victim);
    BOOST_REQUIRE(!theirs.empty());
    // Duplicate addresses are looked for first.
    std::this_thread::sleep_for(2s);

    BOOST_TEST(answers(of(friendly)) == of(friendly) + "\n");
    BOOST_TEST(answers(theirs) == "");
    const std::string all = answers("ff02::1");
    BOOST_TEST(!mentions(all, theirs));
    BOOST_TEST(mentions(all, of(friendly)));
}

BOOST_AUTO_TEST_CASE(no_service_of_the_machine_is_reached) {
    LocalHosts hosts;
    const Reachable host = hosts.reach(hosts.spec("a"));
    Listener everywhere("0.0.0.0", 7101);
    Listener beside(machine_in(hosts), 7102);
    std::string tries = reaching(machine_in(hosts), "7101") + "; echo; " +
                        reaching(machine_in(hosts), "7102") + "; echo; ";
    for (const std::string& address : other_addresses()) {
        tries += "ip route add " + address + " via " + machine_in(hosts) + "; " + "{ " +
                 reaching(address, "7101") + "; } >/tmp/x; ";
    }

    // The machine answers echo requests, and nothing else.
    BOOST_TEST(got_by(hosts, host, tries + "true") == "icmp\nicmp\n");

    BOOST_TEST(everywhere.guests() == 0);
    BOOST_TEST(beside.guests() == 0);
}

BOOST_AUTO_TEST_CASE(ports_of_the_machine_that_its_owner_opens_are_reached_at_one_address) {
    LocalHosts hosts;
    auto command = hosts.start_command(hosts.spec("a"));
    command.insert(command.end(), {"--machine-ports", "7103/tcp"});
    local::run_tool(command);
    const Reachable host = hosts.reach(hosts.spec("a"));
    Listener open("0.0.0.0", 7103);
    Listener closed("0.0.0.0", 7104);
    const auto connect = [&](const std::string& port) {
        return got_by(hosts, host,
                      "timeout 2 bash -c 'echo >/dev/tcp/" + machine_in(hosts) + "/" + port +
                          "' && echo connected");
    };

    BOOST_TEST(connect("7103") == "connected\n");
    BOOST_TEST(connect("7104") == "");

    BOOST_TEST(open.guests() == 1);
    BOOST_TEST(closed.guests() == 0);
}

BOOST_AUTO_TEST_CASE(ports_that_a_cluster_declares_are_open_and_the_others_are_not) {
    LocalHosts hosts;
    const Reachable guest = hosts.reach(hosts.spec("guest"));
    MachineSpec open = hosts.spec_in("c2", "open");
    open.open_ports = {"7000/tcp", "7001-7002/udp", "7002/tcp"};
    for (const char* when : {"at first", "after a restart of the host"}) {
        const Reachable host = hosts.reach(open);
        listen(hosts, host, "7000 7001 7002 7003");
        const auto reached = [&](const char* port) {
            return got_by(hosts, guest, reaching(address_of(host), port));
        };

        BOOST_TEST(reached("7000") == "tcp ", when);
        BOOST_TEST(reached("7001") == "udp ", when);
        BOOST_TEST(reached("7002") == "tcp udp ", when);
        BOOST_TEST(reached("7003") == "", when);
        BOOST_TEST(reached("22") == "", when);

        for (const auto& process : local::hosts_of(hosts.settings.state_dir)) {
            const auto status =
                local::read_file("/proc/" + std::to_string(process.pid) + "/cmdline");
            if (mentions(status.value_or(""), "open")) local::end_process(process);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_a_cluster_declares_later_replaces_what_it_declared) {
    LocalHosts hosts;
    const Reachable guest = hosts.reach(hosts.spec("guest"));
    MachineSpec first = hosts.spec_in("c2", "first");
    first.open_ports = {"7000/tcp"};
    const Reachable host = hosts.reach(first);
    listen(hosts, host, "7000 7001");
    MachineSpec second = hosts.spec_in("c2", "second");
    second.open_ports = {"7001/tcp"};

    hosts.reach(second);

    BOOST_TEST(got_by(hosts, guest, reaching(address_of(host), "7000")) == "");
    BOOST_TEST(got_by(hosts, guest, reaching(address_of(host), "7001")) == "tcp ");
}

BOOST_AUTO_TEST_CASE(one_host_cannot_fill_the_memory_of_connections_that_all_share) {
    LocalHosts hosts;
    // So few hosts may begin more each second than they try here: only their number counts.
    hosts.settings.max_hosts = 2;
    MachineSpec open = hosts.spec_in("c2", "open");
    open.open_ports = {"7000/tcp"};
    for (const auto& spec : {open, hosts.spec("guest")}) {
        local::run_tool(hosts.start_command(spec));
    }
    const Reachable guest = hosts.reach(hosts.spec("guest"));
    const Reachable host = hosts.reach(open);
    listen(hosts, host, "7000");

    const std::string made =
        got_by(hosts, guest,
               "ulimit -n 4096; perl -MIO::Socket::INET -e 'for (1 .. 1100) { "
               "my $s = IO::Socket::INET->new(PeerAddr => $ARGV[0], PeerPort => 7000, "
               "Timeout => 0.2) or last; push @all, $s } print scalar @all' " +
                   address_of(host));

    BOOST_TEST(std::stoi(made) >= local::most_connections_of_host - 5);
    BOOST_TEST(std::stoi(made) <= local::most_connections_of_host + 5);
}

BOOST_AUTO_TEST_CASE(hosts_of_a_cluster_hear_what_one_of_them_says_to_all) {
    LocalHosts hosts;
    const Reachable speaker = hosts.reach(hosts.spec("speaker"));
    const Reachable friendly = hosts.reach(hosts.spec("friend"));
    const Reachable stranger = hosts.reach(hosts.spec_in("c2", "stranger"));
    for (const Reachable& host : {friendly, stranger}) listen(hosts, host, "7000");

    hosts.ssh(speaker,
              "perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(Proto => \"udp\", "
              "Broadcast => 1, PeerAddr => \"255.255.255.255\", PeerPort => 7000) or die; "
              "$s->send(\"said\")'; sleep 0.5");

    BOOST_TEST(hosts.ssh(friendly, "cat /tmp/got") == "said");
    BOOST_TEST(hosts.ssh(stranger, "cat /tmp/got 2>/dev/null; true") == "");
}

BOOST_AUTO_TEST_SUITE_END()
