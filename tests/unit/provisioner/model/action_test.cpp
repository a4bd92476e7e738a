#include "provisioner/model/action.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "provisioner/model/catalogue/entity.hpp"
#include "provisioner/model/jobs/job.hpp"

using namespace provisioner::model;
using provisioner::base::from_word;
using provisioner::base::to_word;

namespace {

std::string walk(Operation operation) {
    std::string text;
    for (const Action action : actions_of(operation)) {
        text += (text.empty() ? "" : " ") + to_word(action);
    }
    return text;
}

template <class Enum>
void check_that_words_and_values_are_one_to_one() {
    for (const auto& [value, word] : provisioner::base::words<Enum>) {
        BOOST_TEST(to_word(value) == word);
        BOOST_TEST((from_word<Enum>(word) == value));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(operations_walk_their_actions_in_order) {
    BOOST_TEST(walk(Operation::cluster_create) ==
               "create confirm bootstrap install configure initialize start");
    BOOST_TEST(walk(Operation::cluster_delete) == "delete");
    BOOST_TEST(walk(Operation::add_services) == "bootstrap install configure initialize start");
    BOOST_TEST(walk(Operation::cluster_grow) ==
               "create confirm bootstrap install stop configure initialize start");
    BOOST_TEST(walk(Operation::cluster_shrink) == "stop configure start delete");
    BOOST_TEST(walk(Operation::remove_services) == "stop configure start remove");
    BOOST_TEST(walk(Operation::replace_node) ==
               "create confirm bootstrap install stop configure initialize start delete");
    BOOST_TEST(walk(Operation::cluster_configure) == "bootstrap configure");
    BOOST_TEST(walk(Operation::cluster_configure_with_restart) == "bootstrap stop configure start");
    BOOST_TEST(walk(Operation::stop_services) == "stop");
    BOOST_TEST(walk(Operation::start_services) == "start");
    BOOST_TEST(walk(Operation::restart_services) == "stop start");
    BOOST_TEST(walk(Operation::solve_layout) == "");
}

BOOST_AUTO_TEST_CASE(actions_of_the_machine_are_not_actions_of_a_service) {
    std::string hardware;
    for (const auto& [action, word] : provisioner::base::words<Action>) {
        if (is_hardware_action(action)) hardware += std::string(word) + " ";
    }

    BOOST_TEST(hardware == "create confirm bootstrap delete ");
}

BOOST_AUTO_TEST_CASE(what_sets_a_machine_up_is_done_once) {
    std::string once;
    for (const auto& [action, word] : provisioner::base::words<Action>) {
        if (is_set_up(action)) once += std::string(word) + " ";
    }

    BOOST_TEST(once == "create confirm bootstrap install initialize ");
}

BOOST_AUTO_TEST_CASE(every_word_stands_for_one_value) {
    check_that_words_and_values_are_one_to_one<Action>();
    check_that_words_and_values_are_one_to_one<Operation>();
    check_that_words_and_values_are_one_to_one<ClusterStatus>();
    check_that_words_and_values_are_one_to_one<JobStatus>();
    check_that_words_and_values_are_one_to_one<TaskState>();
    check_that_words_and_values_are_one_to_one<CatalogueKind>();
}
