#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/plugins/content.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

/// A content with its row.
struct StoredContent {
    model::ContentId id;
    model::Content content;

    bool operator==(const StoredContent&) const = default;
};

/// Writes down that bytes will arrive in a place under that name: before the first of them does, so
/// that no place has what the database does not know.
model::ContentId insert_content(Connection& connection, model::ContentPlace place,
                                const std::string& name, base::Timestamp now);

/// Says that its bytes are still arriving; false when they are no longer waited for.
[[nodiscard]] bool touch_content(Connection& connection, model::ContentId content);

/// The contents that are kept and have these bytes, oldest first, as the transaction sees them.
/// They are not locked: no index is, so uploads of other bytes do not wait for each other.
std::vector<StoredContent> same_contents(Connection& connection, const std::string& sha256,
                                         std::uint64_t size);

/// Locks a content, so that nobody removes it until the transaction ends; false when it is not kept
/// any more.
[[nodiscard]] bool hold_content(Connection& connection, model::ContentId content);

/// Keeps what has arrived: hash, size and form of `arrived` are written to its row. False when its
/// bytes are no longer waited for.
[[nodiscard]] bool keep_content(Connection& connection, const StoredContent& arrived);

/// Gives whoever refers to one content the other, which is kept, and condemns the first. False,
/// with nothing changed, when the first is not kept any more.
[[nodiscard]] bool replace_content(Connection& connection, model::ContentId old,
                                   model::ContentId fresh);

/// Contents that are kept in another place, ordered by id, after one.
std::vector<StoredContent> contents_elsewhere(Connection& connection, model::ContentPlace place,
                                              model::ContentId after, int limit);

/// How many contents in any state another place has bytes of.
int count_elsewhere(Connection& connection, model::ContentPlace place);

/// What may be removed: contents that are going, that nobody refers to, or whose bytes have stopped
/// arriving so long ago. Ordered by id, after one.
std::vector<StoredContent> contents_to_remove(Connection& connection, std::chrono::seconds patience,
                                              model::ContentId after, int limit);

/// Makes it certain that nobody will refer to it any more; false when somebody does, or its bytes
/// are arriving.
[[nodiscard]] bool condemn_content(Connection& connection, model::ContentId content,
                                   std::chrono::seconds patience);

/// Deletes the row of a content that is going and of which no bytes are left.
void forget_content(Connection& connection, model::ContentId content);

/// Bytes of one piece of a content in the database.
constexpr std::size_t piece_size = 1 << 20;

/// Adds a piece to a content that is arriving; false when it is not.
[[nodiscard]] bool insert_piece(Connection& connection, const std::string& name, int position,
                                const std::string& bytes);

/// A piece; nothing when there is none at that position.
std::optional<std::string> find_piece(Connection& connection, const std::string& name,
                                      int position);

/// Deletes up to so many pieces; false when there were none.
bool delete_pieces(Connection& connection, const std::string& name, int limit);

}  // namespace provisioner::store
