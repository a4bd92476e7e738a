#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "provisioner/providers/local/host/system.hpp"
#include "tests/integration/provisioner/providers/local/fixture.hpp"

using namespace provisioner::providers;
using tests::LocalHosts;
namespace fs = std::filesystem;

// A host's root has the capability to mount. What the machine's root writes for a host must
// therefore stay inside that host, whatever the host has put there.
BOOST_AUTO_TEST_SUITE(isolation)

namespace {

/// Makes `link` where a draft of the hosts file would be, wherever the host can reach one.
std::string plant(const std::string& link_to) {
    return "mount -o remount,bind,rw /etc/cooperage 2>/dev/null;"
           "for draft in /etc/cooperage/hosts.new /etc/hosts.new; do"
           "  mkdir -p $(dirname $draft); ln -sfn " +
           link_to +
           " $draft;"
           "done; ls -l /etc/hosts.new";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_link_that_a_host_plants_makes_the_machine_write_nothing_outside) {
    LocalHosts hosts;
    const fs::path victim = fs::path(hosts.settings.state_dir).parent_path() / "victim";
    local::replace_file(victim, "kept\n");
    const Reachable attacker = hosts.reach(hosts.spec("attacker"));
    hosts.ssh(attacker, plant(victim));

    hosts.reach(hosts.spec("next"));
    hosts.destroy(hosts.spec("next"));

    BOOST_TEST(local::read_file(victim).value() == "kept\n");
    BOOST_TEST(hosts.ssh(attacker, "getent hosts next || echo gone") == "gone\n");
}

BOOST_AUTO_TEST_CASE(a_host_that_cannot_be_told_of_others_does_not_hinder_them) {
    LocalHosts hosts;
    const Reachable stubborn = hosts.reach(hosts.spec("stubborn"));
    hosts.ssh(stubborn, "mkdir -p /etc/hosts.new/full");

    const Reachable next = hosts.reach(hosts.spec("next"));

    BOOST_TEST(hosts.ssh(next, "getent hosts stubborn").find("stubborn.demo.local") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_host_whose_etc_leads_elsewhere_is_written_to_inside_itself) {
    LocalHosts hosts;
    const Reachable attacker = hosts.reach(hosts.spec("attacker"));
    const fs::path outside = fs::path(hosts.settings.state_dir).parent_path() / "outside";
    fs::create_directories(outside);
    const std::string name = outside;
    // sshd trusts no keys below a folder that everybody may write to, as /tmp is.
    hosts.ssh(attacker,
              "mkdir -p /root/.ssh && cp /etc/ssh/authorized_keys/root "
              "/root/.ssh/authorized_keys && mkdir -p " +
                  name + " && cp -a /etc/. " + name + " && mv /etc /etc.before && ln -s " + name +
                  " /etc");

    hosts.reach(hosts.spec("next"));

    BOOST_TEST(fs::is_empty(outside));
    BOOST_TEST(hosts.ssh(attacker, "grep -c next.demo.local " + name + "/hosts") == "1\n");
}

BOOST_AUTO_TEST_SUITE_END()
