#include "fcgi/api/wire.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/support/builders.hpp"

using namespace fcgi;
using provisioner::base::from_millis;
using provisioner::base::Json;
using provisioner::model::Action;
using provisioner::model::ClusterId;
using provisioner::model::ClusterStatus;
using provisioner::model::Job;
using provisioner::model::JobId;
using provisioner::model::JobStatus;
using provisioner::model::NodeId;
using provisioner::model::Operation;
using provisioner::model::TaskId;

BOOST_AUTO_TEST_SUITE(wire)

namespace {

Job a_job() {
    Job job;
    job.id = JobId{2};
    job.cluster = ClusterId{1};
    job.status = JobStatus::running;
    job.tasks_total = 18;
    return job;
}

provisioner::store::ClusterSummary a_summary() {
    provisioner::store::ClusterSummary cluster;
    cluster.id = ClusterId{1};
    cluster.owner = "bob";
    cluster.name = "c1";
    cluster.description = "first";
    cluster.created_at = from_millis(1795211024613);
    cluster.expires_at = from_millis(1795815824613);
    cluster.services = {"web", "hosts", "db"};
    cluster.node_count = 3;
    cluster.provider.name = "cloud";
    cluster.provider.description = "Example cloud";
    cluster.provider.version = 1;
    cluster.cluster_template.name = "webapp";
    cluster.cluster_template.description = "web + db";
    cluster.cluster_template.version = 1;
    cluster.latest_job = a_job();
    return cluster;
}

api::ClusterDetails some_details() {
    api::ClusterDetails details;
    details.tenant_uid = "0e73aa28";
    details.latest_job = a_job();
    auto& cluster = details.cluster;
    cluster.id = ClusterId{1};
    cluster.owner = "bob";
    cluster.name = "c1";
    cluster.created_at = from_millis(5);
    cluster.services = {"hosts"};
    cluster.config = {{"n", 3}};
    cluster.latest_job = JobId{2};
    cluster.snapshot.provider.header.name = "cloud";
    cluster.snapshot.cluster_template.header.name = "webapp";
    cluster.snapshot.cluster_template.links = {{"docs", "http://docs/%cluster.owner%"},
                                               {"odd", "http://docs/%bogus%"}};
    cluster.snapshot.services = {tests::a_service("hosts", {Action::configure})};
    auto& node = details.nodes.emplace_back();
    node.id = NodeId{7};
    node.uuid = "u7";
    node.nodenum = 1000;
    node.hostname = "c11-1000.example.com";
    node.services = {"hosts"};
    return details;
}

provisioner::store::Attempt an_attempt(const std::string& status) {
    return {.task = TaskId{2},
            .job = JobId{2},
            .node = NodeId{7},
            .action = Action::create,
            .service = "",
            .number = 1,
            .status = status,
            .status_code = std::nullopt,
            .stdout_tail = "out",
            .stderr_tail = "",
            .started_at = from_millis(10),
            .finished_at = from_millis(20)};
}

std::string keys_of(const Json& object) {
    std::string keys;
    for (const auto& [key, value] : object.items()) keys += (keys.empty() ? "" : " ") + key;
    return keys;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_listed_cluster_is_the_example_of_the_wire_contract) {
    BOOST_TEST(
        api::to_json(a_summary()).dump() ==
        R"({"id":"00000001","name":"c1","description":"first","ownerId":"bob","createTime":1795211024613,)"
        R"("expireTime":1795815824613,"numNodes":3,"status":"pending",)"
        R"("provider":{"description":"Example cloud","version":1,"name":"cloud"},)"
        R"("clusterTemplate":{"description":"web + db","version":1,"name":"webapp"},)"
        R"("services":["web","hosts","db"],"progress":{"action":"cluster_create",)"
        R"("actionstatus":"running","stepstotal":18,"stepscompleted":0}})");
}

BOOST_AUTO_TEST_CASE(a_cluster_that_never_expires_says_zero) {
    auto cluster = a_summary();
    cluster.expires_at.reset();

    BOOST_TEST(api::to_json(cluster)["expireTime"] == 0);
}

BOOST_AUTO_TEST_CASE(the_status_is_the_example_of_the_wire_contract) {
    provisioner::store::ClusterState cluster{.id = a_summary().id,
                                             .status = ClusterStatus::active,
                                             .latest_job = a_summary().latest_job};
    cluster.latest_job->status = JobStatus::complete;
    cluster.latest_job->tasks_done = 18;

    BOOST_TEST(api::status_json(cluster).dump() ==
               R"({"clusterid":"00000001","stepstotal":18,"stepscompleted":18,"status":"active",)"
               R"("actionstatus":"complete","action":"cluster_create"})");
}

BOOST_AUTO_TEST_CASE(details_say_when_a_deletion_that_failed_comes_again) {
    auto details = some_details();
    details.failed_deletions = {
        .count = 2, .last = from_millis(1795211024613), .message = "no credit"};

    BOOST_TEST(api::to_json(details).at("failedDeletions").dump() ==
               R"({"count":2,"message":"no credit","nextTime":1795211144613})");
}

BOOST_AUTO_TEST_CASE(details_have_the_keys_of_the_wire_contract_in_order) {
    const Json json = api::to_json(some_details());

    BOOST_TEST(keys_of(json) ==
               "id name description account createTime expireTime provider clusterTemplate nodes "
               "services latestJobId status config links progress");
    BOOST_TEST(json["account"].dump() == R"({"userId":"bob","tenantId":"0e73aa28"})");
    BOOST_TEST(json["latestJobId"] == "00000001-002");
    BOOST_TEST(keys_of(json["nodes"][0]) ==
               "id clusterId services properties actions provisionerResults links");
    BOOST_TEST(json["nodes"][0]["id"] == "u7");
    BOOST_TEST(json["nodes"][0]["services"][0]["name"] == "hosts");
    BOOST_TEST(json["nodes"][0]["properties"]["nodenum"] == 1000);
}

BOOST_AUTO_TEST_CASE(links_are_expanded_unless_they_cannot_be) {
    BOOST_TEST(api::to_json(some_details())["links"].dump() ==
               R"([{"label":"docs","url":"http://docs/bob"},)"
               R"({"label":"odd","url":"http://docs/%bogus%"}])");
}

BOOST_AUTO_TEST_CASE(the_message_is_there_only_when_there_is_one) {
    api::ClusterDetails details = some_details();
    details.latest_job->message = "Aborted by user.";

    BOOST_TEST(api::to_json(details)["message"] == "Aborted by user.");
    BOOST_TEST(!api::to_json(some_details()).contains("message"));
}

BOOST_AUTO_TEST_CASE(actions_show_output_only_of_what_failed) {
    api::ClusterDetails details = some_details();
    details.attempts = {an_attempt("complete"), an_attempt("failed")};

    const Json actions = api::to_json(details)["nodes"][0]["actions"];

    BOOST_TEST(actions[0].dump() ==
               R"({"taskId":"00000001-002-002","service":"","action":"CREATE","submitTime":10,)"
               R"("statusTime":20,"status":"complete"})");
    BOOST_TEST(actions[1]["stdout"] == "out");
    BOOST_TEST(!actions[1].contains("stderr"));
}

BOOST_AUTO_TEST_CASE(ids_are_read_however_they_are_padded) {
    BOOST_TEST(api::cluster_id_in("1").value().value == 1);
    BOOST_TEST(api::cluster_id_in("00000014").value().value == 14);
    for (const char* wrong : {"", "abc", "-1", "1-2", "1 "}) {
        BOOST_TEST(!api::cluster_id_in(wrong).has_value(), wrong);
    }
    BOOST_TEST(api::job_id_in("00000001-016").value().job.value == 16);
    BOOST_TEST(api::job_id_in("14-016").value().cluster.value == 14);
    for (const char* wrong : {"", "1", "1-", "-1", "1-2-3", "a-b", "1--2"}) {
        BOOST_TEST(!api::job_id_in(wrong).has_value(), wrong);
    }
    BOOST_TEST(api::task_id_in("00000001-002-011").value().task.value == 11);
    BOOST_TEST(!api::task_id_in("00000001-002").has_value());
}

BOOST_AUTO_TEST_CASE(the_version_of_an_entry_stands_where_the_wire_contract_shows_it) {
    const Json stored{{"name", "p"}, {"icon", "i"}, {"providertype", "aws"}, {"version", 2}};

    BOOST_TEST(api::in_wire_order(stored).dump() ==
               R"({"name":"p","icon":"i","version":2,"providertype":"aws"})");
}

BOOST_AUTO_TEST_CASE(a_preview_says_what_would_be_made) {
    provisioner::operations::ClusterPreview preview;
    preview.layout.groups = {{"tiny", "deb12", {"web"}, 2}};
    preview.nodes.resize(1);
    preview.nodes[0].nodenum = 1000;
    preview.tasks = {{Action::create, 2}};
    preview.task_count = 2;
    preview.stage_count = 1;
    preview.provider = "cloud";

    const Json json = api::to_json(preview);

    BOOST_TEST(keys_of(json) == "layout nodes tasks taskCount stageCount expireTime provider");
    BOOST_TEST(json["layout"].dump() ==
               R"([{"hardwaretype":"tiny","imagetype":"deb12","services":["web"],"count":2}])");
    BOOST_TEST(json["tasks"].dump() == R"([{"action":"create","count":2}])");
    BOOST_TEST(json["nodes"][0]["nodenum"] == 1000);
    BOOST_TEST(json["expireTime"] == 0);
}

BOOST_AUTO_TEST_CASE(a_preview_says_why_when_it_knows) {
    provisioner::operations::ClusterPreview preview;
    preview.layout.groups = {{"tiny", "deb12", {"web"}, 2}};
    preview.reasons = {{.services = {{"db", false, "db is not here: because."}},
                        .machine = "tiny is the only one."}};

    BOOST_TEST(api::to_json(preview)["layout"][0]["reasons"].dump() ==
               R"({"services":[{"service":"db","here":false,"reason":"db is not here: because."}],)"
               R"("machine":"tiny is the only one."})");
}

BOOST_AUTO_TEST_CASE(another_size_is_a_layout_or_the_problems_with_it) {
    provisioner::operations::SizePreview size{.machines = 2, .task_count = 8};
    size.layout.groups = {{"tiny", "deb12", {"web"}, 2}};
    BOOST_TEST(api::to_json(size).dump() ==
               R"({"numMachines":2,"layout":[{"hardwaretype":"tiny","imagetype":"deb12",)"
               R"("services":["web"],"count":2}],"taskCount":8})");

    size = {.machines = 9, .problems = {{"numMachines", "too many"}}};
    BOOST_TEST(api::to_json(size).dump() ==
               R"({"numMachines":9,"problems":[{"field":"numMachines","message":"too many"}]})");
}

BOOST_AUTO_TEST_SUITE_END()
