#include "fcgi/api/catalogue/entries.hpp"

#include <charconv>

#include "fcgi/api/paging.hpp"
#include "fcgi/api/refusals.hpp"
#include "fcgi/api/wire.hpp"
#include "fcgi/http/json_body.hpp"
#include "provisioner/model/plugins/sealed.hpp"
#include "provisioner/operations/catalogue/edit.hpp"
#include "provisioner/store/access/permission_store.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"

namespace fcgi::api {

using auth::Visitor;
using http::Request;
using http::Response;
using provisioner::base::expected;
using provisioner::base::Json;
using provisioner::base::unexpected;
using provisioner::model::CatalogueKind;

namespace {

namespace operations = provisioner::operations;
namespace model = provisioner::model;
namespace store = provisioner::store;

Response found_or_404(App& app, const Visitor& visitor, CatalogueKind kind, const std::string& name,
                      std::optional<int> version) {
    const auto entry = app.database.read([&](store::Connection& connection) -> std::optional<Json> {
        const auto withheld = store::withheld_from(connection, visitor.who());
        if (withheld.contains(kind, name)) return std::nullopt;
        return store::find_entry(connection, visitor.who().tenant.id, kind, name, version);
    });
    if (entry) {
        return http::json(
            200, in_wire_order(model::readable_by(visitor.who(), model::shown_entry(*entry))));
    }
    // The wire contract has two blanks here.
    return http::text(404, operations::said(kind) + ' ' + name + "  not found.");
}

/// The entry of a request body, or the answer that says what is wrong with it.
expected<Json, Response> entry_in(CatalogueKind kind, const std::string& body) {
    auto json = http::read_json(body);
    if (!json || !json->is_object()) return unexpected(http::text(400, "invalid input"));
    const auto entry = operations::canonical_entry(kind, *json);
    if (!entry) return unexpected(invalid_input(entry.error()));
    return *std::move(json);
}

}  // namespace

expected<int, Response> version_in(const std::string& text) {
    int version = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
    if (error != std::errc{} || end != text.data() + text.size()) {
        return unexpected(http::text(400, "Version must be a number"));
    }
    if (version < 1) return unexpected(http::text(400, "Version must be higher then zero"));
    return version;
}

template <CatalogueKind kind>
Response Catalogue<kind>::list(const Request& request, const Visitor& visitor, App& app) {
    Json array = Json::array();
    app.database.read([&](store::Connection& connection) {
        array = Json::array();
        const auto withheld = store::withheld_from(connection, visitor.who());
        for (const Json& entry : store::list_entries(connection, visitor.who().tenant.id, kind)) {
            if (withheld.contains(kind, provisioner::base::text_at(entry, "name"))) continue;
            array.push_back(
                in_wire_order(model::readable_by(visitor.who(), model::shown_entry(entry))));
        }
    });
    return listed(request, array, "name");
}

template <CatalogueKind kind>
Response Catalogue<kind>::show(const Request& request, const Visitor& visitor, App& app) {
    return found_or_404(app, visitor, kind, request.path_value("name"), std::nullopt);
}

template <CatalogueKind kind>
Response Catalogue<kind>::show_version(const Request& request, const Visitor& visitor, App& app) {
    const auto version = version_in(request.path_value("version"));
    if (!version) return version.error();
    return found_or_404(app, visitor, kind, request.path_value("name"), *version);
}

template <CatalogueKind kind>
Response Catalogue<kind>::create(const Request& request, const Visitor& visitor, App& app) {
    const auto entry = entry_in(kind, request.body);
    if (!entry) return entry.error();
    const auto version =
        operations::create_entry(app.database, visitor.who(), kind, *entry, app.clock.now());
    return version ? http::empty(200) : refused(version.error());
}

template <CatalogueKind kind>
Response Catalogue<kind>::replace(const Request& request, const Visitor& visitor, App& app) {
    const auto entry = entry_in(kind, request.body);
    if (!entry) return entry.error();
    const auto version = operations::replace_entry(
        app.database, visitor.who(), kind, request.path_value("name"), *entry, app.clock.now());
    return version ? http::empty(200) : refused(version.error());
}

template <CatalogueKind kind>
Response Catalogue<kind>::remove(const Request& request, const Visitor& visitor, App& app) {
    operations::delete_entry(app.database, visitor.who(), kind, request.path_value("name"),
                             std::nullopt);
    return http::empty(200);
}

template <CatalogueKind kind>
Response Catalogue<kind>::remove_version(const Request& request, const Visitor& visitor, App& app) {
    const auto version = version_in(request.path_value("version"));
    if (!version) return version.error();
    operations::delete_entry(app.database, visitor.who(), kind, request.path_value("name"),
                             *version);
    return http::empty(200);
}

template struct Catalogue<CatalogueKind::provider>;
template struct Catalogue<CatalogueKind::hardware_type>;
template struct Catalogue<CatalogueKind::image_type>;
template struct Catalogue<CatalogueKind::service>;
template struct Catalogue<CatalogueKind::cluster_template>;
template struct Catalogue<CatalogueKind::partial_template>;

}  // namespace fcgi::api
