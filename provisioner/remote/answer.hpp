#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "provisioner/remote/session.hpp"

namespace provisioner::remote {

/// Separates a step's output from the wrapper's own words, which share one stream. The wrapper
/// writes "<token> <word>" and a line end, also in the middle of a line of output. The token is
/// random, made for this call and unknown to the step, so no output can imitate a word.
///
/// The words "out" and "err" say which stream the following output belongs to. Any other word is an
/// answer; every answer but goes_on ends the reading. A reader serves one step and one thread.
class AnswerReader {
 public:
    /// `sink` gets the step's output and must outlive the reader.
    AnswerReader(std::string_view token, const OutputSink& sink);

    /// Takes the next bytes from the wrapper. Holds back only bytes that may be the beginning of a
    /// word. Bytes after the end of the step are dropped. Throws NodeRefusal for a word longer than
    /// 64 KiB, and what the sink throws.
    void pass(std::string_view piece);

    /// The newest answer, once: goes_on, or the end of the step in the form read_answer() reads.
    /// Nothing when no answer has come since the last call.
    std::optional<std::string> take_answer();

    /// Bytes of output given to the sink so far.
    std::size_t passed() const { return passed_; }

 private:
    /// Processes held_ up to the end of the next word; false when the next word is incomplete or
    /// the step has ended.
    bool take_word();
    /// Gives the first `size` bytes of held_ to the sink.
    void give(std::size_t size);

    /// The token and a blank.
    std::string mark_;
    const OutputSink& sink_;
    Stream stream_ = Stream::out;
    /// Bytes received and neither given to the sink nor understood.
    std::string held_;
    std::optional<std::string> answer_;
    bool ended_ = false;
    std::size_t passed_ = 0;
};

/// The answer for a step that still runs.
constexpr std::string_view goes_on = "on";

/// Reads the answer that ended a step: "exit <code>", "expired" (exit code 124), "stopped" (143),
/// "lost", "fenced <fence>" or "another" (137). Throws NodeRefusal for "refused <why>". Throws
/// TransportError for "broken <why>" and any other text, so that the caller asks again. Simulated
/// machines use the same words.
RunResult read_answer(std::string_view answer);

}  // namespace provisioner::remote
