#include "fcgi/pages/catalogue/files/files.hpp"

#include <algorithm>

#include "fcgi/auth/permissions.hpp"
#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/catalogue/entries.hpp"
#include "fcgi/pages/catalogue/files/found_shelf.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/refusals.hpp"
#include "provisioner/messages/translated.hpp"
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

FilePage read_file_page(App& app, const auth::Visitor& visitor, const FoundShelf& found,
                        const std::string& name) {
    FilePage page{.shelf = found.shelf, .name = name, .is_secret = found.is_secret};
    page.may_change = auth::may_administer(visitor);
    page.may_operate = visitor.who().may(model::Right::operate_clusters);
    page.now = app.clock.now();
    app.database.read([&](store::Connection& connection) {
        page.versions = store::list_resources(connection, found.shelf, name);
        page.pending = count_pending(connection, found.shelf.tenant);
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
                 {.title = title_of(page), .section = "catalogue"}, to_json(page));
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
    const bool brings = (wish == "use" || wish == "stage") && version > 0;
    const std::string fault = brings ? problem_with_archive(app, *found, name, version) : "";
    if (!fault.empty()) {
        done = operations::refuse(operations::Refusal::Kind::invalid, "", fault);
    } else if (wish == "use") {
        done = operations::use_resource(app.database, who, found->shelf, name, version);
    } else if (wish == "stage") {
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
