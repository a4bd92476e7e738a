#pragma once

#include <functional>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// Fields of a provider as a row has them: of a version of the provider, of the copy in a cluster,
/// or those given for a cluster alone.
struct StoredFields {
    model::TenantId tenant;
    /// Name and type of the provider; empty for fields of a cluster alone.
    std::string provider;
    std::string provider_type;
    /// name -> value
    base::Json& fields;
};

/// Changes fields in place and says whether it did. What it throws as identity::VaultError leaves
/// the row as it is.
using FieldsChange = std::function<bool(const StoredFields&)>;

/// What became of a walk through all rows.
struct FieldsWalk {
    int changed = 0;
    /// For each row that could not be changed: which one and why.
    std::vector<std::string> problems;
};

/// Runs `change` on the fields of all providers, in all versions. Whoever was writing when it began
/// is waited for, so that no row is left out.
FieldsWalk change_provider_fields(Database& database, const FieldsChange& change);

/// The same for the fields of all clusters, a batch at a time while everything else goes on.
FieldsWalk change_cluster_fields(Database& database, const FieldsChange& change);

/// Adds what another walk came to.
void add(FieldsWalk& all, FieldsWalk part);

}  // namespace provisioner::store
