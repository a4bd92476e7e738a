#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/pages/catalogue/change_drafts.hpp"
#include "fcgi/pages/catalogue/entry_facts.hpp"
#include "fcgi/pages/catalogue/provider_test.hpp"
#include "fcgi/pages/catalogue/size_troubles.hpp"
#include "fcgi/pages/kinds.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/catalogue/entity.hpp"
#include "provisioner/model/catalogue/version.hpp"
#include "provisioner/operations/catalogue/references.hpp"
#include "provisioner/store/catalogue/cluster_use_store.hpp"

namespace fcgi::pages {

/// Who saved the newest version of an entry.
struct EntryChange {
    std::string by{};
    provisioner::base::Timestamp at{};
};

/// Who wrote a line of the history: the name of a user, or "the installation".
std::string who_wrote(const provisioner::model::CatalogueVersion& line);

/// All entries of a kind: views/catalogue/index. One struct serves all kinds; their
/// words stand in kinds.cpp, their columns in entry_facts.cpp.
struct CataloguePage {
    provisioner::model::CatalogueKind kind{};
    /// The newest version of each entry in wire form, by name. The page chooses and sorts.
    std::vector<provisioner::base::Json> entries{};
    /// Entries of all kinds that name an entry, by its name.
    std::map<std::string, int> used{};
    /// Current clusters of templates and providers, by the entry's name.
    std::map<std::string, provisioner::store::ClusterUse> clusters{};
    /// By name.
    std::map<std::string, EntryChange> changed{};
    /// Names of templates that are for administrators only.
    std::set<std::string> drafts{};
    /// All entries, of which templates take.
    TemplateSurroundings around{};
    /// Drafts of changes, by the names of their templates.
    std::map<std::string, provisioner::model::TemplateDraft> changes{};
    // With {} GCC 12 warns of a map that is not initialized.
    /// Why templates do not work.
    TemplateTroubles troubles = TemplateTroubles();
    /// Part of a name, label or description, in any case; empty: all entries.
    std::string search{};
    /// "name", "description", "used" or "changed".
    std::string sort = "name";
    bool is_descending = false;
    /// Templates only: whether those without troubles are left out.
    bool only_troubled = false;
    bool may_change = true;
    std::string done{};
    /// Whether a button for what is chosen was pressed without a choice.
    bool nothing_chosen = false;
    provisioner::base::Timestamp now{};
};

/// A table whose columns depend on the kind; an entry without a value has an empty cell.
provisioner::base::Json to_json(const CataloguePage& page);

/// One entry with its JSON: views/catalogue/show.
struct EntryPage {
    provisioner::model::CatalogueKind kind{};
    /// The newest version in wire form, as stored.
    provisioner::base::Json entry{};
    /// Request::prefix, for the address of the entry in the API that the page shows as text.
    std::string prefix{};
    /// Who may use it, in words; empty for partial templates.
    std::string for_whom{};
    /// Whether it is a template for administrators only.
    bool is_draft = false;
    /// Templates only: the draft of a change to it.
    std::optional<provisioner::model::TemplateDraft> change{};
    /// The viewer, for the command.
    std::string user{};
    std::string tenant{};
    bool may_change = true;
    std::string done{};
    /// See warnings_about (editors/edit_page.hpp).
    std::vector<std::string> warnings{};
    /// Services only: the files that its actions name.
    std::vector<NamedFile> files{};
    /// Templates only: the builder's preview, if the warnings name impossible sizes.
    std::string sizes_href{};
    /// Templates only: "Add Database to the template", if its services require others that there
    /// are.
    std::string add_required{};
    /// What names the entry.
    std::vector<provisioner::operations::Reference> references{};
    /// The current clusters of a template or provider.
    provisioner::store::ClusterUse clusters{};
    /// All entries, of which templates take.
    TemplateSurroundings around{};
    /// Providers only: what its type says of its fields.
    FieldsInWords fields{};
    /// Providers only: the connection's test.
    std::optional<ProviderTestPart> test{};
    provisioner::base::Timestamp now{};
};

/// Facts and the whole JSON document. Sealed provider fields are masked. Strings whose member name
/// sounds secret are replaced, at every depth; other types of values are shown.
provisioner::base::Json to_json(const EntryPage& page);

/// A template's document without the maximum size that stands for no maximum.
provisioner::base::Json without_unlimited_size(provisioner::base::Json document);

/// A stored entry as people may see it: sealed fields are masked, and so are texts and numbers
/// whose names sound secret. A size without a maximum has none.
provisioner::base::Json entry_for_people(const provisioner::base::Json& stored);

/// [{what: "Service", from, from_href, how, blocks}], an item for each entry: `how` says all that
/// it does, without a full stop.
provisioner::base::Json references_json(
    const std::vector<provisioner::operations::Reference>& references);

/// "4 clusters, 1,146 machines"; empty for none.
std::string words_of_use(const provisioner::store::ClusterUse& use);
/// The list of the current clusters of a template or provider.
std::string clusters_of_entry(provisioner::model::CatalogueKind kind, const std::string& name);

/// Whether CataloguePage::sort may be that.
bool is_sort_of_catalogue(const std::string& word);

/// The window's title: "small (hardware type)", or with a label "Shop (cluster template shop)". It
/// begins with the state of a test that was just asked for.
std::string title_of(const EntryPage& page);

/// GET /catalogue/{kind}: all entries of the visitor's tenant, for administrators. 404 for an
/// unknown kind.
http::Response list_entries(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /catalogue/{kind}/{name}: one entry. 404 if it does not exist.
http::Response show_entry(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /catalogue/providers/{name}/test: asks for a test of the provider, 303 to its part of the
/// page. 404 without the provider.
http::Response test_provider(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
