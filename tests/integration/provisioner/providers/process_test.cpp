#include "provisioner/providers/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

using namespace provisioner::providers;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(process)

namespace {

ProcessResult run(ProcessRequest request) {
    boost::asio::io_context loop;
    auto result =
        boost::asio::co_spawn(loop, run_process(std::move(request)), boost::asio::use_future);
    loop.run();
    return result.get();
}

ProcessRequest a_shell(const std::string& script) {
    ProcessRequest request;
    request.command = {"/bin/sh", "-c", script};
    return request;
}

}  // namespace

BOOST_AUTO_TEST_CASE(both_outputs_and_the_exit_code_come_back) {
    const ProcessResult result = run(a_shell("echo out; echo err >&2; exit 7"));

    BOOST_TEST(result.exit_code == 7);
    BOOST_TEST(result.out == "out\n");
    BOOST_TEST(result.err == "err\n");
    BOOST_TEST(!result.timed_out);
}

BOOST_AUTO_TEST_CASE(output_beyond_the_limit_is_thrown_away_without_blocking_the_program) {
    ProcessRequest request = a_shell("head -c 1000000 /dev/zero; echo done >&2");
    request.most_output = 1000;

    const ProcessResult result = run(std::move(request));

    BOOST_TEST(result.out.size() == 1000u);
    BOOST_TEST(result.err == "done\n");
}

BOOST_AUTO_TEST_CASE(a_program_that_takes_too_long_is_killed_with_its_children) {
    ProcessRequest request = a_shell("sleep 60 & sleep 60; echo never");
    request.limit = 100ms;

    const ProcessResult result = run(std::move(request));

    BOOST_TEST(result.timed_out);
    BOOST_TEST(result.exit_code == -1);
    BOOST_TEST(result.signal == 9);
    BOOST_TEST(result.out == "");
}

BOOST_AUTO_TEST_CASE(what_a_program_leaves_running_is_not_waited_for) {
    const auto begin = std::chrono::steady_clock::now();

    const ProcessResult result = run(a_shell("(sleep 5) & echo started"));

    BOOST_TEST(result.out == "started\n");
    BOOST_TEST((std::chrono::steady_clock::now() - begin < 4s));
}

BOOST_AUTO_TEST_CASE(a_program_inherits_no_descriptor_of_ours) {
    const int leaked = open("/dev/null", O_RDONLY);

    const ProcessResult result = run(a_shell("ls /proc/self/fd | wc -l"));
    close(leaked);

    // 0, 1, 2 and the one ls itself opened.
    BOOST_TEST(result.out == "4\n");
}

BOOST_AUTO_TEST_CASE(a_program_has_default_signals_whatever_ours_are) {
    const auto before = signal(SIGUSR1, SIG_IGN);

    const ProcessResult result = run(a_shell("grep '^SigIgn' /proc/self/status | cut -f2"));
    signal(SIGUSR1, before);

    const unsigned long long ignored = std::stoull(result.out, nullptr, 16);
    BOOST_TEST((ignored & 1ULL << (SIGUSR1 - 1)) == 0u);
}

BOOST_AUTO_TEST_CASE(a_program_that_does_not_exist_is_named) {
    ProcessRequest request;
    request.command = {"/does/not/exist"};

    try {
        run(std::move(request));
        BOOST_ERROR("no exception");
    } catch (const std::system_error& error) {
        BOOST_TEST(std::string(error.what()).find("/does/not/exist") != std::string::npos);
    }
}

BOOST_AUTO_TEST_SUITE_END()
