#include "provisioner/operations/tenants/viewing.hpp"

#include "provisioner/operations/audit.hpp"
#include "provisioner/store/sign_in/session_store.hpp"

namespace provisioner::operations {

namespace {

/// The same in both chains.
std::vector<Act> acts_of_view(const char* action, const model::Tenant& viewed) {
    return in_chain_of_tenant_too(
        {.action = action, .object = {.kind = "tenant", .id = viewed.uid, .name = viewed.name}},
        viewed);
}

}  // namespace

bool is_viewing(store::Database& database, const model::OpenSession& session,
                const model::Tenant& viewed) {
    return database.read([&](store::Connection& connection) {
        return store::find_view(connection, session.session.id, viewed.id).has_value();
    });
}

void note_view(store::Database& database, const model::OpenSession& session,
               const model::Tenant& viewed, const std::string& came_from) {
    const model::SessionId id = session.session.id;
    const auto noted = database.read(
        [&](store::Connection& connection) { return store::find_view(connection, id, viewed.id); });
    if (noted && (came_from.empty() || came_from == *noted)) return;
    database.write([&](store::Connection& connection) {
        if (!store::save_view(connection, id, viewed.id, came_from)) return;
        audit_all(connection, session.caller, acts_of_view("tenant.view", viewed));
    });
}

std::string end_view(store::Database& database, const model::OpenSession& session,
                     const model::Tenant& viewed) {
    return database.write([&](store::Connection& connection) {
        const auto noted = store::find_view(connection, session.session.id, viewed.id);
        if (!store::delete_view(connection, session.session.id, viewed.id)) return std::string();
        audit_all(connection, session.caller, acts_of_view("tenant.leave", viewed));
        return noted.value_or("");
    });
}

}  // namespace provisioner::operations
