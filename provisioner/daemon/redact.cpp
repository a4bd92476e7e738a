#include "provisioner/daemon/redact.hpp"

#include "provisioner/model/sealed.hpp"

namespace provisioner::daemon {

std::string redacted(std::string_view text, const std::vector<std::string>& secrets) {
    std::string shown(text);
    for (const std::string& secret : secrets) {
        if (secret.size() < shortest_redacted) continue;
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
