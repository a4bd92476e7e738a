#include "fcgi/api/jobs/plans.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi;
using provisioner::model::Action;
using provisioner::model::ClusterId;
using provisioner::model::JobId;
using provisioner::model::NodeId;
using provisioner::model::Operation;
using provisioner::model::Task;
using provisioner::model::TaskId;
using provisioner::model::TaskState;
using provisioner::model::UserId;

BOOST_AUTO_TEST_SUITE(plans)

namespace {

Task a_task(long long id, Action action, long long node, const std::string& service,
            TaskState state = TaskState::blocked) {
    Task task;
    task.id = TaskId{id};
    task.job = JobId{2};
    task.node = NodeId{node};
    task.action = action;
    task.service = service;
    task.state = state;
    return task;
}

api::JobPlan a_plan() {
    api::JobPlan plan;
    plan.job.id = JobId{2};
    plan.job.cluster = ClusterId{1};
    plan.job.operation = Operation::cluster_create;
    plan.nodes = {{NodeId{7}, "n7"}, {NodeId{8}, "n8"}};
    plan.tasks = {a_task(1, Action::create, 7, "", TaskState::done),
                  a_task(4, Action::confirm, 7, "", TaskState::claimed),
                  a_task(5, Action::create, 8, "", TaskState::done),
                  a_task(9, Action::install, 7, "web")};
    plan.edges = {{TaskId{1}, TaskId{4}}, {TaskId{4}, TaskId{9}}};
    return plan;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_plan_is_shown_in_stages_with_the_keys_of_the_wire_contract) {
    BOOST_TEST(
        to_json(a_plan()).dump() ==
        R"({"id":"00000001-002","clusterId":"00000001","action":"CLUSTER_CREATE",)"
        R"("currentStage":1,"stages":[[)"
        R"({"id":"00000001-002-001","taskName":"CREATE","nodeId":"n7","service":""},)"
        R"({"id":"00000001-002-005","taskName":"CREATE","nodeId":"n8","service":""}],[)"
        R"({"id":"00000001-002-004","taskName":"CONFIRM","nodeId":"n7","service":""}],[)"
        R"({"id":"00000001-002-009","taskName":"INSTALL","nodeId":"n7","service":"web"}]]})");
}

BOOST_AUTO_TEST_CASE(a_plan_says_who_asked_for_it_where_that_is_known) {
    api::JobPlan plan = a_plan();
    BOOST_TEST(!to_json(plan).contains("askedBy"));

    plan.job.asked_by = {.user = UserId{3}, .name = "lease"};
    BOOST_TEST(to_json(plan).at("askedBy").dump() == R"({"kind":"user","name":"lease"})");
    plan.job.asked_by = {.user = {}, .name = provisioner::model::asked_by_lease};
    BOOST_TEST(to_json(plan).at("askedBy").dump() == R"({"kind":"lease"})");
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_made_again_shows_both_makings_in_their_order) {
    api::JobPlan plan = a_plan();
    plan.tasks.push_back(a_task(10, Action::delete_machine, 7, "", TaskState::done));
    plan.tasks.push_back(a_task(11, Action::create, 7, "", TaskState::claimed));
    for (const auto& [before, after] : {std::pair{1, 10}, std::pair{10, 11}, std::pair{11, 4}}) {
        plan.edges.emplace_back(TaskId{before}, TaskId{after});
    }

    std::string names;
    const auto json = to_json(plan);
    for (const auto& stage : json["stages"]) {
        for (const auto& task : stage) {
            if (task["nodeId"] == "n7") names += task["taskName"].get<std::string>() + ' ';
        }
    }

    BOOST_TEST(names == "CREATE DELETE CREATE CONFIRM INSTALL ");
}

BOOST_AUTO_TEST_CASE(one_answer_has_a_hundred_thousand_tasks_at_most_and_reads_no_more) {
    std::vector<provisioner::model::Job> jobs(5);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        jobs[i].id = JobId{static_cast<std::int64_t>(5 - i)};
        jobs[i].cluster = ClusterId{1};
        jobs[i].tasks_total = 25'000;
    }
    std::string read;
    const auto ask = [&](const std::string& query) {
        http::Request request;
        request.method = "GET";
        request.path = "/v2/clusters/00000001/plans";
        request.query = query;
        read.clear();
        return api::plans_of(request, jobs, [&](const provisioner::model::Job& job) {
            read += std::to_string(job.id.value) + ' ';
            return provisioner::base::Json{{"id", job.id.value}};
        });
    };

    const auto all = ask("");
    BOOST_TEST(all.status == 400);
    BOOST_TEST(all.body ==
               "These plans have more than 100000 tasks. Ask for fewer at once: ?limit=10");
    BOOST_TEST(read == "5 4 3 2 ");

    const auto first = ask("limit=4");
    BOOST_TEST(first.status == 200);
    BOOST_TEST(read == "5 4 3 2 ");
    BOOST_TEST(first.header("Link").find("cursor=00000001-002") != std::string::npos);
    BOOST_TEST(ask("limit=4&cursor=00000001-002").body == R"([{"id":1}])");
    BOOST_TEST(read == "1 ");
}

BOOST_AUTO_TEST_CASE(a_plan_that_is_over_stays_at_its_last_stage) {
    api::JobPlan plan = a_plan();
    for (Task& task : plan.tasks) task.state = TaskState::done;

    BOOST_TEST(to_json(plan)["currentStage"] == 2);
}

BOOST_AUTO_TEST_CASE(a_job_without_tasks_has_no_stages) {
    api::JobPlan plan = a_plan();
    plan.job.operation = Operation::solve_layout;
    plan.tasks.clear();
    plan.edges.clear();

    BOOST_TEST(to_json(plan).dump() ==
               R"({"id":"00000001-002","clusterId":"00000001","action":"SOLVE_LAYOUT",)"
               R"("currentStage":0,"stages":[]})");
}

BOOST_AUTO_TEST_SUITE_END()
