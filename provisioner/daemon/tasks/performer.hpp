#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "provisioner/daemon/tasks/login_keys.hpp"
#include "provisioner/daemon/tasks/work.hpp"
#include "provisioner/providers/registry.hpp"
#include "provisioner/queue/retry.hpp"
#include "provisioner/remote/session_pool.hpp"

namespace provisioner::daemon {

/// Receives what a turn prints: stream "out", "err" or "note" (the daemon's own remarks). Called on
/// the performer's loop; `text` is valid during the call only.
using TaskOutput = std::function<void(const std::string& stream, std::string_view text)>;

/// Performs turns at tasks: hardware actions through a provider, bootstrap and service actions
/// through an automator's steps over a kept session.
///
/// One performer per event loop. All of its functions run on that loop, so it needs no mutex;
/// between two co_awaits nothing else of it runs. A turn that is cut off by a lost connection ends
/// as Waiting. The next turn, possibly of another daemon, finds the step on the node by its key and
/// goes on reading. The node's ledger refuses steps with a lower fence, so a turn whose claim was
/// lost cannot run a step twice.
class Performer {
 public:
    /// All references must outlive the performer and its coroutines.
    Performer(const providers::Registry& providers, remote::Connector& connector,
              ContentSupply& supply, const LoginKeys& keys);

    /// One turn at the task. Never throws std::exception: what goes wrong is an outcome. A provider
    /// gets one call; a service action runs all of its steps. May take as long as they do.
    boost::asio::awaitable<queue::Outcome> perform(Work work, TaskOutput output);

    /// Stops the claim's steps, because its job was aborted. The running step is stopped on its
    /// node; perform() checks before each step and then returns a failure without another try. A
    /// step that begins after that check runs until the next call, so call it repeatedly (the
    /// duties do, each timing::stop_aborted_every). Calls to a provider go on; a claim that is not
    /// performed here is ignored. When the node could not be reached, the next call tries again.
    /// Never throws std::exception.
    boost::asio::awaitable<void> stop(queue::Claim claim, TaskOutput output);

    /// Closes sessions that are dead, or idle for PoolOptions::idle_limit.
    void close_idle() { sessions_.close_idle(std::chrono::steady_clock::now()); }

 private:
    /// The steps of one claim that perform() runs at this moment.
    struct UnderWay {
        /// The claim's fence: a later claim of the task has its own entry.
        long long fence = 0;
        remote::Endpoint endpoint;
        /// The step that runs; nothing between two steps.
        std::optional<remote::StepKey> step;
        /// Whether no further step may begin.
        bool stopped = false;
        /// Whether a stop() is sending the request to the node, or has sent it.
        bool is_told = false;
    };
    /// Enters steps into under_way_ for its lifetime.
    class Registration;

    /// The steps of a task, or the failure of compiling them.
    using Compiled = base::expected<remote::Steps, queue::Failed>;

    /// The functions below may throw; perform() turns exceptions into outcomes.
    boost::asio::awaitable<queue::Outcome> dispatch(const Work& work, const TaskOutput& output);
    boost::asio::awaitable<queue::Outcome> create(const Work& work, const TaskOutput& output);
    boost::asio::awaitable<queue::Outcome> confirm(const Work& work, const TaskOutput& output);
    boost::asio::awaitable<queue::Outcome> destroy(const Work& work, const TaskOutput& output);
    /// Logs in to a machine that the provider says can be reached, and ends the confirm. `reached`
    /// is the node with its addresses and host key.
    boost::asio::awaitable<queue::Outcome> log_in(const Work& work,
                                                  const providers::MachineSpec& spec,
                                                  const model::Node& reached,
                                                  const providers::Reachable& reachable,
                                                  const TaskOutput& output);
    /// The bootstrap steps; before them the machine's own host key takes the place of one that
    /// travelled.
    boost::asio::awaitable<queue::Outcome> bootstrap(const Work& work, const TaskOutput& output);
    /// The bootstrap steps of all automators of the node.
    Compiled bootstrap_steps(const Work& work);
    /// The steps, after one that keeps the names of the cluster's nodes, where the provider does
    /// not.
    Compiled with_names(const Work& work, Compiled compiled) const;
    Compiled service_action(const Work& work);
    Compiled compile(const Work& work, const model::ServiceAction& action,
                     const base::Json& cluster_config,
                     std::shared_ptr<automators::SharedValues> shared);
    /// Runs the steps, or returns the failure of compiling.
    boost::asio::awaitable<queue::Outcome> run_compiled(const Work& work, Compiled compiled,
                                                        const TaskOutput& output);
    /// Gets a session and runs the steps over it; a lost connection becomes Waiting.
    boost::asio::awaitable<queue::Outcome> run_steps(const Work& work, remote::Steps steps,
                                                     const TaskOutput& output);
    /// Runs the steps in order until one fails. Throws remote::TransportError.
    boost::asio::awaitable<queue::Outcome> run_over(remote::Session& session, const Work& work,
                                                    remote::Steps steps, const TaskOutput& output);

    /// Sends the files of the delivery that the node lacks.
    boost::asio::awaitable<void> deliver(const Work& work, remote::Session& session,
                                         const remote::Delivery& delivery,
                                         const TaskOutput& output);
    boost::asio::awaitable<void> send(const Work& work, remote::Session& session,
                                      const remote::DeliveredFile& file);

    /// Throws LackingPlugin.
    providers::Provider& provider_of(const Work& work) const;
    /// The failure with its pause by the retry rule of `cause`.
    queue::Failed failed(const Work& work, std::string message, int status_code,
                         queue::Cause cause);
    double jitter() { return std::uniform_real_distribution<>(0.0, 1.0)(random_); }
    /// Outcome of a turn in which the other side could not be reached, or was lost: Waiting, or a
    /// failure when the outage or the attempt has lasted too long.
    queue::Outcome interrupted(const Work& work, queue::Outage outage, const std::string& cause);
    /// Outcome for a task that needs a plugin this daemon lacks: Waiting, because another daemon
    /// may have it.
    queue::Outcome lacking(const std::string& plugin);
    /// The failure of a task whose job was aborted; never tried again.
    queue::Failed aborted(const Work& work, int status_code);
    /// The claim's entry in under_way_; null when it has none. Invalid after a co_await.
    UnderWay* under_way(const queue::Claim& claim);
    /// Whether stop() was called for the claim: no further step begins, and transfers are cut off.
    bool is_stopped(const queue::Claim& claim);

    const providers::Registry& providers_;
    ContentSupply& supply_;
    const LoginKeys& keys_;
    remote::SessionPool sessions_;
    /// By task: at most one claim of a task has steps under way here.
    std::map<model::TaskId, UnderWay> under_way_;
    std::mt19937 random_{std::random_device{}()};
};

}  // namespace provisioner::daemon
