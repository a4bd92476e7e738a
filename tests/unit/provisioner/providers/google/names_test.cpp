#include "provisioner/providers/google/names.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/provisioner/providers/google/orders.hpp"

using namespace tests;
using namespace provisioner::providers;

BOOST_AUTO_TEST_SUITE(google_names)

BOOST_AUTO_TEST_CASE(a_name_holds_the_mark_of_its_machine) {
    const auto account = google_account();
    auto spec = google_spec();
    spec.attempt = 3;
    const auto mark = cloud::mark_of(account, spec);

    const std::string name = google::machine_name(account, mark);

    BOOST_TEST(name == "cooperage-01234567-00000001-1001-10-3");
    BOOST_TEST((google::mark_in_name(account, name) == mark));
}

BOOST_AUTO_TEST_CASE(names_of_others_have_no_mark) {
    const auto account = google_account();
    for (const char* name : {"web-1", "cooperage-76543210-00000001-1001-10-1", "cooperage-01234567",
                             "cooperage-01234567-web", "cooperage-01234567-1-1", ""}) {
        BOOST_TEST(google::mark_in_name(account, name).name.empty(), name);
    }
}

BOOST_AUTO_TEST_CASE(the_longest_name_is_legal) {
    const auto account = google_account();
    auto spec = google_spec();
    spec.name = std::string(60, 'x');
    spec.task = 9'223'372'036'854'775'807LL;
    const auto name = google::machine_name(account, cloud::mark_of(account, spec));
    BOOST_TEST(name.size() <= 63U);
    BOOST_TEST(name.ends_with("-9223372036854775807-1"));
}

BOOST_AUTO_TEST_CASE(links_have_zones_and_ends) {
    const std::string link = "https://www.googleapis.com/compute/v1/projects/p/zones/us-east1-b";
    BOOST_TEST(google::zone_in(link + "/instances/n1") == "us-east1-b");
    BOOST_TEST(google::zone_in(link) == "us-east1-b");
    BOOST_TEST(google::zone_in("projects/p/global/networks/default").empty());
    BOOST_TEST(google::last_part(link) == "us-east1-b");
    BOOST_TEST(google::last_part("n1") == "n1");
    BOOST_TEST(google::region_of("us-east1-b") == "us-east1");
}

BOOST_AUTO_TEST_SUITE_END()
