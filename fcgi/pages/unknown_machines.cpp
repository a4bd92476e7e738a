#include "fcgi/pages/unknown_machines.hpp"

#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/unknown_machines_page.hpp"
#include "provisioner/store/account_store.hpp"
#include "provisioner/store/unknown_machine_store.hpp"

namespace fcgi::pages {

http::Response list_unknown_machines(const http::Request&, const auth::Visitor& visitor, App& app) {
    namespace store = provisioner::store;
    UnknownMachinesPage page{.now = app.clock.now()};
    const auto tenant = visitor.who().tenant_in_charge();
    app.database.read([&](store::Connection& connection) {
        page.accounts = store::accounts_of(connection, tenant);
        page.machines =
            store::list_unknown_machines(connection, tenant, 0, UnknownMachinesPage::most_machines);
        page.count = store::count_unknown_machines(connection, tenant);
    });
    return drawn(app, visitor, 200, "unknown_machines/index",
                 {.title = "Unknown machines",
                  .section = "unknown_machines",
                  .script = "cluster.js",
                  .refresh = std::chrono::seconds{30}},
                 to_json(page));
}

}  // namespace fcgi::pages
