#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/pages/jobs/task_log.hpp"
#include "fcgi/pages/labels.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/jobs/job.hpp"

namespace fcgi::pages {

/// Which part of a log is asked for, and how.
struct LogQuery {
    /// A line that must be shown; 0: none. Numbers behind the last line stand for that.
    int line = 0;
    /// What is searched for; empty: nothing.
    std::string find{};
    /// Whether long lines are wrapped.
    bool wrap = true;
};

/// The most lines on a page.
inline constexpr int lines_on_a_page = 1000;
/// The most pieces that lines of a page are drawn in, by their styles and matches; and the most
/// matches that are marked. Lines behind that are plain.
inline constexpr std::size_t most_spans_on_a_page = 20'000;
inline constexpr std::size_t most_marked_matches = 2000;
/// The most characters of a line that a page shows.
inline constexpr std::size_t longest_line = 10'000;

/// A failed task of the same job.
struct FailedTask {
    provisioner::model::Task task{};
    std::string hostname{};
};

/// One task with its output: views/jobs/task. read_task_page fills it. The browser asks for changes
/// while the task may still print something.
struct TaskPage {
    /// The cluster of the task. Only its id and name are shown.
    provisioner::model::Cluster cluster{};
    /// The node that the task runs on, also if it has left the cluster since.
    provisioner::model::Node node{};
    /// Whether the node is still one of the cluster's, and so has a page.
    bool is_listed = false;
    /// What the task's job does.
    std::string job_title{};
    /// State, attempt and message of the task.
    provisioner::model::Task task{};
    /// The status that its last attempt ended with, if that is known: see exit_code_of().
    std::optional<int> status_code{};
    /// Whether the viewer may retry the machine.
    bool may_retry = false;
    /// Of its job: model::is_left_unfinished().
    bool is_left_unfinished = false;
    /// All failed tasks of its job, by id, if it is one of them.
    std::vector<FailedTask> failed{};
    /// Those of its job on the same machine, by id and with itself.
    std::vector<provisioner::model::Task> on_machine{};
    /// What all attempts have printed.
    std::vector<LogLine> log{};
    /// Bytes at the beginning of a very long log that are only in the download.
    std::size_t skipped = 0;
    LogQuery query{};
    /// What people read for the services of the cluster.
    Labels labels{};
    /// The time that durations are computed for.
    provisioner::base::Timestamp now{};

    /// "install nginx".
    std::string title() const;
    /// With its machine and its state: "install nginx on web-1.local: failed".
    std::string window_title() const;
    /// Whether the task may still print something.
    bool changes() const;
    /// "/clusters/00000042/tasks/7".
    std::string href() const;
    /// The numbers of the first and the last line that are here; 1 and 0 for an empty log. The
    /// first of very many lines are only in the download.
    int first_line() const;
    int lines() const;
    /// The address of a line, with the search and the wrapping of this page.
    std::string href_of(int line) const;
};

/// The first and the last line that a page shows. Without a line that is asked for, a task that
/// runs or has failed shows the end, any other one the beginning. Both are 0 for an empty log.
/// While the end grows, the first line changes every 500 lines only.
struct LogWindow {
    int first = 0;
    int last = 0;
    /// Whether it is the end and was not asked for by a line.
    bool is_end = false;
};
LogWindow window_of(const TaskPage& page);

/// `follow` is "yes" while the task may still print: static/js/live.js then asks for changes.
/// `took` is empty for a task that has not begun. Lines come in portions, so that an update has
/// only those that have grown.
provisioner::base::Json to_json(const TaskPage& page);

/// The name of the file that the log is downloaded as: letters, digits, "-", "_" and "." only.
std::string file_name_of(const TaskPage& page);

}  // namespace fcgi::pages
