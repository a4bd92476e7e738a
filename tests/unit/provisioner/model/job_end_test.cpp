#include "provisioner/model/job_end.hpp"

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
