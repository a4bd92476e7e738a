#pragma once

#include "fcgi/pages/daemons/waits.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/store/monitoring/monitoring_store.hpp"
#include "provisioner/store/overview/home_store.hpp"
#include "provisioner/store/overview/tenant_overview.hpp"

namespace fcgi::pages {

/// The installation as superadmins see it.
struct HomeInstallation {
    provisioner::store::WatchedNumbers numbers{};
    /// The queue whose oldest task has waited longest; one without due tasks if none waits.
    provisioner::store::TenantQueue longest{};
    /// What its oldest task waits for.
    TaskWait wait{};
    /// What superadmins' own tenant has.
    provisioner::store::ClusterCounts own{};
};

/// Provisioners and their load, tasks and what needs a look, for the panel of Home. Pure.
provisioner::base::Json to_json(const HomeInstallation& installation);

}  // namespace fcgi::pages
