#include "fcgi/auth/directory.hpp"

#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace fcgi::auth {

namespace model = provisioner::model;
namespace store = provisioner::store;

KeyLookup StoreDirectory::by_key(const std::string& tenant, const std::string& key_hash) {
    return database_.read([&](store::Connection& connection) {
        KeyLookup found;
        found.tenant = store::find_tenant(connection, tenant);
        if (!found.tenant || key_hash.empty()) return found;
        const auto owner = store::find_key_owner(connection, key_hash, clock_.now());
        if (!owner) return found;
        found.owner = owner->user;
        found.only_reads = owner->scope == model::KeyScope::read;
        return found;
    });
}

KeyLookup StoreDirectory::by_name(const std::string& tenant, const std::string& user) {
    return database_.read([&](store::Connection& connection) {
        KeyLookup found;
        found.tenant = store::find_tenant(connection, tenant);
        if (found.tenant) found.owner = store::find_user(connection, found.tenant->id, user);
        return found;
    });
}

std::optional<model::Caller> StoreDirectory::caller_by_session(const std::string& token_hash) {
    return database_.read([&](store::Connection& connection) {
        return store::find_session(connection, token_hash, clock_.now());
    });
}

}  // namespace fcgi::auth
