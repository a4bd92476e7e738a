#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "provisioner/base/json.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Which sizes of cluster templates do not work, worked out before
// (operations/clusters/kept_sizes.hpp). An answer is found by the digest of all that it depends on,
// so none is out of date: after a change the digest is another one.

/// All answers of the tenant, by digest.
std::map<std::string, base::Json> list_template_sizes(Connection& connection,
                                                      model::TenantId tenant);

/// Whether there is an answer. One statement.
bool has_template_sizes(Connection& connection, model::TenantId tenant, const std::string& digest);

/// Writes an answer in place of the present one, which is equal.
void put_template_sizes(Connection& connection, model::TenantId tenant, const std::string& digest,
                        const base::Json& answer);

/// The digests of answers that were written more than a day ago.
std::vector<std::string> old_template_sizes(Connection& connection, model::TenantId tenant);

/// Deletes the answers of these digests.
void delete_template_sizes(Connection& connection, model::TenantId tenant,
                           const std::vector<std::string>& digests);

/// The id of the newest line in the history of all catalogues (version_store.hpp); 0 without any.
long long newest_catalogue_line(Connection& connection);

/// The tenants that lines after that one are of: their catalogues have changed since.
std::set<model::TenantId> tenants_changed_after(Connection& connection, long long line);

}  // namespace provisioner::store
