#pragma once

#include "fcgi/app.hpp"
#include "fcgi/pages/catalogue/editors/edit_page.hpp"

namespace fcgi::pages {

// Handlers of the editors, for administrators. 404 for a kind or entry that does not exist. Forms
// say in their field "do" what they want: "save", "redraw" (another type was chosen), "json" and
// "form" (the other way of editing). All but "save" change nothing and answer 200.

/// Everything that an editor of a kind needs, in one read.
EditContext read_edit_context(provisioner::store::Connection& connection,
                              provisioner::model::TenantId tenant,
                              provisioner::model::CatalogueKind kind);

/// GET /catalogue/new/{kind}: an empty form; with the query "copy" one filled from that entry, but
/// for name and secrets. Of a provider, the choice of its type comes first, unless the query
/// "providertype" names one. For templates 303 to their builder.
http::Response new_entry(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /catalogue/new/{kind}
http::Response create_entry(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /catalogue/{kind}/{name}/edit
http::Response edit_entry(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /catalogue/{kind}/{name}/edit: 409 when another version was saved since the form was made.
/// The form is drawn with what was typed then, and saving it again replaces that version.
http::Response save_entry(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
