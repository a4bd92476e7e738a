#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/queue/outcome.hpp"

namespace provisioner::queue {

/// One task claimed by one worker, as `claim` returned it. A copy of the rows at that moment: only
/// the pair (task, fence) is compared with the database later. When the task's row has a higher
/// fence, another claim has replaced this one, and nothing reported for this one is stored.
struct Claim {
    model::TaskId task;
    model::JobId job;
    /// Tenant of the cluster.
    model::TenantId tenant;
    model::ClusterId cluster;
    model::NodeId node;
    model::Action action = model::Action::create;
    /// The service whose action this is; empty for hardware actions and bootstrap.
    std::string service;
    /// From 1. A rescue or a wait keeps the number; only a failure begins the next attempt.
    int attempt = 1;
    /// Attempts before a person asked to run the job again: they do not count against the limit.
    int attempts_offset = 0;
    /// Grows by 1 with every claim of this task, over all daemons.
    long long fence = 0;
    /// Time since the attempt began, by the database's clock; turns and pauses included.
    std::chrono::milliseconds attempt_age{0};
    /// The outage that earlier turns of the attempt stored; all zero when there is none.
    OutageSoFar outage{};
    /// Whether the job was aborted before this claim. The worker stops what runs on the node and
    /// begins nothing.
    bool aborted = false;
    /// Id of the request that asked for the job, for the log; empty when none did.
    std::string request{};

    /// Number of this try, from 1. RetryRule::tries limits it.
    int tries() const { return attempt - attempts_offset; }
};

/// A claim and how the worker's turn at it ended.
struct Finished {
    Claim claim;
    /// Already made storable (outcome.hpp): `finish` does not check texts or sizes.
    Outcome outcome;
};

/// A piece of what an attempt printed. Transcripts are bounded (transcript/bounds.hpp): the middle
/// of a long one is deleted when later pieces arrive.
struct Output {
    Claim claim;
    /// "out", "err", or "note" for the daemon's own remarks.
    std::string stream;
    /// Any bytes; stored compressed.
    std::string body;
    /// Offset of `body` in all that the attempt printed to "out" and "err" together. Notes do not
    /// move it.
    std::int64_t from_byte = 0;
};

/// The daemon that calls `rescue`, and which claims it may take back.
struct Rescuer {
    /// Name of the daemon, the same after a restart. Its workers are named `instance` + "/" + a
    /// part that differs for each life. The caller holds the instance lock, so every earlier life
    /// is dead.
    std::string instance;
    /// Worker name of the present life.
    std::string worker;
    /// Claims this life works on: never rescued. A claim of this life that is not listed was lost
    /// with the answer to `claim`; it is rescued once it has run out.
    std::vector<Claim> in_flight{};
    /// Whether to rescue claims of other daemons that ran out. False after a database outage,
    /// during which those daemons could not renew.
    bool of_others = true;
};

/// What a daemon says about itself every few seconds.
struct Heartbeat {
    /// As Rescuer::instance.
    std::string instance;
    int pid = 0;
    /// Numbers of tasks: at once at most, and at this moment.
    int capacity = 0;
    int running = 0;
    /// What it counts itself, as JSON text (metrics/family_json.hpp).
    std::string metrics = "[]";
    /// Of its program (base/version.hpp), at most 64 characters.
    std::string version{};
};

/// The consuming side of the queue: claim, renew, finish, rescue. An interface, because tests of
/// the reporter replace the database by a fake.
///
/// One object per thread: it owns one connection. The claimer, the reporter, the
/// renewing thread and the duties of a daemon have one each, however many tasks are in flight.
/// Every call may block on the network and on locks, and throws QueueError (mysql_task_queue.hpp)
/// when the database fails; the call's transaction is then rolled back, or the answer to its COMMIT
/// was lost. Calling again is safe in both cases, because the fence decides.
class TaskQueue {
 public:
    virtual ~TaskQueue() = default;

    /// Claims up to `limit` due tasks for `worker`; the claims run out `hold` from now by the
    /// database's clock unless renewed. May return fewer, in order of task id. Tenants with due
    /// tasks get equal parts, and what one does not need goes to the others. When there are more
    /// tenants than tasks, the next call goes on with the next tenant. Within a tenant the tasks
    /// that became due first are claimed first. A tenant with a limit never has more tasks claimed
    /// than that, over all daemons. A daemon that drains (daemon.drains) claims nothing.
    std::vector<Claim> claim(const std::string& worker, int limit, std::chrono::seconds hold) {
        return claim_except({}, worker, limit, hold);
    }

    /// Like claim(), but takes no task of `tenants`. The claimer of a full daemon calls it for
    /// tenants that have no task in flight there.
    virtual std::vector<Claim> claim_except(const std::set<model::TenantId>& tenants,
                                            const std::string& worker, int limit,
                                            std::chrono::seconds hold) = 0;

    /// Time until the earliest ready task is due, never negative; tenants at their limit do not
    /// count. Nothing when no such task is ready. Only reads; a task may become ready sooner.
    virtual std::optional<std::chrono::milliseconds> next_due() = 0;

    /// Extends claims to `hold` from now and returns those that are still valid, in their order. A
    /// claim that is left out was finished, rescued or claimed anew: its worker has lost the task.
    /// Works in transactions of rows_per_statement claims, so an exception may follow partial work.
    virtual std::vector<Claim> renew(const std::vector<Claim>& claims,
                                     std::chrono::seconds hold) = 0;

    /// The subset of `jobs` that a person has aborted. Only reads.
    virtual std::set<model::JobId> aborted(const std::set<model::JobId>& jobs) = 0;

    /// Stores output in one transaction that locks no job, so it delays no other end of a task.
    /// Skips output of claims whose task has another fence by now. A worker's output must be stored
    /// before the end of its task is.
    virtual void store_output(const std::vector<Output>& output) = 0;

    /// Ends claims in one transaction: node facts, task states, dependents counted down and made
    /// ready, job progress, the end of jobs and of their clusters' changes (finish_batch.hpp).
    /// Skips claims that are no longer valid, so repeating a call after a lost answer changes
    /// nothing. At most rows_per_statement claims keep the statements short. Returns how many
    /// dependents became ready, without tasks put back for another turn.
    virtual int finish(const std::vector<Finished>& finished) = 0;

    /// Makes tasks ready whose worker is gone: claims of earlier lives of this daemon at once,
    /// other claims when they have run out. At most 1000 per call; the next call takes the rest.
    /// Deletes the output of their present attempts, because the next worker reads it from the
    /// node again. Returns how many tasks were made ready; those of an aborted job are included,
    /// although the call cancels most of them.
    virtual int rescue(const Rescuer& rescuer) = 0;

    /// Upserts the daemon's row with the present time; pages show it, and a new `pid` resets the
    /// time of start.
    virtual void heartbeat(const Heartbeat& daemon) = 0;
};

}  // namespace provisioner::queue
