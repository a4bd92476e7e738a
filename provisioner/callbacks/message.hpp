#pragma once

#include "provisioner/callbacks/targets.hpp"
#include "provisioner/http_client/message.hpp"

namespace provisioner::callbacks {

/// The request that tells it: the body as JSON, the event in `Cooperage-Event`, a number that stays
/// the same when it is sent again in `Cooperage-Delivery`, and with a secret `Cooperage-Signature:
/// t=<seconds since 1970>,v1=<HMAC-SHA-256 of "<t>.<body>" in hexadecimal>`.
http_client::Request message(const Targets& targets, const std::string& url,
                             const model::Callback& callback, const std::string& body,
                             base::Timestamp now);

}  // namespace provisioner::callbacks
