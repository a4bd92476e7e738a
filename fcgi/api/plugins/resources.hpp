#pragma once

#include "fcgi/app.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"

namespace fcgi::api {

/// The calls below /v2/plugins/{providertypes|automatortypes}, which differ only in their kind.
///
/// Daemons write the plugin types when they start. The files of a plugin ("resources") belong to a
/// tenant and have versions. `stage` and `recall` mark versions; sync_resources makes the marks
/// effective, so that nodes get the staged versions.
template <provisioner::model::PluginKind kind>
struct Plugins {
    /// GET: the plugin types of all daemons, the same for every tenant.
    static http::Response list(const http::Request&, const auth::Visitor&, App&);
    /// GET {plugin}: one plugin type with its fields and resource types.
    static http::Response show(const http::Request&, const auth::Visitor&, App&);
    /// DELETE {plugin}: deletes the plugin type; 200 also if there is none. A daemon that offers it
    /// writes it again at its start.
    static http::Response remove(const http::Request&, const auth::Visitor&, App&);
    /// DELETE {plugin}/{resourcetype}: {resourcetype} is a version number here. Deletes the plugin
    /// type if it has that version.
    static http::Response remove_version(const http::Request&, const auth::Visitor&, App&);

    /// GET {plugin}/{resourcetype}: file name -> versions, for administrators. If {resourcetype} is
    /// a number, any user gets that version of the plugin type instead. `status` filters by active,
    /// recalled, staged or inactive.
    static http::Response list_resources(const http::Request&, const auth::Visitor&, App&);
    /// GET {plugin}/{resourcetype}/{name}: the versions of one file, with the same filter.
    static http::Response list_versions(const http::Request&, const auth::Visitor&, App&);
    /// POST {plugin}/{resourcetype}/{name}: the body is the file. It is stored as it comes in, so
    /// no process holds the whole file. 413 above App::largest_upload. The new version is inactive
    /// until it is staged and synced.
    static http::Response upload(const http::Request&, const auth::Visitor&, App&);
    /// DELETE {plugin}/{resourcetype}/{name}: all versions; 409 unless all are inactive.
    static http::Response remove_resource(const http::Request&, const auth::Visitor&, App&);
    /// DELETE {plugin}/{resourcetype}/{name}/versions/{version}: 409 unless it is inactive.
    static http::Response remove_resource_version(const http::Request&, const auth::Visitor&, App&);
    /// POST {plugin}/{resourcetype}/{name}/versions/{version}/stage: nodes get this version after
    /// the next sync.
    static http::Response stage(const http::Request&, const auth::Visitor&, App&);
    /// POST {plugin}/{resourcetype}/{name}/versions/{version}/recall: nodes no longer get it after
    /// the next sync.
    static http::Response recall(const http::Request&, const auth::Visitor&, App&);
};

/// Instantiated in resources.cpp.
extern template struct Plugins<provisioner::model::PluginKind::provider>;
extern template struct Plugins<provisioner::model::PluginKind::automator>;

/// POST /v2/plugins/sync: makes staged versions of the caller's tenant active and recalled ones
/// inactive.
http::Response sync_resources(const http::Request&, const auth::Visitor&, App&);

}  // namespace fcgi::api
