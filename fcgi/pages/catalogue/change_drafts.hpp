#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fcgi/app.hpp"
#include "fcgi/http/form_data.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/base/problem.hpp"
#include "provisioner/model/catalogue/template_draft.hpp"

namespace fcgi::pages {

// A change to a template that users are offered can be kept as a draft
// (operations/catalogue/template_drafts.hpp). It has one page, and the row and the page of its
// template say that there is one.

/// The page of the draft: "/catalogue/clustertemplates/shop/draft".
std::string page_of_draft(const std::string& changed);
/// Its editor: "/builder/clustertemplates/shop?of=draft".
std::string editor_of_draft(const std::string& changed);

/// What a row or page says of the draft of its template: by whom and since when, links, and who
/// saved it last if that was later. Null without one.
provisioner::base::Json change_json(const std::optional<provisioner::model::TemplateDraft>& draft,
                                    provisioner::base::Timestamp now);

/// The page of a change that is kept: views/catalogue/change_draft.
struct ChangeDraftPage {
    provisioner::model::TemplateDraft draft{};
    /// The template in wire form, with its version.
    provisioner::base::Json in_force{};
    /// What was chosen for overlaps, by their paths: true for the draft. What nobody chose for is
    /// as it is in force, and is asked about before the draft is put to use.
    std::map<std::string, bool> choices{};
    /// What there is to check before users get it, and was not before (check_of_entry), and what
    /// is told beside it.
    std::vector<std::string> to_check{};
    std::vector<std::string> to_note{};
    std::string note{};
    std::string done{};
    provisioner::base::Problems problems{};
    provisioner::base::Timestamp now{};
};

provisioner::base::Json to_json(const ChangeDraftPage& page);

/// What the template would be, in wire form.
provisioner::base::Json wanted_by(const ChangeDraftPage& page);

/// What others saved since the draft was begun and stays when it is put to use, in words: what only
/// they changed, and overlaps for which the draft was not chosen.
std::vector<std::string> kept_of_newer(const ChangeDraftPage& page);

/// Why it is put to use, for the version and the event: the note, and what stays of the others'.
std::string reason_of_use(const ChangeDraftPage& page);

/// What a form chooses for overlaps.
std::map<std::string, bool> choices_in_form(const http::FormData& sent);

/// A problem for each overlap for which nothing was chosen.
provisioner::base::Problems problems_with_choices(const ChangeDraftPage& page);

/// Whether a form, with the field `draft`, was drawn before the draft was last saved.
bool is_older_than_draft(const http::FormData& sent, const ChangeDraftPage& page);

/// Title and heading: "Draft of a change to Shop".
std::string title_of(const ChangeDraftPage& page);

/// GET /catalogue/clustertemplates/{name}/draft: the draft beside the template {name}; the page of
/// the template without one.
http::Response show_change_draft(const http::Request& request, const auth::Visitor& visitor,
                                 App& app);

/// POST /catalogue/clustertemplates/{name}/draft: puts the draft to use ("use") or throws it away
/// ("drop"), 303 to the page of the template.
http::Response end_change_draft(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

}  // namespace fcgi::pages
