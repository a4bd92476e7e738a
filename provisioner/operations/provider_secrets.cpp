#include "provisioner/operations/provider_secrets.hpp"

#include "provisioner/store/catalogue_store.hpp"
#include "provisioner/store/cluster_store.hpp"
#include "provisioner/store/plugin_store.hpp"

namespace provisioner::operations {

namespace {

using base::Json;

/// Where the secret of a field belongs. As JSON, so that no name can pretend to be two.
std::string place(model::TenantId tenant, const char* kind, const std::string& id,
                  const std::string& field) {
    return base::to_text(Json::array({tenant.value, kind, id, field}));
}

std::string place_of_cluster(const model::Cluster& cluster, const std::string& field) {
    return place(cluster.tenant, "cluster", std::to_string(cluster.id.value), field);
}

/// Any JSON value: a secret may be a number or an object.
Json sealed(const identity::Vault& vault, const Json& value, const std::string& place) {
    return model::sealed_value(vault.seal(base::Secret(base::to_text(value)), place));
}

Json opened(const identity::Vault& vault, const Json& value, const std::string& place) {
    return *base::parse_json(vault.open(model::sealed_text(value), place).reveal());
}

bool is_empty(const Json& value) {
    return value.is_null() || value == "";
}

/// The newest version's fields; an empty object when there is none.
Json kept_fields(store::Connection& connection, model::TenantId tenant, const std::string& name) {
    const auto entry = store::find_entry(connection, tenant, model::CatalogueKind::provider, name);
    const Json* fields = entry ? base::member(*entry, "provisioner") : nullptr;
    return fields == nullptr ? Json::object() : *fields;
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
    const Json kept = kept_fields(connection, tenant, name);
    Json stored = provider;
    base::Problems problems;
    for (const auto& [field, value] : stored.at("provisioner").items()) {
        const std::string path = "provisioner." + field;
        if (model::is_sealed(value)) {
            problems.push_back(
                {.field = path, .message = "an object of \"sealed\" cannot be kept"});
        } else if (!is_secret(field) || is_empty(value)) {
            continue;
        } else if (value == model::secret_mask) {
            const Json* before = base::member(kept, field);
            if (before != nullptr) {
                value = *before;
            } else {
                problems.push_back({.field = path,
                                    .message = std::string(model::secret_mask) +
                                               " keeps a secret, but there is none to keep"});
            }
        } else {
            value = sealed(connection.vault(), value, place(tenant, "provider", name, field));
        }
    }
    if (!problems.empty()) return base::unexpected(std::move(problems));
    return stored;
}

Json moved_to_tenant(const identity::Vault& vault, const Json& provider, model::TenantId from,
                     model::TenantId to) {
    const std::string name = provider.at("name").get<std::string>();
    Json moved = provider;
    for (const auto& [field, value] : moved.at("provisioner").items()) {
        if (!model::is_sealed(value)) continue;
        value = sealed(vault, opened(vault, value, place(from, "provider", name, field)),
                       place(to, "provider", name, field));
    }
    return moved;
}

void keep_secrets(store::Connection& connection, model::Cluster& cluster, const Json& secrets) {
    if (secrets.empty()) return;
    for (const auto& [field, value] : secrets.items()) {
        cluster.secrets[field] =
            sealed(connection.vault(), value, place_of_cluster(cluster, field));
    }
    store::update_secrets(connection, cluster);
}

OpenedFields opened_fields(const identity::Vault& vault, const model::Cluster& cluster) {
    const model::Provider& provider = cluster.snapshot.provider;
    OpenedFields all;
    const auto open = [&](const std::string& field, const Json& value, const std::string& place) {
        const Json& text = all.fields[field] = opened(vault, value, place);
        all.secrets.push_back(text.is_string() ? text.get<std::string>() : base::to_text(text));
    };
    for (const auto& [field, value] : provider.fields.items()) {
        if (model::is_sealed(value)) {
            open(field, value, place(cluster.tenant, "provider", provider.header.name, field));
        } else {
            all.fields[field] = value;
        }
    }
    for (const auto& [field, value] : cluster.secrets.items()) {
        open(field, value, place_of_cluster(cluster, field));
    }
    return all;
}

}  // namespace provisioner::operations
