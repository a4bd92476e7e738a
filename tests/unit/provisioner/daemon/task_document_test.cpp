#include "provisioner/daemon/task_document.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;

namespace {

model::Node a_node(long long id, int nodenum, const std::string& uuid) {
    model::Node node;
    node.id = model::NodeId{id};
    node.nodenum = nodenum;
    node.uuid = uuid;
    node.hostname = "c11-" + std::to_string(nodenum) + ".example.com";
    node.addresses = {{"access_v4", "203.0.113.3"}, {"bind_v4", "10.0.0.3"}};
    node.hardware_type = "tiny";
    node.image_type = "deb12";
    node.flavor = "1";
    node.image = "img-1";
    node.ssh_user = "debian";
    node.services = {"web", "hosts"};
    node.automators = {"shell"};
    node.results = {{"providerid", "vm-1002"}};
    return node;
}

store::ClusterWork a_cluster() {
    model::Service hosts;
    hosts.header.name = "hosts";
    hosts.actions[model::Action::configure] = {
        .type = "shell", .fields = {{"script", "hello.sh"}, {"args", "%host.self%"}}};
    store::ClusterWork work;
    work.cluster.id = model::ClusterId{1};
    work.cluster.snapshot.provider.header.name = "cloud";
    work.cluster.snapshot.provider.provider_type = "openstack";
    work.cluster.snapshot.services = {hosts};
    work.nodes = {a_node(7, 1001, "uuid-1001"), a_node(8, 1002, "uuid-1002")};
    return work;
}

queue::Claim a_claim(model::Action action, const std::string& service) {
    queue::Claim claim;
    claim.task = model::TaskId{11};
    claim.job = model::JobId{2};
    claim.cluster = model::ClusterId{1};
    claim.node = model::NodeId{8};
    claim.action = action;
    claim.service = service;
    return claim;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_service_task_says_what_the_wire_contract_says) {
    const auto work = a_cluster();

    const base::Json document = daemon::task_document(
        work, a_claim(model::Action::configure, "hosts"), {{"web", {{"port", 8080}}}});

    BOOST_TEST(document.at("taskId") == "00000001-002-011");
    BOOST_TEST(document.at("jobId") == "00000001-002");
    BOOST_TEST(document.at("taskName") == "CONFIGURE");
    BOOST_TEST(document.at("nodeId") == "uuid-1002");
    const base::Json& config = document.at("config");
    BOOST_TEST(config.at("cluster").at("web").at("port") == 8080);
    BOOST_TEST(base::to_text(config.at("service")) ==
               R"({"name":"hosts","action":{"type":"shell","fields":)"
               R"({"args":"%host.self%","script":"hello.sh"}}})");
    BOOST_TEST(config.at("hostname") == "c11-1002.example.com");
    BOOST_TEST(config.at("nodes").size() == 2);
    BOOST_TEST(config.at("provider").at("providertype") == "openstack");
}

BOOST_AUTO_TEST_CASE(results_of_earlier_tasks_stand_at_top_level) {
    const auto work = a_cluster();

    const base::Json document =
        daemon::task_document(work, a_claim(model::Action::bootstrap, ""), base::Json::object());

    BOOST_TEST(document.at("config").at("providerid") == "vm-1002");
    BOOST_TEST(!document.at("config").contains("service"));
}

BOOST_AUTO_TEST_CASE(a_task_of_a_node_that_is_not_there_is_an_error) {
    auto work = a_cluster();
    work.nodes.pop_back();

    BOOST_CHECK_THROW(daemon::node_of(work, a_claim(model::Action::bootstrap, "")),
                      std::logic_error);
}
