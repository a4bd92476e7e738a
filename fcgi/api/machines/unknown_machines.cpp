#include "fcgi/api/machines/unknown_machines.hpp"

#include "fcgi/api/costs.hpp"
#include "fcgi/api/paging.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/operations/machines/unknown_machines.hpp"
#include "provisioner/store/machines/account_store.hpp"
#include "provisioner/store/machines/sighting_store.hpp"
#include "provisioner/store/machines/unknown_machine_store.hpp"

namespace fcgi::api {

using provisioner::base::Json;
using provisioner::base::to_millis;
namespace model = provisioner::model;
namespace store = provisioner::store;

namespace {

constexpr int all_of_them = 10'000'000;
constexpr int most_lost = 10'000;

}  // namespace

Json unknown_machines_json(const std::vector<model::UnknownMachine>& machines) {
    Json list = Json::array();
    for (const model::UnknownMachine& machine : machines) {
        list.push_back({{"id", machine.id},
                        {"machine", machine.machine},
                        {"name", machine.name},
                        {"addresses", machine.addresses},
                        {"provider", machine.account.provider},
                        {"providerType", machine.account.provider_type},
                        {"account", machine.account.name},
                        {"tenant", machine.tenant_name},
                        {"firstSeen", to_millis(machine.first_seen)},
                        {"lastSeen", to_millis(machine.last_seen)}});
        if (!machine.part.empty()) list.back()["part"] = machine.part;
        if (machine.size_gb > 0) list.back()["sizeGb"] = machine.size_gb;
        if (!machine.kind.flavor.empty()) list.back()["flavor"] = machine.kind.flavor;
        if (machine.cost) list.back()["cost"] = to_json(*machine.cost);
    }
    return list;
}

Json provider_accounts_json(const std::vector<model::ProviderAccount>& accounts) {
    Json list = Json::array();
    for (const model::ProviderAccount& account : accounts) {
        list.push_back({{"id", account.id.value},
                        {"name", account.name},
                        {"provider", account.provider},
                        {"providerType", account.provider_type},
                        {"tenant", account.tenant_name},
                        {"lookedAt", account.looked_at ? to_millis(*account.looked_at) : 0},
                        {"failures", account.failures},
                        {"error", account.error}});
    }
    return list;
}

Json lost_machines_json(const std::vector<model::LostMachine>& machines) {
    Json list = Json::array();
    for (const model::LostMachine& machine : machines) {
        list.push_back({{"node", machine.uuid},
                        {"number", machine.nodenum},
                        {"clusterId", model::wire_id(machine.cluster)},
                        {"tenant", machine.tenant_name},
                        {"hostname", machine.hostname},
                        {"machine", machine.machine},
                        {"missingSince", to_millis(machine.missing_since)},
                        {"mayBeReclaimed", machine.may_be_reclaimed}});
    }
    return list;
}

http::Response list_lost_machines(const http::Request& request, const auth::Visitor& visitor,
                                  App& app) {
    const auto machines = app.database.read([&](store::Connection& connection) {
        return store::list_lost_machines(connection, visitor.who().tenant_in_charge(), {},
                                         most_lost);
    });
    return listed(request, lost_machines_json(machines), "node");
}

http::Response list_unknown_machines(const http::Request& request, const auth::Visitor& visitor,
                                     App& app) {
    const auto page = page_in(request);
    if (!page) return http::text(400, page.error());
    const auto after = provisioner::base::parse_number(page->after.empty() ? "0" : page->after);
    if (!after) return unknown_cursor();
    const int limit = page->limit == 0 ? all_of_them : page->limit;
    const auto machines = app.database.read([&](store::Connection& connection) {
        auto list = store::list_unknown_machines(connection, visitor.who().tenant_in_charge(),
                                                 *after, limit);
        provisioner::operations::add_costs(connection, list, app.clock.now());
        return list;
    });
    auto response = http::json(200, unknown_machines_json(machines));
    if (std::ssize(machines) < limit) return response;
    return http::with_header(std::move(response), "Link",
                             next_link(request, std::to_string(machines.back().id)));
}

http::Response list_provider_accounts(const http::Request& request, const auth::Visitor& visitor,
                                      App& app) {
    const auto accounts = app.database.read([&](store::Connection& connection) {
        return store::accounts_of(connection, visitor.who().tenant_in_charge());
    });
    return listed(request, provider_accounts_json(accounts), "id");
}

}  // namespace fcgi::api
