#include "provisioner/store/audit/export_store.hpp"

#include <algorithm>
#include <stdexcept>

#include "provisioner/base/utf8.hpp"
#include "provisioner/store/audit/audit_store.hpp"
#include "provisioner/store/audit/verification.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto make_target = R"sql(
    INSERT IGNORE INTO audit_target (target, held_by, held_until) VALUES (?, '', UTC_TIMESTAMP(6))
)sql";

constexpr auto take_target = R"sql(
    UPDATE audit_target
    SET held_by = ?, held_until = UTC_TIMESTAMP(6) + INTERVAL ? SECOND
    WHERE target = ? AND (held_by = ? OR held_until <= UTC_TIMESTAMP(6)) AND
          (retry_at IS NULL OR retry_at <= UTC_TIMESTAMP(6))
)sql";

constexpr auto lock_holder = R"sql(
    SELECT held_by FROM audit_target WHERE target = ? FOR UPDATE
)sql";

constexpr auto release_well = R"sql(
    UPDATE audit_target
    SET held_by = '', held_until = UTC_TIMESTAMP(6), failures = 0, retry_at = NULL, error = ''
    WHERE target = ? AND held_by = ?
)sql";

constexpr auto release_failed = R"sql(
    UPDATE audit_target
    SET held_by = '', held_until = UTC_TIMESTAMP(6), error = ?,
        retry_at = UTC_TIMESTAMP(6) + INTERVAL (? * POW(2, LEAST(failures, 6))) SECOND,
        failures = failures + 1
    WHERE target = ? AND held_by = ?
)sql";

constexpr auto select_behind = R"sql(
    SELECT chain.tenant_id, COALESCE(tenant.name, '') AS tenant, COALESCE(sent.number, 0) AS number,
           chain.number AS chain_end
    FROM audit_chain AS chain
    LEFT JOIN audit_export AS sent ON sent.tenant_id = chain.tenant_id AND sent.target = ?
    LEFT JOIN tenant ON tenant.id = chain.tenant_id
    WHERE chain.number > COALESCE(sent.number, 0)
    ORDER BY chain.tenant_id LIMIT 1000000
)sql";

constexpr auto note_sent = R"sql(
    INSERT INTO audit_export (target, tenant_id, number) VALUES (?, ?, ?)
    ON DUPLICATE KEY UPDATE number = GREATEST(number, VALUES(number))
)sql";

constexpr auto select_sent = R"sql(
    SELECT number FROM audit_export WHERE target = ? AND tenant_id = ?
)sql";

constexpr std::size_t longest_error = 1000;

/// Of events after number `last`, those that follow on it and one another up to the chain's `end`.
void keep_what_follows(std::vector<model::audit::Event>& events, std::int64_t last,
                       std::int64_t end) {
    const auto stops = std::find_if(events.begin(), events.end(), [&](const auto& event) {
        return event.number != ++last || event.number > end;
    });
    events.erase(stops, events.end());
}

}  // namespace

bool hold_target(Connection& connection, const std::string& target, const std::string& holder,
                 std::chrono::seconds hold) {
    connection.sql(make_target) << target << exec;
    Statement take = connection.sql(take_target) << holder << hold.count() << target << holder;
    take.exec();
    return take.affected() == 1;
}

PendingEvents pending_events(Connection& connection, const std::string& target, int limit) {
    struct Behind {
        AuditBatch batch;
        std::int64_t sent;
        std::int64_t end;
    };
    std::vector<Behind> all;
    {
        Rows row = connection.sql(select_behind) << target;
        while (row.next()) {
            all.push_back({.batch = {.chain = model::TenantId{row.get<long long>("tenant_id")},
                                     .tenant = row.get<std::string>("tenant"),
                                     .events = {}},
                           .sent = row.get<long long>("number"),
                           .end = row.get<long long>("chain_end")});
        }
    }
    PendingEvents pending;
    int left = limit;
    for (auto& [batch, sent, end] : all) {
        if (left <= 0) break;
        batch.events = events_after(connection, batch.chain, sent, left);
        // What was deleted because of its age is lacked by nobody.
        const auto anchor = anchor_of(connection, batch.chain, {});
        keep_what_follows(batch.events, std::max(sent, anchor ? anchor->number : 0), end);
        left -= static_cast<int>(batch.events.size());
        (batch.events.empty() ? pending.broken : pending.batches).push_back(std::move(batch));
    }
    return pending;
}

void acknowledge(Connection& connection, const std::string& target, const std::string& holder,
                 const std::vector<AuditBatch>& batches) {
    {
        Rows row = connection.sql(lock_holder) << target;
        if (!row.next() || row.get<std::string>("held_by") != holder) {
            throw std::logic_error("another daemon has taken over " + target);
        }
    }
    for (const AuditBatch& batch : batches) {
        connection.sql(note_sent) << target << batch.chain.value << batch.events.back().number
                                  << exec;
    }
}

void release_target(Connection& connection, const std::string& target, const std::string& holder,
                    const std::string& error, std::chrono::seconds pause) {
    if (error.empty()) {
        connection.sql(release_well) << target << holder << exec;
        return;
    }
    const std::string text = base::to_utf8(error);
    connection.sql(release_failed) << std::string(base::utf8_prefix(text, longest_error))
                                   << pause.count() << target << holder << exec;
}

std::int64_t acknowledged_by_all(Connection& connection, model::TenantId chain,
                                 const std::vector<std::string>& targets) {
    std::int64_t number = INT64_MAX;
    for (const std::string& target : targets) {
        Rows row = connection.sql(select_sent) << target << chain.value;
        number = std::min<std::int64_t>(number, row.next() ? row.get<long long>("number") : 0);
    }
    return number;
}

}  // namespace provisioner::store
