#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/clusters/node.hpp"
#include "provisioner/model/jobs/job.hpp"
#include "provisioner/planner/change.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

/// Whether nobody knows how the services of a cluster are after `job`, its latest: it has failed
/// and dealt with all of them. Of an addition or removal of services it is known what is left.
bool are_services_unknown(const model::Cluster& cluster, const std::optional<model::Job>& job);

/// What a failed or aborted job has left of its work; nodes by their numbers. Without the nodes
/// that the job takes away.
struct UnfinishedWork {
    /// Those with a step of their set-up (model::is_set_up) that is not done, or with a service
    /// whose first start is not done.
    std::map<int, planner::RestOfCreation> half_made{};
    /// Those on which a task failed, by itself and not because a person aborted the job.
    std::set<int> failed{};
    /// Those that no job has set up yet (model::Node::was_set_up).
    std::set<int> new_ones{};
    /// Of machines that are half made: services that served there before, because the job was
    /// restarting them or an earlier one has started them.
    std::map<int, std::set<std::string>> served{};
    /// Services that the machines do not have any more, and those of stop and remove that are left
    /// to do for them there.
    std::map<int, std::map<std::string, std::set<model::Action>>> left_behind{};
    /// Services that it has not restarted, or only not configured, on a machine that is not half
    /// made.
    std::set<std::string> to_restart{};
    std::set<std::string> to_configure{};
};

/// `tasks`: those of the cluster's latest job, as store::shown_tasks_of has them. Earlier jobs
/// count no more, because each job after a failed one plans everything that is left; services that
/// they started are not known here. Pure.
UnfinishedWork unfinished_in(const std::vector<model::Node>& nodes,
                             const std::vector<model::Task>& tasks);

/// The same for all nodes of a cluster and its latest job, whose tasks it reads; and what earlier
/// jobs have started, if a machine is half made. Empty in a cluster whose latest job has not
/// failed.
UnfinishedWork unfinished_work(store::Connection& connection, const model::Cluster& cluster,
                               const std::vector<model::Node>& nodes);

}  // namespace provisioner::operations
