#include "provisioner/daemon/metrics/daemon_metrics.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/metrics/exposition.hpp"

using namespace provisioner;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(daemon_metrics)

namespace {

bool has(const daemon::DaemonMetrics& metrics, const std::string& line) {
    const std::string text = metrics::to_text(metrics.families(1500ms, 4096));
    return text.find('\n' + line + '\n') != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(attempts_count_by_provider_action_and_end) {
    daemon::DaemonMetrics metrics;
    metrics.add_provider("aws");

    metrics.attempt_ended("aws", model::Action::create, daemon::AttemptEnd::retried, 200ms);
    metrics.attempt_ended("aws", model::Action::create, daemon::AttemptEnd::retried, 2s);
    metrics.attempt_ended("gone", model::Action::delete_machine, daemon::AttemptEnd::failed, 1s);

    BOOST_TEST(
        has(metrics,
            R"(cooperage_attempts_total{provider="aws",action="create",outcome="retried"} 2)"));
    BOOST_TEST(has(
        metrics, R"(cooperage_attempts_total{provider="aws",action="create",outcome="failed"} 0)"));
    BOOST_TEST(
        has(metrics,
            R"(cooperage_attempts_total{provider="other",action="delete",outcome="failed"} 1)"));
    BOOST_TEST(
        has(metrics, R"(cooperage_attempt_duration_seconds_bucket{action="create",le="0.5"} 1)"));
    BOOST_TEST(has(metrics, R"(cooperage_attempt_duration_seconds_sum{action="create"} 2.2)"));
    BOOST_TEST(has(metrics, R"(cooperage_attempt_duration_seconds_count{action="create"} 2)"));
}

BOOST_AUTO_TEST_CASE(calls_count_by_verb_and_end_with_their_time) {
    daemon::DaemonMetrics metrics;
    auto& aws = metrics.add_provider("aws");

    aws.called(daemon::Verb::machines, daemon::CallEnd::broken, 250ms);
    metrics.add_provider("aws").called(daemon::Verb::machines, daemon::CallEnd::answered, 250ms);

    BOOST_TEST(has(
        metrics,
        R"(cooperage_provider_calls_total{provider="aws",verb="machines",outcome="broken"} 1)"));
    BOOST_TEST(has(
        metrics,
        R"(cooperage_provider_calls_total{provider="aws",verb="machines",outcome="refused"} 0)"));
    BOOST_TEST(has(metrics,
                   R"(cooperage_provider_call_seconds_total{provider="aws",verb="machines"} 0.5)"));
    BOOST_TEST(metrics::to_text(metrics.families(0s, 0)).find(R"(calls_total{provider="other")") ==
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_plugins_whose_tasks_it_takes_are_named) {
    daemon::DaemonMetrics metrics;
    BOOST_TEST(metrics::to_text(metrics.families(0s, 0)).find("daemon_offers{") ==
               std::string::npos);

    metrics.offer({"shell", "provider aws"});

    BOOST_TEST(has(metrics, R"(cooperage_daemon_offers{plugin="provider aws"} 1)"));
    BOOST_TEST(has(metrics, R"(cooperage_daemon_offers{plugin="shell"} 1)"));
}

BOOST_AUTO_TEST_CASE(what_the_engine_counts_is_there_from_the_beginning) {
    daemon::DaemonMetrics metrics;
    metrics.claimed.add(7);
    metrics.sessions.change(2);

    for (const char* line :
         {"cooperage_tasks_claimed_total 7", "cooperage_ssh_sessions 2",
          "cooperage_turns_waited_total 0", "cooperage_turns_lost_total 0",
          "cooperage_tasks_rescued_total 0", "cooperage_daemon_database_failures_total 0",
          "cooperage_daemon_loop_lag_seconds 1.5", "cooperage_daemon_resident_memory_bytes 4096"}) {
        BOOST_TEST(has(metrics, line), line);
    }
}

BOOST_AUTO_TEST_SUITE_END()
