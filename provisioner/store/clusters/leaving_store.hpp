#pragma once

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

/// Those of a cluster that nobody has begun to delete, on which no removal of a service has begun,
/// and that their provider still lists; by number. Their services may be stopped.
std::vector<LeavingMachine> undeleted_machines(Connection& connection, model::ClusterId cluster);

/// Whether, since a job took the first of the leaving machines away, a service was stopped,
/// configured or started on a machine that was there before: it may have been told that they are
/// gone.
bool are_others_told(Connection& connection, model::ClusterId cluster);

/// The numbers of the machines that `job` creates and on which it has anything left to do, without
/// those that leave.
std::set<int> unfinished_new_machines(Connection& connection, model::JobId job);

/// No job takes these nodes away any more.
void keep_machines(Connection& connection, const std::vector<model::NodeId>& nodes);

}  // namespace provisioner::store
