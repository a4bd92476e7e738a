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

/// The bytes of a content, piece by piece from the beginning.
class ContentReader {
 public:
    virtual ~ContentReader() = default;

    /// Valid until the next call; empty at the end. Throws std::runtime_error when it cannot be
    /// read.
    virtual std::string_view next() = 0;
};

/// Where tasks get the contents from that they bring to nodes.
class ContentSupply {
 public:
    virtual ~ContentSupply() = default;

    /// Throws std::runtime_error when the place does not answer or gives something else than was
    /// put there.
    virtual boost::asio::awaitable<std::unique_ptr<ContentReader>> open(model::Content content) = 0;

    /// Somebody got other bytes than these: whoever asks for the content again gets it from where
    /// it is kept.
    virtual void forget(const model::Content& content) = 0;
};

/// Contents in files of this host: each is fetched once, however many nodes wait for it. Those used
/// longest ago go when there are too many bytes, or when the disk gets full. Can be used from
/// several event loops.
class ContentCache : public ContentSupply {
 public:
    /// Gets the bytes from where they are kept: a source that throws at its end when they are not
    /// what they were. Called on threads of the cache.
    using Fetch = std::function<std::unique_ptr<contents::Source>(const model::Content&)>;

    /// `folder` is made when it is first needed; `limit` is in bytes.
    ContentCache(std::string folder, std::uint64_t limit, Fetch fetch);
    /// Lets fetches that have begun end.
    ~ContentCache() override;

    boost::asio::awaitable<std::unique_ptr<ContentReader>> open(model::Content content) override;
    void forget(const model::Content& content) override;

 private:
    /// Called once, on a thread of the cache, with what went wrong, if anything did.
    using Told = std::function<void(const std::exception_ptr&)>;

    std::string path_of(const model::Content& content) const;
    void wait_for(const model::Content& content, Told told);
    void fetch(const model::Content& content);
    void bring(const model::Content& content);
    void make_room(std::uint64_t size);

    std::string folder_;
    std::uint64_t limit_;
    Fetch fetch_;
    std::mutex mutex_;
    /// Checksum -> those who wait for it.
    std::map<std::string, std::vector<Told>> fetching_;
    boost::asio::thread_pool threads_;
};

}  // namespace provisioner::daemon
