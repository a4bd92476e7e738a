#pragma once

#include "fcgi/app.hpp"
#include "fcgi/auth/visitor.hpp"
#include "fcgi/http/message.hpp"
#include "fcgi/pages/clusters/tabs/cluster_page.hpp"

namespace fcgi::pages {

// GET pages of one cluster: one read transaction each. The id is as the API writes it, or without
// leading zeros. Each answers 404 for a cluster that the visitor may not see.

/// GET /clusters/{id}.
http::Response show_cluster(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /clusters/{id}/machines?state=failed&q=text&page=2.
http::Response show_machines(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /clusters/{id}/machines/{node}; `node` is its number in the cluster.
http::Response show_machine(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /clusters/{id}/jobs.
http::Response show_jobs(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /clusters/{id}/jobs/{job}?state=failed&service=web&action=start&machine=text&page=2&lanes=2.
http::Response show_job(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /clusters/{id}/jobs/{job}/timeline?lanes=2: the timeline of the job as a table.
http::Response show_job_timeline(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);
/// GET /clusters/{id}/jobs/{job}/graph.
http::Response show_job_graph(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /clusters/{id}/services.
http::Response show_services(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /clusters/{id}/settings.
http::Response show_settings(const http::Request& request, const auth::Visitor& visitor, App& app);

/// Adds the latest job of the cluster and how it ended: what its buttons depend on.
void read_latest_job_of(provisioner::store::Connection& connection, ClusterPage& page);
/// Adds the machines of the cluster, and which of them are lost.
void read_machines_of(provisioner::store::Connection& connection, ClusterPage& page);
/// Adds what is known of the services on these machines, whatever became of the latest job.
void read_services_of(provisioner::store::Connection& connection, ClusterPage& page);

}  // namespace fcgi::pages
