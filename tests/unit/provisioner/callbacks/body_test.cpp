#include "provisioner/callbacks/body.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/model/plugins/sealed.hpp"

using namespace provisioner;
using base::Json;

namespace {

model::Task a_task(int id, model::Action action, model::TaskState state) {
    model::Task task;
    task.id = model::TaskId{id};
    task.job = model::JobId{2};
    task.node = model::NodeId{7};
    task.action = action;
    task.state = state;
    return task;
}

store::CallbackFacts facts() {
    store::CallbackFacts facts;
    facts.tenant_uid = "t-1";
    model::Cluster& cluster = facts.work.cluster;
    cluster.id = model::ClusterId{1};
    cluster.name = "c1";
    cluster.description = "first";
    cluster.owner = "bob";
    cluster.status = model::ClusterStatus::active;
    cluster.created_at = base::from_millis(1000);
    cluster.services = {"hosts"};
    cluster.config = {{"web", {{"port", 80}}}};
    model::Provider& provider = cluster.snapshot.provider;
    provider.header.name = "cloud";
    provider.header.version = 1;
    provider.provider_type = "openstack";
    provider.fields = {{"api_user", "u"}, {"api_password", model::sealed_value("1.AA")}};
    model::ClusterTemplate& source = cluster.snapshot.cluster_template;
    source.header.name = "webapp";
    source.defaults.services = {"hosts"};
    source.constraints.services = {
        {"db", {.hardware_types = {}, .image_types = {}, .min = 1, .max = 2}}};
    model::Service service;
    service.header.name = "hosts";
    service.dependencies.runtime.required = {"net"};
    service.dependencies.runtime.used = {"dns"};
    service.actions[model::Action::configure] = {.type = "shell", .fields = {{"script", "x"}}};
    cluster.snapshot.services = {service};
    model::Node node;
    node.id = model::NodeId{7};
    node.cluster = cluster.id;
    node.uuid = "u7";
    node.nodenum = 1000;
    node.services = {"hosts"};
    facts.work.nodes = {node};
    facts.job.operation = model::Operation::cluster_create;
    facts.tasks = {a_task(1, model::Action::create, model::TaskState::done),
                   a_task(2, model::Action::confirm, model::TaskState::ready)};
    facts.edges = {{model::TaskId{1}, model::TaskId{2}}};
    return facts;
}

model::Callback callback() {
    model::Callback made;
    made.cluster = model::ClusterId{1};
    made.job = model::JobId{2};
    made.cluster_status = model::ClusterStatus::pending;
    made.job_status = model::JobStatus::running;
    return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_body_has_the_internal_names_and_the_state_of_that_moment) {
    const Json body = callbacks::callback_body(facts(), callback());

    const Json& cluster = body.at("cluster");
    // It is active by now, and was not when the job began.
    BOOST_TEST(cluster.at("status") == "PENDING");
    BOOST_TEST(cluster.at("account").dump() == R"({"userId":"bob","tenantId":"t-1"})");
    BOOST_TEST(cluster.at("nodes").dump() == R"(["u7"])");
    BOOST_TEST(cluster.at("latestJobId") == "00000001-002");
    BOOST_TEST(
        cluster.at("clusterTemplate").at("constraints").at("serviceConstraints").dump() ==
        R"({"db":{"requiredHardwareTypes":[],"requiredImageTypes":[],"minCount":1,"maxCount":2}})");
    BOOST_TEST(body.at("job").dump() ==
               R"({"jobId":"00000001-002","clusterId":"00000001","clusterAction":"CLUSTER_CREATE",)"
               R"("stagedTasks":[["00000001-002-001"],["00000001-002-002"]],)"
               R"("currentStageNumber":1,"taskStatus":{"00000001-002-001":"COMPLETE",)"
               R"("00000001-002-002":"NOT_SUBMITTED"},"jobStatus":"RUNNING"})");
    const Json& service = body.at("nodes")[0].at("services")[0];
    BOOST_TEST(service.at("provisionerActions").dump() ==
               R"({"CONFIGURE":{"type":"shell","fields":{"script":"x"}}})");
    BOOST_TEST(service.at("dependencies").at("runtime").dump() ==
               R"({"requires":["net"],"uses":["dns"],"dependencies":["net","dns"]})");
    BOOST_TEST(service.at("dependencies").at("requiredServices").dump() == R"(["net"])");
}

BOOST_AUTO_TEST_CASE(secrets_of_the_provider_are_told_to_nobody) {
    const std::string text = callbacks::callback_body(facts(), callback()).dump();

    BOOST_TEST(text.find("api_password") == std::string::npos);
    BOOST_TEST(text.find(R"("provisionerFields":{"api_user":"u"})") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_message_of_the_job_is_told_where_there_is_one) {
    auto failed = callback();
    failed.job_status = model::JobStatus::failed;
    failed.message = "it broke";

    const Json job = callbacks::callback_body(facts(), failed).at("job");

    BOOST_TEST(job.at("jobStatus") == "FAILED");
    BOOST_TEST(job.at("statusMessage") == "it broke");
}
