#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include "provisioner/contents/content_store.hpp"
#include "provisioner/model/plugins/content.hpp"

namespace provisioner::daemon {

/// Reads the bytes of one content in pieces, once, from the beginning. One thread at a time.
class ContentReader {
 public:
    virtual ~ContentReader() = default;

    /// The next piece, valid until the next call; empty at the end. May block for a disk read.
    /// Throws std::runtime_error when it fails.
    virtual std::string_view next() = 0;
};

/// Source of the contents that tasks send to nodes. An interface, because tests of the performer
/// supply contents from memory.
class ContentSupply {
 public:
    virtual ~ContentSupply() = default;

    /// A reader at the beginning of the content. Throws std::runtime_error when the place that
    /// keeps it does not answer, has lost it, or returns other bytes than were stored.
    virtual boost::asio::awaitable<std::unique_ptr<ContentReader>> open(model::Content content) = 0;

    /// Drops the copy of a content whose bytes turned out wrong: the next open() fetches it again.
    /// Readers that are open are not affected.
    virtual void forget(const model::Content& content) = 0;
};

/// Contents as files of this host, named by checksum. Each is fetched once, however many nodes wait
/// for it; a hundred nodes cost one transfer from the place that keeps it.
///
/// A file is written under a temporary name and renamed when it is whole. So a file under its
/// checksum is complete unless power was lost; its size is checked at each use. When the limit is
/// reached or the disk gets full, files unused for the longest time are deleted. A file being read
/// stays readable, because its descriptor is open. Several daemons may share the folder. Safe to
/// use from several event loops; fetches run on four threads of the cache, so no loop waits for
/// them.
class ContentCache : public ContentSupply {
 public:
    /// Opens a content where it is kept. The source throws at its end when the bytes are not those
    /// that were stored. Called on threads of the cache, several at once.
    using Fetch = std::function<std::unique_ptr<contents::Source>(const model::Content&)>;

    /// `folder` is created when first needed. `limit` in bytes is a target: fetches at the same
    /// time may exceed it by their sizes. `fetch` must be usable until the destructor returns.
    ContentCache(std::string folder, std::uint64_t limit, Fetch fetch);
    /// Blocks until fetches that were begun or queued have ended.
    ~ContentCache() override;

    boost::asio::awaitable<std::unique_ptr<ContentReader>> open(model::Content content) override;
    void forget(const model::Content& content) override;

 private:
    /// Called once, on a thread of the cache, with the failure of the fetch or null.
    using Told = std::function<void(const std::exception_ptr&)>;

    std::string path_of(const model::Content& content) const;
    /// Calls `told` when the content was fetched; begins the fetch unless one is under way.
    void wait_for(const model::Content& content, Told told);
    /// Body of a fetch: bring(), then calls all that wait.
    void fetch(const model::Content& content);
    /// Writes the file unless it exists; throws when it cannot.
    void bring(const model::Content& content);
    /// Deletes files until `size` bytes more fit the limit and the disk.
    void make_room(std::uint64_t size);

    std::string folder_;
    std::uint64_t limit_;
    Fetch fetch_;
    /// Guards fetching_.
    std::mutex mutex_;
    /// Checksum -> callbacks of the tasks that wait. An entry exists while its fetch is under way.
    std::map<std::string, std::vector<Told>> fetching_;
    boost::asio::thread_pool threads_;
};

}  // namespace provisioner::daemon
