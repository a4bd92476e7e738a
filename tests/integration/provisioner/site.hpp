#pragma once

#include <optional>
#include <vector>

#include "provisioner/model/jobs/job.hpp"
#include "provisioner/queue/mysql_task_queue.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "tests/integration/provisioner/fixture.hpp"

namespace tests {

/// A database with one cluster of template "pair" whose create job is in the queue.
struct ClusterSite {
    explicit ClusterSite(int machines = 3);

    provisioner::store::ClusterSummary summary();
    provisioner::model::Cluster details();
    /// Of the latest job, by id.
    std::vector<provisioner::model::Task> tasks();

    /// Claims what may run now, at most `limit`.
    std::vector<provisioner::queue::Claim> claim(int limit = 100);
    void finish(const provisioner::queue::Claim& claim, provisioner::queue::Outcome outcome);
    /// Lets everything that can be claimed succeed, until nothing is left; returns how many tasks.
    int succeed_all();

    /// What the audit log has as `after` of the last such action.
    provisioner::base::Json last_audited(const std::string& action);

    FreshDatabase fresh;
    provisioner::model::Caller caller = a_caller(fresh.database);
    provisioner::base::Timestamp now = some_time();
    provisioner::model::ClusterId cluster;
    provisioner::queue::MysqlTaskQueue queue{fresh.config};
};

/// Lets everything in the queue succeed, until nothing is left; returns how many tasks.
int succeed_all(provisioner::queue::TaskQueue& queue);

/// A failure of the tool on the node; tried again after `retry_in`, or never.
provisioner::queue::Failed a_failure(std::optional<std::chrono::milliseconds> retry_in,
                                     int code = 1);

}  // namespace tests
