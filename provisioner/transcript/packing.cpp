#include "provisioner/transcript/packing.hpp"

#include <zlib.h>

#include <stdexcept>

namespace provisioner::transcript {

namespace {

// Higher levels shrink such text hardly further and take longer.
constexpr int level = 3;
// Below this size zlib's header costs more than compression saves.
constexpr std::size_t too_short = 64;

const Bytef* bytes_of(const std::string& text) {
    return reinterpret_cast<const Bytef*>(text.data());
}

}  // namespace

std::string packed(const std::string& text) {
    if (text.size() < too_short) return text;
    uLongf size = ::compressBound(text.size());
    std::string body(size, '\0');
    const int code = ::compress2(reinterpret_cast<Bytef*>(body.data()), &size, bytes_of(text),
                                 text.size(), level);
    if (code != Z_OK) throw std::runtime_error("output cannot be compressed");
    if (size >= text.size()) return text;
    body.resize(size);
    return body;
}

std::string unpacked(std::string body, std::size_t size) {
    if (body.size() == size) return body;
    std::string text(size, '\0');
    uLongf length = size;
    const int code =
        ::uncompress(reinterpret_cast<Bytef*>(text.data()), &length, bytes_of(body), body.size());
    if (code != Z_OK || length != size) throw std::runtime_error("stored output is damaged");
    return text;
}

std::string gzipped(const std::string& content) {
    constexpr int with_gzip_header = MAX_WBITS + 16;
    constexpr int memory = 8;
    z_stream stream{};
    if (::deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, with_gzip_header, memory,
                       Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::runtime_error("an archive cannot be compressed");
    }
    std::string file(::deflateBound(&stream, content.size()), '\0');
    stream.next_in = const_cast<Bytef*>(bytes_of(content));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(file.data());
    stream.avail_out = static_cast<uInt>(file.size());
    const int code = ::deflate(&stream, Z_FINISH);
    file.resize(stream.total_out);
    ::deflateEnd(&stream);
    if (code != Z_STREAM_END) throw std::runtime_error("an archive cannot be compressed");
    return file;
}

}  // namespace provisioner::transcript
