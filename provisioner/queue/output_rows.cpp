#include "provisioner/queue/output_rows.hpp"

#include <cppconn/connection.h>
#include <cppconn/prepared_statement.h>
#include <cppconn/resultset.h>

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

// Keeps the beginning and the end of what an attempt printed. A piece is deleted as a whole, and
// only when all of it lies between the two.
constexpr auto forget_middle = R"sql(
    DELETE FROM transcript
    WHERE task_id = ? AND attempt = ? AND stream <> 'note' AND from_byte >= ? AND
          from_byte + size <= ?
)sql";

void insert_output(sql::Connection& connection, const std::vector<const Output*>& pieces) {
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
        insert->setString(++place, transcript::packed(piece->body));
    }
    insert->executeUpdate();
}

/// Keeps transcripts within their bounds. Runs after the insert, because only then the end is
/// known.
void forget_middles(sql::Connection& connection, const std::vector<const Output*>& pieces) {
    std::map<std::pair<long long, int>, std::int64_t> ends;
    for (const Output* piece : pieces) {
        if (piece->stream == "note") continue;
        std::int64_t& end = ends[{piece->claim.task.value, piece->claim.attempt}];
        end = std::max(end, piece->from_byte + std::ssize(piece->body));
    }
    for (const auto& [attempt, end] : ends) {
        if (end <= transcript::kept_first + transcript::kept_last) continue;
        const Prepared forget(connection.prepareStatement(forget_middle));
        forget->setInt64(1, attempt.first);
        forget->setInt(2, attempt.second);
        forget->setInt64(3, transcript::kept_first);
        forget->setInt64(4, end - transcript::kept_last);
        execute_deletion(*forget);
    }
}

}  // namespace

// Before: pieces of one claim are in order. After: pieces of claims that hold are stored. That is
// read without locks, so that output never waits for the end of a task or job.
// Two at once: a rescue deletes the attempt's output. Pieces that arrive after it are dropped: the
// next worker reads them again.
void store_output(sql::Connection& connection, std::span<const Output> output) {
    if (output.empty()) return;
    std::set<long long> tasks;
    for (const Output& piece : output) tasks.insert(piece.claim.task.value);
    std::unordered_map<long long, long long> fences;
    in_parts(std::vector<long long>(tasks.begin(), tasks.end()), [&](auto part) {
        const Rows rows =
            select(connection, "SELECT id, fence FROM task WHERE state = 'claimed' AND id IN (" +
                                   id_list(part) + ")");
        while (rows->next()) fences[rows->getInt64("id")] = rows->getInt64("fence");
    });
    std::vector<const Output*> stored;
    std::vector<const Output*> part;
    std::size_t bytes = 0;
    for (const Output& piece : output) {
        const auto found = fences.find(piece.claim.task.value);
        if (found == fences.end() || found->second != piece.claim.fence) continue;
        const bool full =
            part.size() == rows_per_statement || bytes + piece.body.size() > one_packet;
        if (full) {
            insert_output(connection, part);
            part.clear();
            bytes = 0;
        }
        part.push_back(&piece);
        stored.push_back(&piece);
        bytes += piece.body.size();
    }
    insert_output(connection, part);
    forget_middles(connection, stored);
}

}  // namespace provisioner::queue
