#include "tests/integration/provisioner/remote/remote_fixture.hpp"

#include <signal.h>

#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "provisioner/remote/step_wrapper.hpp"

using namespace provisioner::remote;
using boost::asio::awaitable;
using namespace std::chrono_literals;
using tests::integration::is_running;
using tests::integration::lines_of;
using tests::integration::RemoteFixture;
using tests::integration::Told;
using tests::support::parent_of;
using tests::support::text_of_file;

namespace {

/// Runs the step, and `then` once its script has written "ready".
template <class Then>
awaitable<Told> running_until_ready(Session& session, Run run, StepKey key, Then then) {
    auto executor = co_await boost::asio::this_coro::executor;
    Told told;
    bool ready = false;
    const OutputSink sink = [&](Stream stream, std::string_view piece) {
        (stream == Stream::out ? told.out : told.err) += piece;
        if (ready || told.out.find("ready") == std::string::npos) return;
        ready = true;
        boost::asio::co_spawn(executor, then, boost::asio::detached);
    };
    told.result = co_await session.run(run, key, sink);
    co_return told;
}

/// The process of a step's script, which its runner started, which its supervisor started.
pid_t step_of(const RemoteFixture& fixture, const std::string& key) {
    return std::stoi(text_of_file(fixture.path("state/steps/" + key + "/pid")));
}

/// Starts a step and takes everybody away who looks after it or follows it; gives its process.
pid_t leave_alone(RemoteFixture& fixture, const StepKey& key) {
    const Run run{.label = "alone", .script = "echo ready; while sleep 0.2; do echo on; done"};
    const auto session = fixture.connect();
    BOOST_CHECK_THROW(fixture.await(fixture.run_and_be_cut(*session, run, key)), TransportError);
    const pid_t step = step_of(fixture, key.name);
    const pid_t runner = parent_of(step);
    const pid_t supervisor = parent_of(runner);
    BOOST_REQUIRE(supervisor > 1);
    // Who follows notices that its connection is gone when it passes something on.
    std::this_thread::sleep_for(2s);
    BOOST_REQUIRE(::kill(supervisor, SIGKILL) == 0);
    BOOST_REQUIRE(::kill(runner, SIGKILL) == 0);
    BOOST_REQUIRE(::kill(step, 0) == 0);
    return step;
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

    BOOST_CHECK_THROW(await(run_and_be_cut(*first, run, {"cut", 1})), TransportError);
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

BOOST_AUTO_TEST_CASE(a_stop_ends_a_step_with_everybody_it_started) {
    const auto session = connect();
    const auto other = connect();
    const std::string pids = path("pids");
    const Run run{.label = "long",
                  .script = "(trap '' TERM; while :; do sleep 1; done) & echo $! >>" + pids +
                            "\nsleep 600 & echo $! >>" + pids + "\necho ready\nsleep 600"};
    const StepKey key{"stop", 2};
    std::chrono::steady_clock::time_point stopped_at;

    const Told told = await(running_until_ready(*session, run, key, [&]() -> awaitable<void> {
        stopped_at = std::chrono::steady_clock::now();
        co_await other->stop(key);
    }));
    const auto took = std::chrono::steady_clock::now() - stopped_at;
    const Told again = await(running(*other, run, key));

    BOOST_TEST(told.result.stopped);
    BOOST_TEST(told.result.exit_code == 143);
    BOOST_TEST(!told.result.timed_out);
    BOOST_TEST(told.out == "ready\n");
    BOOST_TEST(told.err.find("stopped on request") != std::string::npos);
    BOOST_TEST(again.result.stopped);
    // One of them does not listen to TERM.
    BOOST_TEST_MESSAGE("stopped after " << took / 1ms << " ms");
    BOOST_TEST((took > 4s && took < 15s));
    std::ifstream lines(pids);
    std::string pid;
    int count = 0;
    while (lines >> pid) {
        BOOST_TEST(!is_running(pid));
        ++count;
    }
    BOOST_TEST(count == 2);
}

BOOST_AUTO_TEST_CASE(a_step_that_listens_is_stopped_at_once) {
    const auto session = connect();
    const auto other = connect();
    const Run run{.label = "long", .script = "echo ready; sleep 600"};
    const StepKey key{"polite", 1};
    std::chrono::steady_clock::time_point stopped_at;

    const Told told = await(running_until_ready(*session, run, key, [&]() -> awaitable<void> {
        stopped_at = std::chrono::steady_clock::now();
        co_await other->stop(key);
    }));

    BOOST_TEST(told.result.stopped);
    const auto took = std::chrono::steady_clock::now() - stopped_at;
    BOOST_TEST_MESSAGE("stopped after " << took / 1ms << " ms");
    BOOST_TEST((took < 4s));
}

BOOST_AUTO_TEST_CASE(a_stop_with_an_older_fence_is_refused) {
    const auto session = connect();
    const auto other = connect();
    const std::string go_on = path("go_on");
    const Run run{.label = "newer",
                  .script = "echo ready; until [ -e " + go_on + " ]; do sleep 0.05; done; exit 3"};

    const Told told =
        await(running_until_ready(*session, run, {"newer", 5}, [&]() -> awaitable<void> {
            const StepKey older{"newer", 4};
            co_await other->stop(older);
            std::ofstream{go_on};
        }));

    BOOST_TEST(!told.result.stopped);
    BOOST_TEST(told.result.exit_code == 3);
}

BOOST_AUTO_TEST_CASE(a_stop_after_the_end_changes_nothing_and_one_before_the_start_prevents_it) {
    const auto session = connect();
    const std::string script = "echo run >>" + path("count") + "; exit 6";
    run(*session, script, {"over", 1});

    stop(*session, {"over", 1});
    stop(*session, {"early", 1});
    const Told over = run(*session, script, {"over", 1});
    const Told early = run(*session, script, {"early", 2});

    BOOST_TEST(!over.result.stopped);
    BOOST_TEST(over.result.exit_code == 6);
    BOOST_TEST(early.result.stopped);
    BOOST_TEST(lines_of(path("count")) == 1);
}

BOOST_AUTO_TEST_CASE(a_new_attempt_ends_what_an_earlier_one_has_left_running) {
    const std::string script = "echo $$ >" + path("pid") + "; echo ready; sleep 600";
    const Run left{.label = "left", .script = script};
    const auto first = connect();
    BOOST_CHECK_THROW(await(run_and_be_cut(*first, left, {"17-9-0", 4})), TransportError);
    const auto session = connect();

    const Told next = run(*session, "echo next", {"17-10-0", 5});
    const Told earlier = await(running(*session, left, {"17-9-0", 5}));

    BOOST_TEST(next.out == "next\n");
    BOOST_TEST(earlier.result.stopped);
    BOOST_TEST(!is_running(std::to_string(std::stoi(text_of_file(path("pid"))))));
}

BOOST_AUTO_TEST_CASE(an_attempt_leaves_later_ones_and_other_tasks_alone) {
    const auto session = connect();
    const auto other = connect();
    const std::string go_on = path("go_on");
    const Run run{.label = "later",
                  .script = "echo ready; until [ -e " + go_on + " ]; do sleep 0.05; done; exit 3"};
    const auto third = connect();
    auto unrelated =
        boost::asio::co_spawn(loop, running(*third, run, {"7-1-0", 4}), boost::asio::use_future);

    const Told later =
        await(running_until_ready(*session, run, {"17-2-0", 5}, [&]() -> awaitable<void> {
            const Run quick{.label = "quick", .script = "true"};
            const StepKey earlier{"17-1-1", 4};
            const OutputSink nowhere = [](Stream, std::string_view) {};
            co_await other->run(quick, earlier, nowhere);
            std::ofstream{go_on};
        }));

    BOOST_TEST(later.result.exit_code == 3);
    BOOST_TEST(unrelated.get().result.exit_code == 3);
}

// Whatever the moment, the step has ended with all it started and its run says how.
BOOST_AUTO_TEST_CASE(a_stop_beside_the_start_never_leaves_a_step_behind) {
    const auto session = connect();
    const auto other = connect();
    const Run run{.label = "race", .script = "echo $$ >>" + path("pids") + "; sleep 600"};
    int stopped = 0;
    constexpr int rounds = 30;

    for (int i = 0; i < rounds; ++i) {
        const StepKey key{"race-" + std::to_string(i), 1};
        const auto stop_soon = [&]() -> awaitable<void> {
            boost::asio::steady_timer timer(loop, std::chrono::milliseconds(2 * i));
            co_await timer.async_wait(boost::asio::use_awaitable);
            co_await other->stop(key);
        };
        auto end = boost::asio::co_spawn(loop, stop_soon, boost::asio::use_future);
        const Told told = await(running(*session, run, key));
        end.get();
        stopped += told.result.stopped ? 1 : 0;
    }

    BOOST_TEST(stopped == rounds);
    std::ifstream lines(path("pids"));
    std::string pid;
    int began = 0;
    while (lines >> pid) {
        BOOST_TEST(!is_running(pid));
        ++began;
    }
    BOOST_TEST_MESSAGE(began << " of " << rounds << " had begun");
}

BOOST_AUTO_TEST_CASE(a_step_whose_processes_vanished_is_lost_and_not_run_again) {
    const Run run{.label = "lost",
                  .script = "echo run >>" + path("count") + "; echo ready; sleep 60"};
    const auto first = connect();
    BOOST_CHECK_THROW(await(run_and_be_cut(*first, run, {"lost", 1})), TransportError);
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

BOOST_AUTO_TEST_CASE(a_step_whose_supervisor_was_killed_is_ended_at_once_and_lost) {
    const Run run{.label = "orphan", .script = "echo ready; sleep 25"};
    const auto session = connect();
    pid_t step = 0;
    pid_t runner = 0;
    std::chrono::steady_clock::time_point killed_at;

    const Told told =
        await(running_until_ready(*session, run, {"orphan", 1}, [&]() -> awaitable<void> {
            step = step_of(*this, "orphan");
            runner = parent_of(step);
            killed_at = std::chrono::steady_clock::now();
            ::kill(parent_of(runner), SIGKILL);
            co_return;
        }));
    const auto took = std::chrono::steady_clock::now() - killed_at;
    const Told again = await(running(*session, run, {"orphan", 2}));

    BOOST_TEST((took < 5s));
    BOOST_TEST(told.result.exit_code == 137);
    BOOST_TEST(told.err.find("gone without a result") != std::string::npos);
    BOOST_TEST(again.err == told.err);
    BOOST_TEST(!is_running(std::to_string(step)));
    BOOST_TEST(!is_running(std::to_string(runner)));
}

BOOST_AUTO_TEST_CASE(a_stop_ends_a_step_that_has_neither_supervisor_nor_runner) {
    const pid_t step = leave_alone(*this, {"alone", 1});
    const auto session = connect();

    stop(*session, {"alone", 1});

    BOOST_TEST(!is_running(std::to_string(step)));
    BOOST_TEST(text_of_file(path("state/steps/alone/exit")).starts_with("lost"));
}

BOOST_AUTO_TEST_CASE(a_new_attempt_ends_an_earlier_step_that_has_neither_supervisor_nor_runner) {
    const pid_t step = leave_alone(*this, {"8-1-0", 1});
    const auto session = connect();

    const Told next = run(*session, "echo next", {"8-2-0", 2});

    BOOST_TEST(next.out == "next\n");
    BOOST_TEST(!is_running(std::to_string(step)));
    BOOST_TEST(text_of_file(path("state/steps/8-1-0/exit")).starts_with("lost"));
}

BOOST_AUTO_TEST_CASE(a_new_attempt_keeps_an_earlier_one_from_its_start) {
    const auto session = connect();
    run(*session, "mkdir " + path("bin") + "; cd " + path("bin") +
                      "; printf '#!/bin/sh\nsleep 2\nexec /usr/bin/setsid \"$@\"\n' >setsid; "
                      "chmod 755 setsid");
    const StepCommands commands(path("state"), "root");
    const std::string earlier = "printf 'cafe\necho earlier >>" + path("count") +
                                "\ncafe' | PATH=" + path("bin") + ":$PATH " +
                                commands.run({.label = "test", .script = ""}, {"9-1-0", 1}) +
                                " >/dev/null 2>&1 &";
    run(*session,
        earlier + "until [ -e " + path("state/steps/9-1-0/running") + " ]; do sleep 0.02; done");
    BOOST_REQUIRE(!std::filesystem::exists(path("state/steps/9-1-0/started")));

    const Told next = run(*session, "echo next >>" + path("count"), {"9-2-0", 2});
    const Told first = run(*session, "echo earlier >>" + path("count"), {"9-1-0", 2});

    BOOST_TEST(next.result.exit_code == 0);
    BOOST_TEST(first.result.stopped);
    BOOST_TEST(text_of_file(path("count")) == "next\n");
}

BOOST_AUTO_TEST_CASE(an_attempt_that_comes_after_a_later_one_is_refused) {
    const auto session = connect();
    const std::string script = "echo run >>" + path("count");

    const Told later = run(*session, script, {"10-10-0", 3});
    const Told earlier = run(*session, script, {"10-9-1", 3});
    const Told again = run(*session, script, {"10-10-0", 3});
    const Told next_step = run(*session, script, {"10-10-1", 3});

    BOOST_TEST(later.result.exit_code == 0);
    BOOST_TEST(earlier.result.fenced_off);
    BOOST_TEST(!again.result.fenced_off);
    BOOST_TEST(!next_step.result.fenced_off);
    BOOST_TEST(lines_of(path("count")) == 2);
}

BOOST_AUTO_TEST_CASE(another_step_under_the_same_key_is_neither_run_nor_told_how_the_first_ended) {
    const auto session = connect();
    const std::string count = "echo run >>" + path("count");
    const auto ask = [&](const char* kind) {
        return run(*session, count, {"12-1-3", 1, kind}).result;
    };

    ask("cafe");

    BOOST_TEST(ask("beef").is_another);
    BOOST_TEST((!ask("cafe").is_another && ask("cafe").exit_code == 0));
    // Whoever only wants to see it ended.
    BOOST_TEST((!ask("").is_another && ask("").exit_code == 0));
    BOOST_TEST(lines_of(path("count")) == 1);
}

BOOST_AUTO_TEST_CASE(half_a_script_is_not_run) {
    const auto session = connect();
    run(*session, "true");
    const StepCommands commands(path("state"), "root");
    const std::string half = "printf 'cafe\necho run >>" + path("count") + "' | " +
                             commands.run({.label = "test", .script = ""}, {"half", 1});

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
