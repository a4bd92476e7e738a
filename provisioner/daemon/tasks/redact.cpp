#include "provisioner/daemon/tasks/redact.hpp"

#include <algorithm>
#include <functional>

#include "provisioner/model/plugins/sealed.hpp"

namespace provisioner::daemon {

namespace {

/// The longest first: masking a secret that is part of a longer one would leave the rest of it.
std::vector<Pattern> by_size(const std::vector<std::string>& secrets) {
    std::vector<Pattern> patterns;
    for (const std::string& secret : secrets) {
        if (!secret.empty()) patterns.emplace_back(secret);
    }
    std::ranges::sort(patterns, std::greater{},
                      [](const Pattern& one) { return one.text().size(); });
    return patterns;
}

std::string masked(std::string_view text, const Pattern& secret) {
    std::string shown;
    std::size_t done = 0;
    for (auto at = secret.find_in(text); at != std::string_view::npos;
         at = secret.find_in(text, done)) {
        shown.append(text, done, at - done).append(model::secret_mask);
        done = at + secret.text().size();
    }
    return shown.append(text, done);
}

std::string all_masked(std::string_view text, const std::vector<Pattern>& secrets) {
    std::string shown(text);
    for (const Pattern& secret : secrets) {
        if (secret.text().size() >= shortest_replaced) {
            shown = masked(shown, secret);
        } else if (secret.find_in(shown) != std::string_view::npos) {
            return std::string(model::secret_mask);
        }
    }
    return shown;
}

}  // namespace

std::string redacted(std::string_view text, const std::vector<std::string>& secrets) {
    return all_masked(text, by_size(secrets));
}

StreamRedactor::StreamRedactor(const std::vector<std::string>& secrets)
    : secrets_(by_size(secrets)) {}

std::string StreamRedactor::next(const std::string& stream, std::string_view text) {
    Kept& kept = kept_[stream];
    kept.begun.resize(secrets_.size());
    for (std::size_t i = 0; i < secrets_.size(); ++i) {
        for (const char byte : text) kept.begun[i] = secrets_[i].after(kept.begun[i], byte);
    }
    kept.text += text;
    const std::size_t safe = safe_size(kept);
    const std::string shown = all_masked(std::string_view(kept.text).substr(0, safe), secrets_);
    kept.text.erase(0, safe);
    return shown;
}

std::map<std::string, std::string> StreamRedactor::rest() {
    std::map<std::string, std::string> rest;
    for (const auto& [stream, kept] : kept_) {
        if (!kept.text.empty()) rest[stream] = all_masked(kept.text, secrets_);
    }
    kept_.clear();
    return rest;
}

// The longest end that begins a secret stays back. A complete secret that reaches into it stays
// back as a whole, so that nothing cuts it.
std::size_t StreamRedactor::safe_size(const Kept& kept) const {
    const std::string_view text = kept.text;
    std::size_t safe = text.size();
    for (std::size_t i = 0; i < secrets_.size(); ++i) {
        // A whole one is masked, so only what begins another one stays back.
        const std::size_t size = secrets_[i].text().size();
        const std::size_t begun =
            kept.begun[i] == size ? secrets_[i].end_of_whole() : kept.begun[i];
        safe = std::min(safe, text.size() - std::min(begun, text.size()));
    }
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (const Pattern& secret : secrets_) secret.add_all_in(text, found);
    // From the last to the first: what the cut is moved to may be inside of an earlier one.
    std::ranges::sort(found, std::greater{});
    for (const auto& [begin, end] : found) {
        if (begin < safe && safe < end) safe = begin;
    }
    return safe;
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
