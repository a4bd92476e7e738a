#pragma once

#include "fcgi/app.hpp"
#include "fcgi/pages/labels.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/clusters/cluster.hpp"

namespace fcgi::pages {

/// Asks before a cluster takes the newest version of its template: views/catalogue/versions/sync.
struct SyncPage {
    provisioner::model::ClusterId cluster{};
    std::string cluster_name{};
    provisioner::model::ClusterStatus status = provisioner::model::ClusterStatus::active;
    /// The cluster's template, and the newest version with all that it extends and includes.
    provisioner::model::ClusterTemplate present{};
    /// operations::PresentEntry::is_newer_than() of `present`.
    bool is_of_earlier = false;
    std::optional<provisioner::model::ClusterTemplate> newest{};
    /// Whether the cluster can take that.
    bool fits = true;
    /// Whether the viewer came from the versions of the template, and goes back there.
    bool is_from_versions = false;
    /// Why it cannot be done.
    provisioner::base::Problems problems{};
    Labels labels{};
};
provisioner::base::Json to_json(const SyncPage& page);

/// Why a cluster with this status cannot take another template now; empty for an active one.
std::string words_on_status(provisioner::model::ClusterStatus status);

/// GET /clusters/{id}/sync: what would change, or why it cannot. Nothing is written.
http::Response ask_sync(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /clusters/{id}/sync: does it if the newest version is the one that the field "newest" says,
/// 303 to the cluster, or to the versions of the template where the field "back" says so.
http::Response sync_cluster(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
