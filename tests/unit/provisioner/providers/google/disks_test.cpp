#include "provisioner/providers/google/disks.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/google/orders.hpp"

using namespace tests;
using namespace provisioner::providers;

BOOST_AUTO_TEST_SUITE(google_disks)

BOOST_AUTO_TEST_CASE(each_number_is_a_data_disk_with_its_name_and_place) {
    const auto account = google_account({{"google_data_disk_size_gb", "100, 200 300"},
                                         {"google_data_disk_type", "ssd"},
                                         {"google_root_disk_size_gb", 20}});
    std::string drawn;
    for (const auto& disk : google::disks_of(account, google_spec(), "m")) {
        drawn += disk.name + " " + std::to_string(disk.size_gb) + " " + disk.type + " " +
                 disk.mounted_at + "\n";
    }
    BOOST_TEST(drawn ==
               "m 20 pd-standard \n"
               "m-data 100 pd-ssd /data\n"
               "m-data2 200 pd-ssd /data2\n"
               "m-data3 300 pd-ssd /data3\n");
}

BOOST_AUTO_TEST_CASE(without_sizes_there_is_a_boot_disk_as_large_as_its_image) {
    const auto disks = google::disks_of(google_account(), google_spec(), "m");
    BOOST_REQUIRE(disks.size() == 1U);
    BOOST_TEST(disks[0].size_gb == 0);
}

BOOST_AUTO_TEST_CASE(the_hardware_type_wins_over_the_provider) {
    const auto account = google_account({{"google_data_disk_size_gb", "100"}});
    auto spec = google_spec();
    spec.hardware["google_data_disk_size_gb"] = "7";
    BOOST_TEST(google::disks_of(account, spec, "m").at(1).size_gb == 7);
}

BOOST_AUTO_TEST_CASE(every_wrong_field_is_named) {
    const auto account = google_account({{"google_data_disk_size_gb", "100,many"},
                                         {"google_root_disk_size_gb", "0"},
                                         {"google_root_disk_type", "fast"}});
    BOOST_TEST(base::to_text(google::check_disks(account, google_spec())) ==
               "google_root_disk_size_gb: must be a whole number between 1 and 65536; "
               "google_data_disk_size_gb: must be a whole number between 1 and 65536; "
               "google_root_disk_type: must be standard, ssd, or a type such as pd-balanced");
}

BOOST_AUTO_TEST_CASE(a_disk_is_the_same_if_size_type_and_image_agree) {
    google::Disk boot;
    boot.size_gb = 10;
    boot.type = "pd-ssd";
    const std::string image = "projects/debian-cloud/global/images/debian-12-v20240515";
    const Json there{{"sizeGb", "10"},
                     {"type", "https://www.googleapis.com/compute/v1/x/diskTypes/pd-ssd"},
                     {"sourceImage", "https://www.googleapis.com/compute/v1/" + image}};
    BOOST_TEST(google::is_same_disk(boot, there, image));
    BOOST_TEST(!google::is_same_disk(boot, there, image + "1"));
    for (const char* member : {"sizeGb", "type", "sourceImage"}) {
        Json other = there;
        other[member] = "11";
        BOOST_TEST(!google::is_same_disk(boot, other, image), member);
    }
    google::Disk data = boot;
    data.mounted_at = "/data";
    BOOST_TEST(!google::is_same_disk(data, there, ""), "a data disk has no image");
}

BOOST_AUTO_TEST_SUITE_END()
