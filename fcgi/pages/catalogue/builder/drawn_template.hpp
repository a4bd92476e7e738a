#pragma once

#include <optional>
#include <string>

#include "fcgi/app.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/builder/template_page.hpp"

namespace fcgi::pages {

// What the routes of the builder (templates.hpp) read, and the page that they draw.

/// Of {kind}; nothing for other words.
std::optional<provisioner::model::CatalogueKind> template_kind(const http::Request& request);

/// The template in force; nothing without one.
std::optional<provisioner::model::ClusterTemplate> stored_template(
    App& app, const auth::Visitor& visitor, provisioner::model::CatalogueKind kind,
    const std::string& name);

/// Which version of the template that the form was filled from is in force.
provisioner::model::PresentVersion present_template(App& app, const auth::Visitor& visitor,
                                                    const TemplateForm& form);

/// Says on the page of a form that is behind which version is in force now, and who saved it.
/// Saving once more replaces that one.
void tell_newer(App& app, const auth::Visitor& visitor, TemplatePage& page);

/// The draft of a change to the template of this name; nothing without one.
std::optional<provisioner::model::TemplateDraft> stored_draft(App& app,
                                                              const auth::Visitor& visitor,
                                                              const std::string& name);

/// It as a template; its version is the one that the draft was begun from.
std::optional<provisioner::model::ClusterTemplate> drafted_template(
    const std::optional<provisioner::model::TemplateDraft>& draft);

/// Says that the form was filled from this draft.
void set_draft(TemplateForm& form, const provisioner::model::TemplateDraft& draft);

/// Fills the form with what both sides wrote, and says what others changed. What was typed as a
/// note stays. False, and nothing is done, if it cannot be drawn.
bool take_both(TemplatePage& page, const RebasedEntry& both, int version);

/// What a form was filled from; nothing for that of a new template.
std::optional<provisioner::model::ClusterTemplate> template_before(
    App& app, const auth::Visitor& visitor, provisioner::model::CatalogueKind kind,
    const http::FormData& sent);

/// The form as sent, with its lists in the order of the entry that it changes.
TemplateForm form_sent(provisioner::model::CatalogueKind kind, const http::FormData& sent,
                       const std::optional<provisioner::model::ClusterTemplate>& stored);

/// Whether saving the form would change something, or is refused.
bool has_change(const TemplateForm& form,
                const std::optional<provisioner::model::ClusterTemplate>& stored);

/// The page, with what it needs of the catalogue. As JSON if it is too large for a form.
http::Response drawn_form(App& app, const auth::Visitor& visitor, int status, TemplatePage page);

}  // namespace fcgi::pages
