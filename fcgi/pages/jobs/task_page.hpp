#pragma once

#include <string>

#include "provisioner/base/json.hpp"
#include "provisioner/model/jobs/job.hpp"

namespace fcgi::pages {

/// One task with its output: views/jobs/task. read_task_page fills it. The browser reloads the page
/// while the task may still print something.
struct TaskPage {
    /// The cluster of the task. Only its id and name are shown.
    provisioner::model::Cluster cluster{};
    /// The node that the task runs on, also if it has left the cluster since.
    provisioner::model::Node node{};
    /// State, attempt and message of the task.
    provisioner::model::Task task{};
    /// The end of the transcript of all attempts, as printed; to_json cleans it with shown().
    std::string output{};
    /// True if the beginning of the output is left out because it is too long.
    bool shortened = false;
    /// The time that durations are computed for.
    provisioner::base::Timestamp now{};

    /// "install nginx".
    std::string title() const;
    /// Whether the task may still print something.
    bool changes() const;
};

/// `follow` is "yes" while the task may still print: static/js/live.js then reloads the page.
/// `took` is empty for a task that has not begun.
provisioner::base::Json to_json(const TaskPage& page);

}  // namespace fcgi::pages
