#pragma once

#include <cstddef>
#include <string>

namespace provisioner::transcript {

/// `text` compressed by zlib; `text` itself when it is shorter than 64 bytes or zlib does not
/// shorten it. Not self-describing: the reader needs the original size, which the column
/// transcript.size stores. Throws std::runtime_error when zlib has no memory.
std::string packed(const std::string& text);

/// Inverse of packed(): `size` is the size of the original in bytes. A `body` of exactly that size
/// is returned as it is. Throws std::runtime_error when the bytes are damaged or do not expand to
/// `size`.
std::string unpacked(std::string body, std::size_t size);

/// `content` as a gzip file at the highest compression. The header has no time and no name, so
/// equal content gives equal bytes. The seed's plugin archives need that (migrate/archive.cpp): a
/// second run then finds them unchanged. For content below 4 GiB. Throws std::runtime_error when
/// zlib has no memory. Source: RFC 1952.
std::string gzipped(const std::string& content);

}  // namespace provisioner::transcript
