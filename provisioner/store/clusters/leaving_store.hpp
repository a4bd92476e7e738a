#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "provisioner/model/jobs/job.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Machines that a job takes away (`model::Node::leaves`) and that are still there.

/// One of them.
struct LeavingMachine {
    model::NodeId node{};
    int nodenum = 0;
    std::string hostname{};
    /// In the order of the node.
    std::vector<std::string> services{};
};

/// Those of a cluster that were set up, that nobody has begun to delete, on which no removal of a
/// service has begun, and that their provider still lists; by number. Their services may be
/// stopped.
std::vector<LeavingMachine> undeleted_machines(Connection& connection, model::ClusterId cluster);

/// By the numbers of machines, services that these should not have any more, with those of stop and
/// remove that are not done.
using RemovalsLeft = std::map<int, std::map<std::string, std::set<model::Action>>>;

/// On the leaving machines of a cluster, whatever job was to do it: later ones have left it to the
/// deletion of the machine.
RemovalsLeft removals_left_on_leaving(Connection& connection, model::ClusterId cluster);

/// What has happened since a job took the first of the leaving machines of a cluster away.
struct SinceLeaving {
    model::JobId first_job{};
    /// Whether the job before that one was complete, or there was none: it has left nothing.
    bool had_nothing_left = false;
    /// Whether a service was stopped, configured or started on a machine that was there before: it
    /// may have been told that machines are gone.
    bool are_others_told = false;
};

/// Also of a cluster without leaving machines; then of all its jobs.
SinceLeaving since_leaving(Connection& connection, model::ClusterId cluster);

/// The numbers of the machines that `job` creates, without those that leave.
std::set<int> machines_made_by(Connection& connection, model::JobId job);

/// The numbers of the machines of a cluster that no job has set up yet (model::Node::was_set_up),
/// without those that leave.
std::set<int> unfinished_machines(Connection& connection, model::ClusterId cluster);

/// No job takes these nodes away any more.
void keep_machines(Connection& connection, const std::vector<model::NodeId>& nodes);

}  // namespace provisioner::store
