#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fcgi/pages/clusters/create_page.hpp"
#include "fcgi/pages/clusters/show_page.hpp"
#include "fcgi/pages/jobs/task_page.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace fcgi::pages {

/// What the page of `cluster` shows. Outputs are read for at most 24 tasks.
ClusterPage read_cluster_page(provisioner::store::Connection& connection,
                              provisioner::model::Cluster cluster,
                              provisioner::base::Timestamp now);

/// What a task printed, at most the last MiB of it; nothing when `cluster` has no such task.
std::optional<TaskPage> read_task_page(provisioner::store::Connection& connection,
                                       provisioner::model::Cluster cluster,
                                       provisioner::model::TaskId task,
                                       provisioner::base::Timestamp now);

/// Every template of the tenant that can be read, by name.
std::vector<provisioner::model::ClusterTemplate> read_templates(
    provisioner::store::Connection& connection, const provisioner::model::Caller& caller);

/// What `caller` can build from; `provider` is the one chosen, empty for the default of
/// `cluster_template`.
Offer read_offer(provisioner::store::Connection& connection,
                 const provisioner::model::Caller& caller, const std::string& cluster_template,
                 const std::string& provider);

}  // namespace fcgi::pages
