#include "fcgi/pages/catalogue/files/files.hpp"

#include <algorithm>

#include "fcgi/auth/permissions.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/audit/event_words.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/files/found_shelf.hpp"
#include "fcgi/pages/catalogue/files/meanwhile.hpp"
#include "fcgi/pages/catalogue/files/meanwhile_reads.hpp"
#include "fcgi/pages/catalogue/files/sync_effects.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/to_check.hpp"
#include "fcgi/pages/refusals.hpp"
#include "provisioner/contents/sources.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/plugins/file_changes.hpp"
#include "provisioner/operations/plugins/file_sync.hpp"
#include "provisioner/operations/plugins/resources.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/catalogue/cluster_use_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::messages::translated;
using provisioner::model::CatalogueKind;
using provisioner::model::PluginKind;
using provisioner::store::ResourceShelf;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

constexpr int most_clusters_of_file = 200;

void add_shelves(store::Connection& connection, model::TenantId tenant, PluginKind kind,
                 std::vector<ShelfRow>& shelves) {
    for (const auto& type : store::list_plugin_types(connection, kind)) {
        for (const auto& resource : type.resource_types) {
            ShelfRow row{.shelf = {.tenant = tenant,
                                   .kind = kind,
                                   .plugin = type.header.name,
                                   .resource_type = resource.name},
                         .format = resource.format};
            std::string last;
            for (const auto& version : store::list_resources(connection, row.shelf)) {
                if (row.files == 0 || version.name != last) ++row.files;
                last = version.name;
            }
            shelves.push_back(std::move(row));
        }
    }
}

FilesPage read_files_page(App& app, const auth::Visitor& visitor) {
    FilesPage page;
    page.may_change = auth::may_administer(visitor);
    app.database.read([&](store::Connection& connection) {
        const auto tenant = visitor.who().tenant.id;
        page.shelves.clear();
        page.pending.clear();
        add_shelves(connection, tenant, PluginKind::automator, page.shelves);
        add_shelves(connection, tenant, PluginKind::provider, page.shelves);
        const auto services = store::list_entries(connection, tenant, CatalogueKind::service);
        const auto changes =
            operations::changes_of_sync(store::pending_resources(connection, tenant));
        page.to_check = words_on_sync(read_sync_effects(connection, tenant, changes));
        for (const auto& change : changes) {
            PendingRow row{.change = change};
            if (change.shelf.kind == PluginKind::automator) {
                row.services = services_with_file(services, change.shelf.plugin, change.name);
            }
            page.pending.push_back(std::move(row));
        }
    });
    if (!page.may_change) page.to_check.clear();
    return page;
}

Response draw_files(App& app, const auth::Visitor& visitor, int status, const FilesPage& page) {
    return drawn(app, visitor, status, "catalogue/files",
                 {.title = tab_title(translated("Files")), .section = "catalogue"}, to_json(page));
}

/// What the next sync does to one file.
std::vector<std::string> effects_on_file(store::Connection& connection, const ResourceShelf& shelf,
                                         const std::string& name,
                                         std::vector<operations::FileChange> changes) {
    std::erase_if(changes, [&](const operations::FileChange& change) {
        return change.name != name || file_page(change.shelf, name) != file_page(shelf, name);
    });
    return words_on_sync(read_sync_effects(connection, shelf.tenant, changes));
}

FilePage read_file_page(App& app, const auth::Visitor& visitor, const FoundShelf& found,
                        const std::string& name) {
    FilePage page{.shelf = found.shelf, .name = name, .is_secret = found.is_secret};
    page.may_change = auth::may_administer(visitor);
    page.may_operate = visitor.who().may(model::Right::operate_clusters);
    page.now = app.clock.now();
    app.database.read([&](store::Connection& connection) {
        page.versions = store::list_resources(connection, found.shelf, name);
        const auto changes =
            operations::changes_of_sync(store::pending_resources(connection, found.shelf.tenant));
        page.pending = changes.size();
        page.effects = effects_on_file(connection, found.shelf, name, changes);
        page.uploads.clear();
        for (const auto& [version, event] :
             operations::uploads_of_file(connection, found.shelf, name)) {
            page.uploads[version] = {.by = actor_words(event), .note = event.reason};
        }
        if (found.shelf.kind != PluginKind::automator) return;
        page.services = services_with_file(
            store::list_entries(connection, found.shelf.tenant, CatalogueKind::service),
            found.shelf.plugin, name);
        page.clusters = store::clusters_with_services(connection, found.shelf.tenant, page.services,
                                                      most_clusters_of_file);
    });
    return page;
}

Response draw_file(App& app, const auth::Visitor& visitor, int status, const FilePage& page) {
    return drawn(app, visitor, status, "catalogue/file",
                 {.title = title_of(page), .section = "catalogue", .script = "files.js"},
                 to_json(page));
}

void show_version(App& app, const FoundShelf& found, FilePage& page, int version, int compared) {
    const auto has = [&](int number) {
        return std::ranges::count(page.versions, number, &store::ResourceVersion::version) > 0;
    };
    page.version = has(version) ? version : page.versions.back().version;
    page.text = text_of_version(app, found, page.name, page.version, page.no_text);
    if (!has(compared) || compared == page.version) return;
    std::string reason;
    const auto text = [&](int number) {
        return text_of_version(app, found, page.name, number, reason, longest_compared);
    };
    auto newer = page.text ? page.text : text(page.version);
    if (!newer) {
        page.no_text = reason;
        return;
    }
    auto older = text(compared);
    if (!older) {
        page.not_compared = compared;
        return;
    }
    page.compared = compared;
    page.compared_text = *std::move(older);
    page.text_compared = *std::move(newer);
}

/// Says of a version that was just uploaded that there was one of which its sender did not know,
/// with its address (overtaken_query).
void show_overtaken(const Request& request, FilePage& page) {
    const auto known = request.query_value("known");
    const int saved = version_in_text(request.query_value("saved").value_or(""));
    const bool is_there =
        std::ranges::count(page.versions, saved, &store::ResourceVersion::version) > 0;
    if (!known || !is_there) return;
    page.known = version_in_text(*known);
    page.overtaken_by = version_between(page.versions, page.known, saved);
    if (page.overtaken_by == 0) return;
    page.overtaken = saved;
    // That of a file of another name says more.
    if (request.query_value("done") == "saved") page.done.clear();
}

/// Shows the changes that wait now, with why what was sent is not done. What was done as it was
/// seen by another form, of one sent twice, is done.
Response not_synced(App& app, const auth::Visitor& visitor, FilesPage page,
                    const std::vector<operations::FileChange>& seen,
                    const std::vector<OtherChange>& others) {
    if (is_synced_already(seen, others)) {
        return http::see_other(address_after_sync(app, visitor.who().tenant.id));
    }
    page.problems = problems_of_sync(others);
    return draw_files(app, visitor, 409, page);
}

/// Does to a version of a file what its form wishes.
operations::Result<void> act_on_file(App& app, const model::Caller& who, const FoundShelf& found,
                                     const std::string& name, const std::string& wish,
                                     int version) {
    const bool brings = (wish == "use" || wish == "stage") && version > 0;
    const std::string fault = brings ? problem_with_archive(app, found, name, version) : "";
    if (!fault.empty()) return operations::refuse(operations::Refusal::Kind::invalid, "", fault);
    if (wish == "use") {
        return operations::use_resource(app.database, who, found.shelf, name, version);
    }
    if (wish == "stage") {
        return operations::stage_resource(app.database, who, found.shelf, name, version);
    }
    if (wish == "unstage") {
        return operations::unstage_resource(app.database, who, found.shelf, name, version);
    }
    if (wish == "recall") {
        return operations::recall_resource(app.database, who, found.shelf, name, version);
    }
    if (wish == "delete" && version > 0) {
        return operations::delete_resource(app.database, who, found.shelf, name, version);
    }
    return operations::refuse(operations::Refusal::Kind::invalid, "",
                              translated("Choose a version and what to do with it."));
}

}  // namespace

Response list_shelves(const Request& request, const auth::Visitor& visitor, App& app) {
    auto page = read_files_page(app, visitor);
    page.done = done_to_files(request);
    if (page.may_change) page.synced = read_synced(app, request, visitor.who().tenant.id);
    if (!page.synced.empty()) {
        page.done = translated("Synced. Machines get this when a job sets them up:");
    }
    return draw_files(app, visitor, 200, page);
}

Response sync_files(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto sent = http::parse_form(request.body);
    const auto tenant = visitor.who().tenant.id;
    const auto seen = changes_in_form(sent, tenant);
    auto page = read_files_page(app, visitor);
    auto others = read_other_changes(app, seen, page);
    if (!others.empty()) return not_synced(app, visitor, std::move(page), seen, others);
    if (!are_checked(sent, page.to_check)) {
        page.is_asked = true;
        return draw_files(app, visitor, 422, page);
    }
    const auto done = operations::sync_resources_as_seen(app.database, visitor.who(), seen);
    if (done) return http::see_other(address_after_sync(app, tenant));
    page = read_files_page(app, visitor);
    others = read_other_changes(app, seen, page);
    return not_synced(app, visitor, std::move(page), seen, others);
}

Response show_file(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto found = shelf_in_path(request, visitor, app);
    if (!found) return no_such_page();
    auto page = read_file_page(app, visitor, *found, request.path_value("name"));
    if (page.versions.empty()) return nothing_there(translated("file"));
    const auto words = words_on_done(page, request.query_value("done").value_or(""));
    page.done = words.empty() ? done_to_files(request) : words;
    show_overtaken(request, page);
    show_version(app, *found, page, version_in_text(request.query_value("version").value_or("")),
                 version_in_text(request.query_value("with").value_or("")));
    return draw_file(app, visitor, 200, page);
}

Response download_file(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto found = shelf_in_path(request, visitor, app);
    if (!found || found->is_secret) return no_such_page();
    const auto& name = request.path_value("name");
    const int version = version_in_text(request.path_value("version"));
    const auto content = app.database.read([&](store::Connection& connection) {
        return store::find_resource_content(connection, found->shelf, name, version);
    });
    if (!content || content->size > largest_download) return nothing_there(translated("file"));
    std::string bytes(content->size, '\0');
    const auto source = app.contents.open(*content);
    bytes.resize(provisioner::contents::read_fully(*source, bytes.data(), bytes.size()));
    Response response{.status = 200,
                      .headers = {{"Content-Type", "application/octet-stream"}},
                      .body = std::move(bytes)};
    return http::with_header(std::move(response), "Content-Disposition",
                             "attachment; filename=\"" + name + '"');
}

Response change_file(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto found = shelf_in_path(request, visitor, app);
    if (!found) return no_such_page();
    const auto& name = request.path_value("name");
    const auto sent = http::parse_form(request.body);
    const std::string wish = sent.trimmed("do");
    const int version = version_in_text(sent.trimmed("version"));
    const int known = version_in_text(sent.trimmed("known_version"));
    if (wish == "use" && sent.has("known_version") &&
        is_overtaken(app, *found, name, known, version)) {
        return http::see_other(file_page(found->shelf, name) + "?done=saved" +
                               overtaken_query(known, version));
    }
    const auto turn = read_turn(app, found->shelf, name, sent.trimmed("seen"));
    const std::string unlike =
        wish == "delete" ? "" : words_on_meanwhile(turn, sent.trimmed("seen"));
    if (!unlike.empty() && is_as_wished(turn.now, wish, version)) {
        return http::see_other(file_page(found->shelf, name) + "?done=" + wish);
    }
    const auto done = unlike.empty()
                          ? act_on_file(app, visitor.who(), *found, name, wish, version)
                          : operations::refuse(operations::Refusal::Kind::conflict, "", unlike);
    auto page = read_file_page(app, visitor, *found, name);
    if (done) {
        const std::string to =
            page.versions.empty() ? shelf_page(found->shelf) : file_page(found->shelf, name);
        return http::see_other(to + "?done=" + wish);
    }
    if (page.versions.empty()) return nothing_there(translated("file"));
    show_version(app, *found, page, version, 0);
    page.problems = done.error().problems;
    return with_status_of(done.error(), draw_file(app, visitor, 422, page));
}

}  // namespace fcgi::pages
