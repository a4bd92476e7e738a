#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace provisioner::contents {

/// A place cannot store, return or remove bytes: not configured, full, not writable, or not
/// reachable. The text names the place and the cause, for operators.
class PlaceError : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

/// The place answers and does not have the content, so trying again does not help. Thrown only when
/// that is certain: an unmounted folder or a missing bucket is a plain PlaceError.
class NotThere : public PlaceError {
 public:
    using PlaceError::PlaceError;
};

/// A stream of bytes, read piece by piece so that large files need little memory. Used by one
/// thread at a time.
class Source {
 public:
    virtual ~Source() = default;

    /// Fills in up to `size` bytes and returns their number; 0 means the end. May return fewer than
    /// asked for before the end (read_fully() does not). Throws std::runtime_error when the rest
    /// cannot be read.
    virtual std::size_t read(char* into, std::size_t size) = 0;
};

/// A place that stores the bytes of plugin resources under names. A name is 32 hexadecimal digits
/// drawn for each upload, and its bytes never change. The stores know nothing of references or of
/// state: class Contents and the table `content` do. So a store must tolerate remove() during
/// put(), and for unknown names. Any thread may call it. All calls do I/O and block.
class ContentStore {
 public:
    virtual ~ContentStore() = default;

    /// Stores exactly `size` bytes of `from` under a new name.
    ///
    /// Throws PlaceError with the cause when the place fails, and std::runtime_error when `from`
    /// holds more or fewer bytes. What `from` throws passes through. After a failure nothing is
    /// stored, or only what remove() removes.
    virtual void put(const std::string& name, Source& from, std::uint64_t size) = 0;

    /// Opens the bytes stored under the name, from their beginning.
    ///
    /// Throws NotThere when the place answers and has nothing. Throws PlaceError when the place
    /// does not answer, here or while the source is read. The source must not outlive the store.
    virtual std::unique_ptr<Source> open(const std::string& name) = 0;

    /// Whether more than nothing is stored under the name. Throws as open() does.
    virtual bool has_bytes(const std::string& name) {
        char first = 0;
        return open(name)->read(&first, 1) > 0;
    }

    /// Removes what is stored under the name, or what a failed put() left. Does nothing when there
    /// is nothing. Throws PlaceError.
    virtual void remove(const std::string& name) = 0;
};

}  // namespace provisioner::contents
