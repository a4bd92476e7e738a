#pragma once

#include "provisioner/callbacks/targets.hpp"
#include "provisioner/http_client/message.hpp"

namespace provisioner::callbacks {

/// The HTTP request for one attempt at a delivery: POST of `body` to `url`, with these headers.
///
/// `Cooperage-Event`: start, success, failure or expiring. `Cooperage-Delivery`: the callback's id,
/// the same in every attempt, so that receivers can drop repetitions. `Cooperage-Signature`, only
/// with a secret: `t=<seconds since 1970>,v1=<HMAC-SHA-256 of "<t>.<body>" in hexadecimal>`. `now`
/// is signed as well, so that receivers can refuse old messages.
///
/// The request may take `targets.limit`; a longer body of the reply is cut, because only its status
/// counts. Redirections are not followed (http_client::Client), so the body reaches `url` only.
/// Pure.
http_client::Request message(const Targets& targets, const std::string& url,
                             const model::Callback& callback, const std::string& body,
                             base::Timestamp now);

}  // namespace provisioner::callbacks
