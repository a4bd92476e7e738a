#include "provisioner/operations/machines/login_keys.hpp"

#include <map>
#include <set>

#include "provisioner/identity/ssh_keys.hpp"
#include "provisioner/model/catalogue/provider.hpp"
#include "provisioner/operations/audit.hpp"
#include "provisioner/operations/catalogue/stored_entries.hpp"
#include "provisioner/operations/daemon_secrets.hpp"
#include "provisioner/store/machines/login_key_store.hpp"
#include "provisioner/store/machines/node_login_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

/// Older keys that nodes may need at most: each is tried, and a server may want a connection for
/// each.
constexpr int most_replaced_keys = 2;

/// Nodes of a key that may be named: as many as a tenant may have.
constexpr int most_named_nodes = 100'000;

std::string login_key_place(model::TenantId tenant, const std::string& public_key) {
    return base::to_text(base::Json::array({tenant.value, "login_key", public_key, "private_key"}));
}

bool names_a_file(const model::Provider& provider) {
    return !base::text_at(provider.fields, "ssh_key_resource").empty();
}

const model::LoginKeyRow* current_key(const std::vector<model::LoginKeyRow>& keys,
                                      const std::string& provider) {
    for (const model::LoginKeyRow& key : keys) {
        if (key.state == model::LoginKeyState::current && key.provider == provider) return &key;
    }
    return nullptr;
}

ProviderLogin login_of(const model::Provider& provider, bool gets_keys,
                       const std::vector<model::LoginKeyRow>& keys) {
    ProviderLogin login{.provider = provider.header.name, .provider_type = provider.provider_type};
    const model::LoginKeyRow* own = current_key(keys, provider.header.name);
    const model::LoginKeyRow* tenants = current_key(keys, "");
    if (!gets_keys) {
        login.source = LoginKeySource::none;
    } else if (own != nullptr) {
        login.source = LoginKeySource::provider_key;
        login.key = *own;
    } else if (names_a_file(provider)) {
        login.source = LoginKeySource::file;
    } else if (tenants != nullptr) {
        login.source = LoginKeySource::tenant_key;
        login.key = *tenants;
    }
    return login;
}

bool gets_login_keys(store::Connection& connection, const std::string& type) {
    const auto found = store::find_plugin_type(connection, model::PluginKind::provider, type);
    return found && found->login_keys;
}

/// A new key pair with its private half sealed.
model::LoginKeyRow new_login_key(store::Connection& connection, model::TenantId tenant,
                                 const std::string& provider, const std::string& made_by) {
    const auto pair = identity::ssh_key_pair(identity::random_seed());
    return {.tenant = tenant,
            .provider = provider,
            .public_key = pair.public_key,
            .sealed = sealed_for_daemons(connection, pair.private_key,
                                         login_key_place(tenant, pair.public_key)),
            .made_by = made_by};
}

std::optional<std::string> problem_with_provider(store::Connection& connection,
                                                 model::TenantId tenant, const std::string& name) {
    const auto provider = stored_entry(connection, tenant, model::CatalogueKind::provider, name,
                                       model::provider_from_json);
    if (!provider) return "provider " + name + " not found.";
    if (gets_login_keys(connection, provider->provider_type)) return std::nullopt;
    return "The keys of machines of type " + provider->provider_type +
           " are not put there by this installation, so it cannot replace them.";
}

model::audit::Object login_key_object(const model::LoginKeyRow& key) {
    return {.kind = "login-key",
            .id = std::to_string(key.id.value),
            .name = key.provider.empty() ? "all providers" : key.provider};
}

/// The nodes of these ids among those on their way to a key; says which are not.
base::Checked<std::vector<model::NodeLogin>> nodes_to_give_up(
    const std::vector<model::NodeLogin>& known, const std::vector<std::string>& ids) {
    std::map<std::string, const model::NodeLogin*> by_id;
    for (const model::NodeLogin& node : known) by_id.emplace(node.uuid, &node);
    std::vector<model::NodeLogin> chosen;
    base::Problems problems;
    if (ids.empty()) problems.push_back({"nodes", "Name at least one machine."});
    for (const std::string& id : std::set(ids.begin(), ids.end())) {
        const auto node = by_id.find(id);
        if (node == by_id.end()) {
            problems.push_back({"nodes", "Node " + id + " is not to have this key."});
        } else if (node->second->standing == model::LoginStanding::has_key) {
            problems.push_back({"nodes", "Node " + id + " has this key and no older one."});
        } else {
            chosen.push_back(*node->second);
        }
    }
    if (!problems.empty()) return base::unexpected(std::move(problems));
    return chosen;
}

/// The private half; nothing of a replaced key that is damaged, or whose master key is lost: one
/// such row must not stop all work of a tenant.
base::Secret opened_login_key(const identity::Vault& vault, const model::LoginKeyRow& key) {
    const std::string place = login_key_place(key.tenant, key.public_key);
    if (key.state == model::LoginKeyState::current) return vault.open(key.sealed, place);
    try {
        return vault.open(key.sealed, place);
    } catch (const identity::VaultError&) {
        return {};
    }
}

}  // namespace

LoginKeysView login_keys_of(store::Connection& connection, model::TenantId tenant) {
    LoginKeysView view;
    const auto keys = store::list_login_keys(connection, tenant, false);
    std::map<std::string, bool> types;
    for (const auto& provider : stored_entries(connection, tenant, model::CatalogueKind::provider,
                                               model::provider_from_json)) {
        const auto [type, is_new] = types.try_emplace(provider.provider_type, false);
        if (is_new) type->second = gets_login_keys(connection, provider.provider_type);
        view.providers.push_back(login_of(provider, type->second, keys));
    }
    for (const model::LoginKeyRow& key : keys) {
        LoginKeyView one{.row = key};
        if (key.state == model::LoginKeyState::current) {
            one.progress = store::login_progress(connection, key.id);
        }
        view.keys.push_back(std::move(one));
    }
    return view;
}

Result<model::LoginKeyRow> rotate_login_key(store::Database& database, const model::Caller& caller,
                                            const std::string& provider, base::Timestamp now) {
    const model::TenantId tenant = caller.tenant.id;
    return database.write([&](store::Connection& connection) -> Result<model::LoginKeyRow> {
        store::lock_tenant(connection, tenant);
        if (!provider.empty()) {
            const auto problem = problem_with_provider(connection, tenant, provider);
            if (problem) {
                const bool is_missing = problem->ends_with("not found.");
                return refuse(is_missing ? Refusal::Kind::not_found : Refusal::Kind::conflict,
                              "provider", *problem);
            }
        }
        int replaced = 0;
        for (const model::LoginKeyRow& key : store::list_login_keys(connection, tenant, false)) {
            if (key.state == model::LoginKeyState::replaced) ++replaced;
        }
        if (replaced >= most_replaced_keys) {
            return refuse(Refusal::Kind::conflict, "provider",
                          "Some nodes still need an older key: wait until all have a newer one, or "
                          "give the older keys of nodes up that will not be reached.");
        }
        auto key = new_login_key(connection, tenant, provider, caller.user.name);
        key.id = store::insert_login_key(connection, key, now);
        key.made_at = now;
        audit(connection, caller,
              {.action = "login-key.rotate",
               .object = login_key_object(key),
               .after = {{"id", key.id.value}, {"publicKey", key.public_key}}});
        return key;
    });
}

Result<int> give_up_older_keys(store::Database& database, const model::Caller& caller,
                               model::LoginKeyId id, const std::vector<std::string>& nodes) {
    return database.write([&](store::Connection& connection) -> Result<int> {
        store::lock_tenant(connection, caller.tenant.id);
        const auto key = store::find_login_key(connection, caller.tenant.id, id);
        if (!key) {
            return refuse(Refusal::Kind::not_found, "id",
                          "there is no login key " + std::to_string(id.value));
        }
        if (key->state != model::LoginKeyState::current) {
            return refuse(Refusal::Kind::conflict, "id",
                          "There is a newer key: give older ones up on the way to that.");
        }
        const auto chosen =
            nodes_to_give_up(store::nodes_for_key(connection, id, most_named_nodes), nodes);
        if (!chosen) {
            return refuse(Refusal::Kind::invalid, chosen.error());
        }
        base::Json names = base::Json::array();
        for (const model::NodeLogin& node : *chosen) {
            store::give_up_older_keys(connection, node, caller.user.name);
            names.push_back({{"node", node.uuid}, {"hostname", node.hostname}});
        }
        store::unlist_login_key(connection, id);
        audit(connection, caller,
              {.action = "login-key.give-up",
               .object = login_key_object(*key),
               .after = {{"id", id.value}, {"nodes", std::move(names)}}});
        return static_cast<int>(chosen->size());
    });
}

void add_login_keys(store::Connection& connection, model::Account& account) {
    if (account.tenant.value == 0) return;
    for (const model::LoginKeyRow& key :
         store::list_login_keys(connection, account.tenant, false)) {
        if (!key.provider.empty() && key.provider != account.provider) continue;
        account.login_keys.push_back({.id = key.id,
                                      .public_key = key.public_key,
                                      .private_key = opened_login_key(connection.vault(), key),
                                      .is_of_provider = !key.provider.empty(),
                                      .is_current = key.state == model::LoginKeyState::current});
    }
}

std::vector<model::LoginKeyRow> settle_login_keys(store::Database& database) {
    return database.write([](store::Connection& connection) {
        auto settled = store::settle_login_keys(connection);
        for (const model::LoginKeyRow& key : settled) {
            const bool is_retired = key.state == model::LoginKeyState::retired;
            audit_own(connection, {.action = is_retired ? "login-key.retire" : "login-key.spread",
                                   .object = login_key_object(key),
                                   .after = {{"id", key.id.value}, {"publicKey", key.public_key}},
                                   .chain = key.tenant});
        }
        return settled;
    });
}

}  // namespace provisioner::operations
