#include "provisioner/remote/answer.hpp"

#include <algorithm>
#include <utility>

#include "provisioner/base/ids.hpp"

namespace provisioner::remote {

namespace {

constexpr int exit_of_expired = 124;
constexpr int exit_of_lost = 137;
constexpr int exit_of_stopped = 143;
constexpr std::size_t longest_answer = 64 * 1024;
constexpr std::string_view exit_word = "exit ";
constexpr std::string_view refused_word = "refused ";

/// How many of the last characters of `text` may be the beginning of `mark`.
std::size_t begun(std::string_view text, std::string_view mark) {
    for (std::size_t size = std::min(text.size(), mark.size() - 1); size > 0; --size) {
        if (text.ends_with(mark.substr(0, size))) return size;
    }
    return 0;
}

}  // namespace

AnswerFilter::AnswerFilter(std::string_view token) : mark_("\036" + std::string(token) + " ") {}

std::string AnswerFilter::pass(std::string_view piece) {
    if (found_) {
        hold(piece);
        return {};
    }
    held_ += piece;
    const std::size_t at = held_.find(mark_);
    found_ = at != std::string::npos;
    const std::size_t size = found_ ? at : held_.size() - begun(held_, mark_);
    std::string passed = held_.substr(0, size);
    held_.erase(0, size);
    if (found_) hold({});
    return passed;
}

// Behind its token a node could go on for ever.
void AnswerFilter::hold(std::string_view piece) {
    if (held_.find('\n') != std::string::npos) return;
    held_ += piece.substr(0, longest_answer);
    if (held_.size() > longest_answer) throw NodeRefusal("the step wrapper's answer does not end");
}

std::string AnswerFilter::rest() {
    if (found_) return {};
    return std::exchange(held_, {});
}

std::optional<std::string> AnswerFilter::answer() const {
    const std::size_t end = held_.find('\n');
    if (!found_ || end == std::string::npos) return std::nullopt;
    return held_.substr(mark_.size(), end - mark_.size());
}

RunResult read_answer(std::string_view answer) {
    if (answer == "expired") return {.exit_code = exit_of_expired, .timed_out = true};
    if (answer == "stopped") return {.exit_code = exit_of_stopped, .stopped = true};
    if (answer == "lost") return {.exit_code = exit_of_lost};
    if (answer.starts_with("fenced ")) return {.exit_code = exit_of_lost, .fenced_off = true};
    if (answer == "another") return {.exit_code = exit_of_lost, .is_another = true};
    if (answer.starts_with(exit_word)) {
        const auto code = base::parse_number(answer.substr(exit_word.size()));
        if (code && *code <= 255) return {.exit_code = static_cast<int>(*code)};
    }
    if (answer.starts_with(refused_word)) {
        throw NodeRefusal(std::string(answer.substr(refused_word.size())));
    }
    throw TransportError("the step wrapper answered: " + std::string(answer));
}

}  // namespace provisioner::remote
