#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/pages/labels.hpp"
#include "provisioner/model/jobs/job.hpp"

namespace fcgi::pages {

// Turns tasks and jobs into words. Pure; the pages of clusters, tasks and lists share it, so that a
// state has the same word everywhere.

/// The task in words: "install nginx", "create the machine"; with the label of its service where
/// people read it.
std::string what_it_does(const provisioner::model::Task& task, const Labels& labels = {});

/// The operation of a job in words: "Creating the cluster". The same text while it runs and after
/// it has ended.
std::string heading_of(provisioner::model::Operation operation);
/// The same of this job: one that does what another has left, without some machines or services,
/// says so: "Going on without Cache". `labels`: of services.
std::string heading_of(const provisioner::model::Job& job, const Labels& labels = {});

/// Whether no layout was found for a cluster: it never had machines.
bool was_never_created(const std::optional<provisioner::model::Job>& latest_job);

/// How pages show the status of a cluster.
struct ShownStatus {
    /// A CSS class of site.css.
    std::string css{};
    /// A word or two. For a pending cluster the job: "being created", "paused", "being aborted".
    /// For an active one with stopped services: "2 services stopped"; after a failure "change
    /// aborted, 2 services stopped". For one that no layout was
    /// found for: "never created".
    std::string words{};
};
ShownStatus shown_status(provisioner::model::ClusterStatus status,
                         const std::optional<provisioner::model::Job>& latest_job,
                         int services_stopped);

/// How pages show a task's state.
struct StateWords {
    provisioner::model::TaskState state{};
    /// A CSS class of site.css, shared by states that look alike.
    const char* css;
    /// The word that a person reads.
    const char* words;
};
/// The entry of a state; the reference stays valid until the program ends.
const StateWords& words_of(provisioner::model::TaskState state);

/// Whether the task has ended: done, failed or cancelled.
bool is_over(const provisioner::model::Task& task);

/// When the attempt began that is under way or was the last one; nothing while the task waits for
/// its turn, for the first time or again.
std::optional<provisioner::base::Timestamp> begin_of_attempt(const provisioner::model::Task& task);

/// When that attempt ended; `now` if it has not.
provisioner::base::Timestamp end_of_attempt(const provisioner::model::Task& task,
                                            provisioner::base::Timestamp now);

/// How long the last attempt took, or has run so far: "42 s, attempt 2". The attempt is named from
/// the second one on. Empty before the first one began.
std::string time_taken(const provisioner::model::Task& task, provisioner::base::Timestamp now);

/// What a task says of its failure without its name, which stands beside it, and without the label
/// of the step twice: "exit code 100: no such package" for "install cache ended with exit code 100:
/// install cache: no such package". The code is left out where it stands beside it, too; what is
/// said of the next try is left to next_attempt_words.
std::string said_once(const provisioner::model::Task& task, bool with_code = true);

/// Of a task that is tried again: "attempt 5 of 6 starts 8 s after the last one", "attempt 5 of 6
/// is running". Attempts are counted since the job began, as everywhere on the pages; a retry of
/// the job adds some. Without "of 6" where that is not known.
std::string next_attempt_words(const provisioner::model::Task& task);

/// said_once with what comes next: "disk full (attempt 5 of 6 starts soon)".
std::string said_with_next(const provisioner::model::Task& task, bool with_code = true);

/// The reason of a failed job or cluster with the label of the step once: "install cache on
/// shop-7-1000: exit code 100: no such package"; with the label of its service, too.
std::string reason_said_once(const std::string& reason, const Labels& labels = {});

/// Whether the latest job of a cluster failed and may be run again, by somebody who may operate it.
bool may_be_retried(const provisioner::model::Cluster& cluster,
                    const std::optional<provisioner::model::Job>& latest_job);

/// The button that does so for some machines; as the one for all of them after a job that is left
/// unfinished (model::is_left_unfinished).
std::string label_of_retry(bool is_left_unfinished, std::size_t machines);

/// Whether the provider does the task: it answers, and prints nothing.
bool is_done_by_provider(const provisioner::model::Task& task);

/// The exit code of what a task ran on its machine, of the status that its last attempt ended with.
/// Nothing for what the provider did: its answer is the message, and has no code.
std::optional<int> exit_code_of(const provisioner::model::Task& task, std::optional<int> status);

/// A host name up to its first dot.
std::string short_name(const std::string& hostname);

/// The first three in one sentence: "sim-1000, sim-1001, sim-1002 and 181 more".
std::string listed_hosts(std::vector<std::string> hostnames);

}  // namespace fcgi::pages
