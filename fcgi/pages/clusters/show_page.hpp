#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/clusters/failed_deletions.hpp"
#include "provisioner/model/jobs/callback.hpp"
#include "provisioner/operations/prices/costs.hpp"

namespace fcgi::pages {

/// A cluster with its machines and the tasks of its latest job: views/clusters/show.
/// read_cluster_page fills it. While a job is under way, static/js/live.js loads the page about
/// once a second.
///
/// The server therefore draws the whole page again each time. The limits below keep it small for
/// large clusters: output for few tasks, and few tasks for many machines. The page of one task has
/// the rest.
struct ClusterPage {
    /// Also the source of template, provider and links: its snapshot.
    provisioner::model::Cluster cluster{};
    /// The present nodes by nodenum.
    std::vector<provisioner::model::Node> nodes{};
    /// Nodes whose machines are not there any more, with the first look that missed them.
    std::map<provisioner::model::NodeId, provisioner::base::Timestamp> lost{};
    /// The latest job; nothing if there is none.
    std::optional<provisioner::model::Job> job{};
    /// The tasks of that job, by id; empty without a job.
    std::vector<provisioner::model::Task> tasks{};
    /// The end of the output of running and failed tasks, as printed. Tasks without an entry are
    /// shown without output.
    std::map<provisioner::model::TaskId, std::string> outputs{};
    /// The latest callbacks of the cluster, newest first; empty if none was asked for.
    std::vector<provisioner::model::Callback> callbacks{};
    /// Set if the lease has ended and the deletion failed so far.
    std::optional<provisioner::model::FailedDeletions> failed_deletions{};
    /// Nothing without any price list.
    std::optional<provisioner::operations::ClusterCost> cost{};
    /// True if the viewer may give up the machines of the cluster. The handler sets it.
    bool for_admin = false;
    /// False if the viewer changes nothing: no buttons. The handler sets it.
    bool may_operate = true;
    /// The time that durations are computed for.
    provisioner::base::Timestamp now{};

    /// Whether a job is under way, so that the browser must reload the page.
    bool changes() const;
};

/// All members of the view. The buttons offer only what the cluster's status allows; the operations
/// check it again. Above 40 machines only running and failed tasks are listed, because the page is
/// drawn often.
provisioner::base::Json to_json(const ClusterPage& page);

/// Whether the task runs or has failed. Only such tasks are shown with output.
bool is_news(const provisioner::model::Task& task);

}  // namespace fcgi::pages
