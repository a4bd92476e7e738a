#include <sys/wait.h>

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/local/host/system.hpp"
#include "tests/integration/provisioner/providers/local/fixture.hpp"

using namespace provisioner::providers;
using tests::LocalHosts;
using tests::traces_on_this_machine;
namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(remains)

BOOST_AUTO_TEST_CASE(the_last_machine_that_is_destroyed_leaves_nothing) {
    LocalHosts hosts;
    MachineSpec spec = hosts.spec("a");
    spec.hardware = {{"memory_mb", "128"}, {"cpus", "1"}};
    hosts.reach(spec);
    BOOST_TEST_REQUIRE(!traces_on_this_machine(hosts.settings.state_dir).empty());

    hosts.destroy(spec);

    const auto traces = traces_on_this_machine(hosts.settings.state_dir);
    BOOST_TEST(traces.empty(), (traces.empty() ? "" : *traces.begin()));
    for (const char* folder : {"machines", "addresses", "hosts"}) {
        BOOST_TEST(fs::is_empty(fs::path(hosts.settings.state_dir) / folder), folder);
    }
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_destroyed_leaves_the_others_alone) {
    LocalHosts hosts;
    const Reachable stays = hosts.reach(hosts.spec("stays"));
    hosts.reach(hosts.spec("goes"));

    hosts.destroy(hosts.spec("goes"));

    BOOST_TEST(hosts.ssh(stays, "getent hosts goes || echo gone") == "gone\n");
}

BOOST_AUTO_TEST_CASE(a_cleanup_takes_everything_away_and_can_be_repeated) {
    LocalHosts hosts;
    for (const char* name : {"a", "b", "c"}) hosts.create(hosts.spec(name));
    const std::vector<std::string> cleanup = {hosts.program, "cleanup", "--state",
                                              hosts.settings.state_dir};

    local::run_tool(cleanup);

    BOOST_TEST(traces_on_this_machine(hosts.settings.state_dir).empty());
    BOOST_TEST(!fs::exists(hosts.settings.state_dir));
    local::run_tool(cleanup);
}

BOOST_AUTO_TEST_CASE(a_state_directory_removed_by_hand_is_cleaned_by_its_path) {
    LocalHosts hosts;
    hosts.reach(hosts.spec("a"));
    const fs::path state = hosts.settings.state_dir;
    fs::rename(state, state.string() + "-moved");

    local::run_tool({hosts.program, "cleanup", "--state", state});

    BOOST_TEST(traces_on_this_machine(state).empty());
}

BOOST_AUTO_TEST_CASE(a_reused_process_number_is_never_killed) {
    LocalHosts hosts;
    const MachineSpec spec = hosts.spec("a");
    hosts.reach(spec);
    const fs::path record = fs::path(hosts.settings.state_dir) / "machines/a/machine.json";
    const pid_t stranger = hosts.begin({"/bin/sleep", "60"});
    auto json = provisioner::base::parse_json(local::read_file(record).value()).value();
    json["pid"] = stranger;
    local::replace_file(record, provisioner::base::to_text(json));

    hosts.destroy(spec);

    BOOST_TEST(kill(stranger, 0) == 0);
    kill(stranger, SIGKILL);
    waitpid(stranger, nullptr, 0);
}

BOOST_AUTO_TEST_SUITE_END()
