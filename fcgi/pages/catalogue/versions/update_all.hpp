#pragma once

#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/changes/sync_template.hpp"

namespace fcgi::pages {

/// Clusters of a template that a page shows, and that are updated at once.
constexpr int most_clusters_of_template = 200;

/// A cluster with an older version of its template.
struct ClusterToUpdate {
    provisioner::store::ClusterOfTemplate cluster{};
    /// operations::PresentEntry::is_newer_than() of its template.
    bool is_of_earlier = false;
    /// Why it cannot be updated; empty: it can.
    std::string refusal{};
    /// Whether its box is ticked: all are until somebody has chosen.
    bool chosen = true;
};

/// Asks before all clusters of a template take its newest version:
/// views/catalogue/versions/update_all.
struct UpdateAllPage {
    std::string name{};
    /// Of the template in force.
    int version = 0;
    /// operations::sum_of_template() of it.
    std::string newest{};
    /// The last cluster of the page before; 0: this is the first page.
    provisioner::model::ClusterId after{};
    /// Whether there are other clusters with an older version after these.
    bool has_more = false;
    std::vector<ClusterToUpdate> clusters{};
    /// How many were updated by a form of which others were refused.
    std::size_t updated = 0;
    provisioner::base::Problems problems{};
};
provisioner::base::Json to_json(const UpdateAllPage& page);
/// Title and heading.
std::string title_of(const UpdateAllPage& page);

/// GET /catalogue/clustertemplates/{name}/update: which clusters would be updated, those
/// after ?after=. Nothing is written.
http::Response ask_update_all(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST to the same: updates those in the fields "cluster", 303 to the versions; the page again
/// where some were refused, or the template is not the one that the field "newest" says. Without
/// such a field, 303 to the page, which says so.
http::Response update_all(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
