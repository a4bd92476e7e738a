#pragma once

#include <map>
#include <string>

#include "provisioner/model/catalogue/entity.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// The clusters that an entry of the catalogue has, terminated ones left out.
struct ClusterUse {
    int clusters = 0;
    long long machines = 0;

    bool operator==(const ClusterUse&) const = default;
};

/// The use of every template, or of every provider, of a tenant by its name, as of the snapshots of
/// the clusters; nothing for other kinds, which clusters do not name in their headers. Reads all
/// current clusters of the tenant once.
std::map<std::string, ClusterUse> uses_by_clusters(Connection& connection, model::TenantId tenant,
                                                   model::CatalogueKind kind);

}  // namespace provisioner::store
