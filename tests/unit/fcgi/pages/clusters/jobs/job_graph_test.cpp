#include "fcgi/pages/clusters/jobs/job_graph.hpp"

#include <boost/test/unit_test.hpp>

#include "../tabs/cluster_fixture.hpp"

using namespace tests;

BOOST_AUTO_TEST_SUITE(graph_of_a_job)

namespace {

using Edges = std::vector<std::pair<std::size_t, std::size_t>>;

JobGraph boxes(std::size_t count, Edges edges) {
    JobGraph made{.nodes = std::vector<GraphNode>(count), .edges = std::move(edges)};
    for (std::size_t i = 0; i < count; ++i) {
        made.nodes[i] = {.what = "step " + std::to_string(i), .column = "web", .tasks = 1};
    }
    return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_box_stands_below_all_that_it_waits_for) {
    const auto rows = rows_of(boxes(4, {{0, 1}, {1, 3}, {0, 3}, {2, 3}}));
    BOOST_TEST(rows == (std::vector<std::size_t>{0, 1, 0, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_circle_of_kinds_is_opened_where_the_plan_begins) {
    const auto graph = boxes(3, {{0, 1}, {1, 0}, {1, 1}, {1, 2}});
    const auto rows = rows_of(graph);
    BOOST_TEST(rows == (std::vector<std::size_t>{0, 1, 2}), boost::test_tools::per_element());
    BOOST_TEST((without_implied_edges(graph, rows).edges == Edges{{0, 1}, {1, 2}}));
}

BOOST_AUTO_TEST_CASE(what_other_edges_imply_is_not_drawn) {
    const auto graph = boxes(4, {{0, 1}, {1, 2}, {2, 3}, {0, 2}, {0, 3}, {1, 3}});
    BOOST_TEST(
        (without_implied_edges(graph, rows_of(graph)).edges == Edges{{0, 1}, {1, 2}, {2, 3}}));
}

BOOST_AUTO_TEST_CASE(no_box_covers_another_and_the_table_says_what_the_picture_shows) {
    const auto json = job_graph_json(page(), *page().job, boxes(3, {{0, 2}, {1, 2}}));
    std::set<std::string> places;
    for (const auto& box : json.at("boxes")) {
        places.insert(box.at("x").dump() + ' ' + box.at("y").dump());
    }
    BOOST_TEST(places.size() == 3U);
    BOOST_TEST(json.at("rows")[2].at("waits_for") == "step 0 on web and step 1 on web");
    BOOST_TEST(json.at("lines").size() == 2U);
    BOOST_TEST(json.at("boxes")[2].at("words") == "waiting");
}

BOOST_AUTO_TEST_CASE(kinds_are_one_box_each_with_counts_by_state) {
    using provisioner::store::KindCount;
    using provisioner::store::TaskKind;
    const TaskKind create{.action = Action::create};
    const TaskKind install{.action = Action::install, .service = "web"};
    const std::vector<KindCount> kinds{
        {.kind = create, .state = TaskState::done, .tasks = 1000},
        {.kind = install, .state = TaskState::done, .tasks = 600},
        {.kind = install, .state = TaskState::failed, .tasks = 1},
        {.kind = install, .state = TaskState::blocked, .tasks = 399}};
    const auto graph = graph_of_kinds(kinds, {{.before = create, .after = install}}, "/j");
    BOOST_TEST_REQUIRE(graph.nodes.size() == 2U);
    const auto json = job_graph_json(page(), *page().job, graph);
    const auto& box = json.at("boxes")[1];
    BOOST_TEST(box.at("what") == "install web");
    BOOST_TEST(box.at("words") == "1 failed, 600 done, 399 waiting");
    BOOST_TEST(box.at("short_words") == "600 of 1,000 done, 1 failed");
    BOOST_TEST(box.at("look") == "failed");
    BOOST_TEST(json.at("rows")[0].at("waits_for") == "create the machine");
    BOOST_TEST(box.at("href") == "/j?service=web&action=install#tasks");
    BOOST_TEST(json.at("boxes")[0].at("words") == "1,000 done");
    BOOST_TEST(json.at("boxes")[0].at("short_words") == "all 1,000 done");
    BOOST_TEST(json.at("boxes")[0].at("look") == "done");
}

BOOST_AUTO_TEST_CASE(a_kind_of_one_task_is_named_without_a_machine) {
    using provisioner::store::TaskKind;
    const TaskKind create{.action = Action::create};
    const TaskKind install{.action = Action::install, .service = "web"};
    const auto graph = graph_of_kinds({{.kind = create, .state = TaskState::done, .tasks = 1},
                                       {.kind = install, .state = TaskState::done, .tasks = 1}},
                                      {{.before = create, .after = install}}, "/j");
    const auto json = job_graph_json(page(), *page().job, graph);
    BOOST_TEST(json.at("rows")[1].at("waits_for") == "create the machine");
    BOOST_TEST(json.at("explained").get<std::string>().starts_with("Each box is all tasks"));
}

BOOST_AUTO_TEST_CASE(of_more_boxes_than_are_drawn_there_is_a_table_alone) {
    // Each waits for all before it.
    const auto chain = [](std::size_t count) {
        Edges edges;
        for (std::size_t after = 0; after < count; ++after) {
            for (std::size_t before = 0; before < after; ++before)
                edges.emplace_back(before, after);
        }
        return boxes(count, std::move(edges));
    };
    auto job = *page().job;
    job.finished_at.reset();
    const auto drawn = job_graph_json(page(), job, chain(most_boxes));
    BOOST_TEST(drawn.at("is_drawn") == true);
    BOOST_TEST(drawn.at("lines").size() == most_boxes - 1);
    BOOST_TEST(drawn.at("follow") == "yes");
    const auto listed = job_graph_json(page(), job, chain(most_boxes + 1));
    BOOST_TEST(listed.at("is_drawn") == false);
    BOOST_TEST(listed.at("rows").size() == most_boxes + 1);
    BOOST_TEST(listed.at("lines").empty());
    BOOST_TEST(listed.at("follow") == "no");
    BOOST_TEST(listed.at("explained").get<std::string>().find("too many kinds of tasks to draw") !=
               std::string::npos);
    BOOST_TEST(listed.at("rows")[1].at("waits_for") == "step 0 on web");
    BOOST_TEST(listed.at("rows")
                   .back()
                   .at("waits_for")
                   .get<std::string>()
                   .ends_with("step 19 on web and 180 more"));
}

BOOST_AUTO_TEST_CASE(of_too_many_kinds_the_services_are_drawn_and_the_table_has_the_kinds) {
    using provisioner::store::KindCount;
    using provisioner::store::KindEdge;
    using provisioner::store::TaskKind;
    constexpr std::size_t services = most_boxes / 2 + 1;
    std::vector<KindCount> kinds;
    std::vector<KindEdge> edges;
    for (std::size_t i = 0; i < services; ++i) {
        const std::string service = "s" + std::to_string(i);
        const TaskKind install{.action = Action::install, .service = service};
        const TaskKind start{.action = Action::start, .service = service};
        kinds.push_back({.kind = install, .state = TaskState::done, .tasks = 3});
        kinds.push_back({.kind = start, .state = TaskState::failed, .tasks = 1});
        edges.push_back({.before = install, .after = start});
        // All wait for the first service; twice for good measure.
        const TaskKind first{.action = Action::start, .service = "s0"};
        if (i > 0) edges.push_back({.before = first, .after = install});
        if (i > 0) edges.push_back({.before = first, .after = start});
    }
    const auto json = job_graph_json(page(), *page().job, graph_of_kinds(kinds, edges, "/j"));

    BOOST_TEST(json.at("is_drawn") == true);
    BOOST_TEST(json.at("boxes").size() == services);
    BOOST_TEST(json.at("lines").size() == services - 1);
    BOOST_TEST(json.at("rows").size() == 2 * services);
    BOOST_TEST(json.at("headings").empty());
    BOOST_TEST(json.at("follow") == "no");
    const auto& box = json.at("boxes")[0];
    BOOST_TEST(box.at("what") == "s0");
    BOOST_TEST(box.at("words") == "1 failed, 3 done");
    BOOST_TEST(box.at("href") == "/j?service=s0#tasks");
    std::set<std::string> places;
    for (const auto& one : json.at("boxes")) {
        BOOST_TEST(one.at("x").get<std::size_t>() < json.at("width").get<std::size_t>());
        places.insert(one.at("x").dump() + ' ' + one.at("y").dump());
    }
    BOOST_TEST(places.size() == services);
    BOOST_TEST(json.at("width").get<std::size_t>() < 1500U);
    BOOST_TEST(json.at("explained")
                   .get<std::string>()
                   .starts_with("Each box is all tasks on one service"));
}

BOOST_AUTO_TEST_CASE(small_jobs_are_drawn_task_by_task) {
    const auto cluster = page();
    const std::vector<provisioner::store::JobMachine> machines{
        {.node = NodeId{1}, .nodenum = 1000, .hostname = "shop-7-1000.local"}};
    const auto graph = graph_of_tasks(
        cluster.tasks, {{TaskId{1}, TaskId{2}}, {TaskId{1}, TaskId{77}}}, machines, "/c");
    BOOST_TEST_REQUIRE(graph.nodes.size() == 4U);
    BOOST_TEST((graph.edges == Edges{{0, 1}}));
    BOOST_TEST(graph.nodes[1].what == "install cache");
    BOOST_TEST(graph.nodes[1].column == "shop-7-1000");
    BOOST_TEST(graph.nodes[1].href == "/c/tasks/2");
    BOOST_TEST(graph.nodes[3].href == "");
}

BOOST_AUTO_TEST_CASE(what_failed_is_led_to_and_first_in_the_table) {
    auto graph = boxes(14, {{0, 1}, {1, 2}});
    BOOST_TEST(job_graph_json(page(), *page().job, graph).at("has_failed_boxes") == false);
    for (std::size_t i = 2; i < 14; ++i) graph.nodes[i].failed = 1;

    const auto json = job_graph_json(page(), *page().job, graph);

    BOOST_TEST(json.at("failed_boxes").size() == 8U);
    BOOST_TEST(json.at("failed_boxes")[0].at("number") == 3);
    BOOST_TEST(json.at("failed_boxes")[0].at("words") == "step 2 on web");
    BOOST_TEST(json.at("more_failed") == "and 4 more");
    BOOST_TEST(json.at("rows")[0].at("what") == "step 2");
    BOOST_TEST(json.at("rows")[0].at("waits_for") == "step 1 on web");
    BOOST_TEST(json.at("rows")[12].at("what") == "step 0");
    BOOST_TEST(json.at("failed_words") == "12 failed tasks");
}

BOOST_AUTO_TEST_SUITE_END()
