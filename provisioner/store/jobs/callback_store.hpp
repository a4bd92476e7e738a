#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "provisioner/model/jobs/callback.hpp"
#include "provisioner/store/clusters/work_store.hpp"
#include "provisioner/store/database/database.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace provisioner::store {

// Rows of the table callback: HTTP requests that report events of clusters to the URLs of the
// configuration. A callback is written in the transaction that makes its event true. So no event is
// lost, and none is reported that did not happen. The class callbacks::Sender in the daemon
// delivers it, with retries.

/// Notes that the job began or ended, with the present status of job and cluster. A repeated
/// deletion at the end of a lease is noted only when it succeeds or fails for a new reason
/// (statements/callback.hpp).
void note_callback(Connection& connection, model::JobId job);

/// Callbacks of a cluster: pending and delivered, newest first, at most `limit`. Leaves out those
/// that no configured URL wanted. Does not check who may see the cluster.
std::vector<model::Callback> callbacks_of(Connection& connection, model::ClusterId cluster,
                                          int limit = 100);

/// This function and those below are for the daemon, not for requests.
///
/// Notes an event `expiring`, once per cluster and lease, when the lease ends after `now` and at
/// most `ahead` later. Handles at most 1000 clusters a call; the next call continues. Returns the
/// number of clusters. Several daemons may call it at once: each lease is noted by one of them. A
/// changed lease is noted again.
int note_expiring_leases(Connection& connection, base::Timestamp now, std::chrono::seconds ahead);

/// A callback to be sent at once.
struct DueCallback {
    model::Callback callback;
    /// The body of the earlier attempts; empty before the first. A retry sends the same bytes.
    std::string body;
};

/// Takes up to `limit` due callbacks and counts an attempt for each. A callback that is not settled
/// within `hold` is due again, because its daemon may have died: a receiver can get it twice.
///
/// Takes only the oldest waiting callback of a cluster, so each receiver gets the events of a
/// cluster in order. Skips rows that another daemon has locked. Due times follow the database's
/// clock.
std::vector<DueCallback> take_callbacks(Connection& connection, int limit,
                                        std::chrono::seconds hold);

/// The result of one attempt to send a callback.
struct CallbackAttempt {
    /// Callback::id.
    std::int64_t callback = 0;
    /// `waiting`: to be sent again after `again_in`. Any other state is final.
    model::CallbackState state = model::CallbackState::delivered;
    /// Ignored unless `state` is waiting.
    std::chrono::milliseconds again_in{0};
    /// The bytes that were sent. Stored for the retry; dropped when the state is final.
    std::string body;
    /// HTTP status of the answer; nothing when none came.
    std::optional<int> reply;
    /// Why the attempt failed; empty when it succeeded.
    std::string error;
};

/// Stores the result. Does nothing to a callback whose state is already final, so a daemon that was
/// thought dead cannot change it.
void settle_callback(Connection& connection, const CallbackAttempt& attempt);

/// Everything the body of a callback is made from, as stored when it is first sent.
struct CallbackFacts {
    ClusterWork work;
    /// Tenant::uid, the id in the API.
    std::string tenant_uid;
    model::Job job;
    /// Tasks of `job`, by id.
    std::vector<model::Task> tasks;
    /// Edges (before, after) among `tasks`, ordered.
    std::vector<std::pair<model::TaskId, model::TaskId>> edges;
    /// Attempts on all nodes of the cluster, oldest first; at most the newest 200 of each node.
    std::vector<Attempt> attempts;
};
/// Throws std::logic_error when job, cluster or tenant are gone. That cannot happen while the
/// callback exists: its row refers to them. Reads every node and task, so its cost grows with the
/// cluster.
CallbackFacts callback_facts(Connection& connection, const model::Callback& callback);

}  // namespace provisioner::store
