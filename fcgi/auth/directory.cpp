#include "fcgi/auth/directory.hpp"

#include "provisioner/store/tenant_store.hpp"
#include "provisioner/store/user_store.hpp"

namespace fcgi::auth {

namespace model = provisioner::model;
namespace store = provisioner::store;

std::optional<model::Tenant> StoreDirectory::tenant(const std::string& name) {
    return database_.read(
        [&](store::Connection& connection) { return store::find_tenant(connection, name); });
}

std::optional<model::User> StoreDirectory::user_by_key(const std::string& key_hash) {
    return database_.read([&](store::Connection& connection) {
        return store::find_user_by_key(connection, key_hash, clock_.now());
    });
}

std::optional<model::Caller> StoreDirectory::caller_by_session(const std::string& token_hash) {
    return database_.read([&](store::Connection& connection) {
        return store::find_session(connection, token_hash, clock_.now());
    });
}

}  // namespace fcgi::auth
