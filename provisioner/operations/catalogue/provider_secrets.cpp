#include "provisioner/operations/catalogue/provider_secrets.hpp"

#include <functional>
#include <map>

#include "provisioner/operations/daemon_secrets.hpp"
#include "provisioner/store/catalogue/catalogue_store.hpp"
#include "provisioner/store/clusters/cluster_store.hpp"
#include "provisioner/store/machines/login_key_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"
#include "provisioner/store/sign_in/factor_store.hpp"
#include "provisioner/store/sign_in/identity_provider_store.hpp"

namespace provisioner::operations {

namespace {

constexpr std::size_t most_fields = 200;

using base::Json;

/// The place that a sealed value is bound to. JSON keeps the four parts apart, whatever they
/// contain.
std::string place(model::TenantId tenant, const char* kind, const std::string& id,
                  const std::string& field) {
    return base::to_text(Json::array({tenant.value, kind, id, field}));
}

std::string place_of_cluster(const model::Cluster& cluster, const std::string& field) {
    return place(cluster.tenant, "cluster", std::to_string(cluster.id.value), field);
}

/// Seals any JSON value: a secret may be a number or an object.
Json sealed(store::Connection& connection, const Json& value, const std::string& place) {
    return model::sealed_value(
        sealed_for_daemons(connection, base::Secret(base::to_text(value)), place));
}

/// The JSON value that was sealed; `field` is named in errors.
Json value_in(const base::Secret& secret, const std::string& field) {
    auto json = base::parse_json(secret.reveal());
    if (!json) throw identity::VaultError("what is sealed for " + field + " is no JSON");
    return *std::move(json);
}

bool is_empty(const Json& value) {
    return value.is_null() || value == "";
}

/// The fields of a provider; an empty object when it has none.
Json fields_of(const Json& provider) {
    const Json* fields = base::member(provider, "provisioner");
    return fields == nullptr ? Json::object() : *fields;
}

/// The fields that are no secrets, in no order.
std::map<std::string, Json> open_fields(const Json& provider) {
    const Json fields = fields_of(provider);
    std::map<std::string, Json> open;
    for (const auto& [field, value] : fields.items()) {
        if (!model::is_sealed(value) && value != model::secret_mask) open[field] = value;
    }
    return open;
}

/// What of a provider changed so that its secrets would go elsewhere; empty if nothing did. Of a
/// type that nobody knows every field may lead.
std::string changed_direction(const std::optional<model::PluginType>& type, const Json& before,
                              const Json& after) {
    if (base::text_at(before, "providertype") != base::text_at(after, "providertype")) {
        return "providertype";
    }
    if (!type) return open_fields(before) == open_fields(after) ? "" : "field";
    const Json old_fields = fields_of(before);
    const Json new_fields = fields_of(after);
    std::string names;
    for (const auto& name : model::leading_changes(*type, old_fields, new_fields)) {
        names += (names.empty() ? "" : ", ") + name;
    }
    return names;
}

std::map<std::string, model::PluginType> provider_types(store::Database& database) {
    std::map<std::string, model::PluginType> types;
    database.read([&](store::Connection& connection) {
        for (auto& type : store::list_plugin_types(connection, model::PluginKind::provider)) {
            const std::string name = type.header.name;
            types.emplace(name, std::move(type));
        }
    });
    return types;
}

}  // namespace

base::Checked<Json> with_secrets_sealed(store::Connection& connection, model::TenantId tenant,
                                        const Json& provider) {
    const std::string name = provider.at("name").get<std::string>();
    const auto type = store::find_plugin_type(connection, model::PluginKind::provider,
                                              provider.at("providertype").get<std::string>());
    const auto is_secret = [&](const std::string& field) {
        return model::is_secret_field(type ? &*type : nullptr, field);
    };
    const Json newest = store::find_entry(connection, tenant, model::CatalogueKind::provider, name)
                            .value_or(Json::object());
    const Json kept = fields_of(newest);
    const std::string changed = changed_direction(type, newest, provider);
    Json stored = provider;
    base::Problems problems;
    if (provider.at("provisioner").size() > most_fields) {
        return base::unexpected(base::Problems{
            {.field = "provisioner",
             .message = "has more than " + std::to_string(most_fields) + " fields"}});
    }
    Json secrets = Json::object();
    for (const auto& [field, value] : provider.at("provisioner").items()) {
        const bool is_kept = value == model::secret_mask && kept.contains(field);
        if (is_secret(field)) secrets[field] = is_kept ? kept.at(field) : value;
    }
    if (auto too_long = model::problems_with_sizes("provisioner", secrets); !too_long.empty()) {
        return base::unexpected(std::move(too_long));
    }
    for (const auto& [field, value] : stored.at("provisioner").items()) {
        const auto problem = [&](std::string message) {
            problems.push_back({.field = "provisioner." + field, .message = std::move(message)});
        };
        const Json* before = base::member(kept, field);
        const bool is_mask = value == model::secret_mask;
        if (model::is_sealed(value)) {
            problem("an object of \"sealed\" cannot be kept");
        } else if (is_mask && before != nullptr && model::is_sealed(*before) && !changed.empty()) {
            problem("must be given again: with another " + changed +
                    " the stored secret would go elsewhere");
        } else if (is_mask && before != nullptr && model::is_sealed(*before)) {
            value = *before;
        } else if (!is_secret(field) || is_empty(value)) {
            continue;
        } else if (is_mask && (before == nullptr || is_empty(*before))) {
            problem(std::string(model::secret_mask) + " keeps a secret, but there is none to keep");
        } else {
            value = sealed(connection, is_mask ? *before : value,
                           place(tenant, "provider", name, field));
        }
    }
    if (!problems.empty()) return base::unexpected(std::move(problems));
    return stored;
}

namespace {

/// Puts a sealed text under the newest key of those who open it.
using Rewrap = std::function<std::optional<std::string>(const std::string& sealed)>;

/// Wraps single sealed texts of one table with the newest key by `change_all`, a function of its
/// store. One that cannot be opened becomes a problem, named `what`, and stays as it is.
template <class ChangeAll>
store::FieldsWalk rewrap_texts(store::Database& database, const std::string& what,
                               const Rewrap& rewrap, ChangeAll&& change_all) {
    return database.write([&](store::Connection& connection) {
        store::FieldsWalk walk;
        walk.changed =
            change_all(connection, [&](const std::string& secret) -> std::optional<std::string> {
                try {
                    return rewrap(secret);
                } catch (const identity::VaultError& error) {
                    walk.problems.push_back(what + ": " + error.what());
                    return std::nullopt;
                }
            });
        return walk;
    });
}

}  // namespace

store::FieldsWalk rewrap_secrets(store::Database& database) {
    const auto key = sealing_key_of_daemons(database);
    const auto rewrap_text = [&](const std::string& sealed) {
        return database.vault().rewrapped_for_daemons(sealed, key);
    };
    const auto rewrap = [&](const store::StoredFields& stored) {
        bool has_changed = false;
        for (const auto& [field, value] : stored.fields.items()) {
            if (!model::is_sealed(value)) continue;
            const auto fresh = rewrap_text(model::sealed_text(value));
            if (!fresh) continue;
            value = model::sealed_value(*fresh);
            has_changed = true;
        }
        return has_changed;
    };
    const auto rewrap_master = [&](const std::string& sealed) {
        return database.vault().rewrapped(sealed);
    };
    // Providers first: clusters created from then on copy rewrapped values.
    auto walk = store::change_provider_fields(database, rewrap);
    store::add(walk, store::change_cluster_fields(database, rewrap));
    store::add(walk, rewrap_texts(database, "a second factor", rewrap_master,
                                  store::change_factor_secrets));
    store::add(walk,
               rewrap_texts(database, "a login key", rewrap_text, store::change_login_key_secrets));
    store::add(walk, rewrap_texts(database, "an identity provider", rewrap_master,
                                  store::change_identity_secrets));
    return walk;
}

void look_at_secrets(store::Database& database,
                     const std::function<void(const std::string& sealed)>& look) {
    const auto look_at_fields = [&](const store::StoredFields& stored) {
        for (const auto& [field, value] : stored.fields.items()) {
            if (model::is_sealed(value)) look(model::sealed_text(value));
        }
        return false;
    };
    auto walk = store::change_provider_fields(database, look_at_fields);
    store::add(walk, store::change_cluster_fields(database, look_at_fields));
    if (!walk.problems.empty()) throw identity::VaultError(walk.problems.front());
    const auto look_at_text = [&](const std::string& sealed) -> std::optional<std::string> {
        look(sealed);
        return std::nullopt;
    };
    database.write([&](store::Connection& connection) {
        store::change_factor_secrets(connection, look_at_text);
        store::change_login_key_secrets(connection, look_at_text);
        store::change_identity_secrets(connection, look_at_text);
    });
}

store::FieldsWalk seal_leftovers(store::Database& database) {
    const auto types = provider_types(database);
    const auto is_left = [&](const store::StoredFields& stored, const std::string& field,
                             const Json& value) {
        const auto type = types.find(stored.provider_type);
        return !model::is_sealed(value) && !is_empty(value) &&
               model::is_secret_field(type == types.end() ? nullptr : &type->second, field);
    };
    bool is_any_left = false;
    const auto look = [&](const store::StoredFields& stored) {
        for (const auto& [field, value] : stored.fields.items()) {
            is_any_left |= is_left(stored, field, value);
        }
        return false;
    };
    const auto key = sealing_key_of_daemons(database);
    const auto seal = [&](const store::StoredFields& stored) {
        bool has_changed = false;
        for (const auto& [field, value] : stored.fields.items()) {
            if (!is_left(stored, field, value)) continue;
            value = model::sealed_value(
                identity::seal(key, base::Secret(base::to_text(value)),
                               place(stored.tenant, "provider", stored.provider, field)));
            has_changed = true;
        }
        return has_changed;
    };
    auto walk = store::change_provider_fields(database, look);
    if (!is_any_left) return walk;
    // Providers last: while one value of theirs is open, the next start looks at the clusters
    // again.
    walk = store::change_cluster_fields(database, seal);
    store::add(walk, store::change_provider_fields(database, seal));
    return walk;
}

void keep_secrets(store::Connection& connection, model::Cluster& cluster, const Json& secrets) {
    if (secrets.empty()) return;
    for (const auto& [field, value] : secrets.items()) {
        cluster.secrets[field] = sealed(connection, value, place_of_cluster(cluster, field));
    }
    store::update_secrets(connection, cluster);
}

model::Account opened_account(store::Connection& connection, const model::Cluster& cluster) {
    const model::Provider& provider = cluster.snapshot.provider;
    model::Account account;
    account.tenant = cluster.tenant;
    account.provider = provider.header.name;
    account.provider_type = provider.provider_type;
    const auto keep = [&](const std::string& field, const base::Secret& secret) {
        const Json& text = account.fields[field] = value_in(secret, field);
        account.secrets.push_back(text.is_string() ? text.get<std::string>() : base::to_text(text));
    };
    for (const auto& [field, value] : provider.fields.items()) {
        if (cluster.secrets.contains(field)) continue;
        if (!model::is_sealed(value)) {
            account.fields[field] = value;
            continue;
        }
        const std::string& name = field;
        keep(name, opened_in_tenant(connection, cluster.tenant, model::sealed_text(value),
                                    [&](model::TenantId tenant) {
                                        return place(tenant, "provider", provider.header.name,
                                                     name);
                                    }));
    }
    for (const auto& [field, value] : cluster.secrets.items()) {
        keep(field,
             connection.vault().open(model::sealed_text(value), place_of_cluster(cluster, field)));
    }
    return account;
}

model::Account opened_account(store::Connection& connection, model::TenantId tenant,
                              const model::Provider& provider) {
    model::Cluster nobody;
    nobody.tenant = tenant;
    nobody.snapshot.provider = provider;
    return opened_account(connection, nobody);
}

}  // namespace provisioner::operations
