#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iostream>
#include <string>

#include "tests/integration/provisioner/remote/remote_fixture.hpp"

using namespace provisioner::remote;
using tests::integration::RemoteFixture;
using tests::support::text_of_file;

namespace {

/// A node on which processes are numbered one after the other and nobody else starts any: each
/// command that is sent over SSH is the first of a namespace of its own.
struct CountedNode : RemoteFixture {
    CountedNode() {
        const std::string keys = path("authorized_keys");
        const std::string key = text_of_file(keys);
        std::ofstream(keys) << "command=\"unshare --pid --fork --mount-proc sh -c "
                               "\\\"exec $SSH_ORIGINAL_COMMAND\\\"\" "
                            << key;
        session = connect();
    }

    /// The number of the step's own shell.
    int number_of_next(const std::string& script) {
        return std::stoi(run(*session, "echo $$; " + script).out);
    }

    /// How many processes a step takes, its own shell and those that the script starts included.
    int taken_by(const std::string& script) {
        const int first = number_of_next(script);
        const int taken = number_of_next(script) - first;
        std::cout << "remote: " << taken << " processes for a step: " << script << "\n";
        return taken;
    }

    std::shared_ptr<Session> session;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(processes, CountedNode)

BOOST_AUTO_TEST_CASE(a_step_on_a_kept_session_takes_at_most_five_its_own_shell_included) {
    run(*session, "true");

    BOOST_TEST(taken_by("true") <= 5);
    BOOST_TEST(taken_by("exit 3") <= 5);
    BOOST_TEST(taken_by("echo err >&2") <= 5);
}

BOOST_AUTO_TEST_CASE(the_first_step_of_a_session_takes_no_more_beside_the_shell_that_stays) {
    run(*session, "true");
    session = connect();

    const int first = number_of_next("true");

    // Its shell is the last but one of a step's: number one is the shell that stays.
    std::cout << "remote: the first step's shell is number " << first << "\n";
    BOOST_TEST(first <= 1 + 4);
}

BOOST_AUTO_TEST_CASE(a_step_that_takes_its_time_takes_one_more_for_each_time_it_prints) {
    run(*session, "true");

    // The sleep is the step's own; the first line is passed on while it runs, the rest at its end.
    BOOST_TEST(taken_by("sleep 2") <= 5 + 1 + 1);
}

BOOST_AUTO_TEST_CASE(a_small_upload_takes_at_most_five) {
    const Upload upload{.path = path("place/file"), .content = "text", .mode = 0600};
    await(session->upload(upload));
    const int step = taken_by("true");
    const int before = number_of_next("true");

    await(session->upload(upload));

    const int taken = number_of_next("true") - before - step;
    std::cout << "remote: " << taken << " processes for an upload\n";
    BOOST_TEST(taken <= 5);
}

BOOST_AUTO_TEST_SUITE_END()
