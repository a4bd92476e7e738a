#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "provisioner/base/secret.hpp"

namespace provisioner::federation {

/// Names and values of a query or a form.
using Parameters = std::vector<std::pair<std::string, std::string>>;

/// application/x-www-form-urlencoded: everything but letters, digits and "-._~" is %XX.
std::string form_text(const Parameters& parameters);

/// An address with the parameters behind those that it has.
std::string with_query(const std::string& address, const Parameters& parameters);

/// The code challenge of a verifier, method S256 (RFC 7636, 4.2).
std::string challenge_of(const base::Secret& verifier);

/// What goes along when a browser is sent to a provider.
struct Authorization {
    std::string client_id{};
    std::string redirect{};
    std::string scopes{};
    std::string state{};
    std::string nonce{};
    base::Secret verifier{};
    /// The person has to give the password again.
    bool again = false;
};

/// The address to which the browser is sent (OpenID Connect Core, 3.1.2.1).
std::string authorization_address(const std::string& endpoint, const Authorization& wanted);

/// The value of the header Authorization for a client (RFC 6749, 2.3.1: both are form-encoded).
base::Secret basic_credentials(const std::string& client_id, const base::Secret& secret);

}  // namespace provisioner::federation
