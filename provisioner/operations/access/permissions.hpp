#pragma once

#include <optional>
#include <string>
#include <vector>

#include "provisioner/model/access/permission.hpp"
#include "provisioner/model/catalogue/provider.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Who may use which entry of the catalogue. Everybody may use an entry without a permission.
// Roles with Right::every_entry may use all. What may not be used is not listed to users, and
// create, preview, resolve, grow, added services and sync refuse it; the solver does not see it.
// Clusters that have it already go on.

/// Sets who may use an entry; without roles, groups and users only administrators may. The entry
/// need not exist. Refused as invalid for groups and users that the tenant does not have, one
/// problem for each.
Result<void> set_permission(store::Database& database, const model::Caller& caller,
                            const model::Permission& wanted);

/// Leaves an entry to administrators, in a transaction of the caller, who has locked the tenant.
void withhold_from_users(store::Connection& connection, const model::Caller& caller,
                         const model::EntryName& entry);

/// Lets everybody use an entry again; does nothing when everybody may.
void remove_permission(store::Database& database, const model::Caller& caller,
                       const model::EntryName& entry);

/// An entry that a request or its template names, and the field of the request for it.
struct NamedEntry {
    std::string field{};
    model::CatalogueKind kind{};
    std::string name{};
};

/// A problem for each entry that may not be used, in order.
base::Problems withheld_problems(const model::Withheld& withheld,
                                 const std::vector<NamedEntry>& entries);

/// What forms do not offer: what the caller may not use, and providers of types that the tenant may
/// not use. For lists and single reads, store::withheld_from is enough.
model::Withheld not_on_offer(store::Connection& connection, const model::Caller& caller);

/// A sentence for a layout that was not found while types were left out: "Left out, because
/// administrators permit them to others: hardware types big, huge." Nothing without names.
std::optional<std::string> left_out(const std::vector<std::string>& hardware_types,
                                    const std::vector<std::string>& image_types);

/// The refusal with that sentence as another problem, if there is one.
Refusal with_left_out(Refusal refusal, const std::optional<std::string>& sentence);

/// Why the tenant may not use a provider, whoever asks: superadmins can restrict a tenant to some
/// types of providers (model::Tenant::provider_types). Reads the present tenant. Nothing when it
/// may.
std::optional<base::Problem> problem_with_provider_type(store::Connection& connection,
                                                        const model::Caller& caller,
                                                        const std::string& field,
                                                        const model::Provider& provider);

}  // namespace provisioner::operations
