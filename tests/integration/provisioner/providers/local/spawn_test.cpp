#include "provisioner/providers/local/host/spawn.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <boost/test/unit_test.hpp>

using namespace provisioner::providers::local;

BOOST_AUTO_TEST_SUITE(spawn)

BOOST_AUTO_TEST_CASE(a_first_process_that_died_is_a_failure_and_no_signal) {
    const SpawnSpec spec{.name = "a",
                         .hostname = "a",
                         .ssh_user = "root",
                         .place = {},
                         .state_dir = "/nowhere",
                         .base = "/nowhere",
                         .machine = "/nowhere"};
    HeldProcess held(spec);

    kill(held.process().pid, SIGKILL);
    siginfo_t info;
    waitid(P_PID, static_cast<id_t>(held.process().pid), &info, WEXITED | WNOWAIT);

    BOOST_CHECK_THROW(held.release(), Failure);
}

BOOST_AUTO_TEST_SUITE_END()
