#include "fcgi/pages/progress.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/model/jobs/job_end.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
using namespace provisioner::model;
using provisioner::base::to_word;

namespace {

struct OperationWords {
    Operation operation;
    const char* heading;
    const char* status;
};

constexpr std::array operation_words{
    OperationWords{Operation::solve_layout, for_translation("Laying out the cluster"),
                   for_translation("being laid out")},
    OperationWords{Operation::cluster_create, for_translation("Creating the cluster"),
                   for_translation("being created")},
    OperationWords{Operation::cluster_delete, for_translation("Deleting the cluster"),
                   for_translation("being deleted")},
    OperationWords{Operation::cluster_configure, for_translation("Configuring the cluster"),
                   for_translation("being configured")},
    OperationWords{Operation::cluster_configure_with_restart,
                   for_translation("Configuring and restarting the cluster"),
                   for_translation("being configured")},
    OperationWords{Operation::stop_services, for_translation("Stopping services"),
                   for_translation("services stopping")},
    OperationWords{Operation::start_services, for_translation("Starting services"),
                   for_translation("services starting")},
    OperationWords{Operation::restart_services, for_translation("Restarting services"),
                   for_translation("services restarting")},
    OperationWords{Operation::add_services, for_translation("Adding services"),
                   for_translation("services being added")},
    OperationWords{Operation::cluster_grow, for_translation("Growing the cluster"),
                   for_translation("growing")},
    OperationWords{Operation::cluster_shrink, for_translation("Shrinking the cluster"),
                   for_translation("shrinking")},
    OperationWords{Operation::remove_services, for_translation("Removing services"),
                   for_translation("services being removed")},
    OperationWords{Operation::replace_node, for_translation("Replacing a machine"),
                   for_translation("machine being replaced")},
};

constexpr std::array state_words{
    StateWords{TaskState::blocked, "waiting", for_translation("waiting")},
    StateWords{TaskState::ready, "waiting", for_translation("queued")},
    StateWords{TaskState::claimed, "running", for_translation("running")},
    StateWords{TaskState::done, "done", for_translation("done")},
    StateWords{TaskState::failed, "failed", for_translation("failed")},
    StateWords{TaskState::cancelled, "terminated", for_translation("cancelled")},
};

const OperationWords& words_of_operation(Operation operation) {
    for (const OperationWords& candidate : operation_words) {
        if (candidate.operation == operation) return candidate;
    }
    throw std::logic_error("an operation has no words");
}

/// What cells without tasks, with tasks that are all done, and with tasks that are left look like.
struct CellLooks {
    CellLook without_tasks;
    CellLook when_done;
    CellLook when_left;
};

CellLook look_of(const TaskList& tasks, const CellLooks& looks) {
    const auto& [without_tasks, when_done, when_left] = looks;
    if (tasks.empty()) return without_tasks;
    const auto progress = progress_of(tasks);
    if (progress.failed > 0) return CellLook::failed;
    if (progress.running > 0) return CellLook::running;
    if (progress.done == progress.total) return when_done;
    // Nothing of it waits: a retry of other machines has left it as it was.
    return std::ranges::all_of(tasks, [](const Task* task) { return is_over(*task); })
               ? CellLook::unfinished
               : when_left;
}

TaskList tasks_for(const TaskList& tasks, const std::string& service) {
    TaskList chosen;
    std::copy_if(tasks.begin(), tasks.end(), std::back_inserter(chosen),
                 [&](const Task* task) { return task->service == service; });
    return chosen;
}

PictureRow row_of(const Node& node, const std::vector<std::string>& services, const TaskList& tasks,
                  ClusterStatus status, bool deleting) {
    const bool gone = status == ClusterStatus::terminated;
    const auto rest = gone ? CellLook::gone : CellLook::done;
    const auto ended = gone || deleting ? CellLook::gone : CellLook::done;
    const auto left = status == ClusterStatus::pending ? CellLook::waiting : CellLook::unfinished;
    const auto machine = look_of(tasks_for(tasks, ""), {rest, ended, left});
    PictureRow row{
        .title = short_name(node.hostname), .subtitle = node.hardware_type, .cells = {machine}};
    for (const auto& service : services) {
        const bool here = std::count(node.services.begin(), node.services.end(), service) > 0;
        // A service without tasks of its own looks like its machine.
        row.cells.push_back(here ? look_of(tasks_for(tasks, service), {machine, ended, left})
                                 : CellLook::none);
    }
    return row;
}

/// What has failed: the API's words say what that means for the cluster.
std::string words_of_failure(ClusterStatus status, const std::optional<Job>& latest_job) {
    if (latest_job && latest_job->aborted) {
        if (latest_job->operation == Operation::cluster_create)
            return translated("creation aborted");
        return translated("change aborted");
    }
    if (latest_job && latest_job->operation == Operation::cluster_delete) {
        return translated("deletion failed");
    }
    if (status == ClusterStatus::incomplete) return translated("creation failed");
    if (latest_job && configures(latest_job->operation)) return translated("configuration failed");
    return translated("change failed");
}

}  // namespace

Progress progress_of(const TaskList& tasks) {
    Progress progress{.total = static_cast<int>(tasks.size())};
    for (const Task* task : tasks) {
        progress.done += task->state == TaskState::done ? 1 : 0;
        progress.running += task->state == TaskState::claimed ? 1 : 0;
        progress.failed += task->state == TaskState::failed ? 1 : 0;
    }
    return progress;
}

std::map<NodeId, TaskList> tasks_by_node(const std::vector<Task>& tasks) {
    std::map<NodeId, TaskList> by_node;
    for (const Task& task : tasks) by_node[task.node].push_back(&task);
    return by_node;
}

std::string what_it_does(const Task& task) {
    return to_word(task.action) + ' ' +
           (task.service.empty() ? translated("the machine") : task.service);
}

std::string heading_of(Operation operation) {
    return translated(words_of_operation(operation).heading);
}

ShownStatus shown_status(ClusterStatus status, const std::optional<Job>& latest_job,
                         int services_stopped) {
    const std::string word = to_word(status);
    if (status == ClusterStatus::active && services_stopped > 0) {
        return {"stopped",
                translated_count(services_stopped, "{0} service stopped", "{0} services stopped")};
    }
    if (status == ClusterStatus::incomplete || status == ClusterStatus::inconsistent) {
        const bool is_aborted = latest_job && latest_job->aborted;
        return {is_aborted ? "stopped" : word, words_of_failure(status, latest_job)};
    }
    if (status != ClusterStatus::pending || !latest_job) return {word, word};
    if (latest_job->aborted) return {word, translated("being aborted")};
    if (latest_job->status == JobStatus::paused) return {"paused", "paused"};
    return {word, translated(words_of_operation(latest_job->operation).status)};
}

LayoutPicture picture_of(ClusterStatus status, const std::vector<Node>& nodes,
                         const std::optional<Job>& latest_job, const std::vector<Task>& tasks) {
    std::set<std::string> names;
    for (const Node& node : nodes) names.insert(node.services.begin(), node.services.end());
    const std::vector<std::string> services(names.begin(), names.end());
    LayoutPicture picture{.columns = {"machine"}, .rows = {}};
    picture.columns.insert(picture.columns.end(), services.begin(), services.end());
    const bool deleting = latest_job && latest_job->operation == Operation::cluster_delete;
    auto by_node = tasks_by_node(tasks);
    for (const Node& node : nodes) {
        picture.rows.push_back(row_of(node, services, by_node[node.id], status, deleting));
    }
    return picture;
}

const StateWords& words_of(TaskState state) {
    for (const StateWords& candidate : state_words) {
        if (candidate.state == state) return candidate;
    }
    throw std::logic_error("a task state has no words");
}

bool is_over(const Task& task) {
    return task.state == TaskState::done || task.state == TaskState::failed ||
           task.state == TaskState::cancelled;
}

std::string time_taken(const Task& task, provisioner::base::Timestamp now) {
    if (!task.started_at) return "";
    const auto begin = task.attempt_began.value_or(*task.started_at);
    const auto end = task.attempt_ended.value_or(task.finished_at.value_or(now));
    const auto taken = std::chrono::duration_cast<std::chrono::milliseconds>(end - begin);
    const auto attempts = task.attempt > 1 ? translated(", attempt {0}", task.attempt) : "";
    return spoken(std::max(taken, std::chrono::milliseconds(0))) + attempts;
}

std::string said_once(const Task& task, bool with_code) {
    constexpr std::string_view ending = " ended with exit code ";
    const std::string& message = task.message;
    const auto at = message.find(ending);
    if (at == std::string::npos) return message;
    const std::string label = message.substr(0, at);
    const std::string after = message.substr(at + ending.size());
    const auto colon = std::min(after.find(": "), after.size());
    const std::string code = after.substr(0, colon);
    std::string printed = after.substr(std::min(colon + 2, after.size()));
    if (printed.starts_with(label + ": ")) printed.erase(0, label.size() + 2);
    std::string text = label == what_it_does(task) ? "" : label;
    const auto add = [&](const std::string& part) {
        if (!part.empty()) text += (text.empty() ? "" : ": ") + part;
    };
    if (with_code) add(translated("exit code {0}", code));
    add(printed);
    return text;
}

bool may_be_retried(const Cluster& cluster, const std::optional<Job>& latest_job) {
    const bool is_settled =
        cluster.status != ClusterStatus::pending && cluster.status != ClusterStatus::terminated;
    return is_settled && latest_job && latest_job->status == JobStatus::failed;
}

std::string short_name(const std::string& hostname) {
    return hostname.substr(0, hostname.find('.'));
}

}  // namespace fcgi::pages
