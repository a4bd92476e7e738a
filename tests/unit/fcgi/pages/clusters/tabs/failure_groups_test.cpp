#include "fcgi/pages/clusters/tabs/failure_groups.hpp"

#include <boost/test/unit_test.hpp>

#include "cluster_fixture.hpp"

BOOST_AUTO_TEST_SUITE(groups_of_failures)

using namespace tests;

BOOST_AUTO_TEST_CASE(numbers_addresses_and_names_with_digits_are_taken_out) {
    BOOST_TEST(without_particulars("exit status 100 after 3 attempts") ==
               "exit status # after # attempts");
    BOOST_TEST(without_particulars("no answer of 10.77.0.5:22, node shop-42-1001.example.test.") ==
               "no answer of #, node #.");
    BOOST_TEST(without_particulars("held by process 4711: apt-get") ==
               "held by process #: apt-get");
    BOOST_TEST(without_particulars("no space left on /var") == "no space left on /var");
    BOOST_TEST(without_particulars("") == "");
    BOOST_TEST(without_particulars("2026-11-20T10:00:00Z refused") == "# refused");
}

BOOST_AUTO_TEST_CASE(failures_that_say_the_same_are_one_group_and_the_largest_comes_first) {
    const auto failed = [](int id, const char* service, const std::string& message) {
        auto made = task(id, Action::install, service, TaskState::failed);
        made.message = message;
        return made;
    };
    const std::vector<Task> tasks{failed(1, "cache", "disk full"), failed(2, "web", "lock 17"),
                                  task(3, Action::start, "web", TaskState::done),
                                  failed(4, "web", "lock 18"), failed(5, "web", "disk full")};

    const auto groups = failure_groups(tasks);

    BOOST_TEST_REQUIRE(groups.size() == 3U);
    BOOST_TEST(groups[0].what == "install web");
    BOOST_TEST(groups[0].message == "lock 17");
    BOOST_TEST(groups[0].tasks.size() == 2U);
    BOOST_TEST(groups[1].what == "install cache");
    BOOST_TEST(groups[2].tasks.front()->id.value == 5);
    BOOST_TEST(failure_groups({}).empty());
}

BOOST_AUTO_TEST_CASE(the_machines_that_failed_like_a_task_are_found_each_once) {
    const auto failed = [](int id, int node, const std::string& message) {
        auto made = task(id, Action::install, "web", TaskState::failed);
        made.node = NodeId{node};
        made.message = message;
        return made;
    };
    const std::vector<Task> tasks{failed(1, 7, "lock 17"), failed(2, 8, "lock 18"),
                                  failed(3, 8, "lock 19"), failed(4, 9, "disk full")};
    const auto groups = failure_groups(tasks);

    BOOST_TEST((machines_like(groups, TaskId{2}) == std::set{NodeId{7}, NodeId{8}}));
    BOOST_TEST((machines_like(groups, TaskId{4}) == std::set{NodeId{9}}));
    BOOST_TEST(machines_like(groups, TaskId{5}).empty());
}

BOOST_AUTO_TEST_CASE(attempts_that_say_the_same_are_printed_once) {
    BOOST_TEST(joined_outputs({}) == "");
    BOOST_TEST(joined_outputs({{1, "E: no lock\n"}}) == "E: no lock\n");

    BOOST_TEST(joined_outputs({{1, "10:00:01 E: no lock"},
                               {2, "10:03:07 E: no lock"},
                               {3, "E: no space"},
                               {4, "E: no lock"}}) ==
               "[attempts 1 to 2]\n10:03:07 E: no lock\n"
               "[attempt 3]\nE: no space\n"
               "[attempt 4]\nE: no lock");
}

BOOST_AUTO_TEST_SUITE_END()
