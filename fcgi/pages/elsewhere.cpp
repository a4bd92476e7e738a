#include "fcgi/pages/elsewhere.hpp"

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/frame.hpp"
#include "provisioner/operations/daemons/daemons.hpp"
#include "provisioner/store/overview/search_store.hpp"

namespace fcgi::pages {

namespace store = provisioner::store;

std::string in_view(const std::string& tenant, const std::string& path) {
    return "/view/" + http::percent_encode(tenant) + path;
}

http::Response no_such_cluster(const http::Request& request, const auth::Visitor& visitor, App& app,
                               provisioner::model::ClusterId cluster, const std::string& what) {
    const std::string tenant = app.database.read([&](store::Connection& connection) {
        return store::tenant_of(connection, visitor.who(), cluster);
    });
    if (tenant.empty() || tenant == visitor.who().tenant.name || request.method != "GET") {
        return nothing_there(what);
    }
    return http::see_other(in_view(tenant, request.here()));
}

std::string href_of_daemon(const std::string& instance) {
    return "/daemons#" + http::percent_encode(provisioner::operations::provisioner_id(instance));
}

}  // namespace fcgi::pages
