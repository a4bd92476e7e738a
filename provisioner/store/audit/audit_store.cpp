#include "provisioner/store/audit/audit_store.hpp"

#include <algorithm>
#include <map>

#include "provisioner/identity/sha256.hpp"
#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

using model::audit::Event;

constexpr auto make_chain = R"sql(
    INSERT IGNORE INTO audit_chain (tenant_id, number, hash, at) VALUES (?, 0, ?, '1970-01-01')
)sql";

// The clock of the database, and not backwards when that is set back a little: then the order of
// moments is that of numbers. But audit_chain is the web's to change: a moment far ahead would be
// that of all later events.
constexpr auto lock_chain = R"sql(
    SELECT number, hash,
           IF(at > UTC_TIMESTAMP(6) + INTERVAL 1 HOUR, UTC_TIMESTAMP(6),
              GREATEST(at, UTC_TIMESTAMP(6))) AS at
    FROM audit_chain WHERE tenant_id = ? FOR UPDATE
)sql";

constexpr auto insert_events = R"sql(
    INSERT INTO audit_event (tenant_id, number, at, user_id, user_name, user_tenant, role,
                             credential, client, request, action, object_kind, object_id,
                             object_name, outcome, status, reason, times, before_value,
                             after_value, previous, hash)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
)sql";

constexpr auto move_head = R"sql(
    UPDATE audit_chain SET number = ?, hash = ?, at = ? WHERE tenant_id = ?
)sql";

constexpr auto event_columns = R"sql(
    SELECT tenant_id, number, at, user_id, user_name, user_tenant, role, credential, client,
           request, action, object_kind, object_id, object_name, outcome, status, reason, times,
           before_value, after_value, previous, hash
    FROM audit_event
)sql";

constexpr auto event_outline_columns = R"sql(
    SELECT tenant_id, number, at, user_id, user_name, user_tenant, role, credential, client,
           request, action, object_kind, object_id, object_name, outcome, status, reason, times,
           IF(action IN ('price-list.replace', 'tenant.leave'), before_value, '') AS before_value,
           IF(action IN ('price-list.replace', 'tenant.leave'), after_value, '') AS after_value,
           previous, hash
    FROM audit_event
)sql";

constexpr auto first_from = R"sql(
    SELECT number FROM audit_event WHERE tenant_id = ? AND at >= ? ORDER BY at, number LIMIT 1
)sql";

constexpr auto last_until = R"sql(
    SELECT number FROM audit_event WHERE tenant_id = ? AND at <= ? ORDER BY at DESC, number DESC
    LIMIT 1
)sql";

constexpr auto select_chains = R"sql(
    SELECT chain.tenant_id, COALESCE(tenant.name, '') AS tenant, chain.number, chain.hash,
           chain.sealed_number
    FROM audit_chain AS chain
    LEFT JOIN tenant ON tenant.id = chain.tenant_id
    UNION ALL
    SELECT DISTINCT stray.tenant_id, '', 0, '', 0
    FROM audit_event AS stray
    LEFT JOIN audit_chain AS chain ON chain.tenant_id = stray.tenant_id
    WHERE chain.tenant_id IS NULL
    ORDER BY 1 LIMIT 1000000
)sql";

constexpr auto select_chain_of = R"sql(
    (SELECT id, 0 AS is_uid, deleted_id <> 0 AS is_deleted FROM tenant WHERE name = ?)
    UNION ALL
    (SELECT id, 1 AS is_uid, 0 AS is_deleted FROM tenant WHERE uid = ?)
    ORDER BY is_uid, is_deleted, id DESC LIMIT 1
)sql";

constexpr auto count_actions = R"sql(
    SELECT COUNT(*) AS events FROM (
        SELECT 1 FROM audit_event FORCE INDEX (audit_event_action)
        WHERE tenant_id = ? AND action LIKE ? LIMIT ?
    ) AS some
)sql";

// A plain OR would read every event.
constexpr auto join_named = R"sql(
    JOIN (
        SELECT number AS meant FROM audit_event WHERE tenant_id = ? AND object_name = ?
        UNION
        SELECT number FROM audit_event WHERE tenant_id = ? AND object_id = ?
)sql";

constexpr auto or_named = R"sql(
        UNION
        SELECT number FROM audit_event WHERE tenant_id = ? AND object_name = ?
)sql";

constexpr auto end_of_join = R"sql(
    ) AS named ON named.meant = audit_event.number
)sql";

/// So many events are found by their action. More are so frequent that they are met soon when all
/// are read from the end.
constexpr int few_events = 10'000;

/// What a document that is too large is replaced by.
std::string bounded(std::string document) {
    if (document.size() <= model::audit::most_document) return document;
    identity::Sha256 hash;
    hash.add(document);
    return base::to_text(
        {{"omitted", "too large"}, {"bytes", document.size()}, {"sha256", hash.finish()}});
}

std::string hash_of(const Event& event) {
    identity::Sha256 hash;
    hash.add(model::audit::canonical(event));
    return hash.finish();
}

/// Where the next event follows.
struct Head {
    std::int64_t number = 0;
    std::string hash;
    base::Timestamp at;
};

Head lock_head(Connection& connection, model::TenantId chain) {
    const auto look = [&]() -> std::optional<Head> {
        Rows row = connection.sql(lock_chain) << chain.value;
        if (!row.next()) return std::nullopt;
        return Head{.number = row.get<long long>("number"),
                    .hash = row.get<std::string>("hash"),
                    .at = time_column(row, "at")};
    };
    if (const auto head = look()) return *head;
    connection.sql(make_chain) << chain.value << model::audit::hash_before_first << exec;
    return look().value();
}

void insert(Connection& connection, const Event& event) {
    connection.sql(insert_events) << event.chain.value << event.number << base::to_sql(event.at)
                                  << event.actor.user.value << event.actor.name
                                  << event.actor.tenant << event.actor.role
                                  << event.actor.credential << event.actor.client
                                  << event.actor.request << event.action << event.object.kind
                                  << event.object.id << event.object.name
                                  << base::to_word(event.outcome) << event.status << event.reason
                                  << event.times << event.before << event.after << event.previous
                                  << event.hash << exec;
}

void append(Connection& connection, model::TenantId chain, const std::vector<Event*>& events) {
    Head head = lock_head(connection, chain);
    for (Event* each : events) {
        Event event = model::audit::to_fitting(std::move(*each));
        event.before = bounded(std::move(event.before));
        event.after = bounded(std::move(event.after));
        event.number = ++head.number;
        event.at = head.at;
        event.previous = head.hash;
        event.hash = hash_of(event);
        head.hash = event.hash;
        insert(connection, event);
    }
    connection.sql(move_head) << head.number << head.hash << base::to_sql(head.at) << chain.value
                              << exec;
}

Event read_event(Rows& row) {
    return {.chain = model::TenantId{row.get<long long>("tenant_id")},
            .number = row.get<long long>("number"),
            .at = time_column(row, "at"),
            .actor = {.user = model::UserId{row.get<long long>("user_id")},
                      .name = row.get<std::string>("user_name"),
                      .tenant = row.get<std::string>("user_tenant"),
                      .role = row.get<std::string>("role"),
                      .credential = row.get<std::string>("credential"),
                      .client = row.get<std::string>("client"),
                      .request = row.get<std::string>("request")},
            .action = row.get<std::string>("action"),
            .object = {.kind = row.get<std::string>("object_kind"),
                       .id = row.get<std::string>("object_id"),
                       .name = row.get<std::string>("object_name")},
            // A word that nobody of ours wrote: verification then finds that the hash is wrong.
            .outcome = base::from_word<model::audit::Outcome>(row.get<std::string>("outcome"))
                           .value_or(model::audit::Outcome::failed),
            .status = row.get<int>("status"),
            .reason = row.get<std::string>("reason"),
            .times = row.get<int>("times"),
            .before = row.get<std::string>("before_value"),
            .after = row.get<std::string>("after_value"),
            .previous = row.get<std::string>("previous"),
            .hash = row.get<std::string>("hash")};
}

std::vector<Event> read_events(Rows row) {
    std::vector<Event> events;
    while (row.next()) events.push_back(read_event(row));
    return events;
}

/// The pattern for LIKE that takes what begins with `prefix`.
std::string beginning_with(const std::string& prefix) {
    std::string pattern;
    for (const char c : prefix) {
        if (c == '%' || c == '_' || c == '\\') pattern += '\\';
        pattern += c;
    }
    return pattern + '%';
}

std::optional<std::int64_t> number_at(Connection& connection, const char* statement,
                                      model::TenantId chain, base::Timestamp moment) {
    Rows row = connection.sql(statement) << chain.value << base::to_sql(moment);
    if (!row.next()) return std::nullopt;
    return row.get<long long>("number");
}

/// The conditions of a filter besides the chain, and the texts for their `?`.
struct Conditions {
    std::string sql{};
    std::vector<std::string> texts{};

    void add(const char* condition, const std::string& text) {
        if (text.empty()) return;
        sql += condition;
        texts.push_back(text);
    }
};

/// For LIKE.
std::string pattern_of(const AuditFilter& filter) {
    std::string pattern = beginning_with(filter.action);
    if (filter.is_whole_action) pattern.pop_back();
    return pattern;
}

/// Of `user` if there are no others.
void add_users(const AuditFilter& filter, Conditions& conditions) {
    if (filter.more_users.empty()) return conditions.add(" AND user_name = ?", filter.user);
    conditions.sql += " AND user_name IN (?";
    conditions.texts.push_back(filter.user);
    for (const std::string& name : filter.more_users) {
        conditions.sql += ", ?";
        conditions.texts.push_back(name);
    }
    conditions.sql += ')';
}

constexpr auto refused_request = "request.refused";

void add_action(const AuditFilter& filter, Conditions& conditions) {
    if (filter.action.empty()) return;
    const bool has_refusals = filter.is_whole_action && filter.has_refusals;
    if (!has_refusals) return conditions.add(" AND action LIKE ?", pattern_of(filter));
    conditions.sql += " AND (action LIKE ? OR action = ?";
    conditions.texts.push_back(pattern_of(filter));
    conditions.texts.push_back(filter.action + ".refused");
    if (!filter.refused_requests.empty()) {
        conditions.sql += " OR (action = ? AND object_name REGEXP ?)";
        conditions.texts.emplace_back(refused_request);
        conditions.texts.push_back(filter.refused_requests);
    }
    conditions.sql += ')';
}

Conditions conditions_of(const AuditFilter& filter) {
    Conditions conditions;
    add_users(filter, conditions);
    add_action(filter, conditions);
    conditions.add(" AND object_kind = ?", filter.object_kind);
    conditions.add(" AND request = ?", filter.request);
    if (filter.outcome) conditions.add(" AND outcome = ?", base::to_word(*filter.outcome));
    return conditions;
}

/// How the events are found: a part of the statement behind the table. The server would read all of
/// them backwards for the newest few of a rare action.
std::string way_to(Connection& connection, const AuditFilter& filter) {
    if (!filter.object.empty()) {
        std::string join = join_named;
        for (std::size_t i = 0; i < filter.more_names.size(); ++i) join += or_named;
        return join + end_of_join;
    }
    const bool has_better =
        filter.action.empty() || !filter.user.empty() || !filter.request.empty();
    if (has_better) return "";
    const auto count = [&](const std::string& pattern) {
        Rows row = connection.sql(count_actions)
                   << filter.chain.value << pattern << few_events << one_row;
        return row.get<int>("events");
    };
    int events = count(pattern_of(filter));
    if (filter.has_refusals && !filter.refused_requests.empty()) events += count(refused_request);
    return events < few_events ? " FORCE INDEX (audit_event_action)" : "";
}

}  // namespace

void record(Connection& connection, std::vector<Event> events) {
    std::map<model::TenantId, std::vector<Event*>> chains;
    for (Event& event : events) chains[event.chain].push_back(&event);
    for (const auto& [chain, own] : chains) append(connection, chain, own);
}

std::vector<Event> list_events(Connection& connection, const AuditFilter& filter,
                               std::int64_t before, int limit, bool has_documents) {
    constexpr std::int64_t no_number = INT64_MAX;
    std::int64_t first = 1;
    std::int64_t last = before == 0 ? no_number : before - 1;
    if (filter.from) {
        first = number_at(connection, first_from, filter.chain, *filter.from).value_or(no_number);
    }
    if (filter.to) {
        last =
            std::min(last, number_at(connection, last_until, filter.chain, *filter.to).value_or(0));
    }
    if (first > last) return {};
    const auto conditions = conditions_of(filter);
    const std::string sql = std::string(has_documents ? event_columns : event_outline_columns) +
                            way_to(connection, filter) +
                            " WHERE tenant_id = ? AND number BETWEEN ? AND ?" + conditions.sql +
                            " ORDER BY number DESC LIMIT ?";
    Statement select = connection.sql(sql);
    if (!filter.object.empty()) {
        for (int i = 0; i < 2; ++i) select << filter.chain.value << filter.object;
        for (const std::string& name : filter.more_names) select << filter.chain.value << name;
    }
    select << filter.chain.value << first << last;
    for (const std::string& text : conditions.texts) select << text;
    select << limit;
    return read_events(select.query());
}

std::optional<Event> find_event(Connection& connection, model::TenantId chain,
                                std::int64_t number) {
    Rows row = connection.sql(std::string(event_columns) + " WHERE tenant_id = ? AND number = ?")
               << chain.value << number;
    if (!row.next()) return std::nullopt;
    return read_event(row);
}

std::vector<Event> events_after(Connection& connection, model::TenantId chain, std::int64_t after,
                                int limit) {
    return read_events(connection.sql(std::string(event_columns) +
                                      " WHERE tenant_id = ? AND number > ? ORDER BY number LIMIT ?")
                       << chain.value << after << limit);
}

std::vector<AuditChain> list_chains(Connection& connection) {
    Rows row = connection.sql(select_chains);
    std::vector<AuditChain> chains;
    while (row.next()) {
        chains.push_back({.chain = model::TenantId{row.get<long long>("tenant_id")},
                          .tenant = row.get<std::string>("tenant"),
                          .number = row.get<long long>("number"),
                          .hash = row.get<std::string>("hash"),
                          .sealed_number = row.get<long long>("sealed_number")});
    }
    return chains;
}

std::optional<model::TenantId> chain_of(Connection& connection, const std::string& tenant) {
    Rows row = connection.sql(select_chain_of) << tenant << tenant;
    if (!row.next()) return std::nullopt;
    return model::TenantId{row.get<long long>("id")};
}

std::string tenant_of_chain(Connection& connection, model::TenantId chain) {
    Rows row = connection.sql("SELECT name FROM tenant WHERE id = ? AND deleted_id = 0")
               << chain.value;
    return row.next() ? row.get<std::string>("name") : "";
}

}  // namespace provisioner::store
