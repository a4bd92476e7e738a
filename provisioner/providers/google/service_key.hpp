#pragma once

#include <string>

#include "provisioner/base/problem.hpp"
#include "provisioner/base/secret.hpp"
#include "provisioner/providers/provider.hpp"

namespace provisioner::providers::google {

/// A service account's key, as the JSON file that Google Cloud gives out holds it.
struct ServiceKey {
    /// The account, "...gserviceaccount.com".
    std::string email{};
    /// Says to the token endpoint which key signed; may be empty.
    std::string key_id{};
    /// PEM, PKCS #8.
    base::Secret private_key{};
    /// Where assertions are exchanged for tokens; also their audience.
    std::string token_uri{};
};

/// The key of the account: the text of the file that `api_key_resource` names, else of the field
/// `google_key_json`. All problems of these fields, of `google_client_email` and
/// `ssh_key_resource`; the first is Coopr's "Credential validation failed!".
base::Checked<ServiceKey> service_key_of(const Account& account);

}  // namespace provisioner::providers::google
