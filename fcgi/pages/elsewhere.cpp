#include "fcgi/pages/elsewhere.hpp"

#include "fcgi/pages/frame.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/overview/search_store.hpp"

namespace fcgi::pages {

using provisioner::messages::translated;
namespace store = provisioner::store;

http::Response no_such_cluster(const http::Request& request, const auth::Visitor& visitor, App& app,
                               provisioner::model::ClusterId cluster, const std::string& what) {
    const std::string tenant = app.database.read([&](store::Connection& connection) {
        return store::tenant_of(connection, visitor.who(), cluster);
    });
    if (tenant.empty() || tenant == visitor.who().tenant.name || request.method != "GET") {
        return nothing_there(what);
    }
    return error_page(
        app, visitor, 404,
        {.heading = translated("This cluster belongs to another tenant"),
         .text = translated("It is a cluster of {0}. View that tenant to see it; the view is "
                            "recorded.",
                            tenant),
         .ways = {{"/search", translated("Search")}},
         .form = ErrorPage::Form{.action = "/viewing/open",
                                 .next = request.here(),
                                 .button = translated("View {0}", tenant)}});
}

}  // namespace fcgi::pages
