#include "provisioner/model/jobs/job_end.hpp"

#include <boost/test/unit_test.hpp>

using namespace provisioner;
using model::ClusterStatus;
using model::end_of;
using model::JobStatus;
using model::Operation;

namespace {

struct Ending {
    Operation operation;
    ClusterStatus success;
    ClusterStatus failure;
};

// Source: the wire contract's table of cluster operations.
constexpr std::array endings{
    Ending{Operation::cluster_create, ClusterStatus::active, ClusterStatus::incomplete},
    Ending{Operation::cluster_delete, ClusterStatus::terminated, ClusterStatus::incomplete},
    Ending{Operation::add_services, ClusterStatus::active, ClusterStatus::inconsistent},
    Ending{Operation::remove_services, ClusterStatus::active, ClusterStatus::inconsistent},
    Ending{Operation::cluster_grow, ClusterStatus::active, ClusterStatus::incomplete},
    Ending{Operation::cluster_shrink, ClusterStatus::active, ClusterStatus::incomplete},
    Ending{Operation::replace_node, ClusterStatus::active, ClusterStatus::incomplete},
    Ending{Operation::cluster_configure, ClusterStatus::active, ClusterStatus::inconsistent},
    Ending{Operation::cluster_configure_with_restart, ClusterStatus::active,
           ClusterStatus::inconsistent},
    Ending{Operation::stop_services, ClusterStatus::active, ClusterStatus::inconsistent},
    Ending{Operation::start_services, ClusterStatus::active, ClusterStatus::inconsistent},
    Ending{Operation::restart_services, ClusterStatus::active, ClusterStatus::inconsistent},
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_job_whose_tasks_are_all_done_is_complete) {
    for (const Ending& ending : endings) {
        const auto end = end_of({.operation = ending.operation, .total = 5, .done = 5});

        BOOST_TEST((end.job == JobStatus::complete));
        BOOST_TEST((end.cluster == ending.success));
    }
}

BOOST_AUTO_TEST_CASE(a_job_with_a_failure_ends_as_its_operation_says) {
    for (const Ending& ending : endings) {
        const auto end =
            end_of({.operation = ending.operation, .total = 5, .done = 3, .failed = 1});

        BOOST_TEST((end.job == JobStatus::failed));
        BOOST_TEST((end.cluster == ending.failure));
        BOOST_TEST(!end.nothing_created);
    }
}

BOOST_AUTO_TEST_CASE(a_retry_of_some_machines_fails_again_when_the_others_are_all_that_lacks) {
    for (const Ending& ending : endings) {
        model::JobTally tally{.operation = ending.operation, .total = 5, .done = 2, .left = 2};
        BOOST_TEST((end_of(tally).job == JobStatus::running));
        BOOST_TEST(!tally.ends_badly());

        tally.done = 3;

        BOOST_TEST((end_of(tally).job == JobStatus::failed));
        BOOST_TEST((end_of(tally).cluster == ending.failure));
        BOOST_TEST(tally.ends_badly());
    }
}

BOOST_AUTO_TEST_CASE(a_retry_that_leaves_nothing_out_is_complete) {
    const model::JobTally tally{.total = 5, .done = 5, .left = 0};

    BOOST_TEST((end_of(tally).job == JobStatus::complete));
    BOOST_TEST(!tally.ends_badly());
}

BOOST_AUTO_TEST_CASE(a_failed_job_waits_for_what_is_still_running) {
    const auto end = end_of({.total = 5, .done = 3, .failed = 1, .claimed = 1});

    BOOST_TEST((end.job == JobStatus::running));
}

BOOST_AUTO_TEST_CASE(a_job_with_tasks_left_goes_on) {
    const auto end = end_of({.total = 5, .done = 4});

    BOOST_TEST((end.job == JobStatus::running));
    BOOST_TEST((end.cluster == ClusterStatus::pending));
}

BOOST_AUTO_TEST_CASE(a_create_that_made_no_machine_at_all_is_terminated) {
    const auto end = end_of({.total = 4, .failed = 2, .only_refused_creates = true});

    BOOST_TEST((end.cluster == ClusterStatus::terminated));
    BOOST_TEST(end.nothing_created);
}

BOOST_AUTO_TEST_CASE(a_create_of_which_one_machine_was_made_is_incomplete) {
    const auto end = end_of({.total = 4, .done = 1, .failed = 1, .only_refused_creates = true});

    BOOST_TEST((end.cluster == ClusterStatus::incomplete));
}

BOOST_AUTO_TEST_CASE(an_aborted_job_ends_failed_once_nothing_of_it_is_claimed) {
    model::JobTally tally{.total = 5, .done = 2, .claimed = 1, .aborted = true};
    BOOST_TEST((end_of(tally).job == JobStatus::running));

    tally.claimed = 0;
    const auto end = end_of(tally);

    BOOST_TEST((end.job == JobStatus::failed));
    BOOST_TEST((end.cluster == ClusterStatus::incomplete));
    BOOST_TEST(model::message_of_end(tally, end) == "Aborted by user.");
}

BOOST_AUTO_TEST_CASE(
    an_aborted_create_of_which_nothing_had_begun_is_terminated_with_its_own_message) {
    const model::JobTally tally{.total = 5, .only_refused_creates = true, .aborted = true};
    const auto end = end_of(tally);

    BOOST_TEST((end.cluster == ClusterStatus::terminated));
    BOOST_TEST(model::message_of_end(tally, end) == "Aborted by user.");
}

BOOST_AUTO_TEST_CASE(a_job_that_was_done_before_the_abort_took_effect_is_complete) {
    const model::JobTally tally{.total = 2, .done = 2, .aborted = true};

    BOOST_TEST((end_of(tally).job == JobStatus::complete));
    BOOST_TEST(model::message_of_end(tally, end_of(tally)).empty());
}

BOOST_AUTO_TEST_CASE(a_create_that_made_nothing_says_where_to_look) {
    const model::JobTally tally{.total = 4, .failed = 2, .only_refused_creates = true};

    BOOST_TEST(model::message_of_end(tally, end_of(tally)) ==
               "Unable to create nodes, please check your provider settings");
}
