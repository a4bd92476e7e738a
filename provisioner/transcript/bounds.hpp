#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace provisioner::transcript {

/// How much output of one attempt is kept, in bytes: the beginning and the end. What lies between
/// is dropped as more arrives. The beginning shows what was run, the end shows why it failed.
///
///     0           256 KiB                      printed - 768 KiB        printed
///     |-- kept ---|---------- dropped ----------|--------- kept ---------|
///
/// UnsentOutput applies these bounds in memory, queue/output_rows.cpp to the stored rows.
constexpr std::int64_t kept_first = std::int64_t{256} * 1024;
/// At least this much of the end; up to one piece more, because whole pieces are dropped.
constexpr std::int64_t kept_last = std::int64_t{768} * 1024;
/// Longest piece in bytes. Dropping works piece by piece, so smaller pieces follow the bounds more
/// closely and larger ones make fewer rows.
constexpr std::int64_t piece_limit = std::int64_t{32} * 1024;

/// How often the output of one attempt may go from one stream to the other. Whatever follows
/// belongs to the stream of the last piece: each change makes a piece, and a node that changes with
/// each byte would make a row of each.
constexpr int most_changes = 4096;

/// Most bytes of our own messages (notes) of one attempt that wait to be stored.
constexpr std::int64_t kept_notes = std::int64_t{64} * 1024;

/// Consecutive bytes of one output stream of an attempt; becomes one row of table transcript. May
/// begin or end inside a UTF-8 character.
struct Piece {
    /// "out", "err" or "note". Notes are our own messages: they do not count as output, may exceed
    /// piece_limit, and are never dropped for output.
    std::string stream;
    std::string body;
    /// Offset of `body` in everything the attempt has printed, both streams together. A note has
    /// the offset of the output that follows it. A gap between two pieces means dropped output.
    std::int64_t from_byte = 0;

    bool operator==(const Piece&) const = default;
};

/// Output of one attempt that is not stored yet, bounded however much is printed. The daemon's
/// Reporter keeps one for each running task and empties it at each flush. Then a node that prints
/// without end, or a database that is away, cannot exhaust memory.
///
/// Output goes into two queues: pieces of the first kept_first bytes, never dropped, and later
/// pieces. From the later ones the oldest are dropped. Offsets count everything printed since
/// construction, also what was taken or dropped, and so do changes of the stream. Not safe from
/// several threads: the Reporter's mutex guards it.
class UnsentOutput {
 public:
    /// Appends output of `stream`. Of the later pieces at least the last `last` bytes stay (or all,
    /// if there are fewer). `last` is smaller than kept_last when much output of other tasks waits.
    /// Drops what notes exceed kept_notes by. Amortised cost: linear in `text`.
    void add(const std::string& stream, std::string_view text, std::int64_t last = kept_last);

    /// Counts output as printed without keeping it; leaves a gap in the offsets. Keeps notes as
    /// add() does. Used when too much output of all tasks waits.
    void skip(const std::string& stream, std::string_view text);

    /// Returns all pieces in order of their offsets and empties the object. Offsets go on from
    /// there.
    std::vector<Piece> take();

    /// Bytes of all pieces that take() would return, notes included.
    std::int64_t size() const { return size_; }

 private:
    /// Appends output to the last piece if that is its direct continuation and has room; otherwise
    /// as a new piece. `text` must not cross the offset kept_first.
    void append(const std::string& stream, std::string_view text);
    /// The stream that output of `stream` belongs to: see most_changes.
    const std::string& stream_of(const std::string& stream);
    /// Keeps as much of a note as kept_notes leaves room for.
    void add_note(std::string_view text);
    /// Drops the oldest later pieces as long as `last` bytes remain. Notes among them move to
    /// `first_`.
    void forget_all_but(std::int64_t last);

    /// Pieces that begin before kept_first, then notes saved from dropped parts. All precede
    /// `last_`.
    std::deque<Piece> first_;
    /// Later pieces, oldest first.
    std::deque<Piece> last_;
    /// The stream of the newest output; empty before the first.
    std::string stream_;
    int changes_ = 0;
    /// Bytes printed since construction, without notes.
    std::int64_t printed_ = 0;
    /// Bytes in both queues, notes included.
    std::int64_t size_ = 0;
    /// Bytes of the notes in both queues.
    std::int64_t size_of_notes_ = 0;
    /// Bytes of output in `last_`, without notes.
    std::int64_t size_of_last_ = 0;
};

}  // namespace provisioner::transcript
