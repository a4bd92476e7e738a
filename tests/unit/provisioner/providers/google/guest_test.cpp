#include "provisioner/providers/google/guest.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/google/orders.hpp"

using namespace tests;
using namespace provisioner::providers;

BOOST_AUTO_TEST_SUITE(google_guest)

std::vector<google::Disk> two_disks() {
    return google::disks_of(google_account({{"google_data_disk_size_gb", "200"}}), google_spec(),
                            "m");
}

BOOST_AUTO_TEST_CASE(cloud_init_formats_and_mounts_data_disks_and_keeps_what_is_on_them) {
    BOOST_TEST(base::to_text(google::disk_config(two_disks())) ==
               R"({"fs_setup":[{"device":"/dev/disk/by-id/google-data","filesystem":"ext4",)"
               R"("partition":"none","overwrite":false}],"mounts":[["/dev/disk/by-id/google-data",)"
               R"("/data","ext4","defaults,nofail,discard","0","2"]]})");
    BOOST_TEST(google::disk_config({google::Disk{}}).empty());
}

BOOST_AUTO_TEST_CASE(the_startup_script_does_the_same_at_every_boot) {
    BOOST_TEST(google::startup_script(two_disks(), "web1.example.org") ==
               "#!/bin/sh\n"
               "hostname 'web1.example.org'\n"
               "echo 'web1.example.org' > /etc/hostname\n"
               "grep -qw 'web1.example.org' /etc/hosts || echo 127.0.1.1 'web1.example.org' >> "
               "/etc/hosts\n"
               "if [ -e /dev/disk/by-id/google-data ]; then\n"
               "    blkid /dev/disk/by-id/google-data > /dev/null || mkfs.ext4 -q -F "
               "/dev/disk/by-id/google-data\n"
               "    mkdir -p /data\n"
               "    grep -q ' /data ' /etc/fstab || echo '/dev/disk/by-id/google-data /data ext4 "
               "defaults,nofail,discard 0 2' >> /etc/fstab\n"
               "    mountpoint -q /data || mount /data\n"
               "fi\n");
}

BOOST_AUTO_TEST_CASE(a_hostname_cannot_end_the_quotes) {
    BOOST_TEST(google::startup_script({}, "a'; reboot '").find("hostname 'a'\\''; reboot '\\'''") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_host_key_is_the_ed25519_one_of_the_guest_attributes) {
    const auto attributes = base::parse_json(R"({"queryPath": "hostkeys/", "queryValue": {"items": [
        {"namespace": "hostkeys", "key": "ecdsa-sha2-nistp256", "value": "AAAAE2"},
        {"namespace": "hostkeys", "key": "ssh-ed25519", "value": "AAAAC3"}]}})");
    BOOST_TEST(google::host_key_in(*attributes) == "ssh-ed25519 AAAAC3");
    Json hostile = *attributes;
    hostile["queryValue"]["items"][1]["value"] = "AAAAC3\nssh-ed25519 AAAA";
    BOOST_TEST(google::host_key_in(hostile).empty());
    BOOST_TEST(google::host_key_in(Json::object()).empty());
}

BOOST_AUTO_TEST_SUITE_END()
