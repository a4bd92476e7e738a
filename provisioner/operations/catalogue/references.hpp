#pragma once

#include <map>
#include <string>
#include <vector>

#include "provisioner/model/access/permission.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// What entries of a catalogue say about one another. Entries are in wire form, as stored. All but
// read_catalogue and delete_unused is pure.

/// The newest version of every entry of a tenant, by kind, then by name.
using CatalogueEntries = std::map<model::CatalogueKind, std::vector<base::Json>>;

/// The entries of a kind; none where the catalogue has no list of it.
const std::vector<base::Json>& entries_of(const CatalogueEntries& all, model::CatalogueKind kind);

/// An entry that names another one.
struct Reference {
    model::EntryName from{};
    /// What it says of the other one: "uses it by default".
    std::string how{};
    /// Whether clusters of `from` could not be created without the other one.
    bool blocks = false;

    bool operator==(const Reference&) const = default;
};

/// The entries that name `entry`, by kind and name; each once for each thing that it says. A
/// service is also named by what it provides; that blocks only if no other service provides it.
std::vector<Reference> references_to(const CatalogueEntries& all, const model::EntryName& entry);

/// How many other entries name each entry of a kind, by its name. Reads every entry once.
std::map<std::string, int> numbers_of_uses(const CatalogueEntries& all, model::CatalogueKind kind);

/// What names each of `going`, in their order, once all of them are deleted: only entries that
/// stay, and a name that only those going provide is provided by nobody.
std::vector<std::vector<Reference>> references_that_stay(
    const CatalogueEntries& all, const std::vector<model::EntryName>& going);

/// Why these entries cannot be deleted together: a sentence for each reference that blocks, from an
/// entry that stays. Each problem has the field "<kind's word>.<name>" of the entry that it is
/// about.
base::Problems blockers(const CatalogueEntries& all, const std::vector<model::EntryName>& going);

/// A name that a service depends on and that neither a service has nor one provides.
struct UnprovidedName {
    std::string name{};
    /// Whether clusters with the service cannot be created; else the name is without effect.
    bool is_required = false;

    bool operator==(const UnprovidedName&) const = default;
};

/// The names that `service`, in wire form, requires or uses without a provider among `all` and
/// itself; sorted.
std::vector<UnprovidedName> unprovided_names(const CatalogueEntries& all,
                                             const base::Json& service);

/// A service that requires a name that nothing provides.
struct UnmetRequirement {
    std::string service{};
    std::string name{};

    bool operator==(const UnmetRequirement&) const = default;
};

/// What services of `after` require and a service of `before` provided, but none of `after` does;
/// by service and name.
std::vector<UnmetRequirement> requirements_lost(const CatalogueEntries& before,
                                                const CatalogueEntries& after);

/// The circles of dependencies that a service, in wire form, closes among `all`; empty when it
/// cannot be read.
base::Problems circles_of_service(const CatalogueEntries& all, const base::Json& service);

/// What is wrong with an entry, in wire form, among `all`: for a new one its name, if it is taken;
/// for a service the circles that it closes. Pure.
base::Problems problems_among(const CatalogueEntries& all, model::CatalogueKind kind,
                              const base::Json& entry, bool is_new);

/// Reads the newest version of every entry of a tenant.
CatalogueEntries read_catalogue(store::Connection& connection, model::TenantId tenant);

/// Deletes all versions of these entries; names without an entry are passed over. Refused with
/// conflict, and nothing is deleted, when blockers() finds something. Locks the tenant.
Result<void> delete_unused(store::Database& database, const model::Caller& caller,
                           const std::vector<model::EntryName>& entries);

}  // namespace provisioner::operations
