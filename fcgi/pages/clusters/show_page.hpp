#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/clusters/failed_deletions.hpp"
#include "provisioner/model/jobs/callback.hpp"

namespace fcgi::pages {

/// One cluster with its machines and the tasks of its latest job: views/clusters/show.
struct ClusterPage {
    provisioner::model::Cluster cluster{};
    /// By nodenum.
    std::vector<provisioner::model::Node> nodes{};
    std::optional<provisioner::model::Job> job{};
    /// Of that job, by id.
    std::vector<provisioner::model::Task> tasks{};
    /// The end of what running and failed tasks printed.
    std::map<provisioner::model::TaskId, std::string> outputs{};
    /// What others were told about it lately, newest first.
    std::vector<provisioner::model::Callback> callbacks{};
    /// When its lease has ended and it could not be deleted.
    std::optional<provisioner::model::FailedDeletions> failed_deletions{};
    /// Whether whoever looks may give its machines up.
    bool for_admin = false;
    provisioner::base::Timestamp now{};

    /// Whether something is under way, so that the page will change by itself.
    bool changes() const;
};

provisioner::base::Json to_json(const ClusterPage& page);

/// Whether the task runs or failed: what a person looks for first, and the tasks whose output is
/// shown.
bool is_news(const provisioner::model::Task& task);

}  // namespace fcgi::pages
