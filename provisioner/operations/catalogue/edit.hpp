#pragma once

#include <optional>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/catalogue/version.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Edits of single catalogue entries by administrators. Entries have versions: a write adds one, and
// the newest is in force. Clusters keep the versions they were made with. Every write locks the
// tenant, so checks across entries hold, and adds a line to the entry's history in its transaction
// (store/catalogue/version_store.hpp).

/// What a person adds to a write.
struct EditOptions {
    /// The version that the person has seen. If another one is in force now, also one of the same
    /// number, the write is refused as a conflict of the field "version", so that two people do not
    /// overwrite each other's work. Nothing: no check.
    std::optional<model::SeenVersion> based_on{};
    /// Why, for the history. Longer notes lose their end.
    std::string note{};
    /// Whether a new entry is for administrators only (operations/access/permissions.hpp), from its
    /// first moment on. Read by create_entry only; not for partial templates.
    bool is_draft = false;
};

/// The kind in the words of messages: "hardware type".
std::string said(model::CatalogueKind kind);

/// The kind as the audit log names it: "hardware-type".
std::string audited(model::CatalogueKind kind);

/// Reads an entry in wire form and returns it in the form in which it is stored and shown, with
/// defaults filled in. Pure: does not look at other entries. Its problems name members of `json`.
base::Checked<base::Json> canonical_entry(model::CatalogueKind kind, const base::Json& json);

/// Everything that is wrong with an entry by itself, at once: what canonical_entry refuses, and
/// what create_entry and replace_entry check only then. Empty exactly if they would take it as far
/// as other entries allow. Pure.
base::Problems problems_with_entry(model::CatalogueKind kind, const base::Json& json);

/// Whether a new entry may not have this name, and what is said then: a cluster template that ends
/// in ".draft". Entries that are there keep theirs.
bool sounds_like_draft(model::CatalogueKind kind, const std::string& name);
base::Problem problem_with_name_of_draft();

/// canonical_entry with the other checks of create_entry that look at the entry alone.
Result<base::Json> checked_entry(model::CatalogueKind kind, const base::Json& json);

/// The refusal of a write that is based on another version than `present`, which is in force. Pure.
std::optional<Refusal> conflict_with(const model::PresentVersion& present,
                                     model::CatalogueKind kind, const std::string& name,
                                     const EditOptions& options);

/// Writes version 1 of an entry of the caller's tenant and returns its number. A provider that is
/// saved is tested soon (provider_tests.hpp). Refused with
/// conflict "<kind> <name> already exists" when the name is taken. Refused as invalid
///
/// * for an entry that canonical_entry refuses, or a lease that begins longer than its maximum;
/// * for a new cluster template whose name ends in ".draft": it would pass for a draft;
/// * when a service or template closes a circle of dependencies that leaves no order to work in;
/// * when a provider keeps a secret (the mask) that does not exist.
Result<int> create_entry(store::Database& database, const model::Caller& caller,
                         model::CatalogueKind kind, const base::Json& json, base::Timestamp now,
                         const EditOptions& options = {});

/// Writes the next version, or the first if there is none, and returns its number. Refused as
/// invalid when `name` and the entry's own name differ, and as create_entry says; with conflict as
/// EditOptions::based_on says.
Result<int> replace_entry(store::Database& database, const model::Caller& caller,
                          model::CatalogueKind kind, const std::string& name,
                          const base::Json& json, base::Timestamp now,
                          const EditOptions& options = {});

/// Writes the document of a line of the entry's history as its next version and returns the number.
/// Secrets come back as they were sealed then. Refused with not_found when the history has no such
/// line, as invalid when it is a deletion or the document is no longer a valid entry, and as
/// replace_entry says.
Result<int> restore_entry(store::Database& database, const model::Caller& caller,
                          model::CatalogueKind kind, const std::string& name, long long line,
                          base::Timestamp now, const EditOptions& options = {});

/// Where an entry comes from that write_entry writes.
struct Writing {
    model::VersionAct act = model::VersionAct::change;
    /// The version that is restored; 0: none.
    int restored_version = 0;
    std::string note{};
    /// Whether the secrets of a provider are sealed already.
    bool is_sealed = false;
    /// What the audit log calls it, ".use-draft"; empty: by what is done.
    std::string verb{};
};

/// Writes the next version of an entry in the form of canonical_entry: the part of these operations
/// that runs in their transaction, for others that have locked the tenant. Refused as create_entry
/// says.
Result<int> write_entry(store::Connection& connection, const model::Caller& caller,
                        model::CatalogueKind kind, const base::Json& entry, base::Timestamp now,
                        const Writing& writing);

/// Deletes one version, or all without `version`; does nothing when there is none. Entries that
/// refer to it are not checked: a later create_cluster refuses then.
void delete_entry(store::Database& database, const model::Caller& caller, model::CatalogueKind kind,
                  const std::string& name, std::optional<int> version);

/// The same in a transaction of the caller, who has locked the tenant. `note` says why, for the
/// history.
void delete_entry(store::Connection& connection, const model::Caller& caller,
                  model::CatalogueKind kind, const std::string& name, std::optional<int> version,
                  const std::string& note = "");

}  // namespace provisioner::operations
