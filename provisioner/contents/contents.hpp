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

/// Contents with the same bytes as what was taken in that cannot be had.
struct LostCopies {
    /// All of them: they are not taken.
    std::set<model::ContentId> all;
    /// Those of which their place says that it has nothing; of the others it may have them yet.
    std::set<model::ContentId> gone;
};

/// The places of an installation that keep bytes, and the one where new bytes go. A content of
/// either place can be had at any time, so that the place for new ones can be changed and the old
/// ones moved later. Safe to use from any thread.
class Contents {
 public:
    /// Reads resources.store (database, files or s3; database when it is not said),
    /// resources.folder and resources.s3.endpoint, bucket, region (us-east-1), prefix, access_key
    /// and secret_key_file. Throws PlaceError naming the setting that is wrong or missing.
    /// `database` must outlive it.
    Contents(const base::Config& config, store::Database& database);
    ~Contents();

    /// Where new bytes go.
    model::ContentPlace place_of_new() const { return place_of_new_; }

    /// What keeps bytes in a place. Throws PlaceError naming the setting when it is not set up.
    ContentStore& at(model::ContentPlace place) const;

    /// The bytes of a content; throws PlaceError when they are not there, the place does not answer
    /// or, at the end, when they are not what they were. A content that was moved meanwhile is not
    /// there: ask the database again.
    std::unique_ptr<Source> open(const model::Content& content) const;

    /// Takes bytes in, `size` of them: a row that says they arrive, then the bytes. Nobody refers
    /// to them yet, and an hour later they are removed. Throws as ContentStore::put, and PlaceError
    /// when the sweep gave them up meanwhile; nothing is kept then.
    store::StoredContent take_in(Source& from, std::uint64_t size, model::ContentPlace place,
                                 base::Timestamp now) const;

    /// What was taken in, to see whether it is what it should be: it is waited for while it is
    /// read, as when it came. Throws as `open`, and PlaceError when it is no longer waited for.
    std::unique_ptr<Source> read_back(const store::StoredContent& arrived) const;

    /// Those with the same bytes as what was taken in that cannot be had: for `keep`. Asks places.
    LostCopies lost_copies(const store::StoredContent& arrived) const;

    /// Keeps what was taken in or, in place of it, what is there already with the same bytes and is
    /// not lost: the one that is to be referred to. It is locked until the transaction ends, and
    /// whoever refers to one that is gone gets it. Throws PlaceError when the bytes were not waited
    /// for any longer.
    store::StoredContent keep(store::Connection& connection, const store::StoredContent& arrived,
                              const LostCopies& lost) const;

    /// Keeps what was taken in, also beside others with the same bytes. Throws PlaceError when its
    /// bytes were not waited for any longer.
    void keep_new(store::Connection& connection, const store::StoredContent& arrived) const;

    /// Removes a content unless somebody refers to it or its bytes have arrived within `patience`;
    /// says whether it did. Throws as ContentStore::remove.
    bool remove_unused(const store::StoredContent& content, std::chrono::seconds patience) const;

    /// Removes what was taken in and turned out not to be needed; does nothing if it was kept. What
    /// cannot be removed now is left to the sweep. Never throws.
    void discard(const store::StoredContent& arrived) const;

 private:
    /// Says that bytes are still arriving; throws PlaceError when they are no longer waited for.
    void touch(const store::StoredContent& arriving) const;
    /// To be called as bytes come: calls `touch` each minute.
    std::function<void()> touching(const store::StoredContent& arriving) const;
    /// Removes what nobody refers to yet, also what came after its row was gone. Never throws.
    void give_up(const store::StoredContent& arriving) const;
    enum class Availability { there, gone, unknown };
    Availability availability_of(const model::Content& content) const;
    store::StoredContent take_same_or_new(store::Connection& connection,
                                          const store::StoredContent& arrived,
                                          const LostCopies& lost) const;

    store::Database& database_;
    std::map<model::ContentPlace, std::unique_ptr<ContentStore>> places_;
    model::ContentPlace place_of_new_ = model::ContentPlace::database;
};

}  // namespace provisioner::contents
