#pragma once

#include "fcgi/app.hpp"

namespace fcgi::pages {

// The editor of templates. {kind} is "clustertemplates" or "partialtemplates", else 404. Nothing is
// written but by save_template.

/// GET /builder/{kind}: the form of a new entry; with ?from={name} filled like that one.
http::Response new_template(const http::Request& request, const auth::Visitor& visitor, App& app);

/// GET /builder/{kind}/{name}: the form of an entry.
http::Response edit_template(const http::Request& request, const auth::Visitor& visitor, App& app);

/// POST /builder/{kind}: 303 to the draft after a button of it (field `do`), for example with a row
/// more.
http::Response redraw_template(const http::Request& request, const auth::Visitor& visitor,
                               App& app);

/// POST /builder/{kind}/preview: 303 to the preview of a draft. With the header X-Live-Preview the
/// form at once, with the layouts of a range of sizes: a script sends it while people type and
/// takes the preview out of the page. Laborious.
http::Response preview_template(const http::Request& request, const auth::Visitor& visitor,
                                App& app);

/// GET /builder/{kind}/drafts/{draft}: the form as it was sent, after the button that was pressed.
http::Response show_template_draft(const http::Request& request, const auth::Visitor& visitor,
                                   App& app);

/// GET /builder/{kind}/drafts/{draft}/preview: the same, with the layouts of a range of sizes.
/// Laborious.
http::Response preview_template_draft(const http::Request& request, const auth::Visitor& visitor,
                                      App& app);

/// POST /builder/{kind}/save: creates or replaces the entry, 303 to it. 409 if it was changed since
/// the form was drawn; the form keeps what was typed.
http::Response save_template(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
