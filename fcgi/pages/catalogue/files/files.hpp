#pragma once

#include "fcgi/app.hpp"
#include "fcgi/pages/catalogue/files/files_page.hpp"

namespace fcgi::pages {

// Handlers of the pages about files of plugins, for administrators. Files come in forms, up to
// http::file_form_limit; a browser with scripts sends larger ones to the API (static/js/files.js).

/// GET /catalogue/files
http::Response list_shelves(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST /catalogue/files/sync: makes what is staged live, and removes what is recalled. Asks first
/// about what services in use need (sync_effects.hpp). The fields `seen` are the changes that its
/// page has shown; 409 with what is otherwise if others wait (meanwhile.hpp). 303 to the list, with
/// the event of the audit log as `synced`.
http::Response sync_files(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /catalogue/files/{plugins}/{plugin}/{resourcetype}
http::Response show_shelf(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST to the same: a text, or a file of the sender, as the next version of a file. Field "do" is
/// save, or use: then machines get this version from now on; `note` says why. The bytes of the
/// newest version make no other one. With `next` the form is that of a file: what is uploaded from
/// a file of another name is not put to use. A text that was made from an older version than the
/// newest is asked about first: `edited_version` and `known_version` are what its form was made
/// from, and the newest of which it told. Another one is saved, but not put to use, with a newer
/// version than its `known_version`. The form of the list knows of none: a file that is there
/// already is never put to use with it.
http::Response save_file(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /catalogue/files/{plugins}/{plugin}/{resourcetype}/{name}?version=3&with=2
http::Response show_file(const http::Request& request, const auth::Visitor& visitor, App& app);
/// GET /catalogue/files/{plugins}/{plugin}/{resourcetype}/{name}/versions/{version}: its bytes, to
/// be kept on the reader's computer; 404 for files of providers and above `largest_download`.
http::Response download_file(const http::Request& request, const auth::Visitor& visitor, App& app);
/// POST to the address of the file: field "do" is use, stage, unstage, recall or delete, of the
/// field "version". The field "seen" is what its page has shown in use: 409 with what others did if
/// it is not so (meanwhile.hpp). After an upload by script, `known_version` is the newest that its
/// page showed, 0 in the list: a version that came behind another is not put to use.
http::Response change_file(const http::Request& request, const auth::Visitor& visitor, App& app);

}  // namespace fcgi::pages
