#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/config.hpp"
#include "provisioner/contents/content_store.hpp"
#include "provisioner/store/database/database.hpp"
#include "provisioner/store/plugins/content_rows.hpp"

namespace provisioner::contents {

/// Stored contents with the same bytes as an upload that cannot be read from their places. Result
/// of lost_copies(), input of keep().
struct LostCopies {
    /// All of them. keep() does not choose any of these.
    std::set<model::ContentId> all;
    /// The subset whose place answers and has nothing. keep() moves their references to the fresh
    /// content. The others may be readable again later.
    std::set<model::ContentId> gone;
};

/// The configured places for bytes, and the one that new bytes go to. It keeps places and the table
/// `content` consistent. Content of every configured place can be read. So the place for new bytes
/// can change, and old bytes can be moved later.
///
/// A row is written before its bytes, and bytes are removed before their row. So a crash leaves a
/// row for whatever a place has, and sweep() removes both. States of a row: arriving, kept, going
/// (README.md). Any thread may call it; all calls that touch bytes or rows block.
class Contents {
 public:
    /// Reads these settings:
    /// * resources.store: database, files or s3; default database
    /// * resources.folder: enables the place files
    /// * resources.s3.endpoint: enables s3, and requires bucket, access_key and secret_key_file
    /// * resources.s3.region (default us-east-1) and resources.s3.prefix (default none)
    ///
    /// Throws PlaceError naming a wrong or missing setting. Throws identity::VaultError when the
    /// secret key file cannot be read or is open to everybody. Contacts no place. `database` must
    /// outlive this object.
    Contents(const base::Config& config, store::Database& database);
    ~Contents();

    /// The place for new bytes: resources.store. Always configured.
    model::ContentPlace place_of_new() const { return place_of_new_; }

    /// The store of a place. Throws PlaceError naming the setting when the place is not configured.
    ContentStore& at(model::ContentPlace place) const;

    /// The bytes of a content, checked for size and SHA-256 at the end. The source must not outlive
    /// this object.
    ///
    /// Throws PlaceError when the bytes are missing (NotThere) or the place does not answer.
    /// Reading throws it too, at the end when the check fails. A content that was moved meanwhile
    /// is missing; the caller then reads its row again.
    std::unique_ptr<Source> open(const model::Content& content) const;

    /// Receives `size` bytes: writes a row in state arriving, then stores the bytes. Nothing refers
    /// to them yet; keep() or keep_new() must follow within an hour, else sweep() removes them.
    ///
    /// Blocks as long as bytes come. The row is touched each minute meanwhile. Throws as
    /// ContentStore::put(), and PlaceError when sweep() gave the upload up. Then the row and the
    /// bytes are removed, here or by sweep().
    store::StoredContent take_in(Source& from, std::uint64_t size, model::ContentPlace place,
                                 base::Timestamp now) const;

    /// The bytes that take_in() stored, for a check before keep(). Reading touches the row each
    /// minute, so sweep() does not remove it. Throws as open(), and PlaceError when the row is no
    /// longer arriving.
    std::unique_ptr<Source> read_back(const store::StoredContent& arrived) const;

    /// Finds stored contents with the bytes of `arrived` that cannot be read. Opens each copy, so
    /// it does I/O at the places; call it before the transaction of keep().
    LostCopies lost_copies(const store::StoredContent& arrived) const;

    /// Chooses the content to refer to: a readable one with the same bytes, else `arrived`, which
    /// becomes kept. References to the contents in `lost.gone` move to it.
    ///
    /// Runs in the caller's transaction and locks the chosen row until its end. So sweep() cannot
    /// remove the content before the caller's reference is committed. Afterwards the caller calls
    /// discard(arrived), which does nothing once something refers to it. Throws PlaceError when
    /// `arrived` is needed and no longer arriving.
    store::StoredContent keep(store::Connection& connection, const store::StoredContent& arrived,
                              const LostCopies& lost) const;

    /// Keeps `arrived` even if others have the same bytes; for moving contents. Throws PlaceError
    /// when it is no longer arriving.
    void keep_new(store::Connection& connection, const store::StoredContent& arrived) const;

    /// Removes bytes and row of a content, in this order, and returns true. Returns false if
    /// something refers to it, or if it is arriving and was touched within `patience`. Returns
    /// false too if the row is gone. May be repeated after a failure. Throws as
    /// ContentStore::remove().
    bool remove_unused(const store::StoredContent& content, std::chrono::seconds patience) const;

    /// Removes an arrived content that nothing refers to; does nothing if something does. Leaves
    /// what cannot be removed to sweep(). Never throws.
    void discard(const store::StoredContent& arrived) const;

 private:
    /// Records that bytes are still arriving, by the database's clock. Throws PlaceError when the
    /// row is no longer arriving.
    void touch(const store::StoredContent& arriving) const;
    /// A function to call for each piece of bytes; it calls touch() at most once a minute. Must not
    /// outlive this object.
    std::function<void()> touching(const store::StoredContent& arriving) const;
    /// Removes a failed upload: its row, its bytes, and bytes that came after sweep() removed the
    /// row. Never throws.
    void give_up(const store::StoredContent& arriving) const;
    /// Whether a place has a content. `unknown`: the place failed, or its answer does not fit the
    /// size.
    enum class Availability { there, gone, unknown };
    /// Opens the content and reads its first byte.
    Availability availability_of(const model::Content& content) const;
    /// The choice of keep(), without moving references.
    store::StoredContent take_same_or_new(store::Connection& connection,
                                          const store::StoredContent& arrived,
                                          const LostCopies& lost) const;

    store::Database& database_;
    /// The configured places. Never changes after construction, so threads read it without a lock.
    std::map<model::ContentPlace, std::unique_ptr<ContentStore>> places_;
    model::ContentPlace place_of_new_ = model::ContentPlace::database;
};

}  // namespace provisioner::contents
