#include "provisioner/daemon/machines/script_runner.hpp"

#include <boost/asio/co_spawn.hpp>

#include "provisioner/base/utf8.hpp"
#include "provisioner/daemon/tasks/tail.hpp"
#include "provisioner/daemon/timing.hpp"
#include "provisioner/remote/quote.hpp"

namespace provisioner::daemon {

namespace asio = boost::asio;
using providers::existing::ScriptDone;
using providers::existing::ScriptFailed;
using providers::existing::ScriptRun;
using providers::existing::ScriptRuns;
using providers::existing::ScriptState;
using providers::existing::ScriptUnreachable;

namespace {

/// Longest time for removing what we left.
constexpr std::chrono::minutes tidy_limit{5};

remote::Endpoint script_endpoint(const ScriptRun& run, base::Secret key) {
    remote::Endpoint endpoint;
    endpoint.address = run.address;
    endpoint.port = run.port;
    endpoint.user = run.user;
    endpoint.private_key = std::move(key);
    endpoint.host_key = run.host_key;
    return endpoint;
}

remote::Run wipe_step(const ScriptRun& run) {
    remote::Run step;
    step.label = "wipe_script";
    step.script = run.script;
    step.limit = run.limit;
    return step;
}

/// The records of this run stay: whoever asks again, however late, is told how it ended and starts
/// nothing on a machine that another node may have by then. "resources" is the cache of a daemon
/// that works on that machine, too.
remote::Run tidy_step(const std::string& key, const NodePlaces& places) {
    remote::Run step;
    step.label = "remove what the last node left";
    step.script = "state=" + remote::quote(places.state) + " cache=" + remote::quote(places.cache) +
                  " hosts=" + remote::quote(places.hosts) + " key=" + key + R"sh(
for kept in "$cache"/*; do
    case $kept in */resources) ;; *) rm -rf -- "$kept" || exit ;; esac
done
rm -f "$state/names"
sed -i '/^# begin of the cluster$/,/^# end of the cluster$/d' "$hosts"
for step in "$state"/steps/*; do
    case $step in */"$key"-1-*) ;; *) rm -rf -- "$step" || exit ;; esac
done
)sh";
    step.limit = tidy_limit;
    return step;
}

remote::StepKey step_key(const std::string& key, int number) {
    remote::StepKey step;
    step.name = key + "-1-" + std::to_string(number);
    step.fence = 1;
    step.kind = "wipe";
    return step;
}

/// Why a step failed; empty if it did not.
std::string failure_of(const remote::Run& step, const remote::RunResult& result, const Tail& out,
                       const Tail& err) {
    if (result.exit_code == 0) return "";
    std::string text = step.label;
    if (result.timed_out) {
        text += " was stopped after " + std::to_string(step.limit.count()) + " s";
    } else {
        text += " ended with exit code " + std::to_string(result.exit_code);
    }
    const std::string last =
        base::to_utf8(err.last_line().empty() ? out.last_line() : err.last_line());
    return last.empty() ? text : text + ": " + last;
}

asio::awaitable<std::string> run_step(remote::Session& session, remote::Run step,
                                      remote::StepKey key) {
    Tail out;
    Tail err;
    const remote::OutputSink sink = [&](remote::Stream stream, std::string_view text) {
        (stream == remote::Stream::out ? out : err).add(text);
    };
    const remote::RunResult result = co_await session.run(step, key, sink);
    co_return failure_of(step, result, out, err);
}

ScriptState state_of(const std::exception_ptr& broken) {
    try {
        std::rethrow_exception(broken);
    } catch (const remote::UntrustedHost& error) {
        return ScriptFailed{error.what()};
    } catch (const remote::NodeRefusal& error) {
        return ScriptFailed{error.what()};
    } catch (const std::logic_error& error) {
        return ScriptFailed{error.what()};
    } catch (const std::exception& error) {
        return ScriptUnreachable{error.what()};
    }
}

}  // namespace

ScriptRunner::ScriptRunner(remote::Connector& connector, const LoginKeys& keys, NodePlaces places)
    : connector_(connector),
      keys_(keys),
      places_(std::move(places)),
      thread_([this] { loop_.run(); }) {}

ScriptRunner::~ScriptRunner() {
    loop_.stop();
    thread_.join();
}

// Two at once: of two questions about one key the first begins the run, under the mutex. An end is
// taken out with the answer, so a question after it begins anew: it must not be asked then.
ScriptState ScriptRunner::look(const model::Account& account, const ScriptRun& run) {
    const std::lock_guard lock(mutex_);
    const auto [entry, is_new] = runs_.try_emplace(run.key);
    if (is_new) {
        asio::co_spawn(loop_, carry_out(run, keys_.of(account, false).private_key),
                       [this, key = run.key](const std::exception_ptr& broken, ScriptState state) {
                           end(key, broken ? state_of(broken) : std::move(state));
                       });
        return ScriptRuns{};
    }
    if (!entry->second) return ScriptRuns{};
    ScriptState state = *std::move(entry->second);
    runs_.erase(entry);
    return state;
}

void ScriptRunner::end(const std::string& key, ScriptState state) {
    const std::lock_guard lock(mutex_);
    runs_[key] = std::move(state);
}

asio::awaitable<ScriptState> ScriptRunner::carry_out(ScriptRun run, base::Secret key) {
    const remote::Endpoint endpoint = script_endpoint(run, std::move(key));
    auto connecting = connector_.connect(endpoint, timing::connect_patience);
    const auto session = co_await std::move(connecting);
    if (run.only_logs_in) co_return ScriptDone{};
    auto wiping = run_step(*session, wipe_step(run), step_key(run.key, 0));
    std::string failure = co_await std::move(wiping);
    if (failure.empty()) {
        auto tidying = run_step(*session, tidy_step(run.key, places_), step_key(run.key, 1));
        failure = co_await std::move(tidying);
    }
    if (failure.empty()) co_return ScriptDone{};
    ScriptFailed failed{.reason = failure};
    co_return failed;
}

}  // namespace provisioner::daemon
