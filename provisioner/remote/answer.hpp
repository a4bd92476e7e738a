#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "provisioner/remote/session.hpp"

namespace provisioner::remote {

/// Parts what a step prints from what the wrapper says in between, all on one stream: each word of
/// the wrapper's follows a token that was made up for this one call, and ends with its line.
class AnswerReader {
 public:
    /// `sink` gets what the step prints; it must outlive the reader.
    AnswerReader(std::string_view token, const OutputSink& sink);

    /// Holds back only what may turn out to be the beginning of a word. What follows the end of the
    /// step is dropped. Throws NodeRefusal for a word that does not end.
    void pass(std::string_view piece);

    /// The newest answer, once: "on" for a step that goes on, else how it ended, as read_answer()
    /// wants it.
    std::optional<std::string> take_answer();

    /// How many bytes the step has printed.
    std::size_t passed() const { return passed_; }

 private:
    bool take_word();
    void give(std::size_t size);

    std::string mark_;
    const OutputSink& sink_;
    Stream stream_ = Stream::out;
    std::string held_;
    std::optional<std::string> answer_;
    bool ended_ = false;
    std::size_t passed_ = 0;
};

/// The answer of a step that goes on.
constexpr std::string_view goes_on = "on";

/// What the wrapper's answer says: "exit <code>", "fenced <fence>", "another", "expired" (exit code
/// 124), "stopped" (143), "lost" (137). Throws NodeRefusal for "refused <why>", and TransportError
/// for "broken <why>" and for anything else.
RunResult read_answer(std::string_view answer);

}  // namespace provisioner::remote
