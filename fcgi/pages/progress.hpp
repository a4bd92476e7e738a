#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fcgi/pages/layout_picture.hpp"
#include "provisioner/model/jobs/job.hpp"

namespace fcgi::pages {

/// How far some tasks are together.
struct Progress {
    int total = 0;
    int done = 0;
    int running = 0;
    int failed = 0;

    bool operator==(const Progress&) const = default;
};

/// Tasks of one node, borrowed from the page that has them all.
using TaskList = std::vector<const provisioner::model::Task*>;

Progress progress_of(const TaskList& tasks);

/// The tasks of each node, in order; they point into `tasks`, which must outlive the result.
std::map<provisioner::model::NodeId, TaskList> tasks_by_node(
    const std::vector<provisioner::model::Task>& tasks);

/// What a person calls the task: "install nginx", "create the machine".
std::string what_it_does(const provisioner::model::Task& task);

/// What a person calls the operation while it runs, failed, or is over: "Creating the cluster", ...
std::string heading_of(const provisioner::model::Job& job);

/// A cluster's status in a word or two; a pending one says what is being done: "being created".
std::string status_words(provisioner::model::ClusterStatus status,
                         const std::optional<provisioner::model::Job>& latest_job);

/// The layout picture of a cluster: the machine itself and every service, coloured by the tasks of
/// the latest job.
LayoutPicture picture_of(provisioner::model::ClusterStatus status,
                         const std::vector<provisioner::model::Node>& nodes,
                         const std::optional<provisioner::model::Job>& latest_job,
                         const std::vector<provisioner::model::Task>& tasks);

/// How a task's state is shown: its CSS class and its word.
struct StateWords {
    provisioner::model::TaskState state{};
    const char* css;
    const char* words;
};
const StateWords& words_of(provisioner::model::TaskState state);

/// Whether the task has ended, well or not.
bool is_over(const provisioner::model::Task& task);

/// How long it took or has been running, and which attempt this is; empty before it began.
std::string time_taken(const provisioner::model::Task& task, provisioner::base::Timestamp now);

/// The first label of a host name.
std::string short_name(const std::string& hostname);

}  // namespace fcgi::pages
