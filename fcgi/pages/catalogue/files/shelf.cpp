#include "fcgi/auth/permissions.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/audit/event_words.hpp"
#include "fcgi/pages/catalogue/files/files.hpp"
#include "fcgi/pages/catalogue/files/found_shelf.hpp"
#include "fcgi/pages/catalogue/files/meanwhile_reads.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/refusals.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/utf8.hpp"
#include "provisioner/contents/sources.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/plugins/resources.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using provisioner::model::PluginKind;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

ShelfPage read_shelf(App& app, const auth::Visitor& visitor, const FoundShelf& found) {
    ShelfPage page{.shelf = found.shelf, .format = found.format, .is_secret = found.is_secret};
    page.may_change = auth::may_administer(visitor);
    page.now = app.clock.now();
    app.database.read([&](store::Connection& connection) {
        page.versions = store::list_resources(connection, found.shelf);
        page.pending = count_pending(connection, found.shelf.tenant);
        page.services.clear();
        if (found.shelf.kind != PluginKind::automator) return;
        const auto services =
            store::list_entries(connection, found.shelf.tenant, CatalogueKind::service);
        for (const auto& version : page.versions) {
            auto& names = page.services[version.name];
            if (names.empty()) {
                names = services_with_file(services, found.shelf.plugin, version.name);
            }
        }
    });
    return page;
}

Response draw_shelf(App& app, const auth::Visitor& visitor, int status, const ShelfPage& page) {
    return drawn(app, visitor, status, "catalogue/shelf",
                 {.title = title_of(page), .section = "catalogue", .script = "files.js"},
                 to_json(page));
}

/// A file that a form brings: typed, or chosen on the sender's computer.
struct FileToSave {
    std::string name{};
    std::string bytes{};
    /// Why it is saved, for the audit log.
    std::string note{};
    bool is_upload = false;
    /// The name of the uploaded file, if the form was that of a file with another name.
    std::string from{};
    /// Whether a version of a file was edited, and which one.
    bool is_editing = false;
    int edited_version = 0;
    /// The newest version that the form of a file knew of; 0: it is that of no file, and knew of
    /// none.
    int known_version = 0;
    bool has_crlf = false;
    /// Why it cannot be saved.
    provisioner::base::Problems problems{};
};

FileToSave uploaded_file(const Request& request, const http::FormData& sent) {
    const auto* file = request.file("file");
    FileToSave wanted{
        .name = sent.trimmed("name"), .note = sent.trimmed("note"), .is_upload = true};
    if (file == nullptr) {
        wanted.problems = {{"file", translated("Choose a file.")}};
        return wanted;
    }
    if (file->bytes.empty()) {
        wanted.problems = {{"file", translated("This file is empty. Choose another one.")}};
        return wanted;
    }
    if (wanted.name.empty()) wanted.name = file->name;
    if (sent.has("next")) {
        constexpr std::size_t longest_named = 100;
        wanted.known_version = version_in_text(sent.trimmed("known_version"));
        if (wanted.name != file->name) {
            wanted.from = provisioner::base::utf8_prefix(file->name, longest_named);
        }
    }
    wanted.bytes = file->bytes;
    return wanted;
}

FileToSave typed_file(const http::FormData& sent) {
    FileToSave wanted{.name = sent.trimmed("name"),
                      .note = sent.trimmed("note"),
                      .is_editing = sent.has("editing"),
                      .edited_version = version_in_text(sent.trimmed("edited_version")),
                      .known_version = version_in_text(sent.trimmed("known_version")),
                      .has_crlf = sent.first("line_ends") == "crlf"};
    wanted.bytes = text_to_save(sent.first("text").value_or(""), wanted.has_crlf);
    if (wanted.bytes.empty()) {
        wanted.problems = {{"text", translated("Enter the text of the file.")}};
    }
    return wanted;
}

/// What the list of versions says of it, and which version it is made from.
operations::UploadOptions options_of(const FileToSave& wanted) {
    operations::UploadOptions options{.reason = wanted.note};
    if (wanted.is_editing) options.known_version = wanted.known_version;
    if (!wanted.from.empty()) {
        options.reason =
            joined_sentences(translated("Uploaded from {0}.", wanted.from), wanted.note);
    }
    return options;
}

/// Says who uploaded the newest version of the file that is edited, if another one is edited.
void add_writer_of_newest(App& app, ShelfPage& page) {
    const auto* newest = newest_version(page, page.typed_name);
    if (newest == nullptr || newest->version == page.edited_version) return;
    const auto uploads = app.database.read([&](store::Connection& connection) {
        return operations::uploads_of_file(connection, page.shelf, page.typed_name);
    });
    const auto upload = uploads.find(newest->version);
    if (upload != uploads.end()) page.newest_by = actor_words(upload->second);
}

/// The form of a file that was not saved, with what was typed.
Response draw_again(App& app, const auth::Visitor& visitor, ShelfPage page,
                    const FileToSave& wanted, int status = 422) {
    page.is_upload = wanted.is_upload;
    page.is_editing = wanted.is_editing;
    page.edited_version = wanted.edited_version;
    page.typed_name = wanted.name;
    page.note = wanted.note;
    page.typed_text = wanted.is_upload || page.is_secret ? "" : wanted.bytes;
    page.has_crlf = wanted.has_crlf;
    page.problems = wanted.problems;
    if (page.is_editing) add_writer_of_newest(app, page);
    return draw_shelf(app, visitor, status, page);
}

/// Asks before a text that was made from an older version becomes the newest one.
Response ask_about_newer(App& app, const auth::Visitor& visitor, const FoundShelf& found,
                         FileToSave wanted) {
    auto page = read_shelf(app, visitor, found);
    const auto* newest = newest_version(page, wanted.name);
    wanted.problems = {{"", translated("Version {0} was saved meanwhile. Your text is below and "
                                       "not saved.",
                                       newest == nullptr ? 0 : newest->version)}};
    return draw_again(app, visitor, std::move(page), wanted, 409);
}

/// What became of a file that was sent.
struct SavedFile {
    operations::Result<store::ResourceVersion> version;
    /// Whether it has the bytes of the newest version, which is `version`: nothing was saved.
    bool is_same = false;
    /// Whether there was a version already that the form did not know of.
    bool is_overtaken = false;
};

/// What is overtaken is saved nevertheless, but for an edited text: its form is asked again.
SavedFile store_file(App& app, const auth::Visitor& visitor, const FoundShelf& found,
                     const FileToSave& wanted) {
    using Saved = operations::Result<store::ResourceVersion>;
    const auto same =
        operations::newest_with_bytes(app.database, found.shelf, wanted.name, wanted.bytes);
    if (same) return {.version = Saved(*same), .is_same = true};
    provisioner::contents::TextSource source(wanted.bytes);
    SavedFile saved{.version = operations::upload_resource(
                        app.database, app.contents, visitor.who(), found.shelf, wanted.name, source,
                        wanted.bytes.size(), app.clock.now(), options_of(wanted))};
    if (wanted.is_editing) {
        saved.is_overtaken =
            !saved.version && saved.version.error().kind == operations::Refusal::Kind::conflict;
    } else if (saved.version) {
        saved.is_overtaken =
            is_overtaken(app, found, wanted.name, wanted.known_version, saved.version->version);
    }
    return saved;
}

}  // namespace

Response show_shelf(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto found = shelf_in_path(request, visitor, app);
    if (!found) return no_such_page();
    auto page = read_shelf(app, visitor, *found);
    page.done = done_to_files(request);
    if (const auto name = request.query_value("edit"); name && page.may_change) {
        std::string reason;
        const int version = version_in_text(request.query_value("version").value_or(""));
        const auto text = text_of_version(app, *found, *name, version, reason);
        if (!text) return nothing_there(translated("text file"));
        page.is_editing = true;
        page.edited_version = version;
        page.typed_name = *name;
        page.typed_text = *text;
        page.has_crlf = ends_lines_with_crlf(*text);
        add_writer_of_newest(app, page);
    }
    return draw_shelf(app, visitor, 200, page);
}

Response save_file(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto found = shelf_in_path(request, visitor, app);
    if (!found) return no_such_page();
    const auto sent = http::parse_form(request.body);
    auto wanted = sent.has("file") ? uploaded_file(request, sent) : typed_file(sent);
    const auto drawn_again = [&](const provisioner::base::Problems& problems) {
        wanted.problems = problems;
        return draw_again(app, visitor, read_shelf(app, visitor, *found), wanted);
    };
    if (!wanted.problems.empty()) return drawn_again(wanted.problems);
    provisioner::contents::TextSource bytes(wanted.bytes);
    if (auto fault = problem_with_archive(*found, bytes); !fault.empty()) {
        return drawn_again({{"file", std::move(fault)}});
    }
    const auto saved = store_file(app, visitor, *found, wanted);
    if (saved.is_overtaken && wanted.is_editing) {
        return ask_about_newer(app, visitor, *found, wanted);
    }
    const auto& version = saved.version;
    if (!version) return with_status_of(version.error(), drawn_again(version.error().problems));
    const std::string page = file_page(found->shelf, wanted.name);
    const bool is_other = !saved.is_same && !wanted.from.empty();
    const bool is_in_use = saved.is_same && version->live && version->slated;
    const bool is_to_use = sent.first("do") == "use" && !is_in_use;
    const std::string seen = sent.trimmed("seen");
    const bool is_moved =
        is_to_use && !seen.empty() &&
        !words_on_meanwhile(read_turn(app, found->shelf, wanted.name, seen), seen).empty();
    // The list of files knows of no version of a file.
    const bool is_there = saved.is_same && !wanted.is_editing && wanted.known_version == 0;
    std::string done = is_there && is_to_use ? "?done=there"
                       : saved.is_same       ? "?done=unchanged"
                       : is_other            ? "?done=other"
                       : is_moved            ? "?done=moved"
                                             : "?done=saved";
    if (saved.is_overtaken) done += overtaken_query(wanted.known_version, version->version);
    // Machines get neither a file of another name, which may be a slip, nor one whose sender has
    // not seen the version before it, or what others put to use or staged, until somebody has
    // looked.
    const bool is_to_see = is_other || is_there || is_moved || saved.is_overtaken;
    if (!is_to_use || is_to_see) return http::see_other(page + done);
    const auto used = operations::use_resource(app.database, visitor.who(), found->shelf,
                                               wanted.name, version->version);
    // It is saved; somebody may have deleted it since.
    return http::see_other(page + (used ? "?done=use" : done));
}

}  // namespace fcgi::pages
