#pragma once

#include <set>
#include <string>
#include <vector>

#include "provisioner/model/jobs/job.hpp"

namespace fcgi::pages {

/// Tasks that failed, or whose last attempt did, and say the same.
struct FailureGroup {
    /// "install cache".
    std::string what{};
    /// The message of the first of them.
    std::string message{};
    /// By id; never empty.
    std::vector<const provisioner::model::Task*> tasks{};
};

/// The machines of a group, each once, by their ids.
std::set<provisioner::model::NodeId> machines_of(const FailureGroup& group);

/// The machines of the group that has this task; empty if none has.
std::set<provisioner::model::NodeId> machines_like(const std::vector<FailureGroup>& groups,
                                                   provisioner::model::TaskId task);

/// A message without what differs from machine to machine: numbers, addresses, and names and ids
/// with digits become "#".
std::string without_particulars(const std::string& message);

/// The failed ones of `tasks`, grouped by what they do and what they say; the largest group first,
/// equal ones by their first task. Points into `tasks`.
std::vector<FailureGroup> failure_groups(const std::vector<provisioner::model::Task>& tasks);

/// Any tasks, grouped and ordered in the same way.
std::vector<FailureGroup> groups_that_say_the_same(
    const std::vector<const provisioner::model::Task*>& tasks);

/// What one attempt of a task printed.
struct AttemptOutput {
    int attempt = 1;
    std::string text{};
};

/// The outputs in the order of their attempts. Neighbours that say the same (without_particulars)
/// are printed once, as the last of them said it. Of several attempts each part has a line that
/// names them: "[attempts 1 to 6]".
std::string joined_outputs(const std::vector<AttemptOutput>& attempts);

}  // namespace fcgi::pages
