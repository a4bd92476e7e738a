#include "provisioner/operations/tenants/viewing.hpp"

#include "provisioner/operations/audit.hpp"
#include "provisioner/store/sign_in/session_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

/// The same in both chains.
std::vector<Act> acts_of_view(const char* action, const model::Tenant& viewed) {
    return in_chain_of_tenant_too(
        {.action = action, .object = {.kind = "tenant", .id = viewed.uid, .name = viewed.name}},
        viewed);
}

}  // namespace

Result<void> begin_view(store::Database& database, const model::OpenSession& session,
                        const std::string& tenant) {
    if (!session.caller.is_superadmin()) {
        return refuse(Refusal::Kind::forbidden, "", "Only superadmins view tenants.");
    }
    if (tenant == session.caller.tenant.name) {
        return refuse(Refusal::Kind::invalid, "", "This is your own tenant.");
    }
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto viewed = store::find_tenant(connection, tenant);
        if (!viewed) {
            return refuse(Refusal::Kind::not_found, "", "There is no tenant " + tenant + ".");
        }
        store::set_viewed(connection, session.session.id, viewed->id);
        audit_all(connection, session.caller, acts_of_view("tenant.view", *viewed));
        return {};
    });
}

void end_view(store::Database& database, const model::OpenSession& session,
              const model::Tenant& viewed) {
    database.write([&](store::Connection& connection) {
        store::set_viewed(connection, session.session.id, {});
        audit_all(connection, session.caller, acts_of_view("tenant.leave", viewed));
    });
}

}  // namespace provisioner::operations
