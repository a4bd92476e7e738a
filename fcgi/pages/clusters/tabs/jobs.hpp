#pragma once

#include "fcgi/pages/clusters/tabs/cluster_page.hpp"

namespace fcgi::pages {

/// The tab Jobs, views/clusters/tabs/jobs: the newest jobs of the cluster.
provisioner::base::Json jobs_json(const ClusterPage& page,
                                  const std::vector<provisioner::model::Job>& jobs);

/// "Asked for by ada"; empty if the origin of the job is not known.
std::string asker_words(const provisioner::model::Asker& asker);

/// One job with its tasks.
struct JobPage {
    provisioner::model::Job job{};
    /// By id; empty when retention has deleted them.
    std::vector<provisioner::model::Task> tasks{};
    /// Edges (before, after) among the tasks.
    std::vector<std::pair<provisioner::model::TaskId, provisioner::model::TaskId>> edges{};
    /// Short host names of the nodes that the tasks are on.
    std::map<provisioner::model::NodeId, std::string> hosts{};
    /// Only tasks in this state are listed ("failed"); empty: all.
    std::string state{};
    /// Page of the list of tasks, from 1.
    int page = 1;
};

/// A job, views/clusters/tabs/job: when each task ran, the longest chain of tasks that waited for
/// each other, and the tasks as a list.
provisioner::base::Json job_json(const ClusterPage& page, const JobPage& job);

/// The chain of tasks that decided when the job ended: the task that ended last, before it the one
/// it waited for longest, and so on. By time; tasks that have not ended count as ending at `now`.
std::vector<provisioner::model::TaskId> longest_chain(const JobPage& job,
                                                      provisioner::base::Timestamp now);

}  // namespace fcgi::pages
