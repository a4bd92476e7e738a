#include "fcgi/pages/catalogue/files/files.hpp"

#include <algorithm>

#include "fcgi/auth/permissions.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/refusals.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/contents/sources.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/operations/plugins/resources.hpp"
#include "provisioner/operations/plugins/secret_files.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
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

/// Longest file that is shown or compared.
constexpr std::uint64_t longest_shown = 256ULL * 1024;

std::string done_to_files(const Request& request) {
    const std::string done = request.query_value("done").value_or("");
    if (done == "saved")
        return translated("File saved. Stage a version and sync to put it to use.");
    if (done == "stage") return translated("Staged. It is used after the next sync.");
    if (done == "recall") return translated("Recalled. It is no longer used after the next sync.");
    if (done == "delete") return translated("Version deleted.");
    if (done == "sync")
        return translated("Synced. Machines get these files at the next job that sets them up.");
    return "";
}

/// The shelf of an address, and what its files are; nothing if there is none.
struct FoundShelf {
    ResourceShelf shelf;
    std::string format;
    bool is_secret = false;
};

std::optional<FoundShelf> shelf_in_path(const Request& request, const auth::Visitor& visitor,
                                        App& app) {
    const auto kind = plugin_kind(request.path_value("plugins"));
    if (!kind) return std::nullopt;
    FoundShelf found{.shelf = {.tenant = visitor.who().tenant.id,
                               .kind = *kind,
                               .plugin = request.path_value("plugin"),
                               .resource_type = request.path_value("resourcetype")},
                     .format = ""};
    const auto type = app.database.read([&](store::Connection& connection) {
        return store::find_plugin_type(connection, *kind, found.shelf.plugin);
    });
    if (!type) return std::nullopt;
    for (const auto& resource : type->resource_types) {
        if (resource.name != found.shelf.resource_type) continue;
        found.format = resource.format;
        found.is_secret = operations::is_secret_shelf(*kind, resource.name);
        return found;
    }
    return std::nullopt;
}

std::size_t count_pending(store::Connection& connection, model::TenantId tenant) {
    return files_in(store::pending_resources(connection, tenant));
}

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

/// The bytes of a version for the page, or why there are none.
std::optional<std::string> text_of_version(App& app, const FoundShelf& found,
                                           const std::string& name, int version,
                                           std::string& reason) {
    const auto content = app.database.read([&](store::Connection& connection) {
        return store::find_resource_content(connection, found.shelf, name, version);
    });
    if (found.is_secret) {
        reason = translated("Files of providers can be secrets and are never shown.");
    } else if (!content) {
        reason = translated("There is no such version.");
    } else if (content->size > longest_shown) {
        reason = translated("It is too large to show.");
    } else {
        std::string bytes(content->size, '\0');
        const auto source = app.contents.open(*content);
        bytes.resize(provisioner::contents::read_fully(*source, bytes.data(), bytes.size()));
        if (is_text(bytes)) return bytes;
        reason = translated("This file is not text.");
    }
    return std::nullopt;
}

int version_in_text(const std::string& text) {
    const auto number = provisioner::base::parse_number(text);
    return number && *number > 0 && *number <= model::no_maximum ? static_cast<int>(*number) : 0;
}

FilePage read_file_page(App& app, const auth::Visitor& visitor, const FoundShelf& found,
                        const std::string& name) {
    FilePage page{.shelf = found.shelf, .name = name, .is_secret = found.is_secret};
    page.may_change = auth::may_administer(visitor);
    page.now = app.clock.now();
    app.database.read([&](store::Connection& connection) {
        page.versions = store::list_resources(connection, found.shelf, name);
        page.pending = count_pending(connection, found.shelf.tenant);
        if (found.shelf.kind != PluginKind::automator) return;
        page.services = services_with_file(
            store::list_entries(connection, found.shelf.tenant, CatalogueKind::service),
            found.shelf.plugin, name);
    });
    return page;
}

Response draw_file(App& app, const auth::Visitor& visitor, int status, const FilePage& page) {
    return drawn(app, visitor, status, "catalogue/file",
                 {.title = title_of(page), .section = "catalogue"}, to_json(page));
}

Response draw_shelf(App& app, const auth::Visitor& visitor, int status, const ShelfPage& page) {
    return drawn(app, visitor, status, "catalogue/shelf",
                 {.title = title_of(page), .section = "catalogue", .script = "files.js"},
                 to_json(page));
}

void show_version(App& app, const FoundShelf& found, FilePage& page, int version, int compared) {
    const auto has = [&](int number) {
        return std::ranges::count(page.versions, number, &store::ResourceVersion::version) > 0;
    };
    page.version = has(version) ? version : page.versions.back().version;
    page.text = text_of_version(app, found, page.name, page.version, page.no_text);
    if (!has(compared) || compared == page.version || !page.text) return;
    std::string reason;
    const auto other = text_of_version(app, found, page.name, compared, reason);
    if (!other) return;
    page.compared = compared;
    page.compared_text = *other;
}

}  // namespace

Response list_shelves(const Request& request, const auth::Visitor& visitor, App& app) {
    FilesPage page;
    page.may_change = auth::may_administer(visitor);
    page.done = done_to_files(request);
    app.database.read([&](store::Connection& connection) {
        const auto tenant = visitor.who().tenant.id;
        page.shelves.clear();
        page.pending.clear();
        add_shelves(connection, tenant, PluginKind::automator, page.shelves);
        add_shelves(connection, tenant, PluginKind::provider, page.shelves);
        const auto services = store::list_entries(connection, tenant, CatalogueKind::service);
        for (auto& pending : store::pending_resources(connection, tenant)) {
            PendingRow row{.pending = std::move(pending)};
            if (row.pending.shelf.kind == PluginKind::automator) {
                row.services = services_with_file(services, row.pending.shelf.plugin,
                                                  row.pending.version.name);
            }
            page.pending.push_back(std::move(row));
        }
    });
    return drawn(app, visitor, 200, "catalogue/files",
                 {.title = tab_title(translated("Files")), .section = "catalogue"}, to_json(page));
}

Response sync_files(const Request&, const auth::Visitor& visitor, App& app) {
    operations::sync_resources(app.database, visitor.who());
    return http::see_other("/catalogue/files?done=sync");
}

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
        page.typed_name = *name;
        page.typed_text = *text;
        page.has_crlf = ends_lines_with_crlf(*text);
    }
    return draw_shelf(app, visitor, 200, page);
}

Response save_text(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto found = shelf_in_path(request, visitor, app);
    if (!found) return no_such_page();
    const auto sent = http::parse_form(request.body);
    const std::string name = sent.trimmed("name");
    const bool has_crlf = sent.first("line_ends") == "crlf";
    const std::string text = text_to_save(sent.first("text").value_or(""), has_crlf);
    if (!text.empty()) {
        provisioner::contents::TextSource source(text);
        const auto saved =
            operations::upload_resource(app.database, app.contents, visitor.who(), found->shelf,
                                        name, source, text.size(), app.clock.now());
        if (saved) return http::see_other(file_page(found->shelf, name) + "?done=saved");
        auto page = read_shelf(app, visitor, *found);
        page.typed_name = name;
        page.typed_text = found->is_secret ? "" : text;
        page.has_crlf = has_crlf;
        page.problems = saved.error().problems;
        return with_status_of(saved.error(), draw_shelf(app, visitor, 422, page));
    }
    auto page = read_shelf(app, visitor, *found);
    page.typed_name = name;
    page.has_crlf = has_crlf;
    page.problems = {{"text", translated("Enter the text of the file.")}};
    return draw_shelf(app, visitor, 422, page);
}

Response show_file(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto found = shelf_in_path(request, visitor, app);
    if (!found) return no_such_page();
    auto page = read_file_page(app, visitor, *found, request.path_value("name"));
    if (page.versions.empty()) return nothing_there(translated("file"));
    page.done = done_to_files(request);
    show_version(app, *found, page, version_in_text(request.query_value("version").value_or("")),
                 version_in_text(request.query_value("with").value_or("")));
    return draw_file(app, visitor, 200, page);
}

Response change_file(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto found = shelf_in_path(request, visitor, app);
    if (!found) return no_such_page();
    const auto& name = request.path_value("name");
    const auto sent = http::parse_form(request.body);
    const std::string wish = sent.trimmed("do");
    const int version = version_in_text(sent.trimmed("version"));
    const auto& who = visitor.who();
    operations::Result<void> done;
    if (wish == "stage") {
        done = operations::stage_resource(app.database, who, found->shelf, name, version);
    } else if (wish == "recall") {
        done = operations::recall_resource(app.database, who, found->shelf, name, version);
    } else if (wish == "delete" && version > 0) {
        done = operations::delete_resource(app.database, who, found->shelf, name, version);
    } else {
        done = operations::refuse(operations::Refusal::Kind::invalid, "",
                                  translated("Choose a version and what to do with it."));
    }
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
