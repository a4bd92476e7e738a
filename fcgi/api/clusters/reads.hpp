#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/model/jobs/callback.hpp"

namespace fcgi::api {

/// The statuses of a comma list, any case, unknown words left out; empty means no filter.
std::vector<provisioner::model::ClusterStatus> statuses_in(
    const std::optional<std::string>& filter);

/// GET /v2/clusters
http::Response list_clusters(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/clusters/{id}
http::Response show_cluster(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/clusters/{id}/status
http::Response show_status(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/clusters/{id}/config
http::Response show_config(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /v2/clusters/{id}/services
http::Response show_services(const http::Request& request, const auth::Visitor& visitor, App& app);

/// {id, event, job, action, clusterstatus, status, attempts, reply, error, createTime, finishTime}:
/// `status` is waiting, delivered or given_up.
provisioner::base::Json to_json(const provisioner::model::Callback& callback);

/// GET /v2/clusters/{id}/callbacks (ours): what others are told about it, newest first.
http::Response list_callbacks(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::api
