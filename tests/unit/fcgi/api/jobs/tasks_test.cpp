#include "fcgi/api/jobs/tasks.hpp"

#include <boost/test/unit_test.hpp>

using namespace fcgi;
using provisioner::base::from_millis;
using provisioner::model::Action;
using provisioner::model::ClusterId;
using provisioner::model::JobId;
using provisioner::model::Node;
using provisioner::model::Task;
using provisioner::model::TaskId;
using provisioner::model::TaskState;

BOOST_AUTO_TEST_SUITE(tasks)

namespace {

Task a_task() {
    Task task;
    task.id = TaskId{11};
    task.job = JobId{2};
    task.action = Action::install;
    task.service = "web";
    task.state = TaskState::claimed;
    task.attempt = 2;
    task.message = "exit 1";
    task.started_at = from_millis(1000);
    return task;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_task_is_shown_with_its_node_and_times) {
    Node node;
    node.uuid = "u7";
    node.hostname = "c1-1000.local";

    BOOST_TEST(api::task_json(a_task(), ClusterId{1}, &node).dump() ==
               R"({"id":"00000001-002-011","node":"u7","hostname":"c1-1000.local",)"
               R"("action":"install","service":"web","state":"claimed","attempt":2,)"
               R"("message":"exit 1","startTime":1000,"finishTime":0})");
    BOOST_TEST(api::task_json(a_task(), ClusterId{1}, nullptr)["node"].is_null());
}

BOOST_AUTO_TEST_CASE(a_transcript_says_where_to_go_on) {
    const std::vector<provisioner::store::TranscriptPiece> pieces{
        {.id = 41, .attempt = 2, .stream = "out", .at = from_millis(5), .body = "a\n"},
        {.id = 43, .attempt = 2, .stream = "err", .at = from_millis(6), .body = "b\n"}};

    BOOST_TEST(api::transcript_json("00000001-002-011", a_task(), 40, pieces).dump() ==
               R"({"task":"00000001-002-011","state":"claimed","attempt":2,"next":43,"pieces":[)"
               R"({"id":41,"attempt":2,"stream":"out","time":5,"text":"a\n"},)"
               R"({"id":43,"attempt":2,"stream":"err","time":6,"text":"b\n"}]})");
    BOOST_TEST(api::transcript_json("x", a_task(), 40, {})["next"] == 40);
}

BOOST_AUTO_TEST_CASE(a_piece_says_how_much_before_it_is_not_kept) {
    const std::vector<provisioner::store::TranscriptPiece> pieces{
        {.id = 41, .stream = "out", .body = "a\n"},
        {.id = 43, .stream = "out", .body = "b\n", .missing = 17}};

    const auto json = api::transcript_json("x", a_task(), 0, pieces);
    BOOST_TEST(!json["pieces"][0].contains("missing"));
    BOOST_TEST(json["pieces"][1]["missing"] == 17);
}

BOOST_AUTO_TEST_SUITE_END()
