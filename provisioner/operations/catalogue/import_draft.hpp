#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/catalogue/entity.hpp"
#include "provisioner/model/catalogue/version.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/catalogue/references.hpp"
#include "provisioner/operations/refusal.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::operations {

// Import of chosen entries of an exported catalogue. Unlike import_catalogue it deletes nothing,
// and entries that are not chosen stay as they are.

/// An entry of an import beside the one that is there.
struct DraftEntry {
    enum class State { fresh, changed, same, wrong };

    model::CatalogueKind kind{};
    std::string name{};
    State state = State::fresh;
    /// The version that is there; 0: none.
    int version = 0;
    /// The last line of its history (model::SeenVersion); only with draft_of_import.
    std::optional<long long> line{};
    /// Both as people may see them; `present` is null for a fresh entry. `imported` is in the form
    /// of canonical_entry unless it is wrong.
    base::Json present{};
    base::Json imported{};
    /// What is wrong with it.
    base::Problems problems{};
    /// The members that nothing knows, by their paths: an import leaves them out.
    std::vector<std::string> unknown{};
    /// What it names and neither the catalogue nor the import has.
    std::vector<model::EntryName> missing{};
    /// What it names of the import that is incomplete itself, and not in the catalogue.
    std::vector<model::EntryName> incomplete{};
    /// Of a service that is new or changed: the circles of dependencies that it closes among the
    /// services of the import and the catalogue. With one, nothing is imported.
    base::Problems circles{};
    /// Of a cluster template that is there, and read with draft_of_import: whether others than
    /// administrators may use it, and whether there is a draft of a change to it already.
    bool is_offered = false;
    bool has_draft = false;

    /// Whether the catalogue has all that it names once it is imported with other complete entries.
    bool is_complete() const { return missing.empty() && incomplete.empty(); }
};

/// Compares every entry of `catalogue`, in the form of export_catalogue, with those in force. Of
/// several with one name all but the first are wrong. In the order in which they would be written.
/// Pure.
std::vector<DraftEntry> draft_beside(const CatalogueEntries& in_force, const base::Json& catalogue);

/// The same beside the caller's catalogue. Nothing is written.
std::vector<DraftEntry> draft_of_import(store::Database& database, const model::Caller& caller,
                                        const base::Json& catalogue);

/// An entry to import.
struct ImportChoice {
    model::CatalogueKind kind{};
    std::string name{};
    model::SeenVersion seen{};
};

/// What an import did with an entry.
struct ImportedEntry {
    model::CatalogueKind kind{};
    std::string name{};
    bool is_new = false;
    /// Whether users see nothing of it yet: a new template for administrators only, or the draft of
    /// a change to a template, which stays as it was.
    bool is_draft = false;
    int version = 0;
    /// Nothing was done: the change was to be kept as a draft, and there is another one.
    bool is_left_out = false;
};

struct ImportOptions {
    /// For the histories of the entries and the audit log.
    std::string note{};
    /// Whether everybody may use new cluster templates from then on, but for those that lack
    /// something then. The others begin as drafts: they are for administrators only.
    bool offers_templates = false;
    /// Those of them that begin as drafts nevertheless.
    std::set<std::string> withheld{};
    /// Whether changes to cluster templates that others than administrators may use are kept as
    /// drafts (template_drafts.hpp). A template that has a draft already is left out. Refused as a
    /// conflict if nothing else is imported.
    bool keeps_changes = false;
};

/// Writes the chosen entries, all or none, in one transaction. Refused as edit.hpp says for each
/// entry, with all problems of the first entry that is refused; as a conflict when one is not as it
/// was seen; as invalid without a choice, and for a choice that the catalogue does not have. Fields
/// of problems begin with collection and name.
Result<std::vector<ImportedEntry>> import_chosen(store::Database& database,
                                                 const model::Caller& caller,
                                                 const base::Json& catalogue,
                                                 const std::vector<ImportChoice>& choices,
                                                 const ImportOptions& options, base::Timestamp now);

}  // namespace provisioner::operations
