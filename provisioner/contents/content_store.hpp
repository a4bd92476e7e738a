#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace provisioner::contents {

/// A place does not take, give or remove bytes: it is not set up, full, not writable, does not
/// answer. The text says which and why, for operators.
class PlaceError : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// The place answers, and what is asked for is not there: it will not come back.
class NotThere : public PlaceError {
 public:
    using PlaceError::PlaceError;
};

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

    /// Keeps what `from` gives, `size` bytes, under a new name. Throws PlaceError with the cause
    /// when it cannot, std::runtime_error when there are more or fewer bytes, and whatever `from`
    /// throws; then nothing is kept, or what is left over is what `remove` removes.
    virtual void put(const std::string& name, Source& from, std::uint64_t size) = 0;

    /// What is kept under the name, from its beginning. Throws PlaceError, here or when it is read,
    /// when the place does not answer, and NotThere, here, when it does and there is nothing. Not
    /// to be used after the store.
    virtual std::unique_ptr<Source> open(const std::string& name) = 0;

    /// Forgets what is kept under the name, or was left over by a `put` that failed; does nothing
    /// when there is nothing. Throws PlaceError.
    virtual void remove(const std::string& name) = 0;
};

}  // namespace provisioner::contents
