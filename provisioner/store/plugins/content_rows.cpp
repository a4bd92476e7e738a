#include "provisioner/store/plugins/content_rows.hpp"

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto insert_arriving = R"sql(
    INSERT INTO content (name, place, state, sha256, size, is_gzip, created_at, touched_at)
    VALUES (?, ?, 'arriving', '', 0, FALSE, ?, UTC_TIMESTAMP(6))
)sql";

constexpr auto touch_arriving = R"sql(
    UPDATE content SET touched_at = UTC_TIMESTAMP(6) WHERE id = ? AND state = 'arriving'
)sql";

constexpr auto select_same = R"sql(
    SELECT id, name, place, sha256, size, is_gzip
    FROM content
    WHERE sha256 = ? AND size = ? AND state = 'kept'
    ORDER BY id
    LIMIT 100
)sql";

constexpr auto keep_arrived = R"sql(
    UPDATE content
    SET state = 'kept', sha256 = ?, size = ?, is_gzip = ?
    WHERE id = ? AND state = 'arriving'
)sql";

constexpr auto condemn_kept = R"sql(
    UPDATE content SET state = 'going' WHERE id = ? AND state = 'kept'
)sql";

constexpr auto update_references = R"sql(
    UPDATE plugin_resource SET content_id = ? WHERE content_id = ?
)sql";

constexpr auto select_elsewhere = R"sql(
    SELECT id, name, place, sha256, size, is_gzip
    FROM content
    WHERE place <> ? AND id > ? AND state = 'kept'
    ORDER BY id
    LIMIT ?
)sql";

constexpr auto select_count_elsewhere = R"sql(
    SELECT COUNT(*) AS contents FROM content WHERE place <> ?
)sql";

// An upload that has stopped is recognised by the time of its last byte, by the database's clock.
constexpr auto select_removable = R"sql(
    SELECT content.id, content.name, place, sha256, size, is_gzip
    FROM content
    LEFT JOIN plugin_resource ON plugin_resource.content_id = content.id
    WHERE content.id > ?
      AND plugin_resource.id IS NULL
      AND (state <> 'arriving' OR touched_at <= UTC_TIMESTAMP(6) - INTERVAL ? SECOND)
    ORDER BY content.id
    LIMIT ?
)sql";

// The caller has locked the content's row. An upload takes the same lock before it refers to the
// content, so no reference can be missed.
constexpr auto condemn_unused = R"sql(
    UPDATE content
    SET state = 'going'
    WHERE id = ?
      AND (state <> 'arriving' OR touched_at <= UTC_TIMESTAMP(6) - INTERVAL ? SECOND)
      AND NOT EXISTS (SELECT 1 FROM plugin_resource WHERE plugin_resource.content_id = content.id)
)sql";

constexpr auto select_state = R"sql(
    SELECT state FROM content WHERE id = ? FOR UPDATE
)sql";

constexpr auto delete_content_row = R"sql(
    DELETE FROM content WHERE id = ? AND state = 'going'
)sql";

// The shared lock on the content keeps a sweep from condemning it at the same time.
constexpr auto insert_piece_row = R"sql(
    INSERT INTO content_piece (content_id, position, bytes)
    SELECT id, ?, _binary ? FROM content WHERE name = ? AND state = 'arriving' LOCK IN SHARE MODE
)sql";

constexpr auto select_piece = R"sql(
    SELECT bytes
    FROM content_piece
    JOIN content ON content.id = content_id
    WHERE content.name = ? AND position = ?
)sql";

constexpr auto select_highest_piece = R"sql(
    SELECT content_id, MAX(position) AS position
    FROM content_piece
    JOIN content ON content.id = content_id
    WHERE content.name = ?
    GROUP BY content_id
)sql";

constexpr auto delete_highest_pieces = R"sql(
    DELETE FROM content_piece WHERE content_id = ? AND position > ?
)sql";

std::vector<StoredContent> read_contents(Rows row) {
    std::vector<StoredContent> contents;
    while (row.next()) {
        contents.push_back({.id = model::ContentId{row.get<long long>("id")},
                            .content = content_columns(row, "name")});
    }
    return contents;
}

bool changed_one(Statement&& statement) {
    statement.exec();
    return statement.affected() == 1;
}

}  // namespace

model::ContentId insert_content(Connection& connection, model::ContentPlace place,
                                const std::string& name, base::Timestamp now) {
    const std::string word = base::to_word(place);
    const std::string created_at = base::to_sql(now);
    Statement insert = connection.sql(insert_arriving) << name << word << created_at;
    insert.exec();
    return model::ContentId{insert.last_insert_id()};
}

bool touch_content(Connection& connection, model::ContentId content) {
    return changed_one(connection.sql(touch_arriving) << content.value);
}

std::vector<StoredContent> same_contents(Connection& connection, const std::string& sha256,
                                         std::uint64_t size) {
    return read_contents(connection.sql(select_same) << sha256 << static_cast<long long>(size));
}

bool hold_content(Connection& connection, model::ContentId content) {
    Rows state = connection.sql(select_state) << content.value;
    return state.next() && state.get<std::string>("state") == "kept";
}

bool keep_content(Connection& connection, const StoredContent& arrived) {
    return changed_one(connection.sql(keep_arrived)
                       << arrived.content.sha256 << static_cast<long long>(arrived.content.size)
                       << (arrived.content.is_gzip ? 1 : 0) << arrived.id.value);
}

bool replace_content(Connection& connection, model::ContentId old, model::ContentId fresh) {
    if (!changed_one(connection.sql(condemn_kept) << old.value)) return false;
    connection.sql(update_references) << fresh.value << old.value << exec;
    return true;
}

std::vector<StoredContent> contents_elsewhere(Connection& connection, model::ContentPlace place,
                                              model::ContentId after, int limit) {
    const std::string word = base::to_word(place);
    return read_contents(connection.sql(select_elsewhere) << word << after.value << limit);
}

int count_elsewhere(Connection& connection, model::ContentPlace place) {
    const std::string word = base::to_word(place);
    Rows row = connection.sql(select_count_elsewhere) << word << one_row;
    return row.get<int>("contents");
}

std::vector<StoredContent> contents_to_remove(Connection& connection, std::chrono::seconds patience,
                                              model::ContentId after, int limit) {
    return read_contents(connection.sql(select_removable)
                         << after.value << static_cast<long long>(patience.count()) << limit);
}

bool condemn_content(Connection& connection, model::ContentId content,
                     std::chrono::seconds patience) {
    // The content is locked before the rows that refer to it, the same order as in an upload.
    Rows state = connection.sql(select_state) << content.value;
    if (!state.next()) return false;
    if (state.get<std::string>("state") == "going") return true;
    return changed_one(connection.sql(condemn_unused)
                       << content.value << static_cast<long long>(patience.count()));
}

void forget_content(Connection& connection, model::ContentId content) {
    connection.sql(delete_content_row) << content.value << exec;
}

bool insert_piece(Connection& connection, const std::string& name, int position,
                  const std::string& bytes) {
    return changed_one(connection.sql(insert_piece_row) << position << bytes << name);
}

std::optional<std::string> find_piece(Connection& connection, const std::string& name,
                                      int position) {
    Rows row = connection.sql(select_piece) << name << position;
    if (!row.next()) return std::nullopt;
    return row.get<std::string>("bytes");
}

bool delete_pieces(Connection& connection, const std::string& name, int limit) {
    Rows highest = connection.sql(select_highest_piece) << name;
    if (!highest.next()) return false;
    const auto content = highest.get<long long>("content_id");
    const int after = highest.get<int>("position") - limit;
    connection.sql(delete_highest_pieces) << content << after << exec;
    return true;
}

}  // namespace provisioner::store
