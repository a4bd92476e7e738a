#pragma once

#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/http/form_data.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/catalogue/version.hpp"
#include "provisioner/operations/refusal.hpp"

namespace fcgi::pages {

// A change to a template that users are offered can be kept as a draft: another template, for
// administrators only, with the name of the first and ".draft" behind it. So administrators see,
// edit and try it as any other draft. It is put to use by writing it over the first.

/// The name of the draft of a change to a template: "shop.draft".
std::string name_of_change_draft(const std::string& changed);

/// The template that a draft of this name would change; empty for other names.
std::string changed_by_draft(const std::string& name);

/// The change draft of a template that there is: one for administrators only beside a template
/// without ".draft".
struct ChangeDraft {
    /// Empty: there is none.
    std::string draft{};
    /// The template that it changes.
    std::string changed{};
};

/// The drafts that a template may be or have, by their names alone: "shop.draft" may be that of
/// "shop"; if it is not, because it is offered itself, it may have "shop.draft.draft".
std::vector<ChangeDraft> possible_change_drafts(const std::string& name);

/// The first of possible_change_drafts() that there is. Both names are set, or none.
ChangeDraft change_draft_about(provisioner::store::Connection& connection,
                               provisioner::model::TenantId tenant, const std::string& name);

/// Keeps a change of the template `changed` as its draft. `document` is what the template would
/// be. Refused as a conflict if there is a template with the name of the draft, and as create_entry
/// says.
provisioner::operations::Result<int> keep_change(App& app, const auth::Visitor& visitor,
                                                 const std::string& changed,
                                                 provisioner::base::Json document,
                                                 const std::string& note);

/// The page of a change that is kept: views/catalogue/change_draft.
struct ChangeDraftPage {
    ChangeDraft names{};
    /// What is in force and what would be, in wire form.
    provisioner::base::Json in_force{};
    provisioner::base::Json wanted{};
    /// The version of the draft that `wanted` is.
    int draft_version = 0;
    /// What may not be meant (warnings_about in editors/edit_page.hpp).
    std::vector<std::string> warnings{};
    std::string note{};
    std::string done{};
    provisioner::base::Problems problems{};
};

provisioner::base::Json to_json(const ChangeDraftPage& page);

/// Whether a form, with the field `draft_version`, was drawn before the draft was
/// last saved.
bool is_older_than_draft(const http::FormData& sent, const ChangeDraftPage& page);

/// Why the versions of a draft were saved, the oldest first: "smaller; later". What it was before
/// it was deleted does not count. At most model::longest_note bytes.
std::string reasons_of_draft(const std::vector<provisioner::model::CatalogueVersion>& newest_first);

/// Title and heading: "Draft of a change to shop".
std::string title_of(const ChangeDraftPage& page);

/// GET /catalogue/clustertemplates/{name}/draft: the draft beside the template {name}. 404 without
/// one.
http::Response show_change_draft(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);

/// POST /catalogue/clustertemplates/{name}/draft: puts the draft to use ("use") or throws it away
/// ("drop"), 303 to the page of the template.
http::Response end_change_draft(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

}  // namespace fcgi::pages
