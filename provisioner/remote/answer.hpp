#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "provisioner/remote/session.hpp"

namespace provisioner::remote {

/// Parts a step's standard error from the wrapper's answer, which is its last line and begins with
/// a token that was made up for this one call.
class AnswerFilter {
 public:
    explicit AnswerFilter(std::string_view token);

    /// The part of everything received so far that is surely the step's own and was not returned
    /// before. Holds back only what may turn out to be the beginning of the answer. Throws
    /// NodeRefusal for an answer that does not end.
    std::string pass(std::string_view piece);

    /// At the end: what was held back and did not become an answer.
    std::string rest();

    /// The answer without token and line end, for example "exit 0"; nothing when it is missing or
    /// not complete.
    std::optional<std::string> answer() const;

 private:
    void hold(std::string_view piece);

    std::string mark_;
    std::string held_;
    bool found_ = false;
};

/// What the wrapper's answer says: "exit <code>", "fenced <fence>", "another", "expired" (exit code
/// 124), "stopped" (143), "lost" (137). Throws NodeRefusal for "refused <why>", and TransportError
/// for "broken <why>" and for anything else.
RunResult read_answer(std::string_view answer);

}  // namespace provisioner::remote
