#include "fcgi/pages/clusters/jobs/lanes.hpp"

#include <boost/test/unit_test.hpp>

#include "../job_fixture.hpp"
#include "../tabs/cluster_fixture.hpp"

using namespace tests;
using provisioner::store::JobMachine;

BOOST_AUTO_TEST_SUITE(lanes_of_a_job)

namespace {

JobMachine machine(int number, int tasks = 2) {
    return {.node = NodeId{number},
            .nodenum = 1000 + number,
            .hostname = "shop-" + std::to_string(number) + ".test",
            .tasks = tasks,
            .done = tasks,
            .over = tasks,
            .ended = now};
}

std::vector<int> order_of(const std::vector<JobMachine>& machines) {
    std::vector<int> made;
    for (const auto& one : machines) made.push_back(one.nodenum - 1000);
    return made;
}

Task ran(int id, std::chrono::seconds begin, std::chrono::seconds end) {
    auto made = task(id, Action::install, "s" + std::to_string(id), TaskState::done);
    made.attempt = 1;
    made.started_at = now + begin;
    made.finished_at = now + end;
    return made;
}

/// One machine; 2 and 3 were the critical path.
JobPage three_tasks() {
    auto first = machine(1, 3);
    first.began = now;
    first.ended = now + 20s;
    JobPage job{.job = *page().job,
                .machines = {first},
                .lane_tasks = {ran(1, 0s, 5s), ran(2, 5s, 10s), ran(3, 10s, 20s)}};
    job.path = {job.lane_tasks[1], job.lane_tasks[2]};
    job.job.created_at = now;
    job.job.finished_at = now + 20s;
    return job;
}

Json drawn(const JobPage& job, provisioner::base::Timestamp at = now + 20s) {
    return lanes_json(job, at);
}

/// The rows of the first machine in the table.
Json rows_of(const JobPage& job, provisioner::base::Timestamp at = now + 20s) {
    auto cluster = page();
    cluster.now = at;
    return timeline_json(cluster, job).at("machines")[0].at("rows");
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_axis_has_at_most_seven_marks_of_a_sensible_step) {
    using std::chrono::seconds;
    for (const auto length : {seconds(1), seconds(7), seconds(61), seconds(599), seconds(3700),
                              seconds(90'000), seconds(10'000'000)}) {
        const auto axis = axis_of(now, now + length, false);
        BOOST_TEST((axis.end == now + length));
        BOOST_TEST(length / axis.step <= 6);
        BOOST_TEST(length / axis.step >= 2);
    }
    BOOST_TEST((axis_of(now, now + 61s, false).step == 15s));
    BOOST_TEST((axis_of(now, now + 20min, false).step == 5min));
}

BOOST_AUTO_TEST_CASE(while_a_job_runs_bars_stay_where_they_are_until_the_next_mark) {
    const auto at_31 = axis_of(now, now + 31s, true);
    BOOST_TEST((at_31.end == now + 40s));
    BOOST_TEST((axis_of(now, now + 39s, true).end == at_31.end));
    BOOST_TEST((axis_of(now, now + 40s, true).end > at_31.end));
}

BOOST_AUTO_TEST_CASE(marks_are_words_of_a_clock) {
    BOOST_TEST(words_of_mark(0s) == "0");
    BOOST_TEST(words_of_mark(500ms) == "0.5 s");
    BOOST_TEST(words_of_mark(30s) == "30 s");
    BOOST_TEST(words_of_mark(90s) == "1:30 min");
    BOOST_TEST(words_of_mark(65s) == "1:05 min");
    BOOST_TEST(words_of_mark(10min) == "10 min");
    BOOST_TEST(words_of_mark(90min) == "1:30 h");
    BOOST_TEST(words_of_mark(48h) == "2 d");
    BOOST_TEST(words_of_mark(30h) == "1 d 6 h");
}

BOOST_AUTO_TEST_CASE(few_machines_stand_by_number_and_of_many_those_that_failed_are_first) {
    BOOST_TEST(
        order_of(ordered_lanes({machine(2), machine(1)}, {NodeId{2}})) == (std::vector<int>{1, 2}),
        boost::test_tools::per_element());
    std::vector<JobMachine> many;
    for (int i = 1; i <= 50; ++i) many.push_back(machine(i));
    many[30].failed = 1;
    many[20].over = 1;
    many[10].ended = now + 5s;
    auto order = order_of(ordered_lanes(many, {NodeId{41}}));
    order.resize(5);
    BOOST_TEST(order == (std::vector<int>{31, 41, 21, 11, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_page_has_so_many_lanes_and_bars_and_every_machine_is_on_one) {
    std::vector<JobMachine> many;
    for (int i = 1; i <= 1000; ++i) many.push_back(machine(i, i == 500 ? 1000 : 10));
    std::size_t next = 0;
    const int pages = lane_page(many, 1).pages;
    for (int page = 1; page <= pages; ++page) {
        const auto shown = lane_page(many, page);
        BOOST_TEST(shown.first == next);
        int bars = 0;
        for (std::size_t i = shown.first; i < shown.last; ++i) bars += many[i].tasks;
        BOOST_TEST((bars <= most_bars || shown.last - shown.first == 1));
        BOOST_TEST(shown.last - shown.first <= most_lanes);
        BOOST_TEST(shown.last > shown.first);
        next = shown.last;
    }
    BOOST_TEST(next == many.size());
    BOOST_TEST(lane_page(many, 10'000).page == pages);
    BOOST_TEST(lane_page(many, -3).page == 1);
    BOOST_TEST(lane_page({}, 4).last == 0U);
}

BOOST_AUTO_TEST_CASE(few_machines_stand_on_one_page_unless_their_bars_are_far_too_many) {
    std::vector<JobMachine> few;
    for (int i = 1; i <= 6; ++i) few.push_back(machine(i, 20));
    BOOST_TEST(lane_page(few, 1).pages == 1);
    BOOST_TEST(lane_page(few, 1).last == 6U);

    few.front().tasks = 1000;

    BOOST_TEST(lane_page(few, 1).pages > 1);
}

BOOST_AUTO_TEST_CASE(bars_stand_where_tasks_ran_and_those_that_decided_are_marked) {
    const auto json = drawn(three_tasks());
    const auto& lane = json.at("lanes")[0];
    BOOST_TEST(lane.at("host") == "shop-1");
    BOOST_TEST(lane.at("label") == "shop-1: 3 of 3 tasks done, 20 s");
    const auto& bars = lane.at("bars");
    BOOST_TEST_REQUIRE(bars.size() == 3U);
    BOOST_TEST(bars[0].at("x") == "0%");
    BOOST_TEST(bars[0].at("width") == "25%");
    BOOST_TEST(bars[0].at("chain") == false);
    BOOST_TEST(bars[2].at("x") == "50%");
    BOOST_TEST(bars[2].at("width") == "50%");
    BOOST_TEST(bars[2].at("chain") == true);
    BOOST_TEST(bars[2].at("title") == "install s3: done, critical path, after 10 s, 10 s");
    BOOST_TEST(json.at("has_path") == true);
    BOOST_TEST(json.at("shown") == "");
}

BOOST_AUTO_TEST_CASE(neighbours_of_one_look_are_one_group) {
    auto job = three_tasks();
    job.lane_tasks[2].state = TaskState::failed;
    const auto json = drawn(job);
    const auto& bars = json.at("lanes")[0].at("bars");
    BOOST_TEST_REQUIRE(bars.size() == 3U);
    const auto is = [&](std::size_t i, bool begins, bool ends) {
        return bars[i].at("begins") == begins && bars[i].at("ends") == ends;
    };
    BOOST_TEST(is(0, true, false));
    BOOST_TEST(is(1, false, true));
    BOOST_TEST(is(2, true, true));
}

BOOST_AUTO_TEST_CASE(the_table_says_of_each_task_what_its_bar_shows) {
    const auto job = three_tasks();
    const auto json = drawn(job);
    const auto table = timeline_json(page(), job);
    const auto& machine = table.at("machines")[0];
    BOOST_TEST_REQUIRE(machine.at("rows").size() == json.at("lanes")[0].at("bars").size());
    BOOST_TEST(machine.at("words") == "3 of 3 tasks done");
    const auto& line = machine.at("rows")[1];
    BOOST_TEST(line.at("what") == "install s2");
    BOOST_TEST(line.at("state") == "done, critical path");
    BOOST_TEST(line.at("began") == "after 5 s");
    BOOST_TEST(line.at("took") == "5 s");
    BOOST_TEST(line.at("href") == "../../tasks/2");
}

BOOST_AUTO_TEST_CASE(picture_and_table_lead_to_the_same_machines_of_each_other) {
    auto job = three_tasks();
    job.machines.clear();
    for (int number = 1; number <= 45; ++number) job.machines.push_back(machine(number));
    job.query.lanes = 2;
    const std::string id = std::to_string(job.job.id.value);

    const auto picture = drawn(job);
    const auto table = timeline_json(page(), job);

    BOOST_TEST(picture.at("table") == id + "/timeline?lanes=2");
    BOOST_TEST(table.at("back") == page().href() + "/jobs/" + id + "?lanes=2#picture-title");
    BOOST_TEST(table.at("shown") == picture.at("shown"));
    BOOST_TEST_REQUIRE(table.at("machines").size() == picture.at("lanes").size());
    for (std::size_t i = 0; i < table.at("machines").size(); ++i) {
        BOOST_TEST(table.at("machines")[i].at("host") == picture.at("lanes")[i].at("host"));
    }
    const auto& of_table = table.at("lane_pages")[0].at("pager");
    BOOST_TEST(of_table.at("previous") == "timeline");
    BOOST_TEST(of_table.at("next") == "timeline?lanes=3");
    const auto& of_picture = picture.at("lane_pages")[0].at("pager");
    BOOST_TEST(of_picture.at("previous") == id + "#picture-title");
    BOOST_TEST(of_picture.at("next") == id + "?lanes=3#picture-title");
    job.query.state = "failed";
    job.query.page = 4;
    BOOST_TEST(drawn(job).at("lane_pages")[0].at("pager").at("next") ==
                   id + "?state=failed&page=4&lanes=3#picture-title",
               "the list of tasks below stays as it is");
    BOOST_TEST(of_picture.at("words") == of_table.at("words"));
    BOOST_TEST(table.at("machines")[0].at("machine_href") ==
               "../" + picture.at("lanes")[0].at("href").get<std::string>());
}

BOOST_AUTO_TEST_CASE(attempts_that_failed_are_drawn_before_the_bar_of_their_task) {
    auto job = three_tasks();
    job.lane_tasks[0].attempt = 2;
    job.lane_tasks[0].attempt_began = now + 3s;
    job.lane_tasks[0].attempt_ended = now + 5s;
    job.attempts = {
        {.task = TaskId{1}, .number = 1, .status = "failed", .began = now, .ended = now + 2s},
        {.task = TaskId{1},
         .number = 2,
         .status = "complete",
         .began = now + 3s,
         .ended = now + 5s}};
    const auto json = drawn(job);
    const auto& bars = json.at("lanes")[0].at("bars");
    BOOST_TEST_REQUIRE(bars.size() == 4U);
    BOOST_TEST(bars[0].at("x") == "15%");
    BOOST_TEST(bars[0].at("width") == "10%");
    BOOST_TEST(bars[1].at("look") == "again");
    BOOST_TEST(bars[1].at("x") == "0%");
    BOOST_TEST(bars[1].at("width") == "10%");
    BOOST_TEST(bars[1].at("title") == "install s1: attempt 1 failed after 2 s");
    const auto table = timeline_json(page(), job);
    BOOST_TEST(table.at("machines")[0].at("rows")[0].at("state") == "done, attempt 2");
}

BOOST_AUTO_TEST_CASE(what_is_expected_is_drawn_behind_what_has_been) {
    auto job = three_tasks();
    job.job.finished_at.reset();
    job.lane_tasks[1].state = TaskState::claimed;
    job.lane_tasks[1].finished_at.reset();
    job.lane_tasks[2] = task(3, Action::install, "s3", TaskState::blocked);
    job.path = {job.lane_tasks[1], job.lane_tasks[2]};
    job.forecast = Forecast{.end = now + 30s,
                            .spans = {{TaskId{2}, {.begin = now + 5s, .end = now + 15s}},
                                      {TaskId{3}, {.begin = now + 15s, .end = now + 30s}}}};
    const auto json = drawn(job, now + 10s);
    const auto& bars = json.at("lanes")[0].at("bars");
    BOOST_TEST_REQUIRE(bars.size() == 4U);
    BOOST_TEST(bars[1].at("look") == "running");
    BOOST_TEST(bars[2].at("look") == "expected");
    BOOST_TEST(bars[3].at("look") == "expected");
    BOOST_TEST(bars[3].at("chain") == true);
    const auto lines = rows_of(job, now + 10s);
    BOOST_TEST(lines[1].at("took") == "5 s of about 10 s");
    BOOST_TEST(lines[2].at("began") == "expected after 15 s");
    BOOST_TEST(lines[2].at("took") == "about 15 s");
    BOOST_TEST(lines[2].at("href") == "");
}

BOOST_AUTO_TEST_CASE(what_waits_to_be_tried_again_is_expected_and_does_not_run) {
    for (const auto state : {TaskState::ready, TaskState::blocked}) {
        auto job = three_tasks();
        job.job.finished_at.reset();
        auto& again = job.lane_tasks[2];
        again.state = state;
        again.started_at = now + 1s;
        again.finished_at.reset();
        job.path.clear();
        job.attempts = {{.task = TaskId{3},
                         .number = 1,
                         .status = "failed",
                         .began = now + 1s,
                         .ended = now + 2s}};
        job.forecast = Forecast{.end = now + 40s,
                                .spans = {{TaskId{3}, {.begin = now + 30s, .end = now + 40s}}}};
        const auto json = drawn(job, now + 30s);
        const auto& bars = json.at("lanes")[0].at("bars");
        BOOST_TEST_REQUIRE(bars.size() == 4U);
        std::set<std::string> looks;
        for (const auto& bar : bars) looks.insert(bar.at("look").get<std::string>());
        BOOST_TEST(looks == (std::set<std::string>{"done", "again", "expected"}),
                   boost::test_tools::per_element());
        const auto rows = rows_of(job, now + 30s);
        for (const auto& line : rows) {
            if (line.at("what") != "install s3") continue;
            BOOST_TEST(line.at("began") == "expected after 30 s");
            BOOST_TEST(line.at("took") == "about 10 s");
        }
    }
}

BOOST_AUTO_TEST_CASE(between_two_turns_of_an_attempt_a_task_runs) {
    auto job = three_tasks();
    job.job.finished_at.reset();
    job.lane_tasks[2].state = TaskState::ready;
    job.lane_tasks[2].finished_at.reset();
    const auto looks = [&] {
        std::set<std::string> all;
        const auto json = drawn(job, now + 30s);
        for (const auto& bar : json.at("lanes")[0].at("bars")) {
            all.insert(bar.at("look").get<std::string>());
        }
        return all;
    };
    BOOST_TEST(!looks().contains("running"));
    job.attempts = {{.task = TaskId{3},
                     .number = 1,
                     .status = "in_progress",
                     .began = now + 12s,
                     .ended = std::nullopt}};
    job.lane_tasks[2].attempt_began = now + 12s;
    BOOST_TEST(looks().contains("running"));
}

BOOST_AUTO_TEST_CASE(a_job_of_which_nothing_ran_has_no_picture) {
    auto job = three_tasks();
    for (Task& one : job.lane_tasks) one = task(1, Action::install, "web", TaskState::blocked);
    BOOST_TEST(drawn(job).is_null());
    BOOST_TEST(drawn(JobPage{}).is_null());
}

BOOST_AUTO_TEST_CASE(an_axis_passes_over_a_time_in_which_nothing_ran) {
    auto job = three_tasks();
    // Task 3 ran three hours later, after a retry.
    job.lane_tasks[2] = ran(3, 3h + 10s, 3h + 20s);
    job.path.clear();
    job.machines[0].ended = job.job.finished_at = now + 3h + 20s;
    BOOST_TEST(drawn(job, now + 3h + 20s).at("lanes")[0].at("bars")[0].at("width") != "25%");

    job.breaks = {{.begin = now + 10s, .end = now + 3h + 10s}};

    const auto json = drawn(job, now + 3h + 20s);
    const auto& lane = json.at("lanes")[0];
    BOOST_TEST(lane.at("bars")[0].at("width") == "25%");
    BOOST_TEST(lane.at("bars")[2].at("x") == "50%");
    BOOST_TEST(lane.at("bars")[2].at("width") == "50%");
    BOOST_TEST(lane.at("took") == "20 s");
    BOOST_TEST(json.at("marks").back().at("label") == "20 s");
    BOOST_TEST(json.at("breaks")[0].at("x") == "50%");
    BOOST_TEST(json.at("breaks_words") == "The dashed line marks 3 hours in which nothing ran.");
    BOOST_TEST(drawn(three_tasks()).at("breaks_words") == "");
}

BOOST_AUTO_TEST_SUITE_END()
