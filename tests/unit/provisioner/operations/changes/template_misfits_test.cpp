#include "provisioner/operations/changes/template_misfits.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using Names = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(template_misfits)

namespace {

model::Node node(const Names& services, const char* hardware_type = "small") {
    model::Node node;
    node.hardware_type = hardware_type;
    node.image_type = "debian";
    node.services = services;
    return node;
}

model::ClusterTemplate version(int number) {
    model::ClusterTemplate made;
    made.header.version = number;
    return made;
}

void check(const model::ClusterTemplate& newest, const Names& expected) {
    BOOST_TEST(operations::template_misfits(
                   newest, {"db", "web"}, {node({"web"}), node({"web"}), node({"db"}, "large")}) ==
                   expected,
               boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_cluster_of_another_size_is_told_the_limit_that_it_does_not_keep) {
    auto newest = version(6);
    check(newest, {});
    newest.constraints.size_min = 5;
    check(newest, {"The cluster has 3 machines; version 6 needs at least 5."});
    newest.constraints.size_min = 1;
    newest.constraints.size_max = 1;
    check(newest, {"The cluster has 3 machines; version 6 allows at most 1 machine."});
}

BOOST_AUTO_TEST_CASE(services_and_types_that_are_not_compatible_are_named) {
    auto newest = version(9);
    newest.compatibility.services = {"web"};
    newest.compatibility.hardware_types = {"huge"};
    newest.compatibility.image_types = {"ubuntu"};

    check(newest,
          {"Service db of the cluster is not among the compatible services of version 9.",
           "Hardware types large and small of the cluster are not among the compatible hardware "
           "types of version 9.",
           "Image type debian of the cluster is not among the compatible image types of version "
           "9."});
}

BOOST_AUTO_TEST_CASE(each_rule_that_the_machines_do_not_keep_is_named) {
    auto newest = version(2);
    newest.constraints.must_coexist = {{"web", "db", "cache"}};
    newest.constraints.cant_coexist = {{"web", "db"}, {"web"}};
    newest.constraints.services = {
        {"db", {.hardware_types = {"small"}, .image_types = {}, .min = 2}},
        {"web", {.hardware_types = {}, .image_types = {}, .max = 1}},
        {"cache", {.hardware_types = {}, .image_types = {}, .min = 1}}};

    check(newest, {"web may be on no machine in version 2.",
                   "web and db are not on the same machines, as version 2 demands.",
                   "db is on machines of other types than version 2 allows for it.",
                   "db is on 1 machine; version 2 needs at least 2.",
                   "web is on 2 machines; version 2 allows at most 1 machine."});
    BOOST_TEST(operations::template_misfits(newest, {"db", "web"}, {node({"db", "web"})}).at(0) ==
               "web and db are on one machine, which version 2 does not allow.");
}

BOOST_AUTO_TEST_SUITE_END()
