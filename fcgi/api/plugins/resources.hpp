#pragma once

#include "fcgi/app.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"

namespace fcgi::api {

/// The calls below /v2/plugins/{providertypes|automatortypes}, which differ in their kind only.
template <provisioner::model::PluginKind kind>
struct Plugins {
    /// GET: what daemons offer.
    static http::Response list(const http::Request&, const auth::Visitor&, App&);
    /// GET {plugin}
    static http::Response show(const http::Request&, const auth::Visitor&, App&);
    /// DELETE {plugin}
    static http::Response remove(const http::Request&, const auth::Visitor&, App&);
    /// DELETE {plugin}/{resourcetype}: one version of the plugin type.
    static http::Response remove_version(const http::Request&, const auth::Visitor&, App&);

    /// GET {plugin}/{resourcetype}: the files by name; with a number in the place of a resource
    /// type, that version of the plugin type. Files are the business of administrators.
    static http::Response list_resources(const http::Request&, const auth::Visitor&, App&);
    /// GET {plugin}/{resourcetype}/{name}
    static http::Response list_versions(const http::Request&, const auth::Visitor&, App&);
    /// POST {plugin}/{resourcetype}/{name}: the body is the file, stored as it comes in.
    static http::Response upload(const http::Request&, const auth::Visitor&, App&);
    /// DELETE {plugin}/{resourcetype}/{name}
    static http::Response remove_resource(const http::Request&, const auth::Visitor&, App&);
    /// DELETE {plugin}/{resourcetype}/{name}/versions/{version}
    static http::Response remove_resource_version(const http::Request&, const auth::Visitor&, App&);
    /// POST {plugin}/{resourcetype}/{name}/versions/{version}/stage
    static http::Response stage(const http::Request&, const auth::Visitor&, App&);
    /// POST {plugin}/{resourcetype}/{name}/versions/{version}/recall
    static http::Response recall(const http::Request&, const auth::Visitor&, App&);
};

extern template struct Plugins<provisioner::model::PluginKind::provider>;
extern template struct Plugins<provisioner::model::PluginKind::automator>;

/// POST /v2/plugins/sync
http::Response sync_resources(const http::Request&, const auth::Visitor&, App&);

}  // namespace fcgi::api
