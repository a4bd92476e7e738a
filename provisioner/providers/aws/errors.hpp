#pragma once

#include <optional>
#include <string>

#include "provisioner/base/clock.hpp"
#include "provisioner/http_client/message.hpp"

namespace provisioner::providers::aws {

/// An error as EC2 sends it.
struct ErrorReply {
    /// HTTP status. Some codes come with different ones: capacity with 400 and with 500.
    int status = 0;
    /// "InsufficientInstanceCapacity".
    std::string code{};
    /// EC2's words.
    std::string message{};

    /// Whether the call was one too many. The caller pauses the lane.
    bool is_throttle() const;
    /// Whether what was named is not there (any more): "...NotFound".
    bool is_not_found() const;
    /// Whether temporary credentials have run out, so that new ones help.
    bool is_expired_login() const;
};

/// The error in a reply; nothing in an answer with status 200. A reply without EC2's envelope, such
/// as a proxy's page, has the code "".
std::optional<ErrorReply> error_in(const http_client::Reply& reply);

/// Throws what the error means (cloud/failures.hpp), in words for people: `action` is the call that
/// was refused. Throws Lost where the outcome is unknown. `reply` has the Date, from which a wrong
/// clock is told.
[[noreturn]] void throw_meaning(const ErrorReply& error, const std::string& action,
                                const http_client::Reply& reply, base::Timestamp now);

}  // namespace provisioner::providers::aws
