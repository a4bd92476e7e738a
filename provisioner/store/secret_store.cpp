#include "provisioner/store/secret_store.hpp"

#include <cppdb/frontend.h>

#include <vector>

#include "provisioner/model/sealed.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_providers = R"sql(
    SELECT tenant_id, name, version, document
    FROM catalogue_entry
    WHERE kind = 'provider' AND document LIKE '%"sealed":"%'
)sql";

constexpr auto update_provider = R"sql(
    UPDATE catalogue_entry
    SET document = ?
    WHERE kind = 'provider' AND tenant_id = ? AND name = ? AND version = ? AND document = ?
)sql";

constexpr auto select_clusters = R"sql(
    SELECT id, snapshot, secrets
    FROM cluster
    WHERE id > ? AND (snapshot LIKE '%"sealed":"%' OR secrets <> '{}')
    ORDER BY id
    LIMIT 100
)sql";

constexpr auto update_cluster_row = R"sql(
    UPDATE cluster
    SET snapshot = ?, secrets = ?
    WHERE id = ? AND snapshot = ? AND secrets = ?
)sql";

/// The text with each sealed value under the newest key.
std::string rewrapped(const identity::Vault& vault, const std::string& text) {
    base::Json json = *base::parse_json(text);
    bool has_changed = false;
    model::change_sealed(json, [&](const std::string& sealed) {
        auto fresh = vault.rewrapped(sealed);
        has_changed |= fresh.has_value();
        return fresh.value_or(sealed);
    });
    return has_changed ? base::to_text(json) : text;
}

struct ProviderText {
    long long tenant = 0;
    std::string name;
    int version = 0;
    std::string document;
};

struct ClusterTexts {
    long long id = 0;
    std::string snapshot;
    std::string secrets;
};

std::vector<ProviderText> provider_texts(Connection& connection) {
    std::vector<ProviderText> texts;
    cppdb::result row = connection.session() << select_providers;
    while (row.next()) {
        texts.push_back({.tenant = row.get<long long>("tenant_id"),
                         .name = row.get<std::string>("name"),
                         .version = row.get<int>("version"),
                         .document = row.get<std::string>("document")});
    }
    return texts;
}

std::vector<ClusterTexts> cluster_texts(Connection& connection, long long after) {
    std::vector<ClusterTexts> texts;
    cppdb::result row = connection.session() << select_clusters << after;
    while (row.next()) {
        texts.push_back({.id = row.get<long long>("id"),
                         .snapshot = row.get<std::string>("snapshot"),
                         .secrets = row.get<std::string>("secrets")});
    }
    return texts;
}

// Only what is still as it was read: who writes at the same time writes under a key of their own.
int rewrap_provider(Connection& connection, const ProviderText& old) {
    const std::string fresh = rewrapped(connection.vault(), old.document);
    if (fresh == old.document) return 0;
    connection.session() << update_provider << fresh << old.tenant << old.name << old.version
                         << old.document << cppdb::exec;
    return 1;
}

int rewrap_cluster(Connection& connection, const ClusterTexts& old) {
    const std::string snapshot = rewrapped(connection.vault(), old.snapshot);
    const std::string secrets = rewrapped(connection.vault(), old.secrets);
    if (snapshot == old.snapshot && secrets == old.secrets) return 0;
    connection.session() << update_cluster_row << snapshot << secrets << old.id << old.snapshot
                         << old.secrets << cppdb::exec;
    return 1;
}

int rewrap_providers(Database& database) {
    int changed = 0;
    for (const ProviderText& text : database.read(provider_texts)) {
        changed += database.write(
            [&](Connection& connection) { return rewrap_provider(connection, text); });
    }
    return changed;
}

int rewrap_clusters(Database& database) {
    int changed = 0;
    for (long long last = 0;;) {
        const auto texts =
            database.read([&](Connection& connection) { return cluster_texts(connection, last); });
        if (texts.empty()) return changed;
        for (const ClusterTexts& text : texts) {
            changed += database.write(
                [&](Connection& connection) { return rewrap_cluster(connection, text); });
        }
        last = texts.back().id;
    }
}

}  // namespace

int rewrap_secrets(Database& database) {
    int all = 0;
    for (;;) {
        const int changed = rewrap_providers(database) + rewrap_clusters(database);
        if (changed == 0) return all;
        all += changed;
    }
}

}  // namespace provisioner::store
