#pragma once

#include <map>
#include <string>
#include <vector>

#include "fcgi/pages/jobs/terminal.hpp"
#include "provisioner/store/jobs/job_store.hpp"

namespace fcgi::pages {

/// What a line of a log is.
enum class LogKind {
    /// Printed to standard output or standard error.
    out,
    err,
    /// The provisioner's own words.
    note,
    /// Between lines, without a number: where an attempt begins, or where output was not kept.
    mark
};

/// One line of what a task printed, as a terminal shows it.
struct LogLine {
    LogKind kind = LogKind::out;
    /// From 1 over all attempts; of a mark the number of the line behind it.
    int number = 1;
    std::vector<TerminalSpan> spans{};
    /// Characters at the end of a very long line that are left out.
    std::size_t cut = 0;

    /// The line without styles.
    std::string text() const;
};

/// Makes lines of the pieces that a task has printed. Pure.
///
/// Standard output and standard error each have lines, styles and carriage returns of their own. A
/// line stands where its first character was printed, and keeps its number when it grows. Attempts
/// have a mark before them if there are several, and a gap has one that says how much is missing.
class TaskLog {
 public:
    /// Lines have at most `longest` characters. Of the lines, at least the last `most_lines` are
    /// kept, and at most some more than twice as many: a line of two bytes takes a hundred here.
    /// `heads_attempts`: whether attempts have marks.
    explicit TaskLog(std::size_t longest, std::size_t most_lines = 100'000,
                     bool heads_attempts = true)
        : longest_(longest), most_lines_(most_lines), heads_attempts_(heads_attempts) {}

    /// Takes the next piece, in the order of the store.
    void add(const provisioner::store::TranscriptPiece& piece);
    /// All lines and marks that are kept. Call it once, at the end.
    std::vector<LogLine> lines();
    /// Lines and marks that are complete, as text_of() writes them, for a log that is written while
    /// it is read. They are not kept any more. A line that stays open while 10,000 others are
    /// printed is ended here, and goes on in a line of its own.
    std::string finished();

 private:
    struct Stream {
        TerminalLine line;
        /// Of `lines_`, while the line is under way; else none.
        std::size_t at = none;
    };
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    void mark(const std::string& text);
    Stream& stream_of(LogKind kind);
    /// Makes sure that the line of the stream has a place.
    void begin(Stream& stream, LogKind kind);
    /// Writes the line of the stream to its place.
    void keep(Stream& stream);
    void keep_all();
    /// Where the first line stands that is under way; the number of lines if none is.
    std::size_t first_open() const;
    /// Ends lines under way that began before `at` in `lines_`: they go on in lines of their own.
    void end_lines_before(std::size_t at);
    void drop_before(std::size_t at);

    std::size_t longest_;
    std::size_t most_lines_;
    bool heads_attempts_;
    std::vector<LogLine> lines_{};
    std::map<LogKind, Stream> streams_{};
    int attempt_ = 0;
    int numbered_ = 0;
};

/// A line of a log as text without escape sequences, with its end, for a download.
std::string text_of(const LogLine& line);

/// The numbers of the lines that have `text`, whatever the case of its ASCII letters. Marks are not
/// searched. Empty for an empty text.
std::vector<int> lines_with(const std::vector<LogLine>& lines, const std::string& text);

/// Where `text` stands in `line`, as byte offsets; places do not overlap.
std::vector<std::size_t> places_of(const std::string& line, const std::string& text);

}  // namespace fcgi::pages
