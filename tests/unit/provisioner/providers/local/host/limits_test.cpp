#include "provisioner/providers/local/host/limits.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::providers::local;

BOOST_AUTO_TEST_SUITE(local_limits)

namespace {

constexpr auto v1_mounts =
    "proc /proc proc rw 0 0\n"
    "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,relatime,cpu,cpuacct 0 0\n"
    "cgroup /sys/fs/cgroup/memory cgroup rw,relatime,memory 0 0\n"
    "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n";

constexpr auto v2_mounts = "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n";

}  // namespace

BOOST_AUTO_TEST_CASE(controllers_of_version_1_are_found_by_their_mount_options) {
    const Controllers found = find_controllers(v1_mounts, "");

    BOOST_TEST(!found.unified);
    BOOST_TEST(found.memory == "/sys/fs/cgroup/memory");
    BOOST_TEST(found.cpu == "/sys/fs/cgroup/cpu,cpuacct");
}

BOOST_AUTO_TEST_CASE(controllers_of_version_2_are_what_its_top_offers) {
    BOOST_TEST(unified_mount(v2_mounts) == "/sys/fs/cgroup");

    const Controllers found = find_controllers(v2_mounts, "cpuset cpu io memory pids\n");
    const Controllers some = find_controllers(v2_mounts, "cpuset memory\n");

    BOOST_TEST(found.unified);
    BOOST_TEST(found.memory == "/sys/fs/cgroup");
    BOOST_TEST(found.cpu == "/sys/fs/cgroup");
    BOOST_TEST(some.cpu == "");
}

BOOST_AUTO_TEST_CASE(the_facts_say_which_limit_holds_and_which_cannot) {
    const Controllers both{false, "/m", "/c"};
    const Controllers none;
    const Controllers memory_only{false, "/m", ""};

    BOOST_TEST(describe({512, 1}, both) == "memory 512 MB, 1 cpus");
    BOOST_TEST(describe({512, 0}, both) == "memory 512 MB");
    BOOST_TEST(describe({0, 0.5}, both) == "0.5 cpus");
    BOOST_TEST(describe({0, 0}, both) == "none asked for");
    BOOST_TEST(describe({512, 0}, none) ==
               "none: this machine has no memory controller and no cpu controller");
    BOOST_TEST(describe({512, 2}, memory_only) ==
               "memory 512 MB, no cpu limit: this machine has no cpu controller");
    BOOST_TEST(describe({512, 0}, {false, "", "/c"}) ==
               "none: this machine has no memory controller");
}

BOOST_AUTO_TEST_CASE(a_limit_that_could_not_be_set_leaves_the_other_in_the_facts) {
    const Controllers both{false, "/m", "/c"};

    BOOST_TEST(describe({512, 1}, both, {.memory = "", .cpu = "cannot write quota"}) ==
               "memory 512 MB, no cpu limit: cannot write quota");
    BOOST_TEST(describe({512, 0}, both, {.memory = "cannot write limit", .cpu = ""}) ==
               "none: cannot write limit");
}

BOOST_AUTO_TEST_CASE(a_limit_of_processes_holds_beside_the_others) {
    const Controllers all{false, "/m", "/c", "/p"};

    BOOST_TEST(find_controllers("cgroup /p cgroup rw,pids 0 0\n", "").pids == "/p");
    BOOST_TEST(find_controllers(v2_mounts, "memory pids\n").pids == "/sys/fs/cgroup");
    BOOST_TEST(describe({512, 1, 100}, all) == "memory 512 MB, 1 cpus, 100 processes");
    BOOST_TEST(describe({0, 0, 100}, all) == "100 processes");
    BOOST_TEST(describe({0, 0, 100}, {false, "/m", "/c"}) ==
               "no limit of processes: this machine has no pids controller");
    BOOST_TEST(describe({512, 0, 100}, all, {.memory = "", .cpu = "", .processes = "no room"}) ==
               "memory 512 MB, no limit of processes: no room");
}

BOOST_AUTO_TEST_CASE(half_a_processor_is_half_of_each_period) {
    BOOST_TEST(quota_of(0.5) == 50'000);
    BOOST_TEST(quota_of(2) == 200'000);
}

BOOST_AUTO_TEST_SUITE_END()
