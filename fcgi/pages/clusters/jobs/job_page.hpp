#pragma once

#include "fcgi/pages/clusters/jobs/lanes.hpp"
#include "fcgi/pages/clusters/tabs/cluster_page.hpp"

namespace fcgi::pages {

/// What is asked for in the address of a job.
struct JobQuery {
    /// Words of pages ("failed"), "retried" for tasks with more than one attempt, or "replaced" for
    /// those that a retry of the job has replaced, which are else left out; what is
    /// unknown or empty does not restrict, here and below.
    std::string state{};
    /// "install"
    std::string action{};
    /// "nginx", or "machine" for what is done to the machine itself.
    std::string service{};
    /// A part of a machine's name.
    std::string machine{};
    /// "longest" or "started": what comes first; else what needs a look.
    std::string order{};
    /// Page of the list of tasks, from 1.
    int page = 1;
    /// Page of the lanes, from 1.
    int lanes = 1;

    /// The filter of the store.
    provisioner::store::TaskFilter filter() const;
    /// The filter as an address has it.
    std::vector<std::pair<std::string, std::string>> parameters() const;
};

/// One job. job_reads.cpp fills it: counts of all tasks, the tasks themselves only where they are
/// shown.
struct JobPage {
    provisioner::model::Job job{};
    /// All machines it works on, in the order of their lanes.
    std::vector<provisioner::store::JobMachine> machines{};
    /// All its tasks by kind and state; empty when retention has deleted them.
    std::vector<provisioner::store::KindCount> kinds{};
    /// The tasks of the lanes that are shown.
    std::vector<provisioner::model::Task> lane_tasks{};
    /// The attempts of those of them that are under way or were tried more than once.
    std::vector<provisioner::store::AttemptTime> attempts{};
    /// The times in which nothing of it was worked on.
    Breaks breaks{};
    /// The critical path: what decided when the job ended, or will. Oldest first.
    std::vector<provisioner::model::Task> path{};
    /// While it runs, if it is known how long its tasks take.
    std::optional<Forecast> forecast{};
    /// How many jobs the forecast was made from, besides this one.
    std::size_t earlier_runs = 0;
    /// The page of the list of tasks, and how many tasks match.
    std::vector<provisioner::store::ListedTask> tasks{};
    int matching = 0;
    /// How many tasks a retry has replaced: they are in none of the counts.
    int replaced = 0;
    JobQuery query{};
    /// What people read for the services of its cluster.
    Labels labels{};
};

/// Tasks on a page of the list.
inline constexpr int tasks_on_a_page = 25;

/// Whether an end can be foretold: the job runs, nobody aborts it and no task has failed.
bool may_forecast(const provisioner::model::Job& job,
                  const std::vector<provisioner::store::KindCount>& kinds);

/// "About 4 minutes left: should end at 10:04 UTC (based on 12 earlier runs)": how long a task
/// takes is taken from earlier runs, whatever their size, and how long the whole takes at least
/// from those of about this size; how many tasks there are, their order, and how many run at once
/// are those of this job. With the date if that is not today; empty without a forecast.
std::string forecast_words(const JobPage& job, provisioner::base::Timestamp now);

/// views/clusters/tabs/job: when each task ran, the critical path, the forecast, and the tasks as a
/// list.
provisioner::base::Json job_json(const ClusterPage& page, const JobPage& job);

}  // namespace fcgi::pages
