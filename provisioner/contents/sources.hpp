#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "provisioner/contents/content_store.hpp"
#include "provisioner/identity/sha256.hpp"
#include "provisioner/model/plugins/content.hpp"

namespace provisioner::contents {

/// Bytes that are in memory already.
class TextSource final : public Source {
 public:
    explicit TextSource(std::string text) : text_(std::move(text)) {}

    std::size_t read(char* into, std::size_t size) override;

 private:
    std::string text_;
    std::size_t at_ = 0;
};

/// Bytes of another source, counted and hashed on their way.
class HashedSource final : public Source {
 public:
    /// Called with every piece that was read. `from` must outlive it.
    using Watch = std::function<void()>;
    explicit HashedSource(Source& from, Watch watch = {});

    std::size_t read(char* into, std::size_t size) override;

    /// What has been read so far, all but name and place; nothing may be read after it.
    model::Content finish();

 private:
    Source& from_;
    Watch watch_;
    identity::Sha256 hash_;
    model::Content content_;
    std::string begin_;
};

/// A source that throws PlaceError at its end when it was not what it should have been.
std::unique_ptr<Source> checked(std::unique_ptr<Source> from, const model::Content& expected);

/// The same source; `watch` is called with every piece that is read.
std::unique_ptr<Source> watched(std::unique_ptr<Source> from, std::function<void()> watch);

/// Reads until `size` bytes are there or the source is at its end; returns how many there were.
std::size_t read_fully(Source& from, char* into, std::size_t size);

/// Reads to the end and forgets it.
void drain(Source& from);

/// Everything it gives: for what is known to be small.
std::string text_of(Source& from);

/// Throws std::runtime_error when there is anything left.
void expect_end(Source& from);

/// What a `put` throws that has not got the bytes it was promised.
[[noreturn]] void throw_wrong_size(std::uint64_t promised);

}  // namespace provisioner::contents
