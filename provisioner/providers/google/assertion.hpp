#pragma once

#include <string>
#include <string_view>

#include "provisioner/base/clock.hpp"
#include "provisioner/base/secret.hpp"
#include "provisioner/providers/google/service_key.hpp"

namespace provisioner::providers::google {

/// Whether the text is a PEM private key for RSA that can be read without a passphrase.
bool is_private_key(const base::Secret& pem);

/// The signed statement that asks for an access token: a JSON Web Token, RS256, valid for an hour
/// from `now`, which is the longest that Google takes. Throws std::runtime_error when OpenSSL
/// cannot sign. Sources: RFC 7519, RFC 7523;
/// https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests.
std::string assertion(const ServiceKey& key, std::string_view scope, base::Timestamp now);

/// Base64 in the alphabet for URLs, without padding. Source: RFC 4648, section 5.
std::string base64_url(std::string_view bytes);

}  // namespace provisioner::providers::google
