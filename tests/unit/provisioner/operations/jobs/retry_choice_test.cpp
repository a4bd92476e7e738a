#include "provisioner/operations/jobs/retry_choice.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using namespace provisioner::operations;
using model::NodeId;
using model::Task;
using model::TaskId;
using model::TaskState;

BOOST_AUTO_TEST_SUITE(retry_choice)

namespace {

Task task(int id, int node, TaskState state) {
    Task made;
    made.id = TaskId{id};
    made.node = NodeId{node};
    made.state = state;
    return made;
}

model::Node node(int id) {
    model::Node made;
    made.id = NodeId{id};
    made.nodenum = 1000 + id;
    made.uuid = "id-" + std::to_string(id);
    made.hostname = "web-" + std::to_string(id);
    return made;
}

/// Of three machines the first is done, the second failed and the third, too. Each has an install,
/// and a start behind it. The start of the third waits for that of the second.
struct Failed {
    std::vector<model::Node> nodes{node(1), node(2), node(3)};
    std::vector<Task> tasks{task(11, 1, TaskState::done),   task(12, 1, TaskState::done),
                            task(21, 2, TaskState::failed), task(22, 2, TaskState::cancelled),
                            task(31, 3, TaskState::failed), task(32, 3, TaskState::cancelled)};
    TaskEdges edges{{TaskId{11}, TaskId{12}},
                    {TaskId{21}, TaskId{22}},
                    {TaskId{31}, TaskId{32}},
                    {TaskId{22}, TaskId{32}}};

    /// "21 22"
    std::string retried(const std::set<NodeId>& of) const {
        std::string text;
        for (const TaskId id : tasks_to_retry(tasks, edges, of)) {
            text += (text.empty() ? "" : " ") + std::to_string(id.value);
        }
        return text;
    }

    std::string problems(const std::vector<std::string>& wanted) const {
        const auto chosen = choose_retry(wanted, nodes, tasks, edges);
        return chosen ? "none" : base::to_text(chosen.error());
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_failed_task_of_a_machine_runs_again_with_what_waits_for_it) {
    BOOST_TEST(Failed().retried({NodeId{2}}) == "21 22");
}

BOOST_AUTO_TEST_CASE(what_waits_for_a_machine_that_is_left_out_is_left_out_too) {
    BOOST_TEST(Failed().retried({NodeId{3}}) == "31");
}

BOOST_AUTO_TEST_CASE(all_machines_together_are_the_whole_retry) {
    BOOST_TEST(Failed().retried({NodeId{1}, NodeId{2}, NodeId{3}}) == "21 22 31 32");
}

BOOST_AUTO_TEST_CASE(what_was_cancelled_elsewhere_runs_if_it_waits_for_nothing_else) {
    Failed job;
    job.tasks[4].state = TaskState::done;

    BOOST_TEST(job.retried({NodeId{2}}) == "21 22 32");
}

BOOST_AUTO_TEST_CASE(what_waits_over_several_tasks_for_one_left_out_does_not_run) {
    Failed job;
    job.tasks.push_back(task(41, 2, TaskState::cancelled));
    job.tasks.push_back(task(42, 2, TaskState::cancelled));
    job.edges.push_back({TaskId{32}, TaskId{41}});
    job.edges.push_back({TaskId{41}, TaskId{42}});

    BOOST_TEST(job.retried({NodeId{2}}) == "21 22");
    BOOST_TEST(job.retried({NodeId{2}, NodeId{3}}) == "21 22 31 32 41 42");
}

BOOST_AUTO_TEST_CASE(machines_are_named_by_number_or_id_and_count_once) {
    const Failed job;
    const auto chosen = choose_retry({"1002", "id-2"}, job.nodes, job.tasks, job.edges);

    BOOST_REQUIRE(chosen.has_value());
    BOOST_TEST((chosen->nodes == std::set{NodeId{2}}));
    BOOST_TEST((chosen->tasks == std::vector{TaskId{21}, TaskId{22}}));
}

BOOST_AUTO_TEST_CASE(all_machines_that_cannot_be_retried_are_named_at_once) {
    Failed job;
    job.tasks[4].state = TaskState::done;

    BOOST_TEST(job.problems({"1001", "1003", "1009", "id-1"}) ==
               "nodes: There is no machine 1009 in this cluster.; "
               "nodes: web-1 has no failed or cancelled tasks.; "
               "nodes: web-3 waits for machines that failed. Retry those, too.");
    BOOST_TEST(job.problems({}) == "nodes: Name at least one machine.");
    BOOST_TEST(job.problems({"1002", "1003"}) == "none");
}

BOOST_AUTO_TEST_SUITE_END()
