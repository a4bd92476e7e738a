#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/config.hpp"
#include "provisioner/base/log.hpp"
#include "provisioner/contents/contents.hpp"
#include "provisioner/daemon/claims/database_contact.hpp"
#include "provisioner/daemon/claims/in_flight_claims.hpp"
#include "provisioner/daemon/claims/reporter.hpp"
#include "provisioner/daemon/nudge_socket.hpp"
#include "provisioner/daemon/tasks/performer.hpp"
#include "provisioner/daemon/tasks/task_context.hpp"
#include "provisioner/operations/daemons/retention.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::daemon {

/// How a daemon runs.
struct EngineSettings {
    /// The same after a restart: host name and lock file.
    std::string instance;
    /// Path of the socket that web processes nudge.
    std::string nudge_path;
    /// Tasks in flight at once; an eighth more for tenants that have none in flight.
    int capacity = 2000;
    /// Event loops; 0: one per core.
    int loops = 0;
    /// What marks machines as this installation's.
    std::string installation;
};

/// The daemon at work: a claimer that takes batches of tasks, event loops that perform them, a
/// reporter that tells how they ended, and the periodic duties. A running task is a coroutine:
/// while it waits it holds no thread and no connection.
class Engine {
 public:
    /// All of them must outlive the engine.
    Engine(const base::Config& config, EngineSettings settings, store::Database& database,
           const contents::Contents& contents, const base::Clock& clock,
           const providers::Registry& providers, remote::Connector& connector,
           ContentSupply& supply, const LoginKey& key, const base::Log& log);
    ~Engine();

    /// Works until `stop` is called, then lets running tasks end for a limited time. False when
    /// some have not, or a duty beside them has not: these still stand on the loops and in threads,
    /// and the process has to end without tearing them down.
    [[nodiscard]] bool run();

    /// Asks run() to return; safe from any thread.
    void stop();

 private:
    struct Loop;
    struct Duty;

    void claim_and_dispatch();
    /// Beyond the capacity, so that nobody waits for the long tasks of others.
    void claim_for_who_has_nothing();
    void dispatch(const std::vector<queue::Claim>& claims);
    Loop& loop_of(const queue::Claim& claim);
    void start(Work work);
    /// One turn at the task, unless its claim ran out before the loop came to it: then whoever has
    /// it now may be far ahead, and a machine made or taken away for it would be one too many.
    boost::asio::awaitable<queue::Outcome> run_once(Performer& performer, Work work,
                                                    TaskOutput output);
    /// Keeps what is in flight ours and says that this daemon is there, in a thread and over a
    /// connection of its own, until everything has ended: nothing slow may come before it.
    void keep_renewing();
    void renew(queue::TaskQueue& queue);
    void rescue(queue::TaskQueue& queue);
    void log_end(const Work& work, const queue::Outcome& outcome,
                 std::chrono::steady_clock::time_point since) const;
    void expire_clusters();
    /// Has what runs of aborted jobs stopped; harmless as often as it is done.
    void stop_aborted(queue::TaskQueue& queue);
    void prune();
    void sweep_contents() const;
    void remove_orphans();
    void try_duty(const char* name, const std::function<void()>& run) const;
    /// In a thread of its own, unless it is still under way: places and providers may be slow, and
    /// the other duties are not to wait.
    void aside(const char* name, std::function<void()> run);
    void run_duties();
    bool drain();

    const base::Config& config_;
    EngineSettings settings_;
    store::Database& database_;
    const contents::Contents& contents_;
    const base::Clock& clock_;
    const base::Log& log_;
    const providers::Registry& providers_;
    operations::Retention retention_;
    /// "instance/incarnation": tells this life of the daemon from the one before.
    std::string worker_;
    std::atomic<bool> stopping_{false};
    /// Whether claims need no renewing any more.
    std::atomic<bool> ended_{false};
    InFlightClaims in_flight_;
    DatabaseContact contact_;
    NudgeSocket nudges_;
    std::vector<std::unique_ptr<Loop>> loops_;
    std::unique_ptr<queue::TaskQueue> claims_;
    TaskContext task_context_;
    std::unique_ptr<Reporter> reporter_;
    /// What went wrong with machines, each told once.
    std::set<std::string> told_of_orphans_;
    /// When it is to be found out again which accounts there are.
    std::chrono::steady_clock::time_point accounts_due_;
    /// Duties under way in threads of their own, by name.
    std::map<std::string, std::future<void>> asides_;
};

}  // namespace provisioner::daemon
