#include "provisioner/providers/local/local_provider.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/local/host/system.hpp"
#include "tests/integration/provisioner/providers/local/fixture.hpp"

using namespace provisioner::providers;
using tests::LocalHosts;

BOOST_AUTO_TEST_SUITE(local_provider)

BOOST_AUTO_TEST_CASE(four_hosts_reach_each_other_by_full_and_short_name) {
    LocalHosts hosts;
    std::vector<Reachable> reached;
    const std::vector<std::string> names = {"a", "b", "c", "d"};

    for (const std::string& name : names) reached.push_back(hosts.reach(hosts.spec(name)));

    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string& other = names[(i + 1) % names.size()];
        BOOST_TEST(hosts.ssh(reached[i], "hostname; hostname -f") ==
                   names[i] + "\n" + names[i] + ".demo.local\n");
        const std::string pings = hosts.ssh(
            reached[i], "ping -c1 -W5 " + other + " && ping -c1 -W5 " + other + ".demo.local");
        BOOST_TEST(pings.find("1 received") != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(hosts_of_another_cluster_are_not_known_by_name) {
    LocalHosts hosts;
    MachineSpec other = hosts.spec("stranger");
    other.cluster = "c2";
    hosts.reach(other);

    const Reachable host = hosts.reach(hosts.spec("a"));

    BOOST_TEST(hosts.ssh(host, "getent hosts stranger || echo unknown") == "unknown\n");
}

BOOST_AUTO_TEST_CASE(creating_a_machine_again_gives_the_same_one) {
    LocalHosts hosts;
    const MachineSpec spec = hosts.spec("a");
    const Reachable first = hosts.reach(spec);
    hosts.ssh(first, "echo here > /root/mark");

    const Reachable second = hosts.reach(spec);

    BOOST_TEST(second.host_key == first.host_key);
    BOOST_TEST((second.addresses == first.addresses));
    BOOST_TEST(hosts.ssh(second, "cat /root/mark") == "here\n");
}

BOOST_AUTO_TEST_CASE(a_machine_made_for_a_later_task_is_left_alone) {
    LocalHosts hosts;
    MachineSpec spec = hosts.spec("a");
    spec.task = 18;
    hosts.reach(spec);

    spec.task = 17;
    BOOST_TEST(std::holds_alternative<Gone>(hosts.destroy(spec)));
    // On a busy machine sshd may take a moment to answer.
    BOOST_TEST(!std::holds_alternative<Refused>(hosts.confirm(spec)));

    spec.task = 19;
    BOOST_TEST(std::holds_alternative<Gone>(hosts.destroy(spec)));
    BOOST_TEST(std::holds_alternative<Refused>(hosts.confirm(spec)));
}

BOOST_AUTO_TEST_CASE(limits_of_the_hardware_type_hold_and_are_in_the_facts) {
    LocalHosts hosts;
    MachineSpec spec = hosts.spec("a");
    spec.hardware = {{"memory_mb", "64"}, {"cpus", "1"}};

    const Created created = hosts.create(spec);
    const Reachable host = hosts.reach(spec);

    const std::string limits = std::get<Machine>(created).facts["limits"];
    BOOST_TEST_MESSAGE("limits: " + limits);
    const std::string hungry = "python3 -c 'len(bytearray(200000000))' && echo fed || echo starved";
    const bool limited = limits == "memory 64 MB, 1 cpus, 4096 processes";
    BOOST_TEST((limited || limits.starts_with("none: ")));
    BOOST_TEST(hosts.ssh(host, hungry).find(limited ? "starved" : "fed") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_user_other_than_root_may_become_root) {
    LocalHosts hosts;
    MachineSpec spec = hosts.spec("a");
    spec.ssh_user = "ops";

    const Created created = hosts.create(spec);
    const Reachable host = hosts.reach(spec);

    BOOST_TEST(std::get<Machine>(created).facts["ssh-auth"]["user"] == "ops");
    BOOST_TEST(hosts.ssh(host, "id -un; sudo -n id -un", "ops") == "ops\nroot\n");
}

BOOST_AUTO_TEST_CASE(an_sshd_that_died_is_started_again) {
    LocalHosts hosts;
    const MachineSpec spec = hosts.spec("a");
    const Reachable host = hosts.reach(spec);
    const std::string first = hosts.ssh(host, "cat /run/sshd.pid");

    hosts.ssh(host, "kill $(cat /run/sshd.pid); while test -d /proc/" + local::trimmed(first) +
                        "; do sleep 0.1; done");

    BOOST_TEST(hosts.ssh(hosts.reach(spec), "cat /run/sshd.pid") != first);
}

BOOST_AUTO_TEST_CASE(packages_of_the_cache_install_without_a_network_and_start) {
    LocalHosts hosts;
    const Reachable host = hosts.reach(hosts.spec("a"));

    hosts.ssh(host, "apt-get install -y haproxy");

    BOOST_TEST(hosts.ssh(host, "haproxy -v").find("HAProxy version") != std::string::npos);
    BOOST_TEST(!hosts.ssh(host, "pidof haproxy").empty());
}

BOOST_AUTO_TEST_CASE(one_host_too_many_is_refused_with_the_limit_and_what_to_do) {
    LocalHosts hosts;
    hosts.create(hosts.spec("a"));

    const Created created = hosts.create(hosts.spec("b"), {{"max_hosts", "1"}});

    const auto* refused = std::get_if<Refused>(&created);
    BOOST_TEST_REQUIRE(refused != nullptr);
    BOOST_TEST(refused->message.starts_with("1 of at most 1 local hosts exist"));
    BOOST_TEST(refused->message.find("max_hosts") != std::string::npos);
    BOOST_TEST(refused->nothing_created);
}

BOOST_AUTO_TEST_CASE(an_image_without_a_root_is_refused_with_the_command_that_makes_it) {
    LocalHosts hosts;
    MachineSpec spec = hosts.spec("a");
    spec.image = "debian-99";

    const Created created = hosts.create(spec);

    const auto* refused = std::get_if<Refused>(&created);
    BOOST_TEST_REQUIRE(refused != nullptr);
    BOOST_TEST(refused->message.find("cooperage-local-host root ") != std::string::npos);
    BOOST_TEST(refused->nothing_created);
    BOOST_TEST(!refused->worth_retrying);
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_gone_is_not_confirmed_and_is_destroyed_with_success) {
    LocalHosts hosts;

    const Confirmed confirmed = hosts.confirm(hosts.spec("never"));
    const Destroyed destroyed = hosts.destroy(hosts.spec("never"));

    BOOST_TEST(std::holds_alternative<Refused>(confirmed));
    BOOST_TEST(std::holds_alternative<Gone>(destroyed));
}

BOOST_AUTO_TEST_SUITE_END()
