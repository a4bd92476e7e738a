#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/catalogue/cluster_template.hpp"
#include "provisioner/model/catalogue/entity.hpp"
#include "provisioner/model/catalogue/version.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// The history of the catalogue: one row for each thing that was done to an entry, by kind and name.
// Operations write it in the transaction of the change.

/// Writes a line and forgets those of the entry beyond model::versions_kept. `id` and `written_at`
/// are ignored: the database has its own. A member "version" of the document is not stored.
void record_version(Connection& connection, model::TenantId tenant, model::CatalogueKind kind,
                    const std::string& name, const model::CatalogueVersion& line);

/// The history of an entry without documents, the newest first.
std::vector<model::CatalogueVersion> list_versions(Connection& connection, model::TenantId tenant,
                                                   model::CatalogueKind kind,
                                                   const std::string& name);

/// One line with its document; nothing when the entry has no such line.
std::optional<model::CatalogueVersion> find_version(Connection& connection, model::TenantId tenant,
                                                    model::CatalogueKind kind,
                                                    const std::string& name, long long id);

/// What of an entry is in force, and which line of its history began it.
model::PresentVersion find_present_version(Connection& connection, model::TenantId tenant,
                                           model::CatalogueKind kind, const std::string& name);

/// The latest lines of all entries of a kind as (name, line), without documents, the newest first;
/// at most `most`.
std::vector<std::pair<std::string, model::CatalogueVersion>> latest_versions(
    Connection& connection, model::TenantId tenant, model::CatalogueKind kind, int most);

/// The last line of each entry of a kind as (name, line), without documents, in no order.
std::vector<std::pair<std::string, model::CatalogueVersion>> last_version_of_each(
    Connection& connection, model::TenantId tenant, model::CatalogueKind kind);

/// A cluster that was made from a template.
struct ClusterOfTemplate {
    model::ClusterId id;
    std::string name;
    std::string owner;
    std::string status;
    /// Of the template in the cluster's snapshot.
    int version = 0;
    /// That template.
    model::ClusterTemplate cluster_template{};
};

/// Clusters that are not terminated and have this template, by id, those after `after`; at most
/// `most`.
std::vector<ClusterOfTemplate> clusters_of_template(Connection& connection, model::TenantId tenant,
                                                    const std::string& cluster_template,
                                                    model::ClusterId after, int most);

}  // namespace provisioner::store
