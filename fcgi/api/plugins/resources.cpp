#include "fcgi/api/plugins/resources.hpp"

#include "fcgi/api/paging.hpp"
#include "fcgi/api/refusals.hpp"
#include "fcgi/auth/permissions.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/plugins/file_sync.hpp"
#include "provisioner/operations/plugins/resources.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"

namespace fcgi::api {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::Json;
using provisioner::model::PluginKind;

namespace {

namespace base = provisioner::base;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

using Status = std::optional<operations::ResourceStatus>;
using Versions = std::vector<store::ResourceVersion>;

Response no_plugin_type(PluginKind kind, const std::string& name) {
    // The wire contract has two blanks here.
    return http::text(404, base::to_word(kind) + " type " + name + "  not found.");
}

std::optional<model::PluginType> find_type(App& app, PluginKind kind, const std::string& name) {
    return app.database.read([&](store::Connection& connection) {
        return store::find_plugin_type(connection, kind, name);
    });
}

store::ResourceShelf shelf_of(const Request& request, const Visitor& visitor, PluginKind kind) {
    return {.tenant = visitor.who().tenant.id,
            .kind = kind,
            .plugin = request.path_value("plugin"),
            .resource_type = request.path_value("resourcetype")};
}

Json to_json(const store::ResourceVersion& version) {
    return {{"name", version.name},
            {"version", version.version},
            {"status", base::to_word(operations::status_of(version))},
            {"size", version.size},
            {"sha256", version.sha256},
            {"createTime", base::to_millis(version.created_at)}};
}

/// The filter of the query, which may be absent. The outer optional is empty if the word is
/// unknown.
std::optional<Status> status_filter(const Request& request) {
    const auto word = request.query_value("status");
    if (!word || word->empty()) return Status{};
    const Status status =
        base::from_word<operations::ResourceStatus>(base::in_small_letters(*word));
    if (!status) return std::nullopt;
    return std::optional<Status>(std::in_place, status);
}

Versions only(const Versions& all, const Status& status) {
    Versions chosen;
    for (const auto& version : all) {
        if (!status || operations::status_of(version) == *status) chosen.push_back(version);
    }
    return chosen;
}

/// The number in {version}; 0 if it is not a valid version.
int version_of(const Request& request) {
    const auto number = base::parse_number(request.path_value("version"));
    const bool fits = number && *number > 0 && *number <= model::no_maximum;
    return fits ? static_cast<int>(*number) : 0;
}

Response invalid_version(const Request& request) {
    return http::text(400, "Invalid version " + request.path_value("version"));
}

using SlateChange = operations::Result<void>(store::Database&, const model::Caller&,
                                             const store::ResourceShelf&, const std::string&, int);

Response change_slate(const Request& request, const Visitor& visitor, App& app, PluginKind kind,
                      SlateChange& change) {
    const int version = version_of(request);
    if (version == 0) return invalid_version(request);
    return done_or_refused(change(app.database, visitor.who(), shelf_of(request, visitor, kind),
                                  request.path_value("name"), version));
}

/// Types of plugins belong to the installation.
void audit_deletion(store::Connection& connection, const model::Caller& caller, PluginKind kind,
                    const std::string& plugin, const std::string& version) {
    operations::audit(
        connection, caller,
        {.action = "plugin-type.delete",
         .object = {.kind = base::to_word(kind) + "-type", .id = version, .name = plugin},
         .chain = model::TenantId{}});
}

/// The versions that pass the filter. Otherwise nothing, and `refusal` holds the answer.
std::optional<Versions> filtered(const Request& request, const Visitor& visitor, App& app,
                                 PluginKind kind, const std::string& name, Response& refusal) {
    const auto status = status_filter(request);
    if (!status) {
        refusal = http::text(400, "invalid status filter.");
        return std::nullopt;
    }
    const auto all =
        operations::list_resources(app.database, shelf_of(request, visitor, kind), name);
    if (all) return only(*all, *status);
    refusal = refused(all.error());
    return std::nullopt;
}

/// The answer if {resourcetype} is a version number of the plugin type; nothing otherwise. For an
/// unknown version an administrator gets the text for unknown resource types from the caller of
/// this function.
std::optional<Response> type_version(const Request& request, const Visitor& visitor, App& app,
                                     PluginKind kind) {
    const auto version = base::parse_number(request.path_value("resourcetype"));
    if (!version) return std::nullopt;
    const auto type = find_type(app, kind, request.path_value("plugin"));
    if (type && type->header.version == *version) return http::json(200, model::to_json(*type));
    if (auth::satisfies(visitor, auth::Need::admin, false)) return std::nullopt;
    return no_plugin_type(kind, request.path_value("plugin"));
}

/// The 404 for an unknown plugin or resource type; nothing if the plugin has that resource type.
std::optional<Response> no_resource_type(const Request& request, const Visitor& visitor, App& app,
                                         PluginKind kind) {
    const auto all = operations::list_resources(app.database, shelf_of(request, visitor, kind), "");
    if (all) return std::nullopt;
    return refused(all.error());
}

}  // namespace

template <PluginKind kind>
Response Plugins<kind>::list(const Request& request, const Visitor&, App& app) {
    const auto types = app.database.read(
        [](store::Connection& connection) { return store::list_plugin_types(connection, kind); });
    Json array = Json::array();
    for (const model::PluginType& type : types) array.push_back(model::to_json(type));
    return listed(request, array, "name");
}

template <PluginKind kind>
Response Plugins<kind>::show(const Request& request, const Visitor&, App& app) {
    const auto type = find_type(app, kind, request.path_value("plugin"));
    return type ? http::json(200, model::to_json(*type))
                : no_plugin_type(kind, request.path_value("plugin"));
}

template <PluginKind kind>
Response Plugins<kind>::remove(const Request& request, const Visitor& visitor, App& app) {
    app.database.write([&](store::Connection& connection) {
        store::delete_plugin_type(connection, kind, request.path_value("plugin"), std::nullopt);
        audit_deletion(connection, visitor.who(), kind, request.path_value("plugin"), "");
    });
    return http::empty(200);
}

template <PluginKind kind>
Response Plugins<kind>::remove_version(const Request& request, const Visitor& visitor, App& app) {
    const auto version = base::parse_number(request.path_value("resourcetype"));
    if (!version) {
        auto unknown = no_resource_type(request, visitor, app, kind);
        return unknown ? *std::move(unknown) : http::text(400, "Version must be a number");
    }
    app.database.write([&](store::Connection& connection) {
        store::delete_plugin_type(connection, kind, request.path_value("plugin"), *version);
        audit_deletion(connection, visitor.who(), kind, request.path_value("plugin"),
                       std::to_string(*version));
    });
    return http::empty(200);
}

template <PluginKind kind>
Response Plugins<kind>::list_resources(const Request& request, const Visitor& visitor, App& app) {
    if (auto version = type_version(request, visitor, app, kind)) return *std::move(version);
    if (!auth::satisfies(visitor, auth::Need::admin, false)) {
        return auth::refusal(request, visitor, auth::Need::admin);
    }
    Response refusal;
    const auto versions = filtered(request, visitor, app, kind, "", refusal);
    if (!versions) return refusal;
    Json by_name = Json::object();
    for (const auto& version : *versions) by_name[version.name].push_back(to_json(version));
    return http::json(200, by_name);
}

template <PluginKind kind>
Response Plugins<kind>::list_versions(const Request& request, const Visitor& visitor, App& app) {
    Response refusal;
    const auto versions =
        filtered(request, visitor, app, kind, request.path_value("name"), refusal);
    if (!versions) return refusal;
    Json array = Json::array();
    for (const auto& version : *versions) array.push_back(to_json(version));
    return http::json(200, array);
}

template <PluginKind kind>
Response Plugins<kind>::upload(const Request& request, const Visitor& visitor, App& app) {
    if (request.incoming_size > app.largest_upload) {
        return http::text(413, "The file is larger than " + std::to_string(app.largest_upload) +
                                   " bytes (resources.largest).");
    }
    const auto version = operations::upload_resource(
        app.database, app.contents, visitor.who(), shelf_of(request, visitor, kind),
        request.path_value("name"), *request.incoming, request.incoming_size, app.clock.now());
    return version ? http::json(200, to_json(*version)) : refused(version.error());
}

template <PluginKind kind>
Response Plugins<kind>::remove_resource(const Request& request, const Visitor& visitor, App& app) {
    return done_or_refused(operations::delete_resource(app.database, visitor.who(),
                                                       shelf_of(request, visitor, kind),
                                                       request.path_value("name"), std::nullopt));
}

template <PluginKind kind>
Response Plugins<kind>::remove_resource_version(const Request& request, const Visitor& visitor,
                                                App& app) {
    const int version = version_of(request);
    if (version == 0) return invalid_version(request);
    return done_or_refused(operations::delete_resource(app.database, visitor.who(),
                                                       shelf_of(request, visitor, kind),
                                                       request.path_value("name"), version));
}

template <PluginKind kind>
Response Plugins<kind>::stage(const Request& request, const Visitor& visitor, App& app) {
    return change_slate(request, visitor, app, kind, operations::stage_resource);
}

template <PluginKind kind>
Response Plugins<kind>::recall(const Request& request, const Visitor& visitor, App& app) {
    return change_slate(request, visitor, app, kind, operations::recall_resource);
}

template struct Plugins<PluginKind::provider>;
template struct Plugins<PluginKind::automator>;

Response sync_resources(const Request&, const Visitor& visitor, App& app) {
    operations::sync_resources(app.database, visitor.who());
    return http::empty(200);
}

}  // namespace fcgi::api
