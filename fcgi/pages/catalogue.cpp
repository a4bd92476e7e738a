#include "fcgi/pages/catalogue.hpp"

#include "fcgi/pages/catalogue_page.hpp"
#include "fcgi/pages/frame.hpp"
#include "provisioner/store/catalogue_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
namespace store = provisioner::store;

Response list_entries(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto kind = catalogue_kind(request.path_value("kind"));
    if (!kind) return nothing_there(app, visitor, "part of the catalogue");

    auto entries = app.database.read([&](store::Connection& c) {
        return store::list_entries(c, visitor.who().tenant.id, *kind);
    });
    return drawn(app, visitor, 200, "catalogue/index",
                 {.title = plural_title(*kind), .section = "catalogue"},
                 to_json(CataloguePage{*kind, std::move(entries)}));
}

Response show_entry(const Request& request, const auth::Visitor& visitor, App& app) {
    const auto kind = catalogue_kind(request.path_value("kind"));
    if (!kind) return nothing_there(app, visitor, "part of the catalogue");

    const auto& name = request.path_value("name");
    const auto entry = app.database.read([&](store::Connection& c) {
        return store::find_entry(c, visitor.who().tenant.id, *kind, name);
    });
    if (!entry) return nothing_there(app, visitor, "entry");
    return drawn(app, visitor, 200, "catalogue/show", {.title = name, .section = "catalogue"},
                 to_json(EntryPage{*kind, *entry}));
}

}  // namespace fcgi::pages
