#include "provisioner/remote/answer.hpp"

#include <algorithm>
#include <utility>

#include "provisioner/base/ids.hpp"

namespace provisioner::remote {

namespace {

constexpr int exit_of_expired = 124;
constexpr int exit_of_lost = 137;
constexpr int exit_of_stopped = 143;
constexpr std::size_t longest_answer = 65'536;
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

AnswerReader::AnswerReader(std::string_view token, const OutputSink& sink)
    : mark_(std::string(token) + " "), sink_(sink) {}

void AnswerReader::pass(std::string_view piece) {
    if (ended_) return;
    held_ += piece;
    while (take_word()) {
    }
}

bool AnswerReader::take_word() {
    const std::size_t at = held_.find(mark_);
    if (at == std::string::npos) {
        give(held_.size() - begun(held_, mark_));
        return false;
    }
    give(at);
    const std::size_t end = held_.find('\n');
    // A broken or hostile node could send a word without end, and held_ would grow with it.
    if (std::min(end, held_.size()) > longest_answer) {
        throw NodeRefusal("the step wrapper's answer does not end");
    }
    if (end == std::string::npos) return false;
    std::string word = held_.substr(mark_.size(), end - mark_.size());
    held_.erase(0, end + 1);
    if (word == "out" || word == "err") {
        stream_ = word == "out" ? Stream::out : Stream::err;
        return true;
    }
    ended_ = word != goes_on;
    answer_ = std::move(word);
    return !ended_;
}

void AnswerReader::give(std::size_t size) {
    if (size > 0) sink_(stream_, std::string_view(held_).substr(0, size));
    held_.erase(0, size);
    passed_ += size;
}

std::optional<std::string> AnswerReader::take_answer() {
    return std::exchange(answer_, std::nullopt);
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
