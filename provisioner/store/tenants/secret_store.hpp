#pragma once

#include <functional>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Changes to provider fields in every row that holds some, for new master keys and for fields that
// became secret. Versions of providers in catalogues have fields. So do clusters: in the copy of
// their provider, and fields given for the cluster alone.

/// The fields of a provider in one row.
struct StoredFields {
    /// The tenant of the row; sealed values are bound to it.
    model::TenantId tenant;
    /// Name and type of the provider; empty for the fields of a cluster alone.
    std::string provider;
    std::string provider_type;
    /// Name -> value, open or sealed. Valid during the call only.
    base::Json& fields;
};

/// Changes fields in place and returns whether it did. Called inside a transaction that may be
/// repeated. A thrown identity::VaultError leaves the row unchanged and becomes a problem; any
/// other exception ends the walk.
using FieldsChange = std::function<bool(const StoredFields&)>;

/// The result of a walk through all rows.
struct FieldsWalk {
    /// Number of rows that were written.
    int changed = 0;
    /// For each row that could not be changed: its name and the reason.
    std::vector<std::string> problems;
};

/// Runs `change` on the fields of every version of every provider, in one transaction that locks
/// all these rows, and then on those in the history of the catalogue, 100 in a transaction. Waits
/// first for transactions that are writing catalogues, so no row is left out. Blocks; the cost
/// grows with the number of versions. Call it outside any transaction.
FieldsWalk change_provider_fields(Database& database, const FieldsChange& change);

/// The same for all clusters, terminated ones included: 100 in a transaction, so other work
/// continues. A cluster's provider copy and own fields count as one row.
FieldsWalk change_cluster_fields(Database& database, const FieldsChange& change);

/// Adds the counts and problems of `part` to `all`.
void add(FieldsWalk& all, FieldsWalk part);

}  // namespace provisioner::store
