#include "provisioner/daemon/redaction/redact.hpp"

namespace provisioner::daemon {

std::string redacted(std::string_view text, const std::vector<std::string>& secrets) {
    if (text.empty() || secrets.empty()) return std::string(text);
    MaskedStream stream;
    stream.read(*automaton_of(secrets), text);
    return stream.rest();
}

StreamRedactor::StreamRedactor(const std::vector<std::string>& secrets)
    : secrets_(automaton_of(secrets)) {}

std::string StreamRedactor::next(const std::string& stream, std::string_view text) {
    MaskedStream& masked = streams_[stream];
    masked.read(*secrets_, text);
    return masked.shown(*secrets_);
}

std::map<std::string, std::string> StreamRedactor::rest() {
    std::map<std::string, std::string> rest;
    for (auto& [name, stream] : streams_) {
        if (auto text = stream.rest(); !text.empty()) rest[name] = std::move(text);
    }
    streams_.clear();
    return rest;
}

std::size_t StreamRedactor::kept_back(const std::string& stream) const {
    const auto found = streams_.find(stream);
    return found == streams_.end() ? 0 : found->second.kept_back();
}

void redact(queue::Outcome& outcome, const std::vector<std::string>& secrets) {
    if (secrets.empty()) return;
    if (auto* failed = std::get_if<queue::Failed>(&outcome)) {
        for (std::string* text : {&failed->message, &failed->stdout_tail, &failed->stderr_tail}) {
            *text = redacted(*text, secrets);
        }
    } else if (auto* waiting = std::get_if<queue::Waiting>(&outcome)) {
        waiting->reason = redacted(waiting->reason, secrets);
    }
}

}  // namespace provisioner::daemon
