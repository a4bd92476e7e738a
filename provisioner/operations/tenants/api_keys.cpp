#include "provisioner/operations/tenants/api_keys.hpp"

#include <algorithm>

#include "provisioner/identity/tokens.hpp"
#include "provisioner/operations/clusters/lease.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace provisioner::operations {

namespace {

Result<void> check_expiry(const KeySpec& wanted, base::Timestamp now) {
    if (!wanted.expires_at) return {};
    const bool ahead =
        *wanted.expires_at > base::to_millis(now) && *wanted.expires_at <= latest_expiry;
    if (ahead) return {};
    return refuse(Refusal::Kind::invalid, "expireTime",
                  "must be in the future and before the year 10000");
}

}  // namespace

Result<NewApiKey> create_api_key(store::Database& database, const model::Caller& caller,
                                 const KeySpec& wanted, base::Timestamp now) {
    if (auto good = check_expiry(wanted, now); !good) return base::unexpected(good.error());
    NewApiKey made{.key = {.name = wanted.name, .scope = wanted.scope, .created_at = now},
                   .secret = identity::new_token()};
    if (wanted.expires_at) made.key.expires_at = base::from_millis(*wanted.expires_at);
    return database.write([&](store::Connection& connection) -> Result<NewApiKey> {
        store::lock_tenant(connection, caller.tenant.id);
        const auto keys = store::list_api_keys(connection, caller.user.id);
        const bool taken = std::any_of(keys.begin(), keys.end(),
                                       [&](const auto& key) { return key.name == wanted.name; });
        if (taken) {
            return refuse(Refusal::Kind::conflict, "name",
                          "API key " + wanted.name + " already exists.");
        }
        if (keys.size() >= max_api_keys) {
            return refuse(
                Refusal::Kind::conflict, "name",
                "Nobody can have more than " + std::to_string(max_api_keys) + " API keys.");
        }
        made.key.id = store::insert_api_key(connection, caller.user.id, made.key,
                                            identity::hash_of_token(made.secret));
        return made;
    });
}

Result<void> delete_api_key(store::Database& database, const model::Caller& caller,
                            std::int64_t id) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        if (store::delete_api_key(connection, caller.user.id, id)) return {};
        return refuse(Refusal::Kind::not_found, "",
                      "API key " + std::to_string(id) + " not found.");
    });
}

}  // namespace provisioner::operations
