#include <sys/wait.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <thread>

#include "provisioner/providers/local/host/processes.hpp"
#include "provisioner/providers/local/host/system.hpp"
#include "tests/integration/provisioner/providers/local/fixture.hpp"

using namespace provisioner::providers;
using namespace std::chrono_literals;
using tests::LocalHosts;

BOOST_AUTO_TEST_SUITE(crashes)

namespace {

/// Starts the program, kills it after `life` and says whether it was still at work.
bool kill_while_starting(const LocalHosts& hosts, const MachineSpec& spec,
                         std::chrono::milliseconds life) {
    const pid_t pid = hosts.begin(hosts.start_command(spec));
    std::this_thread::sleep_for(life);
    kill(pid, SIGKILL);
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_start_killed_at_any_moment_is_made_good_by_the_next) {
    LocalHosts hosts;
    const MachineSpec spec = hosts.spec("a");
    int killed = 0;
    int after_the_end = 0;

    for (auto life = 1ms; life < 2000ms && after_the_end < 3; life += 2ms + life / 20) {
        (kill_while_starting(hosts, spec, life) ? killed : after_the_end) += 1;
        const Created created = hosts.create(spec);
        const auto* refused = std::get_if<Refused>(&created);
        if (refused != nullptr) BOOST_FAIL(refused->message);
        BOOST_TEST_REQUIRE(local::hosts_of(hosts.settings.state_dir).size() == 1u);
        hosts.destroy(spec);
        BOOST_TEST_REQUIRE(tests::traces_on_this_machine(hosts.settings.state_dir).empty());
    }

    BOOST_TEST_MESSAGE("killed at " + std::to_string(killed) + " different moments");
    BOOST_TEST(killed >= 3);
}

BOOST_AUTO_TEST_CASE(a_killed_start_can_be_destroyed_without_another_start) {
    LocalHosts hosts;
    const MachineSpec spec = hosts.spec("a");

    for (const auto life : {5ms, 20ms, 40ms, 80ms}) {
        kill_while_starting(hosts, spec, life);

        hosts.destroy(spec);

        const auto traces = tests::traces_on_this_machine(hosts.settings.state_dir);
        BOOST_TEST(traces.empty(), (traces.empty() ? "" : *traces.begin()));
    }
}

BOOST_AUTO_TEST_CASE(a_machine_whose_first_process_died_is_made_again) {
    LocalHosts hosts;
    const MachineSpec spec = hosts.spec("a");
    const Reachable first = hosts.reach(spec);
    local::end_process(local::hosts_of(hosts.settings.state_dir).front());

    BOOST_TEST(std::holds_alternative<Refused>(hosts.confirm(spec)));
    const Reachable second = hosts.reach(spec);

    BOOST_TEST(second.host_key != first.host_key);
    BOOST_TEST(hosts.ssh(second, "hostname") == "a\n");
}

BOOST_AUTO_TEST_CASE(starts_of_one_machine_at_once_make_one) {
    LocalHosts hosts;
    const auto command = hosts.start_command(hosts.spec("a"));
    std::vector<pid_t> starts;

    for (int i = 0; i < 4; ++i) starts.push_back(hosts.begin(command));

    for (const pid_t pid : starts) {
        int status = -1;
        waitpid(pid, &status, 0);
        BOOST_TEST(status == 0);
    }
    BOOST_TEST(local::hosts_of(hosts.settings.state_dir).size() == 1u);
}

BOOST_AUTO_TEST_CASE(twenty_starts_at_once_make_twenty_hosts) {
    LocalHosts hosts;
    std::vector<pid_t> starts;
    const auto begin = std::chrono::steady_clock::now();

    for (int i = 0; i < 20; ++i) {
        const auto spec = hosts.spec("n" + std::to_string(i));
        starts.push_back(hosts.begin(hosts.start_command(spec)));
    }
    for (const pid_t pid : starts) waitpid(pid, nullptr, 0);
    for (int i = 0; i < 20; ++i) hosts.reach(hosts.spec("n" + std::to_string(i)));

    const auto passed = std::chrono::steady_clock::now() - begin;
    BOOST_TEST_MESSAGE(
        "20 hosts answer after " +
        std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(passed).count()) +
        " ms");
    BOOST_TEST(local::hosts_of(hosts.settings.state_dir).size() == 20u);
}

BOOST_AUTO_TEST_SUITE_END()
