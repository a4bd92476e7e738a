#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "provisioner/base/clock.hpp"
#include "provisioner/model/plugins/content.hpp"
#include "provisioner/store/database/database.hpp"

namespace provisioner::store {

// Rows that say where the bytes of files are (../contents has the bytes). A content goes through
// the states arriving, kept and going; no other function changes them. The row is written before
// the first byte arrives and deleted after the last byte is gone. So no place ever holds bytes
// without a row.
//
// An upload that takes a kept content and a sweep that condemns it lock the content's row first.
// Either the sweep sees the new reference, or the upload finds the content condemned.

/// A content with the id of its row.
struct StoredContent {
    model::ContentId id;
    model::Content content;

    bool operator==(const StoredContent&) const = default;
};

/// Announces bytes: stores a row in the state `arriving`, before the first byte arrives. `name` is
/// unique, 32 hexadecimal digits.
model::ContentId insert_content(Connection& connection, model::ContentPlace place,
                                const std::string& name, base::Timestamp now);

/// Records that bytes are still arriving, by the database's clock. False when the sweep has given
/// the content up.
[[nodiscard]] bool touch_content(Connection& connection, model::ContentId content);

/// The kept contents with these bytes, oldest first, at most 100. They are not locked, because a
/// lock on the index of hashes would make uploads of other bytes wait. Lock one with hold_content
/// before use.
std::vector<StoredContent> same_contents(Connection& connection, const std::string& sha256,
                                         std::uint64_t size);

/// Locks a content until the transaction ends, so that no sweep can condemn it. False when it is
/// not kept any more; its row, if any, is locked then, too.
[[nodiscard]] bool hold_content(Connection& connection, model::ContentId content);

/// Moves a content from `arriving` to `kept` and writes hash, size and form of `arrived`. False
/// when the sweep has given it up: its bytes may be gone.
[[nodiscard]] bool keep_content(Connection& connection, const StoredContent& arrived);

/// Condemns `old` and makes everything that refers to it refer to `fresh`, which must be kept and
/// locked. False, with nothing changed, when `old` is not kept any more.
[[nodiscard]] bool replace_content(Connection& connection, model::ContentId old,
                                   model::ContentId fresh);

/// Kept contents in other places than `place`, with an id above `after`, by id; at most `limit`.
std::vector<StoredContent> contents_elsewhere(Connection& connection, model::ContentPlace place,
                                              model::ContentId after, int limit);

/// The number of contents in other places than `place`, in any state: while it is not 0, these
/// places must stay configured.
int count_elsewhere(Connection& connection, model::ContentPlace place);

/// Candidates for removal, with an id above `after`, by id; at most `limit`. These are contents
/// without references that are kept or going, or whose bytes have not arrived for `patience`. Not
/// locked: condemn_content decides.
std::vector<StoredContent> contents_to_remove(Connection& connection, std::chrono::seconds patience,
                                              model::ContentId after, int limit);

/// Moves a content to `going`, so nothing can refer to it any more. True also when it is going
/// already. False when something refers to it, its bytes arrived within `patience`, or it has no
/// row.
[[nodiscard]] bool condemn_content(Connection& connection, model::ContentId content,
                                   std::chrono::seconds patience);

/// Deletes the row of a content that is going. Call it after its bytes are gone.
void forget_content(Connection& connection, model::ContentId content);

/// Size of a piece, in bytes, of a content that is kept in the database. The last one may be
/// shorter; content_piece.bytes and max_allowed_packet must take it.
constexpr std::size_t piece_size = 1 << 20;

/// Adds a piece to a content that is arriving; `position` counts from 0. False when the content is
/// not arriving. Locks the content's row, so a sweep waits.
[[nodiscard]] bool insert_piece(Connection& connection, const std::string& name, int position,
                                const std::string& bytes);

/// The bytes of a piece; nothing when there is none at that position. One statement, so
/// Database::look is enough.
std::optional<std::string> find_piece(Connection& connection, const std::string& name,
                                      int position);

/// Deletes the `limit` pieces with the highest positions; false when there were none. From the end,
/// so that the first piece, by which a content is opened, goes last.
bool delete_pieces(Connection& connection, const std::string& name, int limit);

}  // namespace provisioner::store
