#include "tests/integration/provisioner/remote/remote_fixture.hpp"

#include <signal.h>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "provisioner/remote/step_wrapper.hpp"

using namespace provisioner::remote;
using tests::integration::lines_of;
using tests::integration::RemoteFixture;
using tests::integration::Told;
using tests::support::parent_of;
using tests::support::text_of_file;

namespace {

/// Runs until its script has written "ready" there, then cuts the connection under it.
boost::asio::awaitable<void> run_and_be_cut(RemoteFixture& fixture, Session& session, Run run,
                                            StepKey key) {
    bool cut = false;
    const OutputSink sink = [&](Stream, std::string_view piece) {
        if (cut || piece.find("ready") == std::string_view::npos) return;
        cut = true;
        fixture.sshd.cut_connections();
    };
    co_await session.run(run, key, sink);
}

bool is_running(const std::string& pid) {
    const std::string stat = text_of_file("/proc/" + pid + "/stat");
    return !stat.empty() && stat.find(") Z ") == std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(ledger, RemoteFixture)

BOOST_AUTO_TEST_CASE(a_step_runs_once_and_answers_the_same_again_and_again) {
    const auto session = connect();
    const std::string script = "echo run >>" + path("count") + "; echo out; echo err >&2; exit 7";

    for (int i = 0; i < 3; ++i) {
        const Told told = run(*session, script, {"once", 1});

        BOOST_TEST(told.out == "out\n");
        BOOST_TEST(told.err == "err\n");
        BOOST_TEST(told.result.exit_code == 7);
    }
    BOOST_TEST(lines_of(path("count")) == 1);
}

BOOST_AUTO_TEST_CASE(two_keys_are_two_runs) {
    const auto session = connect();
    const std::string script = "echo run >>" + path("count");

    run(*session, script, {"7-1-0", 1});
    run(*session, script, {"7-2-0", 1});

    BOOST_TEST(lines_of(path("count")) == 2);
}

BOOST_AUTO_TEST_CASE(of_many_who_ask_at_the_same_time_one_starts_the_step_and_all_see_it) {
    const Run run{.label = "race",
                  .script = "echo run >>" + path("count") + "; echo a; sleep 0.7; echo b; exit 5"};
    std::vector<std::shared_ptr<Session>> sessions;
    for (int i = 0; i < 8; ++i) sessions.push_back(connect());
    std::vector<std::future<Told>> all;

    for (const auto& session : sessions) {
        all.push_back(boost::asio::co_spawn(loop, running(*session, run, {"race", 3}),
                                            boost::asio::use_future));
    }
    loop.restart();
    loop.run();

    for (auto& one : all) {
        const Told told = one.get();
        BOOST_TEST(told.out == "a\nb\n");
        BOOST_TEST(told.result.exit_code == 5);
    }
    BOOST_TEST(lines_of(path("count")) == 1);
}

BOOST_AUTO_TEST_CASE(output_comes_while_the_step_still_runs) {
    const auto session = connect();
    const std::string go_on = path("go_on");
    const Run run{
        .label = "live",
        .script = "echo early; until [ -e " + go_on + " ]; do sleep 0.05; done; echo late"};
    std::string out;
    const OutputSink sink = [&](Stream, std::string_view piece) {
        out += piece;
        std::ofstream{go_on};
    };

    const RunResult result = await(session->run(run, {"live", 1}, sink));

    BOOST_TEST(result.exit_code == 0);
    BOOST_TEST(out == "early\nlate\n");
}

BOOST_AUTO_TEST_CASE(a_cut_connection_leaves_the_step_alone_and_another_session_sees_all_of_it) {
    const std::string go_on = path("go_on");
    const Run run{.label = "cut",
                  .script = "echo run >>" + path("count") + "; echo ready; until [ -e " + go_on +
                            " ]; do sleep 0.05; done; echo after; echo err >&2; exit 9"};
    const auto first = connect();

    BOOST_CHECK_THROW(await(run_and_be_cut(*this, *first, run, {"cut", 1})), TransportError);
    BOOST_TEST(!first->alive());
    std::ofstream{go_on};
    const auto second = connect();
    const Told told = await(running(*second, run, {"cut", 2}));

    BOOST_TEST(told.out == "ready\nafter\n");
    BOOST_TEST(told.err == "err\n");
    BOOST_TEST(told.result.exit_code == 9);
    BOOST_TEST(lines_of(path("count")) == 1);
}

BOOST_AUTO_TEST_CASE(an_older_fence_is_refused_before_and_after_the_step) {
    const auto session = connect();
    const std::string script = "echo run >>" + path("count");

    run(*session, script, {"fence", 5});
    const Told older = run(*session, script, {"fence", 4});
    const Told newer = run(*session, script, {"fence", 9'000'000'000});
    const Told equal_to_first = run(*session, script, {"fence", 5});

    BOOST_TEST(older.result.fenced_off);
    BOOST_TEST(!newer.result.fenced_off);
    BOOST_TEST(newer.result.exit_code == 0);
    BOOST_TEST(equal_to_first.result.fenced_off);
    BOOST_TEST(lines_of(path("count")) == 1);
}

BOOST_AUTO_TEST_CASE(the_limit_ends_a_step_with_everybody_it_started) {
    const auto session = connect();
    const std::string pids = path("pids");
    const Run run{.label = "limit",
                  .script = "echo before; (trap '' TERM; while :; do sleep 1; done) & echo $! >>" +
                            pids + "\nsleep 100 & echo $! >>" + pids + "\nwait",
                  .limit = std::chrono::seconds(1)};

    const Told told = await(running(*session, run, {"limit", 1}));
    const Told again = await(running(*session, run, {"limit", 1}));

    BOOST_TEST(told.result.timed_out);
    BOOST_TEST(told.result.exit_code == 124);
    BOOST_TEST(told.out == "before\n");
    BOOST_TEST(again.result.timed_out);
    std::ifstream lines(pids);
    std::string pid;
    int count = 0;
    while (lines >> pid) {
        BOOST_TEST(!is_running(pid));
        ++count;
    }
    BOOST_TEST(count == 2);
}

BOOST_AUTO_TEST_CASE(a_step_whose_processes_vanished_is_lost_and_not_run_again) {
    const Run run{.label = "lost",
                  .script = "echo run >>" + path("count") + "; echo ready; sleep 60"};
    const auto first = connect();
    BOOST_CHECK_THROW(await(run_and_be_cut(*this, *first, run, {"lost", 1})), TransportError);
    // As a restart of the node would: everything that belongs to the step is gone at once.
    const std::string kill_all = "for lock in $(grep -l -a " + path("state/steps/lost") +
                                 " /proc/[0-9]*/cmdline); do p=${lock#/proc/}; p=${p%/cmdline}; "
                                 "[ $p = $$ ] || kill -9 $p; done; kill -9 -- -$(cat " +
                                 path("state/steps/lost/pid") + ")";

    const auto second = connect();
    this->run(*second, kill_all);
    const Told told = await(running(*second, run, {"lost", 2}));
    const Told again = await(running(*second, run, {"lost", 3}));

    BOOST_TEST(told.result.exit_code == 137);
    BOOST_TEST(told.out == "ready\n");
    BOOST_TEST(told.err.find("gone without a result") != std::string::npos);
    BOOST_TEST(again.result.exit_code == 137);
    BOOST_TEST(lines_of(path("count")) == 1);
}

BOOST_AUTO_TEST_CASE(a_step_that_outlives_its_killed_supervisor_still_tells_its_result) {
    const std::string go_on = path("go_on");
    const Run run{.label = "orphan",
                  .script = "echo ready; until [ -e " + go_on + " ]; do sleep 0.05; done; exit 4"};
    const auto first = connect();
    BOOST_CHECK_THROW(await(run_and_be_cut(*this, *first, run, {"orphan", 1})), TransportError);
    const pid_t step = std::stoi(text_of_file(path("state/steps/orphan/pid")));
    const pid_t runner = parent_of(step);
    const pid_t supervisor = parent_of(runner);
    BOOST_REQUIRE(supervisor > 1);

    BOOST_REQUIRE(::kill(supervisor, SIGKILL) == 0);
    std::ofstream{go_on};
    const auto second = connect();
    const Told told = await(running(*second, run, {"orphan", 2}));

    BOOST_TEST(told.result.exit_code == 4);
}

BOOST_AUTO_TEST_CASE(half_a_script_is_not_run) {
    const auto session = connect();
    run(*session, "true");
    const std::string half = "printf 'cafe\necho run >>" + path("count") + "' | sh " +
                             path("state/") + step_wrapper_name() + " run half 1 60";

    const Told told = run(*session, half);

    BOOST_TEST(told.err.find("did not arrive whole") != std::string::npos);
    BOOST_TEST(lines_of(path("count")) == 0);
}

BOOST_AUTO_TEST_CASE(a_script_does_not_stay_on_the_node_after_its_end) {
    const auto session = connect();
    run(*session, "echo secret", {"tidy", 1});
    const std::string wait_for_the_end =
        "while [ -s " + path("state/steps/tidy/script") + " ]; do sleep 0.02; done";

    const Told told =
        run(*session, wait_for_the_end + "; grep -r -c secret " + path("state/steps/tidy"));

    BOOST_TEST(told.out.find("/out:1") != std::string::npos);
    BOOST_TEST(told.out.find("/script:0") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(old_steps_are_pruned_and_the_newest_are_kept) {
    const auto session = connect();
    run(*session, "true", {"kept", 1});
    run(*session,
        "cd " + path("state/steps") +
            "; i=0; while [ $i -lt 1200 ]; do mkdir old-$i; i=$((i+1)); done; "
            "touch -d '2 days ago' old-*",
        {"fill", 1});

    const Told told =
        run(*session,
            "until [ $(ls " + path("state/steps") +
                " | wc -l) -le 1002 ]; do sleep 0.1; done; ls -d " + path("state/steps/kept"),
            {"look", 1});

    BOOST_TEST(told.result.exit_code == 0);
}

BOOST_AUTO_TEST_SUITE_END()
