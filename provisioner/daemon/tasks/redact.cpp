#include "provisioner/daemon/tasks/redact.hpp"

#include <algorithm>

#include "provisioner/model/plugins/sealed.hpp"

namespace provisioner::daemon {

std::string redacted(std::string_view text, const std::vector<std::string>& secrets) {
    // The longest first: masking a secret that is part of a longer one would leave the rest of it.
    std::vector<std::string> by_size = secrets;
    std::sort(by_size.begin(), by_size.end(),
              [](const auto& a, const auto& b) { return a.size() > b.size(); });
    std::string shown(text);
    for (const std::string& secret : by_size) {
        if (secret.empty()) continue;
        if (secret.size() < shortest_replaced) {
            if (shown.find(secret) != std::string::npos) return std::string(model::secret_mask);
            continue;
        }
        for (auto at = shown.find(secret); at != std::string::npos;
             at = shown.find(secret, at + model::secret_mask.size())) {
            shown.replace(at, secret.size(), model::secret_mask);
        }
    }
    return shown;
}

std::string StreamRedactor::next(const std::string& stream, std::string_view text) {
    std::string& kept_back = kept_back_[stream];
    kept_back += text;
    const std::size_t safe = safe_size(kept_back);
    const std::string shown = redacted(std::string_view(kept_back).substr(0, safe), secrets_);
    kept_back.erase(0, safe);
    return shown;
}

std::map<std::string, std::string> StreamRedactor::rest() {
    std::map<std::string, std::string> rest;
    for (const auto& [stream, text] : kept_back_) {
        if (!text.empty()) rest[stream] = redacted(text, secrets_);
    }
    kept_back_.clear();
    return rest;
}

// The longest end that begins a secret stays back. A complete secret that reaches into it stays
// back as a whole, so that nothing cuts it.
std::size_t StreamRedactor::safe_size(std::string_view text) const {
    std::size_t safe = text.size();
    for (const std::string& secret : secrets_) {
        if (secret.empty()) continue;
        for (std::size_t size = std::min(secret.size() - 1, text.size()); size > 0; --size) {
            if (text.ends_with(std::string_view(secret).substr(0, size))) {
                safe = std::min(safe, text.size() - size);
                break;
            }
        }
    }
    for (bool moved = true; moved;) {
        moved = false;
        for (const std::string& secret : secrets_) {
            if (secret.size() < 2) continue;
            const std::size_t first = safe < secret.size() ? 0 : safe - secret.size() + 1;
            const std::size_t found = text.find(secret, first);
            if (found == std::string_view::npos || found >= safe) continue;
            if (found + secret.size() <= safe) continue;
            safe = found;
            moved = true;
        }
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
