#include "fcgi/pages/tenants/sign_in_audit.hpp"

#include "provisioner/base/utf8.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace fcgi::pages::sign_in {

namespace audit = provisioner::model::audit;
namespace store = provisioner::store;

namespace {

template <class Work>
void try_to_write(App& app, Work&& work) {
    try {
        app.database.write(work);
    } catch (const std::exception& error) {
        app.log.warn("audit.not_recorded", {{"events", 1}, {"error", error.what()}});
    }
}

}  // namespace

void record(App& app, const http::Request& request, const std::string& tenant,
            const std::string& user, bool is_in) {
    audit::Event event;
    event.action = is_in ? "sign-in" : "sign-in.refused";
    event.actor = {.name = provisioner::base::to_utf8(user),
                   .tenant = provisioner::base::to_utf8(tenant),
                   .credential = "password",
                   .client = request.client,
                   .request = request.id};
    event.object = {.kind = "user", .name = event.actor.name};
    if (!is_in) {
        event.outcome = audit::Outcome::refused;
        event.status = 422;
        event.reason = "User name, tenant and password do not fit together.";
    }
    try_to_write(app, [&](store::Connection& connection) {
        audit::Event known = event;
        if (const auto found = store::find_tenant(connection, event.actor.tenant)) {
            known.chain = found->id;
            const auto who = store::find_user(connection, found->id, event.actor.name);
            if (who) {
                known.actor.user = is_in ? who->id : provisioner::model::UserId{};
                known.actor.role = is_in ? provisioner::base::to_word(who->role) : "";
                known.object.id = std::to_string(who->id.value);
            }
        }
        store::record(connection, {known});
    });
}

void record_end(App& app, const auth::Visitor& visitor) {
    if (!visitor.caller) return;
    audit::Event event;
    event.action = "sign-out";
    event.chain = visitor.caller->tenant.id;
    event.actor = audit::actor_of(*visitor.caller);
    event.object = {.kind = "user",
                    .id = std::to_string(visitor.caller->user.id.value),
                    .name = visitor.caller->user.name};
    try_to_write(app, [&](store::Connection& connection) { store::record(connection, {event}); });
}

}  // namespace fcgi::pages::sign_in
