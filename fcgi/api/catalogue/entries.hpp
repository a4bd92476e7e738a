#pragma once

#include <string>

#include "fcgi/app.hpp"
#include "provisioner/base/expected.hpp"
#include "provisioner/model/catalogue/entity.hpp"

namespace fcgi::api {

/// The calls of the six catalogue collections, which differ only in their kind. Every caller sees
/// the catalogue of its own tenant, users without what is permitted to others only: to them such an
/// entry is not there. Each write of a name creates a new version, numbered from 1;
/// older versions stay readable.
template <provisioner::model::CatalogueKind kind>
struct Catalogue {
    /// GET /v2/{collection}: the newest version of every entry, by name. Secret provider fields are
    /// masked.
    static http::Response list(const http::Request&, const auth::Visitor&, App&);
    /// GET /v2/{collection}/{name}: the newest version.
    static http::Response show(const http::Request&, const auth::Visitor&, App&);
    /// GET /v2/{collection}/{name}/{version}
    static http::Response show_version(const http::Request&, const auth::Visitor&, App&);
    /// POST /v2/{collection}: the first version of a name; 409 if the name is taken.
    static http::Response create(const http::Request&, const auth::Visitor&, App&);
    /// PUT /v2/{collection}/{name}: the next version, or the first one. The entry's own name must
    /// equal `name`.
    static http::Response replace(const http::Request&, const auth::Visitor&, App&);
    /// DELETE /v2/{collection}/{name}: all versions. 200 also if there is none. Clusters keep their
    /// snapshot.
    static http::Response remove(const http::Request&, const auth::Visitor&, App&);
    /// DELETE /v2/{collection}/{name}/{version}: one version; the others keep their numbers.
    static http::Response remove_version(const http::Request&, const auth::Visitor&, App&);
};

/// Instantiated in entries.cpp, one for each kind.
extern template struct Catalogue<provisioner::model::CatalogueKind::provider>;
extern template struct Catalogue<provisioner::model::CatalogueKind::hardware_type>;
extern template struct Catalogue<provisioner::model::CatalogueKind::image_type>;
extern template struct Catalogue<provisioner::model::CatalogueKind::service>;
extern template struct Catalogue<provisioner::model::CatalogueKind::cluster_template>;
extern template struct Catalogue<provisioner::model::CatalogueKind::partial_template>;

/// The version number in a path, >= 1, or the wire contract's 400 that says what is wrong with it.
provisioner::base::expected<int, http::Response> version_in(const std::string& text);

}  // namespace fcgi::api
