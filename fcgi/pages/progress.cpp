#include "fcgi/pages/progress.hpp"

#include <algorithm>
#include <cstdio>
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
using provisioner::base::Timestamp;
using provisioner::base::to_word;

namespace {

struct OperationWords {
    Operation operation;
    const char* heading;
    const char* status;
    const char* failure;
    const char* aborted;
};

constexpr std::array operation_words{
    OperationWords{Operation::solve_layout, for_translation("Laying out the cluster"),
                   for_translation("being laid out"), for_translation("creation failed"),
                   for_translation("creation aborted")},
    OperationWords{Operation::cluster_create, for_translation("Creating the cluster"),
                   for_translation("being created"), for_translation("creation failed"),
                   for_translation("creation aborted")},
    OperationWords{Operation::cluster_delete, for_translation("Deleting the cluster"),
                   for_translation("being deleted"), for_translation("deletion failed"),
                   for_translation("deletion aborted")},
    OperationWords{Operation::cluster_configure, for_translation("Configuring the cluster"),
                   for_translation("being configured"), for_translation("configuration failed"),
                   for_translation("configuration aborted")},
    OperationWords{Operation::cluster_configure_with_restart,
                   for_translation("Configuring and restarting the cluster"),
                   for_translation("being configured"), for_translation("configuration failed"),
                   for_translation("configuration aborted")},
    OperationWords{Operation::stop_services, for_translation("Stopping services"),
                   for_translation("services stopping"), for_translation("stop failed"),
                   for_translation("stop aborted")},
    OperationWords{Operation::start_services, for_translation("Starting services"),
                   for_translation("services starting"), for_translation("start failed"),
                   for_translation("start aborted")},
    OperationWords{Operation::restart_services, for_translation("Restarting services"),
                   for_translation("services restarting"), for_translation("restart failed"),
                   for_translation("restart aborted")},
    OperationWords{Operation::add_services, for_translation("Adding services"),
                   for_translation("services being added"),
                   for_translation("adding services failed"),
                   for_translation("adding services aborted")},
    OperationWords{Operation::cluster_grow, for_translation("Growing the cluster"),
                   for_translation("growing"), for_translation("growth failed"),
                   for_translation("growth aborted")},
    OperationWords{Operation::cluster_shrink, for_translation("Shrinking the cluster"),
                   for_translation("shrinking"), for_translation("shrink failed"),
                   for_translation("shrink aborted")},
    OperationWords{Operation::remove_services, for_translation("Removing services"),
                   for_translation("services being removed"),
                   for_translation("removing services failed"),
                   for_translation("removing services aborted")},
    OperationWords{Operation::replace_node, for_translation("Replacing a machine"),
                   for_translation("machine being replaced"), for_translation("replacement failed"),
                   for_translation("replacement aborted")},
};

/// Of a job that takes machines away and does what is left to do on the others.
constexpr OperationWords words_without_machines{
    Operation::cluster_shrink, for_translation("Going on without some machines"),
    for_translation("going on without some machines"),
    for_translation("going on without machines failed"),
    for_translation("going on without machines aborted")};

/// Of one that only keeps machines that another one was taking away.
constexpr OperationWords words_keeping{
    Operation::cluster_shrink, for_translation("Keeping all machines"),
    for_translation("keeping all machines"), for_translation("keeping all machines failed"),
    for_translation("keeping all machines aborted")};

/// Of one that applies the last configuration that worked again, whatever else it does.
constexpr OperationWords words_going_back{
    Operation::cluster_configure,
    for_translation("Going back to the last configuration that worked"),
    for_translation("going back to the last configuration that worked"),
    for_translation("going back to the last configuration failed"),
    for_translation("going back to the last configuration aborted")};

/// Of one that takes services away and does the rest.
constexpr OperationWords words_without_services{
    Operation::remove_services, for_translation("Going on without some services"),
    for_translation("going on without some services"),
    for_translation("going on without services failed"),
    for_translation("going on without services aborted")};

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

const OperationWords& words_of_job(const Job& job) {
    if (job.goes_back) return words_going_back;
    if (job.only_keeps) return words_keeping;
    if (job.is_finishing) return words_without_machines;
    return job.without.empty() ? words_of_operation(job.operation) : words_without_services;
}

/// What has failed: the API's words say what that means for the cluster.
std::string words_of_failure(ClusterStatus status, const std::optional<Job>& latest_job) {
    if (latest_job && latest_job->aborted) {
        return translated(words_of_job(*latest_job).aborted);
    }
    const bool is_deletion = latest_job && latest_job->operation == Operation::cluster_delete;
    if (is_left_unfinished(latest_job) && !is_deletion) {
        return latest_job->operation == Operation::cluster_create
                   ? translated("creation not finished")
                   : translated("change not finished");
    }
    if (latest_job) return translated(words_of_job(*latest_job).failure);
    return status == ClusterStatus::incomplete ? translated("creation failed")
                                               : translated("change failed");
}

}  // namespace

std::string what_it_does(const Task& task, const Labels& labels) {
    return to_word(task.action) + ' ' +
           (task.service.empty() ? translated("the machine") : labels.service(task.service));
}

std::string heading_of(Operation operation) {
    return translated(words_of_operation(operation).heading);
}

std::string heading_of(const Job& job, const Labels& labels) {
    if (!job.without.empty()) {
        const std::string services = listed(labels.services(job.without));
        return job.leaves_as_is ? translated_count(job.without.size(), "Leaving {1} as it is",
                                                   "Leaving {1} as they are", services)
                                : translated("Going on without {0}", services);
    }
    return translated(words_of_job(job).heading);
}

bool was_never_created(const std::optional<Job>& latest_job) {
    return latest_job && latest_job->operation == Operation::solve_layout &&
           latest_job->status == JobStatus::failed;
}

ShownStatus shown_status(ClusterStatus status, const std::optional<Job>& latest_job,
                         int services_stopped) {
    const std::string word = to_word(status);
    const std::string stopped =
        services_stopped == 0
            ? ""
            : translated_count(services_stopped, "{0} service stopped", "{0} services stopped");
    if (status == ClusterStatus::active && services_stopped > 0) return {"stopped", stopped};
    if (status == ClusterStatus::incomplete || status == ClusterStatus::inconsistent) {
        const std::string failure = words_of_failure(status, latest_job);
        return {is_left_unfinished(latest_job) ? "stopped" : word,
                stopped.empty() ? failure : failure + ", " + stopped};
    }
    if (status == ClusterStatus::terminated) {
        return {word, was_never_created(latest_job) ? translated("never created")
                                                    : translated("deleted")};
    }
    if (status != ClusterStatus::pending || !latest_job) return {word, word};
    if (latest_job->aborted) return {word, translated("being aborted")};
    if (latest_job->status == JobStatus::paused) return {"paused", "paused"};
    return {word, translated(words_of_job(*latest_job).status)};
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

std::optional<Timestamp> begin_of_attempt(const Task& task) {
    switch (task.state) {
        case TaskState::blocked:
            return std::nullopt;
        case TaskState::ready:
            // Between two turns of an attempt a task is ready.
            return task.attempt_ended ? std::nullopt : task.attempt_began;
        default:
            return task.attempt_began ? task.attempt_began : task.started_at;
    }
}

Timestamp end_of_attempt(const Task& task, Timestamp now) {
    return task.attempt_ended.value_or(task.finished_at.value_or(now));
}

std::string time_taken(const Task& task, Timestamp now) {
    if (!task.started_at && !task.attempt_began) return "";
    const auto begin = task.attempt_began ? *task.attempt_began : *task.started_at;
    const auto taken =
        std::chrono::duration_cast<std::chrono::milliseconds>(end_of_attempt(task, now) - begin);
    const auto attempts = task.attempt > 1 ? translated(", attempt {0}", task.attempt) : "";
    return spoken(std::max(taken, std::chrono::milliseconds(0))) + attempts;
}

namespace {

/// How messages of the provisioner say that a step ended (daemon/tasks/performer.cpp).
struct StepEnding {
    std::string_view said;
    const char* shown;
    bool is_code;
};
constexpr std::array step_endings{
    StepEnding{" ended with exit code ", for_translation("exit code {0}"), true},
    StepEnding{" was stopped after ", for_translation("stopped after {0}"), false}};

/// `message` without the label of its step twice, nor at all if that is `what`.
std::string with_label_once(const std::string& message, const std::string& what, bool with_code) {
    for (const StepEnding& ending : step_endings) {
        const auto at = message.find(ending.said);
        if (at == std::string::npos) continue;
        const std::string label = message.substr(0, at);
        const std::string after = message.substr(at + ending.said.size());
        const auto colon = std::min(after.find(": "), after.size());
        std::string printed = after.substr(std::min(colon + 2, after.size()));
        if (printed.starts_with(label + ": ")) printed.erase(0, label.size() + 2);
        std::string text = label == what ? "" : label;
        const auto add = [&](const std::string& part) {
            if (!part.empty()) text += (text.empty() ? "" : ": ") + part;
        };
        if (with_code || !ending.is_code) add(translated(ending.shown, after.substr(0, colon)));
        add(printed);
        return text;
    }
    return message;
}

/// What queue/retry.hpp adds to the message of a failure that is tried again.
struct TryNote {
    /// Where it begins in the message.
    std::size_t at = std::string::npos;
    /// Tries so far in this run of the job, and how many there are at most.
    int tried = 0;
    int most = 0;
    /// Seconds from the end of the last one to the next.
    int pause = 0;
};

TryNote note_in(const std::string& message) {
    constexpr std::string_view begin = " (try ";
    const auto at = message.rfind(begin);
    if (at == std::string::npos || !message.ends_with(" s)")) return {};
    TryNote note{.at = at};
    const char* numbers = message.c_str() + at + begin.size();
    const int read = std::sscanf(numbers, "%d of %d, the next one after %d s", &note.tried,
                                 &note.most, &note.pause);
    return read >= 2 ? note : TryNote();
}

}  // namespace

std::string said_once(const Task& task, bool with_code) {
    return with_label_once(task.message.substr(0, note_in(task.message).at), what_it_does(task),
                           with_code);
}

std::string next_attempt_words(const Task& task) {
    const bool is_under_way = task.state == TaskState::claimed;
    const TryNote note = note_in(task.message);
    const int next = is_under_way ? task.attempt : task.attempt + 1;
    // Attempts before a retry of the job count as attempts, and not as tries.
    const int most = next - 1 + note.most - note.tried;
    if (note.most == 0) {
        return is_under_way ? translated("attempt {0} is running", next)
                            : translated("attempt {0} starts soon", next);
    }
    if (is_under_way) return translated("attempt {0} of {1} is running", next, most);
    return note.pause > 0 ? translated("attempt {0} of {1} starts {2} s after the last one", next,
                                       most, note.pause)
                          : translated("attempt {0} of {1} starts soon", next, most);
}

std::string said_with_next(const Task& task, bool with_code) {
    const std::string said = said_once(task, with_code);
    if (is_over(task) || note_in(task.message).most == 0) return said;
    const std::string next = next_attempt_words(task);
    return said.empty() ? next : translated("{0} ({1})", said, next);
}

std::string reason_said_once(const std::string& reason, const Labels& labels) {
    const auto on = reason.find(" on ");
    const auto colon = reason.find(": ", on);
    if (on == std::string::npos || colon == std::string::npos) return reason;
    return labels.in(reason.substr(0, on)) + reason.substr(on, colon + 2 - on) +
           with_label_once(reason.substr(colon + 2), reason.substr(0, on), true);
}

bool may_be_retried(const Cluster& cluster, const std::optional<Job>& latest_job) {
    const bool is_settled =
        cluster.status != ClusterStatus::pending && cluster.status != ClusterStatus::terminated;
    return is_settled && latest_job && latest_job->status == JobStatus::failed;
}

std::string label_of_retry(bool is_left_unfinished, std::size_t machines) {
    if (is_left_unfinished) {
        return translated_count(machines, "Run the remaining tasks of this machine",
                                "Run the remaining tasks of these {0} machines");
    }
    return machines == 1 ? std::string(translated("Retry this machine"))
                         : translated("Retry these {0} machines", grouped(machines));
}

bool is_done_by_provider(const Task& task) {
    return is_hardware_action(task.action) && task.action != Action::bootstrap;
}

std::optional<int> exit_code_of(const Task& task, std::optional<int> status) {
    return is_done_by_provider(task) ? std::nullopt : status;
}

std::string short_name(const std::string& hostname) {
    return hostname.substr(0, hostname.find('.'));
}

std::string listed_hosts(std::vector<std::string> hostnames) {
    constexpr std::size_t most_named = 3;
    for (std::string& host : hostnames) host = short_name(host);
    return listed(std::move(hostnames), most_named);
}

}  // namespace fcgi::pages
