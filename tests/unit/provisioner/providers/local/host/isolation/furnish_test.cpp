#include "provisioner/providers/local/host/isolation/furnish.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::providers::local;

BOOST_AUTO_TEST_SUITE(local_furnish)

BOOST_AUTO_TEST_CASE(a_machine_hides_nothing_of_its_own_proc_and_sys) {
    BOOST_TEST(hidden_place("22 27 0:21 / /sys rw,nosuid - sysfs sysfs rw\n"
                            "23 27 0:22 / /proc rw,nosuid - proc proc rw\n"
                            "30 23 0:27 / /proc/sys/fs/binfmt_misc rw - autofs systemd-1 rw\n"
                            "35 23 0:32 / /proc/fs/nfsd rw - nfsd nfsd rw\n"
                            "31 22 0:28 / /sys/kernel/security rw - securityfs securityfs rw\n"
                            "32 22 0:29 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
                            "33 22 0:30 / /sys/firmware/efi/efivars rw - efivarfs efivarfs rw\n"
                            "34 27 0:31 / /procession rw - tmpfs tmpfs rw\n") == "");
}

BOOST_AUTO_TEST_CASE(what_a_container_hides_is_named) {
    BOOST_TEST(hidden_place("23 27 0:22 / /proc rw - proc proc rw\n"
                            "40 23 0:5 /null /proc/kcore rw - tmpfs tmpfs rw\n") == "/proc/kcore");
    BOOST_TEST(hidden_place("41 22 0:40 / /sys/firmware ro - tmpfs tmpfs ro\n") == "/sys/firmware");
    BOOST_TEST(hidden_place("42 22 0:41 / /sys/devices/virtual/powercap ro - tmpfs tmpfs ro\n") ==
               "/sys/devices/virtual/powercap");
}

BOOST_AUTO_TEST_SUITE_END()
