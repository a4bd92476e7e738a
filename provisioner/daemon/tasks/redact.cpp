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
