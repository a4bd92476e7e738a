#include "provisioner/callbacks/message.hpp"

#include "provisioner/identity/signature.hpp"

namespace provisioner::callbacks {

http_client::Request message(const Targets& targets, const std::string& url,
                             const model::Callback& callback, const std::string& body,
                             base::Timestamp now) {
    http_client::Request request;
    request.url = url;
    request.body = body;
    request.limit = targets.limit;
    // Only the status counts, so a long reply is cut instead of failing the delivery.
    request.cuts_reply = true;
    request.headers = {{"Content-Type", "application/json"},
                       {"Cooperage-Event", base::to_word(callback.event)},
                       {"Cooperage-Delivery", std::to_string(callback.id)}};
    if (targets.secret.empty()) return request;
    const std::string seconds = std::to_string(base::to_millis(now) / 1000);
    request.headers.emplace_back(
        "Cooperage-Signature",
        "t=" + seconds + ",v1=" + identity::signature(targets.secret, seconds + "." + body));
    return request;
}

}  // namespace provisioner::callbacks
