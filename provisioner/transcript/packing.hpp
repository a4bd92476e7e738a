#pragma once

#include <cstddef>
#include <string>
#include <string_view>

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

/// `content` as a gzip file, at a level that takes little time. Each place where `secret` stands is
/// compressed by itself, so the length of the file does not tell whether something else in
/// `content` is like a part of it. An empty `secret` stands nowhere. For content below 4 GiB.
/// Throws std::runtime_error when zlib has no memory.
std::string gzipped_quickly(std::string_view content, const std::string& secret);

}  // namespace provisioner::transcript
