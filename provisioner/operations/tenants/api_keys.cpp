#include "provisioner/operations/tenants/api_keys.hpp"

#include <algorithm>

#include "provisioner/identity/tokens.hpp"
#include "provisioner/model/tenants/key_rights.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/clusters/lease.hpp"
#include "provisioner/operations/sign_in/passwords.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"
#include "provisioner/store/tenants/user_store.hpp"

namespace provisioner::operations {

namespace {

model::audit::Object object_of_key(std::int64_t id, const std::string& name) {
    return {.kind = "api-key", .id = std::to_string(id), .name = name};
}

/// What a key may do, for the audit log.
base::Json audited_limits(const model::KeyLimits& limits) {
    base::Json rights = base::Json::array();
    for (const model::KeyRight& right : limits.rights) rights.push_back(model::to_text(right));
    return {{"scope", base::to_word(limits.scope)},
            {"rights", std::move(rights)},
            {"clusters", limits.clusters},
            {"expiresAt",
             limits.expires_at ? base::Json(base::to_sql(*limits.expires_at)) : base::Json()}};
}

Result<void> check_expiry(const KeySpec& wanted, base::Timestamp now) {
    if (!wanted.expires_at) return {};
    const bool ahead =
        *wanted.expires_at > base::to_millis(now) && *wanted.expires_at <= latest_expiry;
    if (ahead) return {};
    return refuse(Refusal::Kind::invalid, "expireTime",
                  "must be in the future and before the year 10000");
}

Result<void> check_inheritance(const model::KeyLimits& asking, const model::KeyLimits& wanted) {
    const auto difference = model::compare(asking, wanted);
    base::Problems problems;
    if (difference.has_more_rights) {
        problems.push_back({"scope", "must not be more than that of the key that asks"});
    }
    if (difference.has_more_clusters) {
        problems.push_back({"clusters", "must be among those of the key that asks"});
    }
    if (difference.lives_longer) {
        problems.push_back({"expireTime", "must not be later than that of the key that asks, " +
                                              std::to_string(base::to_millis(*asking.expires_at))});
    }
    if (problems.empty()) return {};
    return refuse(Refusal::Kind::invalid, std::move(problems));
}

}  // namespace

Result<NewApiKey> create_api_key(store::Database& database, const model::Caller& caller,
                                 const KeySpec& wanted,
                                 const std::optional<model::KeyLimits>& asking,
                                 base::Timestamp now) {
    if (auto good = check_expiry(wanted, now); !good) return base::unexpected(good.error());
    NewApiKey made{.key = {.name = wanted.name, .limits = wanted.limits, .created_at = now},
                   .secret = identity::new_token()};
    made.key.limits.expires_at.reset();
    if (wanted.expires_at) made.key.limits.expires_at = base::from_millis(*wanted.expires_at);
    // Their role refuses changes anyway; but a role may change, and keys stay.
    const bool only_reads = !caller.may(model::Right::use_clusters);
    if (only_reads &&
        model::compare({.scope = model::KeyScope::read}, made.key.limits).has_more_rights) {
        return refuse(Refusal::Kind::invalid, "scope", "must be read: auditors change nothing");
    }
    if (asking) {
        if (auto good = check_inheritance(*asking, made.key.limits); !good) {
            return base::unexpected(good.error());
        }
    }
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
        base::Json after = audited_limits(made.key.limits);
        after["user"] = caller.user.name;
        audit(connection, caller,
              {.action = "api-key.create",
               .object = object_of_key(made.key.id, made.key.name),
               .after = std::move(after)});
        return made;
    });
}

Result<void> delete_api_key(store::Database& database, const model::Caller& caller,
                            std::int64_t id) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto keys = store::list_api_keys(connection, caller.user.id);
        if (store::delete_api_key(connection, caller.user.id, id)) {
            const auto gone = std::find_if(keys.begin(), keys.end(),
                                           [&](const auto& key) { return key.id == id; });
            audit(connection, caller,
                  {.action = "api-key.delete",
                   .object = object_of_key(id, gone == keys.end() ? "" : gone->name),
                   .before = {{"user", caller.user.name}}});
            return {};
        }
        return refuse(Refusal::Kind::not_found, "",
                      "API key " + std::to_string(id) + " not found.");
    });
}

Result<void> delete_key_of(store::Database& database, const model::Caller& caller,
                           const std::string& tenant, const std::string& user, std::int64_t id) {
    return database.write([&](store::Connection& connection) -> Result<void> {
        const auto owner = administered_user(connection, caller, tenant, user);
        if (!owner) return base::unexpected(owner.error());
        if (store::delete_api_key(connection, owner->id, id)) {
            audit(connection, caller,
                  {.action = "api-key.delete",
                   .object = object_of_key(id, ""),
                   .before = {{"user", owner->name}},
                   .chain = owner->tenant});
            return {};
        }
        return refuse(Refusal::Kind::not_found, "",
                      "API key " + std::to_string(id) + " not found.");
    });
}

}  // namespace provisioner::operations
