#pragma once

#include <map>
#include <string>
#include <string_view>

#include "provisioner/base/secret.hpp"

namespace provisioner::providers::cloudstack {

/// Parameters of a call by name.
using Params = std::map<std::string, std::string>;

/// The text as Java's URLEncoder has it, with %20 for a blank: letters, digits and `.-_*` stay. So
/// the server computes the same signature. Source: ApiServer.verifyRequest of Apache CloudStack.
std::string encoded(std::string_view text);

/// The signature of the parameters in base64: HMAC-SHA1 of the encoded parameters, sorted by their
/// names in lower case, and in lower case as a whole. Throws std::runtime_error when OpenSSL fails.
std::string signature_of(const Params& params, const base::Secret& key);

/// The parameters and their signature as the body of a form.
std::string signed_form(const Params& params, const base::Secret& key);

}  // namespace provisioner::providers::cloudstack
