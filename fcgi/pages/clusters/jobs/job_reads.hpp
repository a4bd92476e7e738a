#pragma once

#include <optional>

#include "fcgi/http/message.hpp"
#include "fcgi/pages/clusters/jobs/job_graph.hpp"
#include "fcgi/pages/clusters/jobs/job_page.hpp"

namespace fcgi::pages {

/// What the address asks for.
JobQuery job_query_in(const http::Request& request, std::vector<std::string>& notes);

/// A job of the page's cluster; nothing if it has no such job.
std::optional<JobPage> read_job_page(provisioner::store::Connection& connection,
                                     const ClusterPage& page, provisioner::model::JobId id,
                                     JobQuery query);

/// forecast_words() of the latest job; empty if it or the earlier runs it would be made from have
/// more than 2,000 tasks: its own page says it, while an overview is read every second by everybody
/// who watches.
std::string forecast_of_latest(provisioner::store::Connection& connection, const ClusterPage& page);

/// The graph of such a job, by task or by kind; `job` is set to it.
std::optional<JobGraph> read_job_graph(provisioner::store::Connection& connection,
                                       const ClusterPage& page, provisioner::model::JobId id,
                                       provisioner::model::Job& job);

}  // namespace fcgi::pages
