#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace provisioner::contents {

/// Bytes that come piece by piece, so that nobody holds the whole of a large file.
class Source {
 public:
    virtual ~Source() = default;

    /// Fills in up to `size` bytes and returns how many there were; 0 at the end. Throws
    /// std::runtime_error when the rest cannot be had.
    virtual std::size_t read(char* into, std::size_t size) = 0;
};

/// A place that keeps the bytes of plugin resources under names. A name is 32 hexadecimal digits,
/// drawn for each upload; what is kept under it never changes. Safe to use from any thread.
class ContentStore {
 public:
    virtual ~ContentStore() = default;

    /// Keeps what `from` gives, `size` bytes, under a new name. Throws std::runtime_error with the
    /// cause when it cannot, or when there are more or fewer bytes; then nothing is kept.
    virtual void put(const std::string& name, Source& from, std::uint64_t size) = 0;

    /// What is kept under the name, from its beginning. Throws std::runtime_error, here or when it
    /// is read, when there is nothing or the place does not answer.
    virtual std::unique_ptr<Source> open(const std::string& name) = 0;

    /// Forgets what is kept under the name; does nothing when there is nothing.
    virtual void remove(const std::string& name) = 0;
};

}  // namespace provisioner::contents
