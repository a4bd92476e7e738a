#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/audit/last_change.hpp"
#include "fcgi/pages/catalogue/builder/rebased.hpp"
#include "fcgi/pages/catalogue/files/given_files.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/catalogue/version.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/operations/catalogue/references.hpp"

namespace fcgi::pages {

/// What editors of the catalogue offer and warn about, as read for one page.
struct EditContext {
    /// Newest versions, in wire form.
    provisioner::operations::CatalogueEntries entries{};
    /// As daemons published them, by name.
    std::vector<provisioner::model::PluginType> provider_types{};
    /// What the last test of a provider found (model::ProviderTest::offer), by the provider's name.
    std::map<std::string, provisioner::base::Json> offers{};
    /// Of services.
    GivenFiles given{};

    /// The type of that name; null when no daemon published it.
    const provisioner::model::PluginType* provider_type(const std::string& name) const;
    const provisioner::model::PluginType* automator_type(const std::string& name) const;
};

/// The editor of an entry: views/catalogue/edit. Providers, hardware types, image types and
/// services have a form, and every kind can be edited as JSON.
///
/// Controls are named by the path of the API's member ("provisioner.actions.install.type"), so that
/// problems find them. The form is read into JSON and drawn from JSON, so nothing typed is lost
/// when it is drawn again, but for secrets.
struct EditPage {
    provisioner::model::CatalogueKind kind{};
    /// The newest version with secrets masked; an empty object for a new entry.
    provisioner::base::Json stored = provisioner::base::Json::object();
    /// What the form shows, in wire form, secrets masked.
    provisioner::base::Json entry = provisioner::base::Json::object();
    /// The version that the form was made from; 0 for a new entry.
    int version = 0;
    /// The last line of the entry's history then (model::SeenVersion).
    std::optional<long long> line{};
    /// The entry as JSON text, as typed. Nothing: the form is shown.
    std::optional<std::string> document{};
    EditContext context{};
    provisioner::base::Problems problems{};
    /// Whether somebody else saved the entry meanwhile, or made another one of its name.
    /// `version`, `line` and `stored` are theirs then.
    bool is_overtaken = false;
    /// Whether somebody else deleted the entry meanwhile, so that the form is one of a new entry.
    bool is_gone = false;
    /// What both changed, to different values: `entry` has those of the form.
    std::vector<EntryClash> clashes{};
    /// What only the other one changed, and what is in `entry` therefore, in the words of the form.
    std::vector<std::string> taken_over{};
    /// Who did, and when.
    std::optional<LastChange> last_change{};
    provisioner::base::Timestamp now{};
    /// What saving it breaks, which has to be read first, and what is told beside it
    /// (ChangeCheck).
    std::vector<std::string> to_check{};
    std::vector<std::string> to_note{};
    /// A new form that nobody has tried to save: what is missing there is no news.
    bool is_untouched = false;
    /// Whether the form was only drawn anew, by a button that saves nothing.
    bool is_redrawn = false;
    /// Whether the other one of form and JSON was asked for, so that nothing was to be saved.
    bool is_switched = false;
    /// Hardware and image types: providers whose rows the form had, also without a setting.
    std::vector<std::string> rows{};
    /// Settings that were typed in the row for one more provider while none was chosen, by key.
    std::map<std::string, std::string> unplaced{};
    /// Names of stored secrets that are ticked for removal.
    std::vector<std::string> cleared{};
    /// Why, for the history.
    std::string note{};

    bool is_new() const { return stored.empty(); }
    provisioner::model::SeenVersion seen() const { return {.version = version, .line = line}; }
};

provisioner::base::Json to_json(const EditPage& page);

/// Its title and heading: "Edit provider local", or "New provider".
std::string title_of(const EditPage& page);

/// Whether entries of a kind have a form beside their JSON.
bool has_form(provisioner::model::CatalogueKind kind);

/// An entry without anything in it, for the form of a new one. Providers get `provider_type`.
provisioner::base::Json blank_entry(provisioner::model::CatalogueKind kind,
                                    const std::string& provider_type);

/// The entry that a form describes: `stored` with every member that the form has replaced. Members
/// without a control stay. A secret that was left empty keeps the mask.
provisioner::base::Json entry_in_form(provisioner::model::CatalogueKind kind,
                                      const http::FormData& sent,
                                      const provisioner::base::Json& stored,
                                      const EditContext& context);

/// Whether saving `entry` over `stored` would write what is there, versions aside. Both in wire
/// form with secrets masked; a secret that was typed is a change. False if one of them is no valid
/// entry.
bool changes_nothing(provisioner::model::CatalogueKind kind, const provisioner::base::Json& stored,
                     const provisioner::base::Json& entry);

/// A JSON object as typed. Problems are of the field "document" and name line and column.
provisioner::base::Checked<provisioner::base::Json> entry_in_text(const std::string& text);

/// What is allowed but probably not meant, a sentence each: names that nobody provides, circles,
/// services without actions, required fields without a value, types that no daemon offers,
/// templates that give no services, and what does not work at the provider of a template
/// (misfits.hpp).
std::vector<std::string> warnings_about(provisioner::model::CatalogueKind kind,
                                        const provisioner::base::Json& entry,
                                        const EditContext& context);

/// The names that a service, in wire form, requires or uses and nothing among `all` and itself
/// provides, a sentence each; only those that it requires if `only_required`.
std::vector<std::string> words_on_unprovided(const provisioner::operations::CatalogueEntries& all,
                                             const provisioner::base::Json& service,
                                             bool only_required);

/// A provider with the mask for each value that its type declares a secret, sealed or not. Other
/// entries stay as they are.
provisioner::base::Json without_secrets(provisioner::base::Json entry, const EditContext& context);

/// An entry for a new one: a provider without the fields that are masked, whose values are not at
/// hand. Other entries stay as they are.
provisioner::base::Json without_masked_fields(provisioner::base::Json entry);

}  // namespace fcgi::pages
