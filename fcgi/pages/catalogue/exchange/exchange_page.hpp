#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/audit/last_change.hpp"
#include "fcgi/pages/labels.hpp"
#include "provisioner/base/clock.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/operations/catalogue/import_draft.hpp"

namespace fcgi::pages {

/// An import that was uploaded and not carried out yet.
struct UnfinishedImport {
    /// Of its page: "/exchange/drafts/{id}".
    std::string id{};
    /// Name of the file; empty for a pasted text.
    std::string file{};
    /// The first of its entries: "shop, web".
    std::string names{};
    std::size_t entries = 0;
    provisioner::base::Timestamp at{};
};

/// Whether an import can be kept for a day: it is at most a mebibyte and has nothing that may be a
/// secret. `types` are those of providers.
bool may_keep_import(const std::string& text, const provisioner::base::Json& catalogue,
                     const std::vector<provisioner::model::PluginType>& types);

/// How many entries an import has in its lists, and the names of the first: "shop, web".
std::size_t entries_in(const provisioner::base::Json& catalogue);
std::string first_names_in(const provisioner::base::Json& catalogue);

/// Where a catalogue leaves and comes in: views/catalogue/exchange/index.
struct ExchangePage {
    /// What can be exported, by kind.
    std::vector<std::pair<provisioner::model::CatalogueKind, NamedTexts>> entries{};
    /// What was pasted, and why it cannot be read.
    std::string text{};
    /// The name of the file that the text is from; empty: none.
    std::string file{};
    provisioner::base::Problems problems{};
    /// False for who may only read: no import.
    bool may_import = true;
    /// Newest first.
    std::vector<UnfinishedImport> unfinished{};
    provisioner::base::Timestamp now{};
    /// Part of the names or labels that are shown; empty: all.
    std::string search{};
    /// Whether what the chosen entries need comes along.
    bool with_needs = true;
    /// What was done, or empty.
    std::string done{};
};
provisioner::base::Json to_json(const ExchangePage& page);

/// What is to be checked in an entry of an import.
struct EntryCheck {
    std::vector<std::string> warnings{};
    /// Why its sizes were not checked; empty if they were.
    std::string unchecked{};
};
/// Of those that were looked at.
using ImportChecks = std::map<provisioner::model::EntryName, EntryCheck>;

/// What an entry needs that only entries of the import have which are not selected.
struct UnselectedNeed {
    provisioner::model::EntryName entry{};
    /// The services of the import that provide it under other names; empty: one has the name.
    std::vector<std::string> providers{};
};

/// What somebody did to an entry since the form of an import was drawn.
struct OvertakenEntry {
    enum class How { changed, created, anew, deleted };

    How how = How::changed;
    std::optional<LastChange> change{};
};

/// What an import would change, with a choice for each entry: views/catalogue/exchange/draft.
struct DraftPage {
    std::string text{};
    /// The id of the kept import; empty for one that is not kept.
    std::string kept{};
    std::vector<provisioner::operations::DraftEntry> entries{};
    /// What of the import is left out as a whole: words_on_left_out().
    std::vector<std::string> left_out{};
    /// What was ticked when the import was refused; nothing: all that is_sound().
    std::optional<std::vector<std::string>> ticked{};
    /// What entries name of the import that is not selected and that the catalogue does not have
    /// (note_unselected_needs).
    std::map<provisioner::model::EntryName, std::vector<UnselectedNeed>> needs{};
    /// The entries that were ticked, and that are not as their form has shown them, with the last
    /// change (note_overtaken).
    std::map<provisioner::model::EntryName, OvertakenEntry> overtaken{};
    /// What was chosen for templates (operations::ImportOptions).
    bool offers_templates = false;
    bool keeps_changes = true;
    ImportChecks checks{};
    /// What the selected entries break in templates that they do not change, and what is told
    /// beside it (ChangeCheck).
    std::vector<std::string> broken{};
    std::vector<std::string> to_note{};
    std::string note{};
    provisioner::base::Problems problems{};
    provisioner::base::Timestamp now{};
};
provisioner::base::Json to_json(const DraftPage& page);

/// Whether no draft can be kept of the change, because there is another one.
bool is_in_the_way(const provisioner::operations::DraftEntry& entry);

/// Whether an entry is imported unless somebody decides otherwise: it is complete, has no members
/// that nothing knows, closes no circle, has no other draft in the way, needs nothing that is not
/// selected, and was not changed meanwhile.
bool is_sound(const DraftPage& page, const provisioner::operations::DraftEntry& entry);

/// The id of its row.
std::string row_of(const DraftPage& page, const provisioner::operations::DraftEntry& entry);

/// Whether an entry is chosen: `ticked`, or what it is without.
bool is_selected(const DraftPage& page, const provisioner::operations::DraftEntry& entry);

/// The entries that are new, changed or invalid, and not chosen.
std::vector<provisioner::model::EntryName> unselected_entries(const DraftPage& page);

/// Whether it is a change of an offered template that is kept as a draft.
bool is_kept_as_draft(const DraftPage& page, const provisioner::operations::DraftEntry& entry);

/// What is to be checked in selected changes that users get at once: what they break, and what is
/// in those to partial templates and services, and those to offered templates unless they are kept
/// as drafts. "Shop: 11 machines or more: not possible." And what selected entries need that is not
/// selected.
std::vector<std::string> changes_to_check(const DraftPage& page);

/// The cluster templates that begin as drafts, if they are new, because there is something to
/// check.
std::set<std::string> templates_to_withhold(const ImportChecks& checks);

/// What was imported: views/catalogue/exchange/receipt.
struct ReceiptPage {
    std::vector<provisioner::operations::ImportedEntry> entries{};
    std::string note{};
    /// Whether new templates were to be offered to everybody: those that are drafts nevertheless
    /// have something to check.
    bool offers_templates = false;
    /// Those that would have changed something, or were invalid, and were not selected.
    std::vector<provisioner::model::EntryName> unselected{};
};
provisioner::base::Json to_json(const ReceiptPage& page);

/// A receipt as it is kept, and back; what is no receipt has no entries. Pure.
http::FormData fields_of_receipt(const ReceiptPage& page);
ReceiptPage receipt_in(const http::FormData& kept);

/// Whether what was sent as a catalogue is no text, such as a picture or an archive: it begins with
/// bytes that are no UTF-8 (U+FFFD then), or as an archive of zip or gzip, or has a NUL.
bool is_no_text(const std::string& text);

/// A sentence for each member of an import that is no list of a catalogue; of many, the first.
std::vector<std::string> words_on_left_out(const provisioner::base::Json& catalogue);

/// The form of an import with all entries selected that it has seen, or none. Pure.
http::FormData with_all_selected(http::FormData form, bool is_all);

/// The value of an entry's check box: "services/web". The reverse gives nothing for other texts.
std::string choice_value(provisioner::model::CatalogueKind kind, const std::string& name);
std::optional<std::pair<provisioner::model::CatalogueKind, std::string>> choice_in(
    const std::string& value);

/// Those of a whole catalogue, in the form of export_catalogue, that `ticked` names as
/// choice_value() does; with all that these need if `with_needs`.
provisioner::base::Json selection_of(const provisioner::base::Json& all,
                                     const std::vector<std::string>& ticked, bool with_needs);

}  // namespace fcgi::pages
