#pragma once

#include <cstddef>
#include <string>

namespace provisioner::transcript {

/// `text` compressed by zlib, or as it is where that is not shorter. Throws std::runtime_error when
/// zlib has no memory.
std::string packed(const std::string& text);

/// The text of `size` bytes `body` was made from. Throws std::runtime_error if it is not one.
std::string unpacked(std::string body, std::size_t size);

/// `content` as a gzip file that names no time: the same content gives the same bytes. Throws
/// std::runtime_error when zlib has no memory. Source: RFC 1952.
std::string gzipped(const std::string& content);

}  // namespace provisioner::transcript
