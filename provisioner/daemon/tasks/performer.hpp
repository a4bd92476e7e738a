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

#include "provisioner/daemon/tasks/work.hpp"
#include "provisioner/providers/registry.hpp"
#include "provisioner/queue/retry.hpp"
#include "provisioner/remote/session_pool.hpp"

namespace provisioner::daemon {

/// Receives what a task prints: stream "out", "err" or "note" (our own words).
using TaskOutput = std::function<void(const std::string& stream, std::string_view text)>;

/// The keys this installation logs in to its machines with.
struct LoginKey {
    base::Secret private_key;
    /// "ssh-ed25519 AAAA..."
    std::string public_key;
};

/// Does tasks: hardware actions by a provider, service actions by an automator's steps over a kept
/// session. One performer per event loop; its coroutines run on that loop.
class Performer {
 public:
    /// All of them must outlive the performer.
    Performer(const providers::Registry& providers, remote::Connector& connector,
              ContentSupply& supply, const LoginKey& key);

    /// One turn at the task. Never throws: what goes wrong is an outcome.
    boost::asio::awaitable<queue::Outcome> perform(Work work, TaskOutput output);

    /// Ends the claim's work on its node, because its job was aborted: no further step of it
    /// begins, the one that runs is stopped, and perform() says that it failed for good. Calls to a
    /// provider are left alone, and so is what is not performed here. Never throws: a node that
    /// cannot be told now is told the next time.
    boost::asio::awaitable<void> stop(queue::Claim claim, TaskOutput output);

    /// Closes sessions that have been unused for a while.
    void close_idle() { sessions_.close_idle(std::chrono::steady_clock::now()); }

 private:
    /// Steps under way on a node.
    struct UnderWay {
        long long fence = 0;
        remote::Endpoint endpoint;
        /// The one that runs.
        std::optional<remote::StepKey> step;
        /// Whether no other one is to begin.
        bool stopped = false;
        /// Whether its node is being told.
        bool is_told = false;
    };
    class Registration;

    /// What to do on the node, or why that cannot be said.
    using Compiled = base::expected<remote::Steps, queue::Failed>;

    boost::asio::awaitable<queue::Outcome> dispatch(const Work& work, const TaskOutput& output);
    boost::asio::awaitable<queue::Outcome> create(const Work& work, const TaskOutput& output);
    boost::asio::awaitable<queue::Outcome> confirm(const Work& work, const TaskOutput& output);
    boost::asio::awaitable<queue::Outcome> destroy(const Work& work, const TaskOutput& output);
    Compiled bootstrap(const Work& work);
    Compiled service_action(const Work& work);
    Compiled compile(const Work& work, const model::ServiceAction& action,
                     const base::Json& cluster_config,
                     std::shared_ptr<automators::SharedValues> shared);
    boost::asio::awaitable<queue::Outcome> run_compiled(const Work& work, Compiled compiled,
                                                        const TaskOutput& output);
    boost::asio::awaitable<queue::Outcome> run_steps(const Work& work, remote::Steps steps,
                                                     const TaskOutput& output);
    boost::asio::awaitable<queue::Outcome> run_over(remote::Session& session, const Work& work,
                                                    remote::Steps steps, const TaskOutput& output);

    /// Sends what the node lacks of the delivery.
    boost::asio::awaitable<void> deliver(const Work& work, remote::Session& session,
                                         const remote::Delivery& delivery,
                                         const TaskOutput& output);
    boost::asio::awaitable<void> send(const Work& work, remote::Session& session,
                                      const remote::DeliveredFile& file);

    /// Throws LackingPlugin.
    providers::Provider& provider_of(const Work& work) const;
    providers::MachineSpec spec_of(const Work& work) const;
    remote::Endpoint endpoint_of(const model::Node& node) const;
    queue::Failed failed(const Work& work, std::string message, int status_code,
                         queue::Cause cause);
    double jitter() { return std::uniform_real_distribution<>(0.0, 1.0)(random_); }
    /// How a turn ends in which the other side could not be reached, or no longer.
    queue::Outcome interrupted(const Work& work, queue::Outage outage, const std::string& cause);
    /// How a turn ends at a task that needs a plugin this daemon lacks: another one may have it.
    queue::Outcome lacking(const std::string& plugin);
    queue::Failed aborted(const Work& work, int status_code);
    /// The steps under way of that claim; null when there are none.
    UnderWay* under_way(const queue::Claim& claim);
    /// Whether no further step of the claim is to begin, and what is sent need not arrive.
    bool is_stopped(const queue::Claim& claim);

    const providers::Registry& providers_;
    ContentSupply& supply_;
    const LoginKey& key_;
    remote::SessionPool sessions_;
    std::map<model::TaskId, UnderWay> under_way_;
    std::mt19937 random_{std::random_device{}()};
};

}  // namespace provisioner::daemon
