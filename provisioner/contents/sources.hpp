#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "provisioner/contents/content_store.hpp"
#include "provisioner/identity/sha256.hpp"
#include "provisioner/model/plugins/content.hpp"

namespace provisioner::contents {

/// Bytes that are in memory already. Owns them.
class TextSource final : public Source {
 public:
    explicit TextSource(std::string text) : text_(std::move(text)) {}

    std::size_t read(char* into, std::size_t size) override;

 private:
    std::string text_;
    std::size_t at_ = 0;
};

/// Passes the bytes of another source on, counts them and computes their SHA-256.
class HashedSource final : public Source {
 public:
    /// Called after every read, also at the end; what it throws leaves read().
    using Watch = std::function<void()>;
    /// `from` must outlive this object.
    explicit HashedSource(Source& from, Watch watch = {});

    std::size_t read(char* into, std::size_t size) override;

    /// Size, SHA-256 and form of the bytes read so far; name and place stay empty. May be called
    /// once, and nothing may be read afterwards.
    model::Content finish();

 private:
    Source& from_;
    Watch watch_;
    identity::Sha256 hash_;
    model::Content content_;
    std::string begin_;
};

/// Wraps a source and compares size and SHA-256 with `expected` at the end. A difference throws
/// PlaceError from the read that reaches the end. So a reader must read to the end to rely on the
/// bytes.
std::unique_ptr<Source> checked(std::unique_ptr<Source> from, const model::Content& expected);

/// Wraps a source and calls `watch` after every read, also at the end. What it throws leaves
/// read().
std::unique_ptr<Source> watched(std::unique_ptr<Source> from, std::function<void()> watch);

/// Reads until `size` bytes are there or the source ends; returns their number.
std::size_t read_fully(Source& from, char* into, std::size_t size);

/// Reads to the end and discards the bytes; for sources with side effects, such as checked() ones.
void drain(Source& from);

/// All bytes of a source, without a limit: for sources known to be small.
std::string text_of(Source& from);

/// Throws std::runtime_error if the source has another byte.
void expect_end(Source& from);

/// Throws the std::runtime_error of a put() that received fewer bytes than the `promised` ones.
[[noreturn]] void throw_wrong_size(std::uint64_t promised);

/// Throws the PlaceError of a put() whose upload a sweep has given up.
[[noreturn]] void throw_not_awaited(const std::string& name);

}  // namespace provisioner::contents
