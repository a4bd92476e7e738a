#include "fcgi/pages/daemons.hpp"

#include "fcgi/pages/daemons_page.hpp"
#include "fcgi/pages/frame.hpp"

namespace fcgi::pages {

http::Response list_daemons(const http::Request&, const auth::Visitor& visitor, App& app) {
    namespace store = provisioner::store;
    DaemonsPage page{.now = app.clock.now()};
    page.daemons = app.database.read(
        [](store::Connection& connection) { return store::list_daemons(connection); });
    return drawn(app, visitor, 200, "daemons/index",
                 {.title = "Daemons",
                  .section = "daemons",
                  .script = "cluster.js",
                  .refresh = std::chrono::seconds{5}},
                 to_json(page));
}

}  // namespace fcgi::pages
