#include "provisioner/daemon/tasks/task_document.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/automators/pieced_text.hpp"

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(task_document)

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

store::ClusterView a_cluster() {
    model::Service hosts;
    hosts.header.name = "hosts";
    hosts.actions[model::Action::configure] = {
        .type = "shell", .fields = {{"script", "hello.sh"}, {"args", "%host.self%"}}};
    model::Cluster cluster;
    cluster.id = model::ClusterId{1};
    cluster.snapshot.provider.header.name = "cloud";
    cluster.snapshot.provider.provider_type = "openstack";
    cluster.snapshot.services = {hosts};
    store::ClusterView view{.cluster = std::make_shared<const model::Cluster>(cluster),
                            .nodes = {}};
    for (const model::Node& node : {a_node(7, 1001, "uuid-1001"), a_node(8, 1002, "uuid-1002")}) {
        view.nodes.push_back(std::make_shared<const model::Node>(node));
    }
    return view;
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

/// The document of a task of the second node, shared values put in.
base::Json whole_document(const queue::Claim& claim, const base::Json& config) {
    const auto view = a_cluster();
    automators::SharedValues shared(view.memo);
    const auto document = daemon::task_document(view, *view.nodes[1], claim, config, shared);
    return base::Json::parse(automators::json_text(document, shared).joined());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_service_task_says_what_the_wire_contract_says) {
    const base::Json document =
        whole_document(a_claim(model::Action::configure, "hosts"), {{"web", {{"port", 8080}}}});

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
    BOOST_TEST(config.at("nodes").at("uuid-1001").at("hostname") == "c11-1001.example.com");
    BOOST_TEST(config.at("provider").at("providertype") == "openstack");
}

BOOST_AUTO_TEST_CASE(results_of_earlier_tasks_stand_at_top_level) {
    const base::Json document =
        whole_document(a_claim(model::Action::bootstrap, ""), base::Json::object());

    BOOST_TEST(document.at("config").at("providerid") == "vm-1002");
    BOOST_TEST(!document.at("config").contains("service"));
}

BOOST_AUTO_TEST_SUITE_END()
