#include "provisioner/store/tenants/sealing_key_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_key = R"sql(
    SELECT number, fingerprint, spread_at FROM sealing_key WHERE id = 1
)sql";

constexpr auto hold_key = R"sql(
    SELECT number, fingerprint, spread_at FROM sealing_key WHERE id = 1 LOCK IN SHARE MODE
)sql";

constexpr auto lock_key = R"sql(
    SELECT number, fingerprint, spread_at FROM sealing_key WHERE id = 1 FOR UPDATE
)sql";

constexpr auto save_key = R"sql(
    INSERT INTO sealing_key (id, number, fingerprint, published_at, spread_at)
    VALUES (1, ?, ?, ?, NULL)
    ON DUPLICATE KEY UPDATE number = VALUES(number), fingerprint = VALUES(fingerprint),
                            published_at = VALUES(published_at), spread_at = NULL
)sql";

constexpr auto update_spread = R"sql(
    UPDATE sealing_key SET spread_at = ? WHERE id = 1 AND number = ? AND fingerprint = ?
)sql";

std::optional<SealingKeyRow> read_key(Rows row) {
    if (!row.next()) return std::nullopt;
    return SealingKeyRow{.key = {.is_of_daemons = true,
                                 .number = row.get<int>("number"),
                                 .fingerprint = row.get<std::string>("fingerprint")},
                         .is_spread = optional_time_column(row, "spread_at").has_value()};
}

}  // namespace

std::optional<SealingKeyRow> find_sealing_key(Connection& connection) {
    return read_key(connection.sql(select_key));
}

std::optional<identity::KeyName> hold_sealing_key(Connection& connection) {
    const auto row = read_key(connection.sql(hold_key));
    if (!row) return std::nullopt;
    return row->key;
}

void publish_sealing_key(Connection& connection, const identity::KeyName& key,
                         base::Timestamp now) {
    const auto before = read_key(connection.sql(lock_key));
    if (before && before->key == key) return;
    if (before && before->key.number >= key.number) {
        throw identity::VaultError("the installation has " + identity::to_words(before->key) +
                                   ", and this host an older or another one, " +
                                   identity::to_words(key) +
                                   ": copy the file of secrets.daemon_keys from its host");
    }
    connection.sql(save_key) << key.number << key.fingerprint << base::to_sql(now) << exec;
}

void note_spread(Connection& connection, const identity::KeyName& key, base::Timestamp now) {
    connection.sql(update_spread) << base::to_sql(now) << key.number << key.fingerprint << exec;
}

}  // namespace provisioner::store
