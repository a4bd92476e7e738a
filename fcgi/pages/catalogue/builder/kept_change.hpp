#pragma once

#include <optional>

#include "fcgi/app.hpp"
#include "fcgi/pages/catalogue/builder/template_page.hpp"

namespace fcgi::pages {

/// Brings a form to the draft that there is now, which is another one than it was filled from: that
/// of somebody who saved it meanwhile, or the one beside the template. `before` is what the form
/// was filled from, in wire form; nothing if it is not known. The form edits the draft then. False
/// if both changed the same, or the two cannot be merged: people choose. Pure.
bool is_merged_into_draft(TemplatePage& page, const provisioner::model::TemplateDraft& draft,
                          const std::optional<provisioner::base::Json>& before);

/// Keeps a form without problems as the draft of a change, 303 to the draft. 409 if somebody else
/// changed the same in it; the form keeps what was typed.
http::Response kept_change(App& app, const auth::Visitor& visitor, TemplatePage page);

}  // namespace fcgi::pages
