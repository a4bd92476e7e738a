#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <sstream>

#include "provisioner/privileges/call_filter.hpp"
#include "provisioner/providers/local/host/isolation/id_range.hpp"
#include "provisioner/providers/local/host/isolation/user_namespace.hpp"
#include "provisioner/providers/local/host/system.hpp"
#include "tests/integration/provisioner/providers/local/fixture.hpp"

using namespace provisioner::providers;
using tests::LocalHosts;
namespace fs = std::filesystem;

// What a tenant's script can try as root of a node to become root of the machine. Each test tries
// it on a real host. A script prints what it has got hold of, so a closed way prints nothing.
BOOST_AUTO_TEST_SUITE(escapes)

namespace {

/// The script's output without what it says on standard error.
std::string got_by(const LocalHosts& hosts, const Reachable& host, const std::string& script) {
    return hosts.ssh(host, "exec 2>/tmp/errors; " + script + "; true");
}

/// The ids of the machine that the host's root has.
local::IdRange ids_of(const LocalHosts& hosts, const Reachable& host) {
    std::istringstream map(hosts.ssh(host, "cat /proc/self/uid_map"));
    long long inside = -1;
    local::IdRange ids;
    map >> inside >> ids.first >> ids.count;
    BOOST_TEST(inside == 0);
    return ids;
}

bool are_apart(const local::IdRange& one, const local::IdRange& other) {
    return one.first + one.count <= other.first || other.first + other.count <= one.first;
}

/// The bounding set of what a login starts.
unsigned long long bounding_set(const LocalHosts& hosts, const Reachable& host) {
    const std::string line = hosts.ssh(host, "grep CapBnd /proc/self/status");
    return std::stoull(line.substr(line.find('\t') + 1), nullptr, 16);
}

/// The command where something is mounted below /proc, as in containers: there no host can be
/// isolated.
std::vector<std::string> where_proc_is_covered(std::vector<std::string> command) {
    const std::vector<std::string> around = {
        "unshare", "--mount", "sh", "-c", "mount -t tmpfs none /proc/acpi && exec \"$@\"", "sh"};
    command.insert(command.begin(), around.begin(), around.end());
    return command;
}

std::vector<std::string> of_tenant(const LocalHosts& hosts, const std::string& name,
                                   const std::string& tenant) {
    auto command = hosts.start_command(hosts.spec(name));
    command.insert(command.end(), {"--tenant", tenant});
    return command;
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

}  // namespace

BOOST_AUTO_TEST_CASE(the_root_of_a_host_is_a_user_without_rights_on_the_machine) {
    LocalHosts hosts;
    const Reachable host = hosts.reach(hosts.spec("a"));

    const local::IdRange ids = ids_of(hosts, host);

    BOOST_TEST(ids.first >= 65536);
    BOOST_TEST(ids.count == 65536);
}

BOOST_AUTO_TEST_CASE(two_hosts_never_share_an_id_whichever_helper_makes_them) {
    LocalHosts hosts;
    LocalHosts of_another_state_directory;
    const Reachable first = hosts.reach(hosts.spec("a"));
    const local::IdRange before = ids_of(hosts, first);
    hosts.end_oldest_helper(SIGKILL);
    hosts.start_helper();
    const Reachable second = hosts.reach(hosts.spec("b"));
    const Reachable third = of_another_state_directory.reach(of_another_state_directory.spec("a"));

    const local::IdRange of_third = ids_of(of_another_state_directory, third);

    BOOST_TEST((ids_of(hosts, first) == before));
    BOOST_TEST(are_apart(before, ids_of(hosts, second)));
    BOOST_TEST(are_apart(before, of_third));
    BOOST_TEST(are_apart(ids_of(hosts, second), of_third));
}

BOOST_AUTO_TEST_CASE(settings_of_the_kernel_cannot_be_written) {
    LocalHosts hosts;
    const Reachable host = hosts.reach(hosts.spec("a"));

    const std::string got =
        got_by(hosts, host,
               "umount /proc/sys/kernel /proc/sys/vm /proc/sysrq-trigger;"
               "mount -o remount,bind,rw /proc/sys/kernel;"
               "mkdir /tmp/p; mount -t proc proc /tmp/p;"
               "for f in sys/kernel/core_pattern sys/kernel/modprobe "
               "sys/kernel/hotplug sys/vm/overcommit_memory sysrq-trigger; do "
               "for p in /proc /tmp/p; do (: >>$p/$f) && echo $p/$f; done; done");

    BOOST_TEST(got == "");
}

BOOST_AUTO_TEST_CASE(settings_of_its_own_network_can_be_written) {
    LocalHosts hosts;
    const Reachable host = hosts.reach(hosts.spec("a"));

    BOOST_TEST(hosts.ssh(host, "echo 1 >/proc/sys/net/ipv4/ip_nonlocal_bind && echo done") ==
               "done\n");
}

BOOST_AUTO_TEST_CASE(the_memory_and_the_messages_of_the_machine_cannot_be_read) {
    LocalHosts hosts;
    const Reachable host = hosts.reach(hosts.spec("a"));

    const std::string got =
        got_by(hosts, host,
               "umount /proc/kcore /proc/kmsg /proc/timer_list; dmesg | head -n 1;"
               "for f in kcore kmsg timer_list slabinfo; do"
               " timeout 2 head -c 1 /proc/$f >/tmp/x && [ -s /tmp/x ] && echo $f; done");

    BOOST_TEST(got == "");
}

BOOST_AUTO_TEST_CASE(limits_cannot_be_lifted) {
    LocalHosts hosts;
    MachineSpec spec = hosts.spec("limited-" + std::to_string(getpid()));
    spec.hardware = {{"memory_mb", "256"}};
    const Reachable host = hosts.reach(spec);

    got_by(hosts, host,
           "mkdir /tmp/1 /tmp/2; mount -t cgroup -o memory none /tmp/1;"
           "mount -t cgroup2 none /tmp/2;"
           "for d in /tmp/1 /tmp/2; do echo $((1 << 40)) >$d/memory.limit_in_bytes;"
           "echo max >$d/memory.max; mkdir $d/free; echo $$ >$d/free/cgroup.procs;"
           "echo /tmp/x >$d/release_agent; done");

    int found = 0;
    for (const char* top : {"/sys/fs/cgroup/memory/cooperage", "/sys/fs/cgroup/cooperage"}) {
        std::error_code none;
        for (const auto& entry : fs::recursive_directory_iterator(top, none)) {
            if (entry.path().filename() != spec.name) continue;
            for (const char* file : {"memory.limit_in_bytes", "memory.max"}) {
                const auto limit = local::read_file(entry.path() / file);
                if (!limit) continue;
                ++found;
                BOOST_TEST(*limit == "268435456\n");
            }
            BOOST_TEST(!fs::exists(entry.path() / "free"));
        }
    }
    BOOST_WARN_MESSAGE(found > 0, "this machine has no memory controller");
}

BOOST_AUTO_TEST_CASE(device_files_cannot_be_made_or_opened) {
    LocalHosts hosts;
    const Reachable host = hosts.reach(hosts.spec("a"));

    const std::string got =
        got_by(hosts, host,
               "umount -l /dev; mount -o remount,dev /;"
               "mount -o remount,bind,dev /; mknod /root/zero c 1 5;"
               "mkdir /tmp/t; mount -t tmpfs none /tmp/t; mknod /tmp/t/zero c 1 5;"
               "for f in /dev/zero /root/zero /tmp/t/zero; do"
               " head -c 1 $f >/tmp/x && echo $f; done");

    BOOST_TEST(got == "");
}

BOOST_AUTO_TEST_CASE(a_program_that_a_host_leaves_on_the_disk_gives_nobody_rights) {
    LocalHosts hosts;
    const Reachable host = hosts.reach(hosts.spec("a"));

    hosts.ssh(host, "cp /bin/sh /root/sh && chmod 4755 /root/sh");

    struct stat left {};
    const std::string path = hosts.settings.state_dir + "/machines/a/upper/root/sh";
    BOOST_REQUIRE(stat(path.c_str(), &left) == 0);
    BOOST_TEST((left.st_mode & S_ISUID) != 0u);
    BOOST_TEST(left.st_uid == ids_of(hosts, host).first);
}

BOOST_AUTO_TEST_CASE(capabilities_that_no_service_needs_are_gone) {
    LocalHosts hosts;
    const Reachable host = hosts.reach(hosts.spec("a"));
    // linux/capability.h: dac_read_search, sys_module, sys_rawio, sys_boot, sys_resource, sys_time,
    // mknod, audit_control, mac_override, mac_admin, syslog, wake_alarm, perfmon, bpf.
    for (const int capability : {2, 16, 17, 22, 24, 25, 27, 30, 32, 33, 34, 35, 38, 39}) {
        BOOST_TEST((bounding_set(hosts, host) >> capability & 1) == 0u, capability);
    }
}

BOOST_AUTO_TEST_CASE(calls_that_reach_into_the_kernel_fail) {
    LocalHosts hosts;
    const Reachable host = hosts.reach(hosts.spec("a"));
    std::string numbers;
    std::string expected;
    for (const auto& call :
         provisioner::privileges::denied_calls(provisioner::privileges::Profile::host)) {
        if (call.number < 0) continue;
        numbers += " " + std::to_string(call.number);
        expected += std::string(call.name) + " " + std::to_string(call.error) + "\n";
    }

    // Arguments that no call accepts.
    std::istringstream errors(
        hosts.ssh(host,
                  "perl -e 'for (@ARGV) { syscall($_, -1, -1, -1, -1, -1, -1); "
                  "print $! + 0, \"\\n\" }' --" +
                      numbers));

    std::string got;
    std::istringstream names(expected);
    for (std::string error, line; std::getline(errors, error) && std::getline(names, line);) {
        got += line.substr(0, line.find(' ')) + " " + error + "\n";
    }
    BOOST_TEST(got == expected);
}

BOOST_AUTO_TEST_CASE(a_host_makes_no_user_namespaces) {
    LocalHosts hosts;
    const Reachable host = hosts.reach(hosts.spec("a"));

    const std::string got =
        got_by(hosts, host, "unshare --user echo got; unshare --user --map-root-user echo got");

    BOOST_TEST(got == "");
    BOOST_TEST(hosts.ssh(host, "cat /proc/sys/user/max_user_namespaces") == "0\n");
    BOOST_TEST(hosts.ssh(host, "unshare --mount --pid --fork --net echo engines can") ==
               "engines can\n");
}

BOOST_AUTO_TEST_CASE(sockets_that_know_no_network_namespaces_are_denied) {
    LocalHosts hosts;
    const Reachable host = hosts.reach(hosts.spec("a"));

    // 40: vsock, to the machine that this one runs on; 38: the kernel's ciphers.
    const std::string got = got_by(hosts, host,
                                   "for f in 38 40; do perl -e 'exit !socket(S, $ARGV[0], 5, 0) && "
                                   "!socket(S, $ARGV[0], 1, 0)' $f && echo $f; done");

    BOOST_TEST(got == "");
}

BOOST_AUTO_TEST_CASE(a_file_of_the_machine_is_not_reached_by_its_handle_or_its_disk) {
    LocalHosts hosts;
    const Reachable host = hosts.reach(hosts.spec("a"));
    struct stat folder {};
    BOOST_REQUIRE(stat(hosts.settings.state_dir.c_str(), &folder) == 0);
    const std::string disk =
        std::to_string(folder.st_dev >> 8) + " " + std::to_string(folder.st_dev & 0xff);

    const std::string got = got_by(
        hosts, host,
        "mknod /root/disk b " + disk +
            "; mkdir /tmp/m;"
            "head -c 1 /root/disk >/tmp/x && echo disk; mount /root/disk /tmp/m && echo mounted;"
            "mount -t devtmpfs none /tmp/m && echo devtmpfs;"
            "mount -t debugfs none /tmp/m && echo debugfs");

    BOOST_TEST(got == "");
}

BOOST_AUTO_TEST_CASE(what_the_machine_writes_into_a_host_belongs_to_the_host) {
    LocalHosts hosts;
    const Reachable first = hosts.reach(hosts.spec("a"));
    hosts.reach(hosts.spec("b"));

    BOOST_TEST(hosts.ssh(first, "grep -c b.demo.local /etc/hosts; stat -c %u:%g /etc/hosts") ==
               "1\n0:0\n");
}

BOOST_AUTO_TEST_CASE(a_user_of_a_host_becomes_its_root_by_sudo_and_no_more) {
    LocalHosts hosts;
    MachineSpec spec = hosts.spec("a");
    spec.ssh_user = "clerk";
    const Reachable host = hosts.reach(spec);

    const std::string got =
        hosts.ssh(host,
                  "sudo sh -c 'id -u; ping -c 1 -q localhost >/tmp/x && echo pings; "
                  "(: >>/proc/sys/kernel/core_pattern) 2>/tmp/x || echo closed'",
                  "clerk");

    BOOST_TEST(got == "0\npings\nclosed\n");
}

/// A network namespace stands for a machine that is a router, with a network beside that of hosts.
constexpr const char* on_a_router = R"(
    ip link set lo up && echo 1 >/proc/sys/net/ipv4/ip_forward
    ip link add beside type veth peer name other
    echo 1 >/proc/sys/net/ipv6/conf/beside/disable_ipv6
    ip addr add 192.0.2.1/24 dev beside
    ip link set other up && ip link set beside up
    "$@" >&2 || exit 1
    pid=$("$1" status "$3" --state "$5" | grep -o '"pid":[0-9]*' | cut -d: -f2)
    inside() { nsenter --target "$pid" --mount --net "$@" >&2; }
    inside ping -c 1 -W 1 192.0.2.1 && echo the machine answers
    inside ping -c 2 -W 1 192.0.2.99
    awk '$1 == "beside:" { print "sent on", $11 }' /proc/net/dev
    "$1" stop "$3" --state "$5" >&2)";

BOOST_AUTO_TEST_CASE(a_machine_that_routes_for_others_does_not_route_for_hosts) {
    LocalHosts hosts;
    std::vector<std::string> command = {
        "unshare", "--net", "sh", "-c", std::string("{ ") + on_a_router + "\n} 2>/dev/null", "sh"};
    const auto start = hosts.start_command(hosts.spec("a"));
    command.insert(command.end(), start.begin(), start.end());

    BOOST_TEST(local::run_tool(command) == "the machine answers\nsent on 0\n");
}

// ---- where the machine cannot isolate hosts ----

BOOST_AUTO_TEST_CASE(without_isolation_a_second_tenant_is_refused_with_the_reason) {
    LocalHosts hosts;
    local::run_tool(where_proc_is_covered(of_tenant(hosts, "a", "1")));
    local::run_tool(where_proc_is_covered(of_tenant(hosts, "b", "1")));

    const std::string refused = failure_of(where_proc_is_covered(of_tenant(hosts, "c", "2")));
    const std::string beside = failure_of(of_tenant(hosts, "d", "2"));

    BOOST_TEST(mentions(refused, "\"error\":\"tenant\""), refused);
    BOOST_TEST(mentions(refused, "a container that hides /proc/acpi"), refused);
    BOOST_TEST(mentions(refused, "local.mix_tenants"), refused);
    BOOST_TEST(mentions(beside, "made without isolation"), beside);
    BOOST_TEST(!fs::exists(hosts.settings.state_dir + "/machines/c"));
    BOOST_TEST(!fs::exists(hosts.settings.state_dir + "/machines/d"));
}

BOOST_AUTO_TEST_CASE(the_setting_that_mixes_tenants_without_isolation_is_obeyed_and_logged) {
    LocalHosts hosts;
    local::run_tool(where_proc_is_covered(of_tenant(hosts, "a", "1")));
    auto second = of_tenant(hosts, "b", "2");
    second.insert(second.end(), {"--mix-tenants", "on"});

    const std::string said = local::run_tool(where_proc_is_covered(second));

    BOOST_TEST(mentions(said, "b is not isolated"), said);
    BOOST_TEST(mentions(said, "\"state\":\"running\""), said);
}

BOOST_AUTO_TEST_CASE(a_host_without_isolation_cannot_mount) {
    LocalHosts hosts;
    local::run_tool(where_proc_is_covered(hosts.start_command(hosts.spec("a"))));
    const Reachable host = hosts.reach(hosts.spec("a"));

    const std::string got = got_by(hosts, host,
                                   "mount -o remount,bind,rw /proc/sys/kernel && echo remounted;"
                                   "umount /proc/sys/kernel && echo unmounted;"
                                   "(: >>/proc/sys/kernel/core_pattern) && echo written");

    BOOST_TEST(ids_of(hosts, host).first == 0);
    BOOST_TEST((bounding_set(hosts, host) >> 21 & 1) == 0u);
    BOOST_TEST(got == "");
}

BOOST_AUTO_TEST_CASE(a_machine_that_allows_no_user_namespaces_says_so) {
    int ends[2];
    BOOST_REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        // The limit of a user namespace of our own, so that nobody else is hindered.
        const bool is_set = unshare(CLONE_NEWUSER) == 0;
        local::write_into("/proc/self/uid_map", "0 0 1");
        local::write_into("/proc/sys/user/max_user_namespaces", "0");
        const auto space = local::make_user_namespace({.first = 0, .count = 1});
        const std::string text = !is_set ? "not set" : space ? "made" : space.error();
        _exit(write(ends[1], text.data(), text.size()) > 0 ? 0 : 1);
    }
    close(ends[1]);
    char text[500] = {};
    BOOST_TEST(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]);
    waitpid(child, nullptr, 0);

    BOOST_TEST(text ==
               "this computer allows no user namespaces (/proc/sys/user/max_user_namespaces)");
}

BOOST_AUTO_TEST_CASE(what_a_host_leaves_is_removed_however_deep_it_is_and_links_are_not_followed) {
    const fs::path folder = fs::temp_directory_path() / ("deep-" + std::to_string(getpid()));
    const fs::path outside = folder.string() + "-outside";
    fs::create_directories(folder);
    fs::create_directories(outside);
    local::replace_file(outside / "kept", "kept");
    int at = open(folder.c_str(), O_RDONLY | O_DIRECTORY);
    for (int level = 0; level < 3000; ++level) {
        BOOST_TEST_REQUIRE(mkdirat(at, "d", 0700) == 0);
        symlinkat(outside.c_str(), at, "link");
        close(openat(at, "file", O_WRONLY | O_CREAT, 0000));
        const int below = openat(at, "d", O_RDONLY | O_DIRECTORY);
        BOOST_TEST_REQUIRE(below >= 0);
        close(at);
        at = below;
    }
    close(at);

    local::remove_tree(folder);

    BOOST_TEST(!fs::exists(folder));
    BOOST_TEST(fs::exists(outside / "kept"));
    local::remove_tree(folder);
    local::remove_tree(outside);
}

BOOST_AUTO_TEST_SUITE_END()
