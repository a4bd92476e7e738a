#include "provisioner/transcript/packing.hpp"

#include <zlib.h>

#include <stdexcept>
#include <utility>

namespace provisioner::transcript {

namespace {

// Higher levels shrink output and pages hardly further and take longer.
constexpr int level = 3;
// Below this size zlib's header costs more than compression saves.
constexpr std::size_t too_short = 64;

const Bytef* bytes_of(const std::string& text) {
    return reinterpret_cast<const Bytef*>(text.data());
}

/// A gzip file that is written piece by piece. Its header has no time and no name.
class Gzip {
 public:
    Gzip(int how_hard, std::size_t size) {
        constexpr int with_gzip_header = MAX_WBITS + 16;
        constexpr int memory = 8;
        if (::deflateInit2(&stream_, how_hard, Z_DEFLATED, with_gzip_header, memory,
                           Z_DEFAULT_STRATEGY) != Z_OK) {
            throw std::runtime_error("there is no memory to compress");
        }
        file_.resize(::deflateBound(&stream_, size));
    }
    ~Gzip() { ::deflateEnd(&stream_); }
    Gzip(const Gzip&) = delete;
    Gzip& operator=(const Gzip&) = delete;

    void add(std::string_view piece, int flush) {
        stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(piece.data()));
        stream_.avail_in = static_cast<uInt>(piece.size());
        do {
            // Each flush takes a few bytes of which deflateBound() knows nothing.
            if (file_.size() - stream_.total_out < least_room)
                file_.resize(file_.size() * 2 + least_room);
            stream_.next_out = reinterpret_cast<Bytef*>(file_.data()) + stream_.total_out;
            stream_.avail_out = static_cast<uInt>(file_.size() - stream_.total_out);
            if (::deflate(&stream_, flush) == Z_STREAM_ERROR) {
                throw std::runtime_error("a text cannot be compressed");
            }
        } while (stream_.avail_out == 0);
    }

    std::string end() {
        add({}, Z_FINISH);
        file_.resize(stream_.total_out);
        return std::move(file_);
    }

 private:
    static constexpr std::size_t least_room = 64;

    z_stream stream_{};
    std::string file_{};
};

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
    Gzip file(Z_BEST_COMPRESSION, content.size());
    file.add(content, Z_NO_FLUSH);
    return file.end();
}

std::string gzipped_quickly(std::string_view content, const std::string& secret) {
    Gzip file(level, content.size());
    while (!content.empty()) {
        const auto found = secret.empty() ? content.npos : content.find(secret);
        // A full flush ends a block: nothing behind it refers to what is before it.
        file.add(content.substr(0, found), Z_FULL_FLUSH);
        if (found == content.npos) break;
        file.add(secret, Z_FULL_FLUSH);
        content.remove_prefix(found + secret.size());
    }
    return file.end();
}

}  // namespace provisioner::transcript
