#include "provisioner/operations/audit.hpp"

#include <algorithm>

#include "provisioner/store/audit/audit_store.hpp"

namespace provisioner::operations {

namespace {

std::string document(const base::Json& json, const base::Json& other) {
    return json.is_null() ? "" : base::to_text(model::audit::masked_deeply(json, other));
}

model::audit::Event event_of(model::audit::Actor actor, model::TenantId chain, Act act) {
    model::audit::Event event;
    event.chain = chain;
    event.actor = std::move(actor);
    event.action = std::move(act.action);
    event.object = std::move(act.object);
    event.before = document(act.before, {});
    event.after = document(act.after, act.before);
    event.reason = std::move(act.reason);
    return event;
}

}  // namespace

void audit(store::Connection& connection, const model::Caller& caller, Act act) {
    std::vector<Act> acts;
    acts.push_back(std::move(act));
    audit_all(connection, caller, std::move(acts));
}

void audit_as(store::Connection& connection, model::audit::Actor actor, Act act) {
    const model::TenantId chain = act.chain.value();
    store::record(connection, {event_of(std::move(actor), chain, std::move(act))});
}

void audit_own(store::Connection& connection, Act act) {
    audit_as(connection, model::audit::provisioner(), std::move(act));
}

void audit_all(store::Connection& connection, const model::Caller& caller, std::vector<Act> acts) {
    if (caller.must_prove) throw ProofNeeded();
    // The daemon acts as a caller without an id, too.
    const auto actor =
        caller.user.id.value == 0 ? model::audit::provisioner() : model::audit::actor_of(caller);
    std::vector<model::audit::Event> events;
    for (Act& act : acts) {
        const model::TenantId chain = act.chain.value_or(caller.tenant.id);
        events.push_back(event_of(actor, chain, std::move(act)));
    }
    store::record(connection, std::move(events));
}

std::vector<Act> in_chain_of_tenant_too(Act act, const model::Tenant& tenant) {
    Act in_tenant = act;
    in_tenant.chain = tenant.id;
    return {std::move(act), std::move(in_tenant)};
}

const char* action_of_access(const model::User& before, const model::User& after) {
    const bool is_same_role = before.role == after.role;
    if (!is_same_role && before.disabled != after.disabled) return "user.change-access";
    if (!is_same_role) return "user.change-role";
    return after.disabled ? "user.lock" : "user.unlock";
}

void audit_user(store::Connection& connection, const model::Caller& caller, const char* action,
                const model::User& user, const base::Json& before, const base::Json& after) {
    audit(connection, caller,
          {.action = action,
           .object = {.kind = "user", .id = std::to_string(user.id.value), .name = user.name},
           .before = before,
           .after = after,
           .chain = user.tenant});
}

base::Json audited(const model::User& user) {
    return {{"role", base::to_word(user.role)},
            {"locked", user.disabled},
            {"mayLogIn", !user.password_hash.empty()}};
}

model::audit::Object object_of(const model::Cluster& cluster) {
    return {.kind = "cluster", .id = model::wire_id(cluster.id), .name = cluster.name};
}

std::string audited(model::Operation operation) {
    std::string word = base::to_word(operation);
    constexpr std::string_view noun = "cluster_";
    if (word.starts_with(noun)) word.erase(0, noun.size());
    std::replace(word.begin(), word.end(), '_', '-');
    return "cluster." + word;
}

base::Json audited(const model::Cluster& cluster) {
    return {{"name", cluster.name},
            {"owner", cluster.owner},
            {"template", cluster.snapshot.cluster_template.header.name},
            {"provider", cluster.snapshot.provider.header.name},
            {"services", cluster.services},
            {"nodes", cluster.node_count},
            {"expiresAt",
             cluster.expires_at ? base::Json(base::to_sql(*cluster.expires_at)) : base::Json()},
            {"status", base::to_word(cluster.status)}};
}

}  // namespace provisioner::operations
