#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "provisioner/model/jobs/callback.hpp"
#include "provisioner/store/clusters/work_store.hpp"
#include "provisioner/store/database/database.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace provisioner::store {

/// Notes that the job has begun or ended, for those who want to be called back.
void note_callback(Connection& connection, model::JobId job);

/// What a cluster has to tell and has told, newest first, at most `limit`; without what nobody
/// wanted.
std::vector<model::Callback> callbacks_of(Connection& connection, model::ClusterId cluster,
                                          int limit = 100);

/// Notes once for every lease that it ends before `now` + `ahead`; returns for how many. The
/// following are for the daemon, not for requests.
int note_expiring_leases(Connection& connection, base::Timestamp now, std::chrono::seconds ahead);

/// A callback to be sent now; `body` is what an earlier attempt sent, empty before the first.
struct DueCallback {
    model::Callback callback;
    std::string body;
};

/// Takes up to `limit` that are due; they are due again after `hold` unless settled before. Of a
/// cluster only the oldest is taken, so that it is told in order.
std::vector<DueCallback> take_callbacks(Connection& connection, int limit,
                                        std::chrono::seconds hold);

/// How an attempt to send a callback went.
struct CallbackAttempt {
    std::int64_t callback = 0;
    /// `waiting`: to be sent again after `again_in`.
    model::CallbackState state = model::CallbackState::delivered;
    std::chrono::milliseconds again_in{0};
    /// What was sent.
    std::string body;
    std::optional<int> reply;
    std::string error;
};

/// Stores it. Does nothing to a callback that is over.
void settle_callback(Connection& connection, const CallbackAttempt& attempt);

/// Everything the body of a callback is made from.
struct CallbackFacts {
    ClusterWork work;
    std::string tenant_uid;
    model::Job job;
    /// Of the job, by id.
    std::vector<model::Task> tasks;
    std::vector<std::pair<model::TaskId, model::TaskId>> edges;
    /// Of all nodes, oldest first.
    std::vector<Attempt> attempts;
};
CallbackFacts callback_facts(Connection& connection, const model::Callback& callback);

}  // namespace provisioner::store
