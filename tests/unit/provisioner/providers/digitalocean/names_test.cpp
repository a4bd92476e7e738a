#include "provisioner/providers/digitalocean/names.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner::providers;
using namespace provisioner::providers::digitalocean;

BOOST_AUTO_TEST_SUITE(digitalocean_names)

const cloud::Mark mark{.installation = "0123456789abcdef",
                       .cluster = "00000001",
                       .name = "00000001-1001",
                       .task = 10,
                       .attempt = 2};

BOOST_AUTO_TEST_CASE(a_droplet_is_named_by_installation_machine_task_and_attempt) {
    BOOST_TEST(droplet_name(mark) == "cooperage-01234567-00000001-1001-t10-2");

    const auto read = mark_in_name(droplet_name(mark));

    BOOST_REQUIRE(read.has_value());
    BOOST_TEST(read->installation == "01234567");
    BOOST_TEST(read->cluster == "00000001");
    BOOST_TEST(read->name == "00000001-1001");
    BOOST_TEST(read->task == 10);
    BOOST_TEST(read->attempt == 2);
}

BOOST_AUTO_TEST_CASE(names_of_others_are_no_marks) {
    for (const char* name :
         {"", "web", "web-t1-1", "cooperage-", "cooperage-01234567-00000001-t1-1",
          "cooperage-01234567-00000001-1001", "cooperage-01234567-00000001-1001-t",
          "cooperage-01234567-00000001-1001-t1", "cooperage-01234567-00000001-1001-tx-1",
          "cooperage-01234567-00000001-1001-t1-99999999999", "cooperage-0123-00000001-1001-t1-1",
          "cooperage-01234567-00000001-1001-more-t1-1"}) {
        BOOST_TEST(!mark_in_name(name).has_value(), name);
    }
}

BOOST_AUTO_TEST_CASE(what_belongs_to_a_machine_or_a_cluster_is_known_by_its_name) {
    BOOST_TEST(firewall_name(mark) == "cooperage-01234567-00000001");
    BOOST_TEST(volume_name(mark) == "cooperage-01234567-00000001-1001");
    BOOST_TEST(mark_of_belonging(firewall_name(mark))->cluster == "00000001");
    BOOST_TEST(mark_of_belonging(firewall_name(mark))->name == "");
    BOOST_TEST(mark_of_belonging(volume_name(mark))->name == "00000001-1001");
    for (const char* name : {"", "data", "cooperage-01234567", "cooperage-x-y", "a-b-c-d"}) {
        BOOST_TEST(!mark_of_belonging(name).has_value(), name);
    }
}

// Tags are global in an account, and deleting one takes it off everything: two installations must
// not share the tag of a cluster.
BOOST_AUTO_TEST_CASE(the_tag_of_a_cluster_names_the_installation) {
    BOOST_TEST(cluster_tag(mark) == "cooperage-cluster:01234567-00000001");
    BOOST_TEST(installation_tag(mark.installation) == "cooperage-installation:0123456789abcdef");
}

BOOST_AUTO_TEST_SUITE_END()
