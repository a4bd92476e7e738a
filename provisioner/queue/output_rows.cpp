#include "provisioner/queue/output_rows.hpp"

#include <cppconn/connection.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "provisioner/queue/bulk.hpp"
#include "provisioner/transcript/bounds.hpp"
#include "provisioner/transcript/packing.hpp"

namespace provisioner::queue {

namespace {

using Prepared = std::unique_ptr<sql::PreparedStatement>;
using Rows = std::unique_ptr<sql::ResultSet>;

constexpr auto insert_pieces = R"sql(
    INSERT INTO transcript (task_id, attempt, stream, at, from_byte, size, body) VALUES
)sql";

/// What a row takes besides its text, about.
constexpr std::int64_t bytes_of_row = 100;

constexpr auto sum_of_middle = R"sql(
    SELECT COALESCE(SUM(LENGTH(body) + 100), 0) AS bytes FROM transcript
    WHERE task_id = ? AND attempt = ? AND stream <> 'note' AND from_byte >= ? AND
          from_byte + size <= ?
)sql";

// Keeps the beginning and the end of what an attempt printed. A piece is deleted as a whole, and
// only when all of it lies between the two.
constexpr auto forget_middle = R"sql(
    DELETE FROM transcript
    WHERE task_id = ? AND attempt = ? AND stream <> 'note' AND from_byte >= ? AND
          from_byte + size <= ?
)sql";

constexpr auto add_to_day = R"sql(
    INSERT INTO output_of_day (day, tenant_id, bytes) VALUES (UTC_DATE(), ?, ?)
    ON DUPLICATE KEY UPDATE bytes = bytes + ?
)sql";

constexpr std::string_view not_kept =
    "Output is not kept: the tasks of this tenant have printed as much today as is kept of one day "
    "(setting output.daily_mib).\n";

/// Bytes by tenant.
using TenantBytes = std::map<long long, std::int64_t>;

/// What was stored of these tenants today.
TenantBytes stored_today(sql::Connection& connection, const std::set<long long>& tenants) {
    TenantBytes stored;
    in_parts(std::vector<long long>(tenants.begin(), tenants.end()), [&](auto part) {
        const Rows rows = select(connection,
                                 "SELECT tenant_id, bytes FROM output_of_day WHERE day = "
                                 "UTC_DATE() AND tenant_id IN (" +
                                     id_list(part) + ")");
        while (rows->next()) stored[rows->getInt64("tenant_id")] = rows->getInt64("bytes");
    });
    return stored;
}

/// Last in the transaction, in the order of tenants: several daemons add to the same rows.
void add_to_today(sql::Connection& connection, const TenantBytes& more) {
    for (const auto& [tenant, bytes] : more) {
        const Prepared add(connection.prepareStatement(add_to_day));
        add->setInt64(1, tenant);
        add->setInt64(2, bytes);
        add->setInt64(3, bytes);
        add->executeUpdate();
    }
}

/// Adds the bytes that it stores to those of their tenants.
void insert_output(sql::Connection& connection, const std::vector<const Output*>& pieces,
                   TenantBytes& stored) {
    if (pieces.empty()) return;
    const Prepared insert(connection.prepareStatement(
        insert_pieces + repeated("(?, ?, ?, UTC_TIMESTAMP(6), ?, ?, ?)", pieces.size())));
    unsigned place = 0;
    for (const Output* piece : pieces) {
        insert->setInt64(++place, piece->claim.task.value);
        insert->setInt(++place, piece->claim.attempt);
        insert->setString(++place, piece->stream);
        insert->setInt64(++place, piece->from_byte);
        insert->setInt64(++place, std::ssize(piece->body));
        const std::string packed = transcript::packed(piece->body);
        stored[piece->claim.tenant.value] += std::ssize(packed) + bytes_of_row;
        insert->setString(++place, packed);
    }
    insert->executeUpdate();
}

/// Keeps transcripts within their bounds. Runs after the insert, because only then the end is
/// known. What is deleted does not count as stored.
void forget_middles(sql::Connection& connection, const std::vector<const Output*>& pieces,
                    TenantBytes& stored) {
    struct End {
        long long tenant = 0;
        std::int64_t byte = 0;
    };
    std::map<std::pair<long long, int>, End> ends;
    for (const Output* piece : pieces) {
        if (piece->stream == "note") continue;
        End& end = ends[{piece->claim.task.value, piece->claim.attempt}];
        end.tenant = piece->claim.tenant.value;
        end.byte = std::max(end.byte, piece->from_byte + std::ssize(piece->body));
    }
    for (const auto& [attempt, end] : ends) {
        if (end.byte <= transcript::kept_first + transcript::kept_last) continue;
        const auto bind = [&, &found = attempt,
                           last = end.byte](sql::PreparedStatement& statement) {
            statement.setInt64(1, found.first);
            statement.setInt(2, found.second);
            statement.setInt64(3, transcript::kept_first);
            statement.setInt64(4, last - transcript::kept_last);
        };
        const Prepared sum(connection.prepareStatement(sum_of_middle));
        bind(*sum);
        const Rows bytes(queue::select(*sum));
        if (bytes->next()) stored[end.tenant] -= bytes->getInt64("bytes");
        const Prepared forget(connection.prepareStatement(forget_middle));
        bind(*forget);
        execute_deletion(*forget);
    }
}

/// The attempts among these, as (task, attempt), that say already that their output is not kept.
std::set<std::pair<long long, int>> told_so(sql::Connection& connection,
                                            const std::set<long long>& tasks) {
    std::set<std::pair<long long, int>> told;
    in_parts(std::vector<long long>(tasks.begin(), tasks.end()), [&](auto part) {
        const Rows rows =
            select(connection,
                   "SELECT DISTINCT task_id, attempt FROM transcript WHERE stream = "
                   "'note' AND size = " +
                       std::to_string(not_kept.size()) + " AND task_id IN (" + id_list(part) + ")");
        while (rows->next()) told.emplace(rows->getInt64("task_id"), rows->getInt("attempt"));
    });
    return told;
}

}  // namespace

// Before: pieces of one claim are in order. After: pieces of claims that hold are stored. That is
// read without locks, so that output never waits for the end of a task or job.
// Two at once: a rescue deletes the attempt's output. Pieces that arrive after it are dropped: the
// next worker reads them again.
void store_output(sql::Connection& connection, std::span<const Output> output, std::int64_t daily) {
    if (output.empty()) return;
    std::set<long long> tasks;
    std::set<long long> tenants;
    for (const Output& piece : output) {
        tasks.insert(piece.claim.task.value);
        tenants.insert(piece.claim.tenant.value);
    }
    const TenantBytes today = stored_today(connection, tenants);
    const auto has_room = [&](const Output& piece) {
        const auto found = today.find(piece.claim.tenant.value);
        return daily == 0 || piece.stream == "note" || found == today.end() ||
               found->second < daily;
    };
    std::unordered_map<long long, long long> fences;
    in_parts(std::vector<long long>(tasks.begin(), tasks.end()), [&](auto part) {
        const Rows rows =
            select(connection, "SELECT id, fence FROM task WHERE state = 'claimed' AND id IN (" +
                                   id_list(part) + ")");
        while (rows->next()) fences[rows->getInt64("id")] = rows->getInt64("fence");
    });
    // Bounds that were passed are rare, so nobody asks who was told before.
    std::set<long long> without_room;
    for (const Output& piece : output) {
        if (!has_room(piece)) without_room.insert(piece.claim.task.value);
    }
    std::set<std::pair<long long, int>> told = told_so(connection, without_room);

    TenantBytes more;
    std::deque<Output> notes;
    std::vector<const Output*> stored;
    std::vector<const Output*> part;
    std::size_t bytes = 0;
    for (const Output& piece : output) {
        const auto found = fences.find(piece.claim.task.value);
        if (found == fences.end() || found->second != piece.claim.fence) continue;
        const Output* row = &piece;
        if (!has_room(piece)) {
            if (!told.emplace(piece.claim.task.value, piece.claim.attempt).second) continue;
            notes.push_back({piece.claim, "note", std::string(not_kept), piece.from_byte});
            row = &notes.back();
        }
        if (part.size() >= rows_per_statement || bytes + row->body.size() > one_packet) {
            insert_output(connection, part, more);
            part.clear();
            bytes = 0;
        }
        part.push_back(row);
        stored.push_back(row);
        bytes += row->body.size();
    }
    insert_output(connection, part, more);
    forget_middles(connection, stored, more);
    add_to_today(connection, more);
}

}  // namespace provisioner::queue
