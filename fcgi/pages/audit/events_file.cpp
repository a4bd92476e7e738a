#include "fcgi/api/audit/events.hpp"
#include "fcgi/pages/audit/events.hpp"
#include "fcgi/pages/audit/name_parts.hpp"

namespace fcgi::pages {

namespace audit = provisioner::model::audit;
namespace store = provisioner::store;

http::Response download_audit(const http::Request& request, const auth::Visitor& visitor,
                              App& app) {
    auto query = audit_query_with_refusals(request, app.database.vault());
    // The page says what is wrong.
    if (!query) return list_audit(request, visitor, app);
    std::optional<api::AuditTenants> tenants;
    const auto events = app.database.read(
        [&](store::Connection& connection) -> std::optional<std::vector<audit::Event>> {
            const auto chain = forms::audit_chain(connection, visitor.who(), *query);
            if (!chain.everywhere && !chain.chain) return std::nullopt;
            auto filter = query->filter;
            filter.chain = chain.chain.value_or(provisioner::model::TenantId{});
            const bool has_parts = has_name_parts(request);
            if (has_parts && !find_name_parts(connection, chain.chain, filter).empty()) {
                return std::nullopt;
            }
            if (!chain.everywhere) {
                return store::list_events(connection, filter, 0, audit_events_in_file);
            }
            tenants = api::tenants_by_chain(connection);
            return store::list_events_of_all(connection, filter, std::nullopt,
                                             audit_events_in_file);
        });
    return events ? api::events_as_csv(*events, tenants) : list_audit(request, visitor, app);
}

}  // namespace fcgi::pages
