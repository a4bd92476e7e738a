#include "provisioner/providers/local/host/spawn.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>

using namespace provisioner::providers::local;

BOOST_AUTO_TEST_SUITE(spawn)

BOOST_AUTO_TEST_CASE(a_first_process_that_died_is_a_failure_and_no_signal) {
    char folder[] = "/tmp/spawn-XXXXXX";
    const std::filesystem::path machine = mkdtemp(folder);
    for (const char* part : {"upper", "work", "root"}) {
        std::filesystem::create_directory(machine / part);
    }
    {
        Isolation none;
        none.missing = "not needed here";
        const SpawnSpec spec{.name = "a",
                             .hostname = "a",
                             .ssh_user = "root",
                             .place = {},
                             .state_dir = machine,
                             .base = "/usr",
                             .machine = machine,
                             .isolation = std::move(none)};
        HeldProcess held(spec);

        kill(held.process().pid, SIGKILL);
        siginfo_t info;
        waitid(P_PID, static_cast<id_t>(held.process().pid), &info, WEXITED | WNOWAIT);

        BOOST_CHECK_THROW(held.release(), Failure);
    }
    remove_tree(machine);
}

BOOST_AUTO_TEST_CASE(a_file_system_that_cannot_be_made_is_a_failure_with_its_reason) {
    char folder[] = "/tmp/spawn-XXXXXX";
    const std::filesystem::path machine = mkdtemp(folder);
    Isolation none;
    none.missing = "not needed here";
    const SpawnSpec spec{.name = "a",
                         .hostname = "a",
                         .ssh_user = "root",
                         .place = {},
                         .state_dir = machine,
                         .base = "/nowhere",
                         .machine = machine,
                         .isolation = std::move(none)};

    BOOST_CHECK_EXCEPTION(HeldProcess{spec}, Failure, [](const Failure& failure) {
        return std::string(failure.what()).starts_with("cannot mount an overlay of /nowhere");
    });
    remove_tree(machine);
}

BOOST_AUTO_TEST_SUITE_END()
