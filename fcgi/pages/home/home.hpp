#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/pages/catalogue/size_troubles.hpp"
#include "fcgi/pages/home/installation.hpp"
#include "fcgi/pages/labels.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/operations/prices/budgets.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/overview/home_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace fcgi::pages {

/// A template that users are offered and that does not work, or not for everybody at every size.
struct HomeTemplate {
    std::string name{};
    /// What people read for it.
    std::string label{};
    std::string reason{};
    TroubleWeight weight = TroubleWeight::nothing_works;
};

/// What needs attention now: views/home/index. Counts and lists are of the viewer's tenant, for
/// superadmins of all tenants.
struct HomePage {
    /// The viewer's tenant.
    std::string of_tenant{};
    provisioner::store::ClusterCounts counts{};
    /// Use of the viewer's whole tenant, and its maxima.
    provisioner::store::TenantUse use{};
    int max_clusters = 0;
    int max_nodes = 0;
    /// Of the viewer's tenant, for those who see the tenant; nothing without one.
    std::optional<provisioner::operations::BudgetState> budget{};
    /// For administrators: the budget's currency, if no machine has a price in it.
    std::string unpriced_currency{};
    /// Else the hardware types without one (costs.hpp), in words.
    std::string unpriced_types{};
    /// Incomplete and inconsistent clusters, newest first, at most home_rows + 1.
    std::vector<provisioner::store::ClusterSummary> failing{};
    /// Why those failed that have several kinds of failures (failure_words.hpp).
    std::map<provisioner::model::ClusterId, std::string> reasons{};
    /// The services that are stopped on a machine of failing clusters.
    std::map<provisioner::model::ClusterId, std::set<std::string>> stopped{};
    /// What people read for services, if some failed.
    Labels labels{};
    /// Clusters with a job under way, newest first, at most home_rows + 1.
    std::vector<provisioner::store::ClusterSummary> pending{};
    /// Active clusters, newest first, at most home_rows + 1; none for superadmins.
    std::vector<provisioner::store::ClusterSummary> active{};
    /// Leases that end within expiring_within, at most home_rows + 1; none for superadmins.
    std::vector<provisioner::store::ExpiringCluster> expiring{};
    /// For administrators: the worst first, at most home_rows.
    std::vector<HomeTemplate> broken{};
    /// How many there are in all.
    std::size_t broken_count = 0;
    /// True for those who see the clusters of every user of the tenant.
    bool show_owner = false;
    /// False if the viewer changes nothing: no button to create a cluster.
    bool may_create = true;
    /// For superadmins only.
    std::optional<HomeInstallation> installation{};
    provisioner::base::Timestamp now{};
};

/// Rows of each list on the page; the list says so if there are more.
constexpr std::size_t home_rows = 6;
/// How far ahead the page looks for leases that end.
constexpr std::chrono::hours expiring_within{24 * 2};

/// Pure. `follow` is "yes" while a job is under way.
provisioner::base::Json to_json(const HomePage& page);

/// GET /. The first page after a sign-in.
http::Response home(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
