#pragma once

#include <string>

#include "fcgi/app.hpp"
#include "provisioner/base/expected.hpp"
#include "provisioner/model/catalogue/entity.hpp"

namespace fcgi::api {

/// The calls of the six catalogue collections, which differ in their kind only.
template <provisioner::model::CatalogueKind kind>
struct Catalogue {
    /// GET /v2/{collection}: the newest version of every entry.
    static http::Response list(const http::Request&, const auth::Visitor&, App&);
    /// GET /v2/{collection}/{name}
    static http::Response show(const http::Request&, const auth::Visitor&, App&);
    /// GET /v2/{collection}/{name}/{version}
    static http::Response show_version(const http::Request&, const auth::Visitor&, App&);
    /// POST /v2/{collection}
    static http::Response create(const http::Request&, const auth::Visitor&, App&);
    /// PUT /v2/{collection}/{name}
    static http::Response replace(const http::Request&, const auth::Visitor&, App&);
    /// DELETE /v2/{collection}/{name}
    static http::Response remove(const http::Request&, const auth::Visitor&, App&);
    /// DELETE /v2/{collection}/{name}/{version}
    static http::Response remove_version(const http::Request&, const auth::Visitor&, App&);
};

extern template struct Catalogue<provisioner::model::CatalogueKind::provider>;
extern template struct Catalogue<provisioner::model::CatalogueKind::hardware_type>;
extern template struct Catalogue<provisioner::model::CatalogueKind::image_type>;
extern template struct Catalogue<provisioner::model::CatalogueKind::service>;
extern template struct Catalogue<provisioner::model::CatalogueKind::cluster_template>;
extern template struct Catalogue<provisioner::model::CatalogueKind::partial_template>;

/// A version in a path: a number from 1, or the wire contract's answer why it is none.
provisioner::base::expected<int, http::Response> version_in(const std::string& text);

}  // namespace fcgi::api
