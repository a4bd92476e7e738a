#pragma once

#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/operations/access/membership_rules.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace fcgi::pages {

/// What stands in the way of deleting a tenant, and what becomes of what it has:
/// views/tenants/delete.
struct TenantDeletionPage {
    /// The most clusters that are listed, and deleted at once.
    static constexpr int most_clusters = 100;

    provisioner::model::Tenant tenant{};
    provisioner::store::TenantUse use{};
    int users = 0;
    /// Identity providers whose rules for it go with it.
    std::vector<provisioner::operations::ProviderOfTenant> providers{};
    /// Those that are not terminated, newest first.
    std::vector<provisioner::store::ClusterSummary> clusters{};
    /// Why clusters are not deleted yet.
    std::vector<std::string> refusals{};
    /// What was just done; may be empty.
    std::string done{};
    /// What was typed as the name of the tenant, which confirms the deletion.
    std::string confirmed{};
    /// Where it was typed: "confirm" to delete the tenant, "confirm-clusters" its clusters.
    std::string wanted = "confirm";
    /// Why it was not deleted.
    provisioner::base::Problems problems{};
};
provisioner::base::Json to_json(const TenantDeletionPage& page);

/// What is said after a tenant was deleted for which these providers had rules.
std::string tenant_deleted_words(
    const std::string& name,
    const std::vector<provisioner::operations::ProviderOfTenant>& providers);

/// What follows the name in the `done` of a deletion, and what is said of such a text: "demo" or
/// "demo:corp!:lab", "!" for a provider with which nobody can log in any more.
std::string deletion_done(const std::string& name,
                          const std::vector<provisioner::operations::ProviderOfTenant>& providers);
std::string deletion_done_words(const std::string& done);

/// GET and POST /tenants/{tenant}/delete, with the field "confirm": the name of the tenant, else
/// 422. Workers are taken back with it.
http::Response ask_to_delete_tenant(const http::Request& request, const auth::Visitor& visitor,
                                    App& app);
http::Response delete_tenant(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /tenants/{tenant}/clusters/delete: deletes the clusters whose ids are in the fields
/// "cluster". 422 unless "confirm" is the name of the tenant. Done: 303 to GET
/// /tenants/{tenant}/delete, which shows how far they are. 409 if some are not deleted, with the
/// reasons.
http::Response delete_clusters_of_tenant(const http::Request& request, const auth::Visitor& visitor,
                                         App& app);

}  // namespace fcgi::pages
