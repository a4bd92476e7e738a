#include "fcgi/auth/directory.hpp"

#include "provisioner/operations/sign_in/sign_in.hpp"
#include "provisioner/operations/sign_in/throttle.hpp"
#include "provisioner/operations/sign_in/viewing.hpp"
#include "provisioner/store/sign_in/external_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace fcgi::auth {

namespace model = provisioner::model;
namespace store = provisioner::store;

KeyLookup StoreDirectory::by_key(const std::string& tenant, const std::string& key_hash) {
    std::optional<store::KeyOwner> owner;
    KeyLookup found = database_.read([&](store::Connection& connection) {
        KeyLookup lookup;
        owner.reset();
        lookup.tenant = store::find_tenant(connection, tenant);
        if (!lookup.tenant || key_hash.empty()) return lookup;
        owner = store::find_key_owner(connection, key_hash, clock_.now());
        if (!owner) return lookup;
        lookup.owner = owner->user;
        lookup.limits = owner->limits;
        lookup.key = owner->key;
        return lookup;
    });
    if (owner) touch(owner->key, owner->last_used_at);
    return found;
}

void StoreDirectory::touch(std::int64_t key,
                           const std::optional<provisioner::base::Timestamp>& last_used_at) {
    const auto now = clock_.now();
    if (last_used_at && now - *last_used_at < rules_.touch()) return;
    try {
        database_.write(
            [&](store::Connection& connection) { store::touch_key(connection, key, now); });
    } catch (const store::DatabaseUnavailable&) {
        // A call that only reads must not fail because the database does not take changes.
    }
}

KeyLookup StoreDirectory::by_name(const std::string& tenant, const std::string& user) {
    return database_.read([&](store::Connection& connection) {
        KeyLookup found;
        found.tenant = store::find_tenant(connection, tenant);
        if (found.tenant) found.owner = store::find_user(connection, found.tenant->id, user);
        if (found.owner &&
            (found.owner->disabled || store::is_provider_off(connection, found.owner->id))) {
            found.owner.reset();
        }
        return found;
    });
}

std::optional<model::OpenSession> StoreDirectory::find_session(const std::string& token_hash) {
    return provisioner::operations::use_session(database_, token_hash, rules_, clock_.now());
}

std::optional<model::Tenant> StoreDirectory::find_tenant(const std::string& name) {
    return database_.read(
        [&](store::Connection& connection) { return store::find_tenant(connection, name); });
}

bool StoreDirectory::is_viewing(const model::OpenSession& session, const model::Tenant& viewed,
                                const std::optional<std::string>& looked_from) {
    return provisioner::operations::is_viewing(database_, session, viewed, looked_from,
                                               clock_.now());
}

std::vector<model::RunningView> StoreDirectory::running_views(const model::OpenSession& session) {
    return provisioner::operations::running_views(database_, session, clock_.now());
}

int StoreDirectory::count_wrong_key(const std::string& who) {
    try {
        return provisioner::operations::count_wrong_key(database_, who, clock_.now());
    } catch (const store::DatabaseUnavailable&) {
        // The refusal must not wait for a count; this process counts, too.
        return 0;
    }
}

}  // namespace fcgi::auth
