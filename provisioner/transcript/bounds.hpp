#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace provisioner::transcript {

/// Of what an attempt prints, the beginning and the end are kept, in bytes: what came between is
/// forgotten as more comes.
constexpr std::int64_t kept_first = std::int64_t{256} * 1024;
constexpr std::int64_t kept_last = std::int64_t{768} * 1024;
/// The longest piece: what is forgotten is forgotten in pieces.
constexpr std::int64_t piece_limit = std::int64_t{32} * 1024;

/// A piece of what an attempt prints. `stream` is "out", "err" or "note" (our own words, which do
/// not count and are never forgotten).
struct Piece {
    std::string stream;
    std::string body;
    /// Where it begins in what the attempt has printed.
    std::int64_t from_byte = 0;

    bool operator==(const Piece&) const = default;
};

/// What an attempt has printed and nobody has taken yet, within the bounds however much it is.
class UnsentOutput {
 public:
    /// Keeps `text`, and of the end of all that waits at least the last `last` bytes (or all there
    /// is); the piece before that stays too if a part of it belongs to them.
    void add(const std::string& stream, std::string_view text, std::int64_t last = kept_last);

    /// Counts text as printed that is not kept.
    void skip(std::int64_t bytes) { printed_ += bytes; }

    /// All that waits, in order; then nothing does.
    std::vector<Piece> take();

    /// Bytes that wait.
    std::int64_t size() const { return size_; }

 private:
    void append(const std::string& stream, std::string_view text);
    void forget_all_but(std::int64_t last);

    /// Pieces that begin within `kept_first`, and our own words from among the others.
    std::deque<Piece> first_;
    std::deque<Piece> last_;
    std::int64_t printed_ = 0;
    std::int64_t size_ = 0;
    std::int64_t size_of_last_ = 0;
};

}  // namespace provisioner::transcript
