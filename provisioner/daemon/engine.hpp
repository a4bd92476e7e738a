#pragma once

#include <atomic>
#include <functional>
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
#include "provisioner/daemon/machines/key_rotation.hpp"
#include "provisioner/daemon/metrics/daemon_metrics.hpp"
#include "provisioner/daemon/nudge_socket.hpp"
#include "provisioner/daemon/tasks/account_files.hpp"
#include "provisioner/daemon/tasks/performer.hpp"
#include "provisioner/daemon/tasks/task_context.hpp"
#include "provisioner/daemon/upkeep/audit_keeping.hpp"
#include "provisioner/daemon/upkeep/upkeep.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::daemon {

/// Settings of one daemon process; main reads them from the settings file.
struct EngineSettings {
    /// Name of the daemon, the same after a restart: host name and path of the lock file.
    std::string instance;
    /// Path of the unix socket that web processes nudge.
    std::string nudge_path;
    /// Most tasks in flight; an eighth more for tenants that have none in flight.
    int capacity = 2000;
    /// Number of event loops, each with a thread; 0: one per core.
    int loops = 0;
    /// Id of the installation: providers mark its machines with it.
    std::string installation;
    /// Which lost machines are replaced without a person: "none", "reclaimed" (those that their
    /// providers may take back) or "all".
    std::string replace_machines = "reclaimed";
};

/// The working daemon: a claimer takes batches of tasks, event loops perform them, a reporter
/// stores their ends, and duties run periodically. A running task is a coroutine on the loop of its
/// node; while it waits it holds no thread and no connection.
///
/// Threads: the caller of run() claims; one thread renews claims; one runs the duties, and slow
/// duties get a thread each; one per loop; one of the reporter. The claimer, the renewing thread,
/// the duties and the reporter each own one connection of the queue.
///
/// Members are destroyed in reverse order: the reporter before the loops, which call it. So the
/// engine must only be destroyed after a run() that returned true, when no task is in flight.
class Engine {
 public:
    /// Starts the loops and the reporter, binds the nudge socket, and claims nothing yet. All
    /// references must outlive the engine. Throws std::runtime_error when the socket cannot be
    /// bound.
    Engine(const base::Config& config, EngineSettings settings, store::Database& database,
           const contents::Contents& contents, const base::Clock& clock,
           const providers::Registry& providers, remote::Connector& connector,
           ContentSupply& supply, const LoginKeys& keys, DaemonMetrics& metrics,
           const base::Log& log);
    ~Engine();

    /// Works until stop() is called, then claims no more and waits up to timing::drain_limit for
    /// tasks in flight. To be called once. True when all tasks and all duties have ended. False
    /// when some still use the loops or their threads: then the process must end by _Exit, without
    /// destroying the engine. Their steps go on on the nodes, and the next daemon takes them over.
    [[nodiscard]] bool run();

    /// Asks run() to return. Safe from any thread, any number of times.
    void stop();

 private:
    /// An event loop with its thread and its performer.
    struct Loop;

    /// One round of the claimer: claims and starts a batch, or waits for a nudge or a due task.
    void claim_and_dispatch();
    /// Claims beyond the capacity for tenants without a task in flight, so that no tenant waits for
    /// the long tasks of others.
    void claim_for_tenants_without_tasks();
    /// Reads the context of each claim and starts its turn. Every claim ends with a report.
    void dispatch(const std::vector<queue::Claim>& claims);
    /// Adds the files of plugins that an account names, and login keys of the vault.
    TaskContext::AddFiles add_files();
    /// All tasks of a node run on one loop: the loop's performer has the sessions to it.
    Loop& loop_of(const queue::Claim& claim);
    /// Starts the turn on the loop of its node and reports its outcome, with secrets masked.
    void start(Work work);
    /// One turn at the task. Begins nothing when the claim ran out before the loop came to it:
    /// another worker may have the task by now, and a provider has no ledger that refuses a late
    /// call.
    boost::asio::awaitable<queue::Outcome> run_once(Performer& performer, Work work,
                                                    TaskOutput output);
    /// Body of the renewing thread: heartbeat and renewal every timing::renew_every, until ended_.
    /// It has its own connection, so that no slow statement delays a renewal.
    void keep_renewing();
    /// The row of this daemon as it is now, with what it counts. Asks every loop how late it is,
    /// for the next one.
    queue::Heartbeat heartbeat();
    /// Renews all claims in flight in the database, then here.
    void renew(queue::TaskQueue& queue);
    /// Puts lost claims back. Claims of other daemons only after the database has answered for the
    /// time of a claim.
    void rescue(queue::TaskQueue& queue);
    /// Logs what a turn threw, which is a bug, with secrets masked.
    void log_broken(const Work& work, const std::exception_ptr& broken) const;
    /// Counts the end of a turn; `took` is its length.
    void count_end(const Work& work, const queue::Outcome& outcome,
                   std::chrono::nanoseconds took) const;
    /// Logs a success or a failure, but no wait; `since` is the start of the turn.
    void log_end(const Work& work, const queue::Outcome& outcome,
                 std::chrono::steady_clock::time_point since) const;
    /// Starts Performer::stop for the tasks in flight of aborted jobs; harmless to repeat.
    void stop_aborted(queue::TaskQueue& queue);
    /// Body of the duties' thread, until stopping_: those that need loops or claims, and upkeep_'s.
    void run_duties();
    /// Waits for tasks in flight and reports them. True when nothing is left.
    bool drain();

    const base::Config& config_;
    EngineSettings settings_;
    store::Database& database_;
    const base::Log& log_;
    DaemonMetrics& metrics_;
    /// "<instance>/<pid>-<8 hex digits>": differs for each life of the daemon (queue::Rescuer).
    std::string worker_;
    /// Set by stop(): no further claim and no further duty begins.
    std::atomic<bool> stopping_{false};
    /// Set after drain(): no claim has to be renewed any more.
    std::atomic<bool> ended_{false};
    /// Shared by all threads of the engine.
    InFlightClaims in_flight_;
    /// Written by the renewing thread, read by the duties.
    DatabaseContact contact_;
    /// The claimer waits on it; the reporter and the duties ring it.
    NudgeSocket nudges_;
    /// Fixed after the constructor. A node's loop is its id modulo their number.
    std::vector<std::unique_ptr<Loop>> loops_;
    /// The claimer's connection; used by the thread of run() only, like task_context_.
    std::unique_ptr<queue::TaskQueue> claims_;
    AccountFiles account_files_;
    /// Types of providers whose machines get our login keys.
    std::set<std::string> login_key_types_;
    TaskContext task_context_;
    /// Called from the loops and, for contexts that cannot be read, by the claimer.
    std::unique_ptr<Reporter> reporter_;
    Duties duties_;
    /// Its duties run in threads of duties_.
    Upkeep upkeep_;
    AuditKeeping audit_keeping_;
    KeyRotation key_rotation_;
};

}  // namespace provisioner::daemon
