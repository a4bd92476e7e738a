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

/// A task in a worker's hands. Whoever holds a lower fence than the row has lost it.
struct Claim {
    model::TaskId task;
    model::JobId job;
    model::TenantId tenant;
    model::ClusterId cluster;
    model::NodeId node;
    model::Action action = model::Action::create;
    std::string service;
    /// From 1; the same after a takeover or a wait.
    int attempt = 1;
    /// Attempts that no longer count: a person asked to try again after them.
    int attempts_offset = 0;
    long long fence = 0;
    /// How long ago the attempt began, by the database's clock.
    std::chrono::milliseconds attempt_age{0};
    /// The outage the attempt is in, as earlier turns left it.
    OutageSoFar outage{};
    /// Whether its job had been aborted before: what is under way on the node is to be ended.
    bool aborted = false;

    /// Which try this is, from 1: what the limits of attempts are about.
    int tries() const { return attempt - attempts_offset; }
};

/// How a claim ended.
struct Finished {
    Claim claim;
    Outcome outcome;
};

/// A piece of output of a task in flight. `stream` is "out", "err" or "note".
struct Output {
    Claim claim;
    std::string stream;
    std::string body;
    /// Where it begins in what the attempt has printed.
    std::int64_t from_byte = 0;
};

/// Who looks for tasks that nobody works on, and which of them it may take.
struct Rescuer {
    /// The same after a restart of the daemon: its earlier lives are dead, because it has their
    /// lock. Workers of it are called `instance` + "/" + something.
    std::string instance;
    /// This life.
    std::string worker;
    /// What this life has in flight: never rescued. What else it once claimed it does not know of
    /// (the answer to its claim was lost).
    std::vector<Claim> in_flight{};
    /// Whether to take what other daemons let run out. Not while the database was away: they could
    /// not renew either.
    bool of_others = true;
};

/// The consuming side of the queue. One object per thread: it owns a connection.
class TaskQueue {
 public:
    virtual ~TaskQueue() = default;

    /// Takes up to `limit` tasks that may run now for `worker`, until `hold` from now. Tenants
    /// share: each of those with tasks that are due gets an equal part, what it does not need goes
    /// to the others, and if there are more tenants than tasks the next call goes on with the next
    /// tenant. Of a tenant those that are longest ready come first. A tenant with a limit never has
    /// more tasks claimed than that.
    std::vector<Claim> claim(const std::string& worker, int limit, std::chrono::seconds hold) {
        return claim_except({}, worker, limit, hold);
    }

    /// The same without the tasks of these tenants.
    virtual std::vector<Claim> claim_except(const std::set<model::TenantId>& tenants,
                                            const std::string& worker, int limit,
                                            std::chrono::seconds hold) = 0;

    /// Time until a task can be claimed, as far as it is known: until the earliest that is ready is
    /// due; tenants that are at their limit do not count. Nothing when there is none. Not negative.
    virtual std::optional<std::chrono::milliseconds> next_due() = 0;

    /// Extends claims that are still ours to `hold` from now; returns these.
    virtual std::vector<Claim> renew(const std::vector<Claim>& claims,
                                     std::chrono::seconds hold) = 0;

    /// Those of these jobs that a person has aborted.
    virtual std::set<model::JobId> aborted(const std::set<model::JobId>& jobs) = 0;

    /// Stores output, in one transaction that locks no job: pages and other daemons wait for these.
    /// What is no longer ours is left out.
    virtual void store_output(const std::vector<Output>& output) = 0;

    /// Ends claims, in one transaction: node facts, task states, dependants counted down, those
    /// that wait for nothing more ready, job progress, the end of a job and of its cluster's
    /// change. What is no longer ours is left alone. Returns how many tasks became ready.
    virtual int finish(const std::vector<Finished>& finished) = 0;

    /// Makes tasks ready again that nobody works on. Returns how many.
    virtual int rescue(const Rescuer& rescuer) = 0;

    /// Tells who is there: upserts the daemon's row.
    virtual void heartbeat(const std::string& instance, int pid, int capacity, int running) = 0;
};

}  // namespace provisioner::queue
