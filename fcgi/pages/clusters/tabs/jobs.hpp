#pragma once

#include "fcgi/pages/clusters/tabs/cluster_page.hpp"

namespace fcgi::pages {

/// The tab Jobs, views/clusters/tabs/jobs: the newest jobs of the cluster.
provisioner::base::Json jobs_json(const ClusterPage& page,
                                  const std::vector<provisioner::model::Job>& jobs);

/// "Asked for by ada"; empty if the origin of the job is not known.
std::string asker_words(const provisioner::model::Asker& asker);

/// How long something was worked on, without the breaks in it, which are named: "12 s, idle for 3
/// hours".
std::string worked_words(provisioner::base::Timestamp begin, provisioner::base::Timestamp end,
                         const std::vector<provisioner::store::JobBreak>& breaks);

/// The same of a job of the page, until now if it has not ended.
std::string worked_words(const ClusterPage& page, const provisioner::model::Job& job);

/// The same without naming the breaks, for what changes while it is read.
std::string worked_time(const ClusterPage& page, const provisioner::model::Job& job);

/// One job: what it does, its state, how long it took and how far it is.
provisioner::base::Json job_summary_json(const ClusterPage& page,
                                         const provisioner::model::Job& job);

/// What the filter of a job's page calls the service of hardware actions.
inline constexpr auto machine_itself = "machine";
/// "?action=install&service=nginx": the tasks of one kind on the page of their job.
std::string query_of_kind(provisioner::model::Action action, const std::string& service);

/// Adds what is read aloud of a job under way, by live.js: `news`, "50 of 200 tasks done, 2
/// failed", and `failed`.
void add_news(provisioner::base::Json& json, const provisioner::model::Job& job, int failed);

/// Adds the link of a job's page to its failed tasks: `failed_words` and `failed_href`, empty
/// without them. `job` is the address of the job.
void add_failed(provisioner::base::Json& json, const std::string& job, int failed);

}  // namespace fcgi::pages
