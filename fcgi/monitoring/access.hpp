#pragma once

#include <optional>
#include <string>

#include "fcgi/http/message.hpp"
#include "provisioner/base/config.hpp"
#include "provisioner/base/secret.hpp"

namespace fcgi::monitoring {

/// Who may read the metrics: who sends the token, if there is one; otherwise who asks from this
/// host.
class Access {
 public:
    /// Nothing: without a token.
    explicit Access(std::optional<provisioner::base::Secret> token) : token_(std::move(token)) {}

    /// Whether the request has "Authorization: Bearer TOKEN" with this token; without a token,
    /// whether it comes from a loopback address and was not forwarded for somebody else.
    bool may_read(const http::Request& request) const;

 private:
    std::optional<provisioner::base::Secret> token_;
};

/// Reads the token from the file of the setting metrics.token_file; without the setting there is
/// none. Throws std::runtime_error that names the setting: the file cannot be read, others than its
/// owner and group have a right to it, or its token has less than 16 characters.
Access access_from(const provisioner::base::Config& config);

}  // namespace fcgi::monitoring
