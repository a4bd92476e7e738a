#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/model/jobs/callback.hpp"

namespace fcgi::api {

/// The statuses named in a comma-separated list, in its order. Case does not matter and unknown
/// words are ignored, so the result may be empty, which list_clusters takes as no filter.
std::vector<provisioner::model::ClusterStatus> statuses_in(
    const std::optional<std::string>& filter);

/// GET /v2/clusters: what the caller may see, newest first, without nodes and configuration.
/// `status` filters. The list is read in portions, each in its own transaction, so a cluster that
/// changes meanwhile may show either state.
http::Response list_clusters(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/clusters/{id}: the cluster with nodes, attempts and latest job, from one transaction.
http::Response show_cluster(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/clusters/{id}/status: the call that scripts poll. Requests that arrive together share
/// one statement.
http::Response show_status(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/clusters/{id}/config: the configuration as stored, macros unexpanded.
http::Response show_config(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/clusters/{id}/services: an array of names.
http::Response show_services(const http::Request& request, const auth::Visitor& visitor, App& app);

/// {id, event, job, action, clusterstatus, status, attempts, reply, error, createTime, finishTime}.
/// `status` is waiting, delivered or given_up. `reply` is the HTTP status of the last answer, 0
/// without one. Times are milliseconds, 0 if not finished.
provisioner::base::Json to_json(const provisioner::model::Callback& callback);

/// GET /v2/clusters/{id}/callbacks: the cluster's callbacks, pending and delivered, newest first,
/// at most 100. Outside the wire contract.
http::Response list_callbacks(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
