#include "provisioner/operations/clusters/prepare.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/builders.hpp"

using namespace provisioner;

namespace {

const operations::NodePreview preview{
    .nodenum = 1000, .hardware_type = "small", .image_type = "deb", .services = {}};

model::Cluster a_cluster() {
    model::Cluster cluster;
    cluster.name = "c";
    cluster.snapshot.provider.header.name = "cloud";
    return cluster;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_node_has_what_both_types_say_of_the_provider) {
    const auto node = operations::node_row(
        a_cluster(), preview,
        {.hardware = {tests::a_hardware_type("small")}, .image = {tests::an_image_type("deb")}});

    BOOST_TEST(node.flavor == "small");
    BOOST_TEST(node.image == "deb");
    BOOST_TEST(node.ssh_user == "root");
}

BOOST_AUTO_TEST_CASE(settings_that_no_type_has_are_not_stored_with_the_node) {
    const auto node = operations::node_row(a_cluster(), preview, {});

    BOOST_TEST(node.settings.empty());
    BOOST_TEST(node.flavor.empty());
    BOOST_TEST(node.image.empty());
}
