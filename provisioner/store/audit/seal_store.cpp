#include "provisioner/store/audit/seal_store.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

using model::audit::Event;

constexpr int events_per_look = 1000;

// By events and seals themselves: audit_chain is the web's to change. It could name a seal that
// nobody made, or an end before the last event.
constexpr auto select_unsealed = R"sql(
    SELECT chain.tenant_id
    FROM audit_chain AS chain
    LEFT JOIN audit_seal AS seal
           ON seal.tenant_id = chain.tenant_id AND
              seal.number = (SELECT MAX(number) FROM audit_seal WHERE tenant_id = chain.tenant_id)
    WHERE (chain.number <> COALESCE(seal.number, 0) OR
           chain.number < (SELECT COALESCE(MAX(number), 0) FROM audit_event
                           WHERE tenant_id = chain.tenant_id)) AND
          (seal.sealed_at IS NULL OR seal.sealed_at <= UTC_TIMESTAMP(6) - INTERVAL ? SECOND)
    ORDER BY chain.tenant_id LIMIT 1000000
)sql";

constexpr auto select_last_number = R"sql(
    SELECT COALESCE(MAX(number), 0) AS number FROM audit_event WHERE tenant_id = ?
)sql";

constexpr auto read_head = R"sql(
    SELECT number, hash, UTC_TIMESTAMP(6) AS at FROM audit_chain WHERE tenant_id = ?
)sql";

constexpr auto select_moment = R"sql(
    SELECT UTC_TIMESTAMP(6) AS at
)sql";

constexpr auto insert_seal = R"sql(
    INSERT IGNORE INTO audit_seal (tenant_id, number, hash, sealed_at, public_key, signature)
    VALUES (?, ?, ?, ?, ?, ?)
)sql";

constexpr auto note_sealed = R"sql(
    UPDATE audit_chain SET sealed_number = ? WHERE tenant_id = ? AND sealed_number < ?
)sql";

// The next place up to where pruning may go, and the farthest that is not too far. Seals of keys
// that were replaced go with those of the present one.
constexpr auto select_prunable = R"sql(
    SELECT MIN(number) AS nearest, MAX(IF(number <= ? + ?, number, 0)) AS farthest
    FROM audit_seal WHERE tenant_id = ? AND number > ? AND sealed_at < ? AND public_key = ? AND
          number <= ?
)sql";

constexpr auto hold_chain = R"sql(
    SELECT number FROM audit_chain WHERE tenant_id = ? FOR UPDATE
)sql";

constexpr auto delete_events_until = R"sql(
    DELETE FROM audit_event WHERE tenant_id = ? AND number <= ?
)sql";

constexpr auto delete_seals_before = R"sql(
    DELETE FROM audit_seal WHERE tenant_id = ? AND number < ?
)sql";

constexpr auto set_anchor = R"sql(
    UPDATE audit_seal SET anchor = ? WHERE tenant_id = ? AND number = ?
)sql";

/// Everything from the last seal to the head, in pieces.
void walk(Database& database, AuditWalker& walker, std::int64_t until) {
    while (walker.number() < until) {
        const std::int64_t after = walker.number();
        const auto events = database.look([&](Connection& connection) {
            return events_after(connection, walker.chain(), after, events_per_look);
        });
        if (events.empty()) return;
        for (const Event& event : events) {
            if (event.number <= until) walker.take(event);
        }
        if (events.back().number > until) return;
    }
}

}  // namespace

std::vector<model::TenantId> unsealed_chains(Connection& connection, std::chrono::seconds age) {
    Rows row = connection.sql(select_unsealed) << age.count();
    std::vector<model::TenantId> chains;
    while (row.next()) chains.push_back(model::TenantId{row.get<long long>("tenant_id")});
    return chains;
}

base::Timestamp moment_of_seals(Connection& connection) {
    Rows row = connection.sql(select_moment) << one_row;
    return time_column(row, "at");
}

Sealing seal_chain(Database& database, model::TenantId chain, const identity::SigningKey& key) {
    Sealing sealing{.chain = chain, .seal = {}, .findings = {}};
    std::optional<AuditSeal> before;
    std::int64_t last = 0;
    AuditSeal made{.chain = chain, .public_key = key.public_key()};
    const bool has_chain = database.read([&](Connection& connection) {
        before = last_seal(connection, chain);
        Rows events = connection.sql(select_last_number) << chain.value << one_row;
        last = events.get<long long>("number");
        Rows row = connection.sql(read_head) << chain.value;
        if (!row.next()) return false;
        made.number = row.get<long long>("number");
        made.hash = row.get<std::string>("hash");
        made.sealed_at = time_column(row, "at");
        return true;
    });
    if (!has_chain) return sealing;
    const std::int64_t sealed = before ? before->number : 0;
    if (last > made.number) {
        sealing.findings.push_back(
            {.kind = AuditFinding::Kind::added,
             .chain = chain,
             .number = made.number + 1,
             .last = last,
             .detail = "the chain ends with event " + std::to_string(made.number)});
    } else if (sealed > made.number) {
        sealing.findings.push_back({.kind = AuditFinding::Kind::removed,
                                    .chain = chain,
                                    .number = made.number + 1,
                                    .last = sealed,
                                    .detail = "a seal has them"});
    }
    if (!sealing.findings.empty()) return sealing;
    if (made.number == sealed) return sealing;
    AuditWalker walker(chain, sealed,
                       before ? before->hash : std::string(model::audit::hash_before_first),
                       [&](AuditFinding finding) { sealing.findings.push_back(finding); });
    walk(database, walker, made.number);
    walker.end(made.number, made.hash);
    if (!sealing.findings.empty()) return sealing;
    made.signature = key.sign(signed_bytes(made));
    const bool is_ours = database.write([&](Connection& connection) {
        Statement insert = connection.sql(insert_seal)
                           << chain.value << made.number << made.hash
                           << base::to_sql(made.sealed_at) << made.public_key << made.signature;
        insert.exec();
        connection.sql(note_sealed) << made.number << chain.value << made.number << exec;
        return insert.affected() == 1;
    });
    if (is_ours) sealing.seal = made;
    return sealing;
}

std::int64_t prune_events(Connection& connection, model::TenantId chain,
                          const identity::SigningKey& key, base::Timestamp sealed_before,
                          std::int64_t at_most, int limit) {
    // Two daemons prune one after the other, and nothing is recorded meanwhile.
    {
        Rows held = connection.sql(hold_chain) << chain.value;
        if (!held.next()) return 0;
    }
    const auto anchor = anchor_of(connection, chain, {});
    const std::int64_t begin = anchor ? anchor->number : 0;
    std::int64_t until = 0;
    {
        Rows row = connection.sql(select_prunable)
                   << begin << limit << chain.value << begin << base::to_sql(sealed_before)
                   << key.public_key() << at_most << one_row;
        if (row.is_null("nearest")) return 0;
        until =
            std::max<std::int64_t>(row.get<long long>("nearest"), row.get<long long>("farthest"));
    }
    const AuditSeal seal = seals_from(connection, chain, until, 1).at(0);
    // What this key did not seal is not ours to delete.
    if (!identity::is_signed(signed_bytes(seal), seal.signature, key.public_key())) return 0;
    connection.sql(set_anchor) << key.sign(anchor_bytes(seal)) << chain.value << until << exec;
    connection.sql(delete_events_until) << chain.value << until << exec;
    connection.sql(delete_seals_before) << chain.value << until << exec;
    Event event;
    event.chain = chain;
    event.actor = model::audit::provisioner();
    event.action = "audit.prune";
    event.object = {.kind = "audit", .id = std::to_string(until), .name = ""};
    event.after =
        base::to_text({{"deletedUntil", until}, {"sealedBefore", base::to_sql(sealed_before)}});
    record(connection, {event});
    return until;
}

}  // namespace provisioner::store
