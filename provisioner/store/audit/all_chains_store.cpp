#include "provisioner/store/audit/all_chains_store.hpp"

#include <algorithm>

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

using model::audit::Event;

namespace {

constexpr auto select_ends = R"sql(
    SELECT tenant_id, at FROM audit_chain WHERE number > 0 ORDER BY at DESC, tenant_id DESC
    LIMIT 1000000
)sql";

constexpr auto select_logs = R"sql(
    SELECT id, name, uid, deleted_id <> 0 AS is_deleted FROM tenant
    WHERE deleted_id = 0 OR id IN (SELECT tenant_id FROM audit_chain)
    ORDER BY name, deleted_id, id LIMIT 1000000
)sql";

// The inner statement skips from word to word of each chain in an index.
constexpr auto all_actions = R"sql(
    SELECT DISTINCT word FROM (
        SELECT DISTINCT tenant_id, action AS word FROM audit_event FORCE INDEX (audit_event_action)
    ) AS words ORDER BY word LIMIT 300
)sql";

constexpr auto all_kinds = R"sql(
    SELECT DISTINCT word FROM (
        SELECT DISTINCT tenant_id, object_kind AS word
        FROM audit_event FORCE INDEX (audit_event_kind)
    ) AS words ORDER BY word LIMIT 300
)sql";

/// The end of a chain.
struct ChainEnd {
    model::TenantId chain{};
    base::Timestamp at{};
};

std::vector<ChainEnd> ends_of_chains(Connection& connection) {
    std::vector<ChainEnd> ends;
    Rows row = connection.sql(select_ends);
    while (row.next()) {
        ends.push_back({.chain = model::TenantId{row.get<long long>("tenant_id")},
                        .at = time_column(row, "at")});
    }
    return ends;
}

/// Those of the chain of the filter behind `before`. In a chain the order of moments is that of
/// numbers.
std::vector<Event> events_behind(Connection& connection, AuditFilter filter,
                                 const std::optional<AuditPlace>& before, int limit) {
    std::int64_t number = 0;
    if (before && filter.chain == before->chain) {
        number = before->number;
    } else if (before) {
        const bool is_later_chain = before->chain < filter.chain;
        const auto last = before->at - std::chrono::microseconds{is_later_chain ? 1 : 0};
        filter.to = std::min(filter.to.value_or(last), last);
    }
    return list_events(connection, filter, number, limit, false);
}

bool is_newer(const Event& one, const Event& other) {
    return place_of(one) > place_of(other);
}

}  // namespace

AuditPlace place_of(const Event& event) {
    return {.at = event.at, .chain = event.chain, .number = event.number};
}

std::vector<Event> list_events_of_all(Connection& connection, AuditFilter filter,
                                      const std::optional<AuditPlace>& before, int limit,
                                      bool has_documents) {
    const auto most = static_cast<std::size_t>(limit);
    std::vector<Event> found;
    for (const ChainEnd& end : ends_of_chains(connection)) {
        const bool is_full = found.size() == most && !found.empty();
        if (is_full && end.at < found.back().at) break;
        if (filter.from && end.at < *filter.from) break;
        filter.chain = end.chain;
        auto events = events_behind(connection, filter, before, limit);
        const auto middle = static_cast<std::ptrdiff_t>(found.size());
        std::ranges::move(events, std::back_inserter(found));
        std::inplace_merge(found.begin(), found.begin() + middle, found.end(), is_newer);
        if (found.size() > most) found.resize(most);
    }
    if (!has_documents) return found;
    for (Event& event : found) {
        if (auto whole = find_event(connection, event.chain, event.number)) {
            event = *std::move(whole);
        }
    }
    return found;
}

AuditWords audit_words_of_all(Connection& connection) {
    const auto read = [&](const char* statement) {
        std::vector<std::string> words;
        Rows rows = connection.sql(statement);
        while (rows.next()) {
            auto word = rows.get<std::string>("word");
            if (!word.empty()) words.push_back(std::move(word));
        }
        return words;
    };
    return {.actions = read(all_actions), .object_kinds = read(all_kinds)};
}

std::vector<AuditLog> list_logs(Connection& connection) {
    std::vector<AuditLog> logs;
    Rows row = connection.sql(select_logs);
    while (row.next()) {
        logs.push_back({.chain = model::TenantId{row.get<long long>("id")},
                        .tenant = row.get<std::string>("name"),
                        .uid = row.get<std::string>("uid"),
                        .is_deleted = row.get<int>("is_deleted") != 0});
    }
    return logs;
}

}  // namespace provisioner::store
