#include "fcgi/api/machines/leases.hpp"

#include "fcgi/api/paging.hpp"
#include "fcgi/api/refusals.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/operations/machines/leases.hpp"
#include "provisioner/store/machines/lease_store.hpp"

namespace fcgi::api {

using provisioner::base::Json;
using provisioner::base::to_millis;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

constexpr int every_lease = 10'000'000;

}  // namespace

Json machine_leases_json(const std::vector<model::MachineLease>& leases) {
    Json list = Json::array();
    for (const model::MachineLease& lease : leases) {
        list.push_back({{"id", lease.id.value},
                        {"machine", lease.machine},
                        {"address", provisioner::base::text_at(lease.listed, "address")},
                        {"state", provisioner::base::to_word(lease.state)},
                        {"reason", lease.reason},
                        {"node", lease.node},
                        {"clusterId", lease.cluster},
                        {"provider", lease.provider},
                        {"providerType", lease.provider_type},
                        {"tenant", lease.tenant_name},
                        {"leasedAt", to_millis(lease.leased_at)},
                        {"changedAt", to_millis(lease.changed_at)}});
    }
    return list;
}

http::Response list_machine_leases(const http::Request& request, const auth::Visitor& visitor,
                                   App& app) {
    const auto page = page_in(request);
    if (!page) return http::text(400, page.error());
    const auto after = provisioner::base::parse_number(page->after.empty() ? "0" : page->after);
    if (!after) return unknown_cursor();
    const int limit = page->limit == 0 ? every_lease : page->limit;
    const auto leases = app.database.look([&](store::Connection& connection) {
        return store::list_leases(connection, visitor.who().tenant_in_charge(), *after, limit);
    });
    auto response = http::json(200, machine_leases_json(leases));
    if (std::ssize(leases) < limit) return response;
    return http::with_header(std::move(response), "Link",
                             next_link(request, std::to_string(leases.back().id.value)));
}

http::Response release_machine(const http::Request& request, const auth::Visitor& visitor,
                               App& app) {
    const std::string& text = request.path_value("id");
    const auto id = provisioner::base::parse_number(text);
    if (!id) return http::text(404, "there is no lease " + text);
    return done_or_refused(
        operations::release_lease(app.database, visitor.who(), model::MachineLeaseId{*id}));
}

}  // namespace fcgi::api
